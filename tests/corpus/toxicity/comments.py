"""Made-up comments for tests: mild, about an invented town, with the labels of the real data."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pipeline.corpus.toxicity.data import COLUMNS, HATE_CLASSES
from pipeline.corpus.toxicity.training import Recipe

#: A recipe for so few comments.
SMALL = Recipe(bits=14, min_texts=2, folds=3)

_SUBJECTS = ("솔마을 가수", "가람포 배우", "은여울 선수", "한빛섬 감독", "도람골 기자")
_SAYINGS = {
    (False, "none"): ("노래가 참 좋다", "연기를 또 보고 싶다", "내일 공연도 기대된다"),
    (False, "offensive"): ("정말 실망이다 그만 나와라", "돈만 밝히는 것 같다", "너무 지겹다"),
    (False, "hate"): ("쓰레기 같은 놈", "벌레만도 못한 놈이다", "사라져라 쓰레기"),
    (True, "hate"): ("여자 주제에 설치네", "역시 여자는 안 된다", "남자답지 못하다"),
}


def rows(n: int, *, seed: int = 0) -> list[dict[str, str]]:
    """Return n labelled comments, no two the same."""
    draw = np.random.default_rng(seed)
    made: dict[str, dict[str, str]] = {}
    while len(made) < n:
        bias, hate = list(_SAYINGS)[int(draw.integers(len(_SAYINGS)))]
        saying = _SAYINGS[bias, hate][int(draw.integers(3))]
        subject = _SUBJECTS[int(draw.integers(len(_SUBJECTS)))]
        text = f"{subject} {saying} {'ㅋ' * int(draw.integers(4))}{int(draw.integers(1000))}"
        kind = "gender" if bias else "none"
        made[text] = dict(zip(COLUMNS, (text, str(bias), kind, hate), strict=True))
    assert {row["hate"] for row in made.values()} == set(HATE_CLASSES)
    return list(made.values())


def write_tsv(path: Path, given: list[dict[str, str]]) -> Path:
    """Write labelled comments as the real data are written."""
    names = list(given[0])
    lines = ["\t".join(names), *("\t".join(row[name] for name in names) for row in given)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
