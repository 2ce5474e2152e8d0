"""What a right label is mostly taken for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from pipeline.annotation.simulated.chance import Chance
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Fields

Weighed = Sequence[tuple[str, float]]

#: Topics that share their words: laws between politics, society and the economy, health between
#: culture and society, devices between IT and the economy.
_TOPICS: Final[Mapping[str, Weighed]] = {
    "정치": (("사회", 5), ("경제", 3), ("세계", 2)),
    "경제": (("사회", 4), ("IT과학", 2.5), ("정치", 1.5), ("생활문화", 1.5), ("세계", 0.5)),
    "사회": (("생활문화", 3.5), ("정치", 3), ("경제", 2.5), ("IT과학", 0.5), ("세계", 0.5)),
    "생활문화": (("사회", 6), ("경제", 1.5), ("IT과학", 1), ("스포츠", 0.8), ("세계", 0.7)),
    "세계": (("정치", 3), ("사회", 3), ("경제", 2), ("생활문화", 1.5), ("스포츠", 0.5)),
    "IT과학": (("경제", 4), ("사회", 3), ("생활문화", 2.5), ("세계", 0.5)),
    "스포츠": (("사회", 4), ("생활문화", 4), ("경제", 1), ("세계", 1)),
}
_INFERENCES: Final[Mapping[str, Weighed]] = {
    "entailment": (("neutral", 8), ("contradiction", 2)),
    "contradiction": (("neutral", 8), ("entailment", 2)),
    "neutral": (("entailment", 5), ("contradiction", 5)),
}
_NO_RELATION: Final = "no_relation"
#: How much likelier a relation is given up for none than taken for another of the same types.
_GIVEN_UP: Final = 1.5


def rivals(spec: TaskSpec, label: str, fields: Fields) -> Weighed:
    """Return the labels that a right one is taken for, with weights; never itself.

    For a relation they are those of the same pair of types, and none at all.
    """
    table = {"tc": _TOPICS, "nli": _INFERENCES}.get(spec.task, {})
    found = table.get(label)
    if found is None and spec.task == "re":
        found = _relations(spec, label, _type(fields, "subject"), _type(fields, "object"))
    return found or _others(spec, label)


def rival(spec: TaskSpec, label: str, fields: Fields, item: Chance) -> str:
    """Return the one label that an item of this label is mostly taken for; the same for all."""
    return item.weigh("rival", rivals(spec, label, fields))


@cache
def _cached(spec_digest: str, labels: tuple[Any, ...], label: str, side: str, kind: str) -> Weighed:
    del spec_digest
    offered = [
        one.id
        for one in labels
        if one.id not in (label, _NO_RELATION) and one.subject == side and kind in one.objects
    ]
    found: list[tuple[str, float]] = [(name, 1.0) for name in offered]
    if label != _NO_RELATION:
        found.append((_NO_RELATION, _GIVEN_UP * max(1, len(offered))))
    return tuple(found)


def _relations(spec: TaskSpec, label: str, side: str, kind: str) -> Weighed:
    return _cached(spec.digest, spec.labels, label, side, kind)


def _type(fields: Fields, side: str) -> str:
    entity = fields.get(side)
    return str(entity.get("type", "")) if isinstance(entity, Mapping) else ""


def _others(spec: TaskSpec, label: str) -> Weighed:
    return tuple((name, 1.0) for name in spec.ids() if name != label)
