"""Simulated annotators: 163 at full size (Section 3.5.1), with an alpha near 0.70."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.annotation.simulated.profile import Plan, Simulated, Weighted
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Fields

_NO_RELATION: Final = "no_relation"


def _confusions(spec: TaskSpec, label: str, fields: Fields) -> Weighted:
    subject, object_ = (_type(fields.get(key)) for key in ("subject", "object"))
    offered: list[tuple[str, float]] = [
        (one.id, 1.0)
        for one in spec.labels
        if one.id not in (label, _NO_RELATION) and one.subject == subject and object_ in one.objects
    ]
    if label != _NO_RELATION:
        # Wrong answers are no_relation more often than all other relations of the types together.
        offered.append((_NO_RELATION, 1.5 * max(1, len(offered))))
    return offered


def _type(entity: Any) -> str:
    return str(entity.get("type", "")) if isinstance(entity, Mapping) else ""


def _key(fields: Fields) -> list[Any]:
    spans = [[fields[side][end] for end in ("start", "end")] for side in ("subject", "object")]
    return [fields["sentence"], spans]


SIMULATED: Final = Simulated(
    plans={"main": Plan(163, 0.852, 0.06, load=40, bias=0.05), "resolve": Plan(163, 0.9, 0.05)},
    rates={"wrong_entity_boundary": 0.02, "personal_data": 0.005, "hate": 0.002, "bias": 0.003},
    confusions=_confusions,
    key=_key,
    estimate=lambda _fields, _known, meta: next(iter(meta.get("relations") or ()), _NO_RELATION),
)
