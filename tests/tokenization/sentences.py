"""Sentences of made-up people and their errands, the same every time, and files of them."""

from __future__ import annotations

import random
from pathlib import Path

from pipeline.core.io import Source, guess_source

#: Conjoining jamo, hanja, Latin, an emoji, marks that pieces use themselves.
ODD = [
    "ᄒ\u1161\u11ab글은 좋다",
    "美 대선 #한글 ##은",
    "KTX·SRT 3.5% 올라😀",
    "ㅋㅋㅋ 그래ㅠㅠ ▁네",
]


def sentences(many: int = 300, seed: int = 7) -> list[str]:
    draw = random.Random(seed)
    names = ["한가람", "솔내음", "미르", "도서관", "바닷가", "인공지능", "학교", "시장", "연구자"]
    marks = ["은", "는", "이", "가", "을", "를", "에서", "의", "까지", "에서는", "도"]
    verbs = ["읽었습니다", "갔다", "저명한", "먹는다", "좋았어요", "끝났습니다"]
    made = [
        " ".join(draw.choice(names) + draw.choice(marks) for _ in range(3))
        + f" {draw.choice(verbs)}."
        for _ in range(many)
    ]
    return made + ODD


def write(path: Path, texts: list[str]) -> Source:
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return guess_source(path)
