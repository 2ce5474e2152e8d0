"""Slips in tagging entities: boundaries, types, spans forgotten and spans too many."""

from __future__ import annotations

import re
from typing import Any, Final

from pipeline.annotation.simulated.chance import Chance
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Fields

Span = dict[str, Any]

_MISTAKEN: Final = {"PS": "OG", "OG": "LC", "LC": "OG", "DT": "TI", "TI": "DT", "QT": "DT"}
_KINDS: Final = (("boundary", 5.0), ("type", 3.0), ("missing", 2.0), ("extra", 1.0))


def flawed(answer: list[Span], fields: Fields, spec: TaskSpec, vote: Chance) -> list[Span]:
    """Return the spans with one slip; without spans, one too many."""
    text = str(fields["text"])
    kind = vote.weigh("slip", _KINDS) if answer else "extra"
    if kind == "extra":
        return _extra(answer, text, spec, vote)
    place = int(vote.at("span") * len(answer))
    spans = [dict(one) for one in answer]
    if kind == "missing":
        del spans[place]
    elif kind == "type":
        spans[place]["label"] = _other(spans[place]["label"], spec)
    else:
        after = spans[place + 1]["start"] if place + 1 < len(spans) else len(text)
        spans[place]["end"] = _end(spans[place], text, after, vote)
    return spans


def _end(span: Span, text: str, after: int, vote: Chance) -> int:
    """Return another end: with the particle behind the name, or a letter short."""
    end = int(span["end"])
    longer = end < after and not text[end].isspace()
    shorter = end - int(span["start"]) > 1
    if longer and (not shorter or vote.at("longer") < 0.6):
        return end + 1
    return end - 1 if shorter else end


def _other(label: str, spec: TaskSpec) -> str:
    found = _MISTAKEN.get(label)
    return found if found in spec.ids() else next(i for i in spec.ids() if i != label)


def _extra(answer: list[Span], text: str, spec: TaskSpec, vote: Chance) -> list[Span]:
    """Mark a word of two letters or more that is none."""
    free = [
        (m.start(), m.end())
        for m in re.finditer(r"\w{2,}", text)
        if all(m.end() <= one["start"] or m.start() >= one["end"] for one in answer)
    ]
    if not free:
        return list(answer)
    start, end = vote.pick("word", free)
    more = {"start": start, "end": end, "label": vote.pick("kind", spec.ids())}
    return sorted([*answer, more], key=lambda one: int(one["start"]))
