"""Named entity recognition (NER, Section 3.4): spans of six types in a sentence."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields, Task, Texts, f1, one_of, shown, verdict, whole, wrong

Span = dict[str, Any]
_KEYS = frozenset({"start", "end", "label"})


def parse(answer: Any, fields: Fields, spec: TaskSpec, round_: Round) -> Any:
    """Return spans by start that do not overlap; none at all is an answer too."""
    if round_.answer == "verdict":
        return verdict(answer, fields, spec, round_, _spans)
    return _spans(answer, fields, spec, round_)


def _spans(answer: Any, fields: Fields, spec: TaskSpec, _round: Round) -> list[Span]:
    if not isinstance(answer, list):
        raise wrong("form", f"a list of spans is wanted, not {shown(answer)}")
    labels = spec.ids()
    spans = [_span(one, len(fields["text"]), labels) for one in answer]
    spans.sort(key=lambda span: (span["start"], span["end"]))
    for left, right in pairwise(spans):
        if right["start"] < left["end"]:
            raise wrong("range", f"spans {_at(left)} and {_at(right)} overlap; keep one of them")
    return spans


def _span(one: Any, length: int, labels: tuple[str, ...]) -> Span:
    if not isinstance(one, dict) or set(one) != _KEYS:
        raise wrong("form", f"a span is an object with start, end and label, not {shown(one)}")
    start, end = whole(one["start"], "start"), whole(one["end"], "end")
    span = {"start": start, "end": end, "label": one_of(one["label"], labels, "entity type")}
    if start >= end:
        raise wrong("range", f"span {_at(span)} is empty; the end is exclusive")
    if start < 0 or end > length:
        raise wrong("range", f"span {_at(span)} is outside the text of {length} characters")
    return span


def _at(span: Span) -> str:
    return f"{shown(span['start'])}..{shown(span['end'])}"


def _view(answer: list[Span]) -> list[tuple[int, int, str]]:
    return [(span["start"], span["end"], span["label"]) for span in answer]


def _compare(left: list[Span], right: list[Span]) -> dict[str, float]:
    return {"entity_f1": f1(set(_view(left)), set(_view(right)))}


def _entities(fields: Fields, label: Any) -> list[str]:
    return [fields["text"][span["start"] : span["end"]] for span in label]


TASK = Task(
    id="ner",
    config="ner",
    kind="spans",
    fields=("text",),
    parse=parse,
    view=_view,
    compare=_compare,
    texts=Texts(entities=_entities),
)
