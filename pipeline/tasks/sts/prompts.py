"""Prompts of STS: a number from 0 to 5, or whether two sentences mean the same.

Where choices are compared, yes is 5 and no is 0. A text without a number counts as the wrong side
of 3: 0 for a paraphrase, 5 for another pair.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipeline.scoring.harness.prompts import Doc, Prompt, Prompts, answer_lines

_THRESHOLD = 3.0
_LOW, _HIGH = 0.0, 5.0
_NUMBER = re.compile(r"(-?\d{1,3}(?:\.\d{1,12})?)\s*(?:점|/\s*5)?\.?")


def _pair(doc: Doc, gap: str) -> str:
    return f"문장 1:{gap}{doc.fields['sentence1']}\n문장 2:{gap}{doc.fields['sentence2']}"


def _ask_number(doc: Doc) -> str:
    return (
        "두 문장의 뜻이 얼마나 비슷한지 0(전혀 다름)에서 5(같음) 사이의 수로 답하세요.\n"
        f"{_pair(doc, ' ')}\n점수:"
    )


def _ask_same(doc: Doc) -> str:
    return f"두 문장의 뜻이 서로 비슷하면 예, 다르면 아니요로 답하세요.\n{_pair(doc, ' ')}\n답:"


def _ask_polyglot(doc: Doc) -> str:
    return f"질문: 문장 1과 문장 2의 뜻이 서로 비슷한가요?\n{_pair(doc, ' ')}\n정답:"


def _items(fields: Mapping[str, Any], label: Any) -> list[tuple[dict[str, Any], Any]]:
    return [(dict(fields), label["real-label"] if label else None)]


def _read(text: str, _doc: Doc) -> float | None:
    lines = answer_lines(text)
    number = _NUMBER.fullmatch(lines[0]) if lines else None
    value = float(number[1]) if number else None
    return value if value is not None and _LOW <= value <= _HIGH else None


def _count(gold: float, answer: float, _doc: Doc) -> dict[str, Any]:
    same, predicted = gold >= _THRESHOLD, answer >= _THRESHOLD
    return {
        "pearson": [gold, answer],
        "f1": [2.0 * (same and predicted), float(same + predicted)],
    }


PROMPTS = Prompts(
    prompts=(
        Prompt(
            "plain",
            "mc",
            _ask_same,
            lambda gold, _doc: "예" if gold >= _THRESHOLD else "아니요",
            choices=lambda _labels: {"아니요": _LOW, "예": _HIGH},
        ),
        Prompt("plain", "gen", _ask_number, lambda gold, _doc: f"{gold:.1f}", _read),
        Prompt(
            "polyglot",
            "mc",
            _ask_polyglot,
            lambda gold, _doc: "예" if gold >= _THRESHOLD else "아니오",
            choices=lambda _labels: {"아니오": _LOW, "예": _HIGH},
        ),
    ),
    payloads=_count,
    aggregations={"pearson": "pearson", "f1": "ratio"},
    wrong=lambda gold, _doc: _LOW if gold >= _THRESHOLD else _HIGH,
    items=_items,
    labels=lambda _spec: {},
)
