"""Answers that several tasks have: a score, spans, one label, several labels."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from pipeline.contracts.spec import Round, TaskSpec, word_form
from pipeline.contracts.task import Fields, f1, mask, nfc, one_of, whole, with_verdicts, wrong
from pipeline.core.jsontext import canonical

Span = dict[str, Any]
_KEYS: Final = frozenset({"start", "end", "label"})


def parse_label(answer: Any, _fields: Fields, spec: TaskSpec, _round: Round) -> str:
    """Return a label of the spec; raises RecordError otherwise."""
    return one_of(_name(answer), spec.ids(), "label")


def _name(label: Any) -> Any:
    """Return a number or truth value as the text that a table has: a label may be called 1."""
    return canonical(label) if isinstance(label, bool | int | float) else label


def same(answer: Any) -> Any:
    """Return an answer as it is: the view of answers that are compared whole."""
    return answer


def compare_labels(left: str, right: str) -> dict[str, float]:
    """Return 1 for equal labels, 0 for others."""
    return {"equal": float(left == right)}


def parse_labels(answer: Any, _fields: Fields, spec: TaskSpec, _round: Round) -> list[str]:
    """Return labels in the order of the spec, each once; none at all is an answer too.

    The cell of a table has them with `|` between, unless the whole of it is a label.
    """
    allowed = spec.ids()
    if isinstance(answer, str | bool | int | float):
        cell = _name(answer)
        parts = [cell] if nfc(cell) in allowed else [part.strip() for part in cell.split("|")]
        answer = [part for part in parts if part]
    if not isinstance(answer, list):
        raise wrong("form", f"labels are a list, or a text with | between them, not {mask(answer)}")
    labels = {one_of(_name(label), allowed, "label") for label in answer}
    if len(labels) < len(answer):
        raise wrong("form", "a label is named twice; name each once")
    return [label for label in allowed if label in labels]


def parse_score(answer: Any, _fields: Fields, spec: TaskSpec, _round: Round) -> int:
    """Return a whole score on the scale: 3.0 is 3, a word is what the spec's labels say."""
    if isinstance(answer, str) and spec.points:
        answer = _point(answer, spec)
    low, high = (spec.scale.low, spec.scale.high) if spec.scale else (0, 5)
    is_number = isinstance(answer, int | float) and not isinstance(answer, bool)
    if not is_number or not low <= answer <= high or answer != int(answer):
        raise wrong("range", f"a score is a whole number from {low} to {high}, not {mask(answer)}")
    return int(answer)


def _point(word: str, spec: TaskSpec) -> int:
    point = spec.points.get(word_form(word))
    if point is None:
        words = ", ".join(f"{x.title.ko}, {x.title.en}" for x in spec.point_labels)
        raise wrong("range", f"{mask(word)} is no word of the scale; allowed: its numbers, {words}")
    return point


@with_verdicts
def parse_spans(answer: Any, fields: Fields, spec: TaskSpec, _round: Round) -> list[Span]:
    """Return spans of `text` by start that do not overlap; none at all is an answer too."""
    if not isinstance(answer, list):
        raise wrong("form", f"a list of spans is wanted, not {mask(answer)}")
    labels = spec.ids()
    spans = [_span(value, len(fields["text"]), labels) for value in answer]
    spans.sort(key=lambda span: (span["start"], span["end"]))
    for left, right in pairwise(spans):
        if right["start"] < left["end"]:
            raise wrong("range", _overlap(left, right))
    return spans


def _overlap(left: Span, right: Span) -> str:
    if _at(left) == _at(right):
        return f"span {_at(left)} is marked twice; keep one of them"
    is_nested = right["end"] <= left["end"] or left["start"] == right["start"]
    relation = "one lies in the other" if is_nested else "they overlap"
    return f"spans {_at(left)} and {_at(right)}: {relation}; keep one of them"


def _span(value: Any, length: int, labels: tuple[str, ...]) -> Span:
    if not isinstance(value, dict) or set(value) != _KEYS:
        raise wrong("form", f"a span is an object with start, end and label, not {mask(value)}")
    start, end = whole(value["start"], "start"), whole(value["end"], "end")
    span = {"start": start, "end": end, "label": one_of(value["label"], labels, "entity type")}
    if start >= end:
        raise wrong("range", f"span {_at(span)} is empty; the end is exclusive")
    if start < 0 or end > length:
        raise wrong("range", f"span {_at(span)} is outside the text of {length} characters")
    return span


def _at(span: Span) -> str:
    return f"{mask(span['start'])}..{mask(span['end'])}"


def span_tuples(answer: list[Span]) -> list[tuple[int, int, str]]:
    """Return spans as (start, end, label)."""
    return [(span["start"], span["end"], span["label"]) for span in answer]


def compare_spans(left: list[Span], right: list[Span]) -> dict[str, float]:
    """Return the F1 of exactly equal spans."""
    return {"entity_f1": f1(set(span_tuples(left)), set(span_tuples(right)))}
