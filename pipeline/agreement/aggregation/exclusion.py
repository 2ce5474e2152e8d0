"""Whose votes are left out: those who agree too little with the others (Section 3.2.1).

Everybody is judged once, against all others on the full pool of raw votes: who is excluded still
counts among the others, and nobody is judged again after the exclusion. The numbers are exact, so
that neither the order of the votes nor rounding decides about a person.

The paper does not define the two coefficients further; against.py says how they are taken here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pipeline.agreement.aggregation.against import Correlation, alphas, correlations
from pipeline.agreement.aggregation.ballots import NONE, Ballots
from pipeline.agreement.aggregation.mean import exact
from pipeline.agreement.aggregation.outcome import Note
from pipeline.agreement.aggregation.pool import values
from pipeline.contracts.spec import Exclusion, TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import SpecError


@dataclass(frozen=True)
class Judged:
    """One person against the others: `items` that both answered, and the two coefficients.

    A coefficient is None where it is not defined, or where the spec sets no threshold for it.
    `reason` says why the person is excluded, or why they could not be judged.
    """

    annotator: str
    items: int
    pearson: float | None
    alpha: float | None
    excluded: bool
    reason: str | None

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def judge(pool: Ballots, task: Task, spec: TaskSpec) -> list[Judged]:
    """Judge everybody who gave one of these votes, by id; empty if the spec has no threshold.

    Each person has at most one vote an item. Anonymous votes are among the others, but nobody's.
    Raises SpecError for a level of measurement that the answers do not have.
    """
    rule = spec.exclusion
    if rule.pearson_below is None and rule.alpha_below is None:
        return []
    if rule.alpha_below is not None and rule.level != "nominal" and task.kind != "number":
        raise SpecError(
            f"task {task.id}: exclusion.level is {rule.level}, but its answers are categories;"
            " allowed: nominal"
        )
    codes, names = values(pool, task)
    sizes = np.bincount(pool.item, minlength=len(pool.names.items))
    scores = task.kind == "number" and rule.pearson_below is not None
    followed = correlations(pool, codes, names, sizes) if scores else {}
    agreed = alphas(pool, codes, names, rule.level) if rule.alpha_below is not None else {}
    people = pool.names.annotators
    shared = pool.annotator[(sizes[pool.item] > 1) & (pool.annotator != NONE)]
    items = np.bincount(shared, minlength=len(people)).tolist()
    return [
        _judged(people[who], items[who], followed.get(who), agreed.get(who), rule)
        for who in np.unique(pool.annotator).tolist()
        if who != NONE
    ]


def notes(votes: Ballots, excluded: Mapping[str, Judged]) -> list[Note]:
    """Return a note on every vote of an excluded annotator."""
    found = []
    for item, code in zip(votes.item.tolist(), votes.annotator.tolist(), strict=True):
        one = excluded[votes.names.annotators[code]]
        reason = f"annotator {one.annotator} is excluded: {one.reason}"
        found.append(Note(votes.names.items[item], "vote.excluded@1", reason))
    return found


def _judged(
    name: str, items: int, pearson: Correlation | None, alpha: Fraction | None, rule: Exclusion
) -> Judged:
    enough = items >= rule.minimum_items
    faults = _faults(pearson, alpha, rule) if enough else []
    few = f"not judged: {items} items shared with others, {rule.minimum_items} are needed"
    return Judged(
        annotator=name,
        items=items,
        pearson=round(pearson.value, 6) if pearson else None,
        alpha=round(float(alpha), 6) if alpha is not None else None,
        excluded=bool(faults),
        reason=("; ".join(faults) or None) if enough else few,
    )


def _faults(pearson: Correlation | None, alpha: Fraction | None, rule: Exclusion) -> list[str]:
    """Return in words each threshold that somebody misses."""
    found: list[str] = []
    limit, least = rule.pearson_below, rule.alpha_below
    if pearson is not None and limit is not None and pearson.below(exact(limit)):
        found.append(f"Pearson's correlation {_below(pearson.value, limit)}")
    if alpha is not None and least is not None and alpha < exact(least):
        found.append(f"alpha {_below(float(alpha), least)}")
    return found


def _below(value: float, limit: float) -> str:
    """Say that a value is below a limit, with four digits or as many as it takes to see it."""
    texts = (f"{value:.{digits}f}" for digits in range(4, 16))
    text = next((text for text in texts if float(text) < limit), f"{value:.15f}")
    return f"{text} is below {limit}"
