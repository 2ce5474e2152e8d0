"""Simulated annotators: 163, scaled to the items (Section 3.5.1), alpha near .70."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.annotation.simulated.profile import Plan, Simulated, Weighted
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Fields

_NO_RELATION: Final = "no_relation"
#: How much likelier a relation is given up for none than taken for another of the same types.
_GIVEN_UP: Final = 1.5


def _confusions(spec: TaskSpec, label: str, fields: Fields) -> Weighted:
    """Return the relations of the same pair of types, and none at all."""
    subject, object_ = (_type(fields.get(key)) for key in ("subject", "object"))
    offered: list[tuple[str, float]] = [
        (one.id, 1.0)
        for one in spec.labels
        if one.id not in (label, _NO_RELATION) and one.subject == subject and object_ in one.objects
    ]
    if label != _NO_RELATION:
        offered.append((_NO_RELATION, _GIVEN_UP * max(1, len(offered))))
    return offered


def _type(entity: Any) -> str:
    return str(entity.get("type", "")) if isinstance(entity, Mapping) else ""


def _key(fields: Fields) -> list[Any]:
    spans = [[fields[side][end] for end in ("start", "end")] for side in ("subject", "object")]
    return [fields["sentence"], spans]


def _estimate(_fields: Fields, _known: Mapping[str, Any], meta: Fields) -> str:
    """Return the relation that a knowledge base names, else no_relation."""
    return next(iter(meta.get("relations") or ()), _NO_RELATION)


SIMULATED: Final = Simulated(
    plans={"main": Plan(163, 0.852, 0.06, load=40, bias=0.05), "resolve": Plan(163, 0.9, 0.05)},
    rates={"wrong_entity_boundary": 0.02, "personal_data": 0.005, "hate": 0.002, "bias": 0.003},
    confusions=_confusions,
    key=_key,
    estimate=_estimate,
)
