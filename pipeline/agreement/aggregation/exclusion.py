"""Whose votes are left out: those who agree too little with the others (Section 3.2.1).

Everybody is judged once, against all others on the full pool of raw votes: who is excluded still
counts among the others, and nobody is judged again after the exclusion. Both numbers are compared
with their thresholds without the last digits of a float, so that rounding decides about nobody.

The paper does not define the two coefficients further. Here the correlation is that of a person's
scores with the mean of the others' scores on the same item. Alpha is taken over the pairs of a
person's vote and another's on an item that both answered, each pair counting once: the alpha of two
raters, this person and "another". Alpha over all votes on the items of a person would mostly
measure the others. With the thresholds of Section 3.2.1 these two exclude four annotators of
KLUE-STS dev taken alone: two by alpha, one by both, and one whose correlation is 0.7998.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeline.agreement.aggregation.eligible_votes import CodedVotes
from pipeline.agreement.aggregation.outcome import Note
from pipeline.agreement.aggregation.tally import values
from pipeline.agreement.annotators.others import alphas_vs_rest, others
from pipeline.agreement.coefficients.estimates import trim
from pipeline.agreement.votes.ratings import Ratings, Real
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.errors import SpecError


def judge(pool: CodedVotes, task: Task, spec: TaskSpec) -> list[dict[str, Any]]:
    """Judge everybody who gave one of these votes, by id; empty if the spec has no threshold.

    A record has the `annotator`, the number of `items` that others answered too, `pearson` and
    `alpha` (None where one is not defined, or the spec sets no threshold for it), whether the
    person is `excluded`, and the `reason` of that, or why they could not be judged.

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
    codes, scores = values(pool, task)
    numeric, people = task.kind == "number", pool.names.annotators
    unit, rater, value = (part.astype(np.int32) for part in (pool.item, pool.annotator, codes))
    ratings = Ratings(unit, rater, value, pool.names.items, people, scores)
    rest = others(ratings, numeric=numeric)
    alphas: Real | None = None
    if rule.alpha_below is not None:
        alphas = alphas_vs_rest(ratings, rule.level)
    judged = []
    for who in np.unique(ratings.rater[ratings.rater >= 0]).tolist():
        shared = rest.rater == who
        items = int(shared.sum())
        pearson = alpha = None
        if rest.rest is not None and rule.pearson_below is not None:
            pearson = _pearson(ratings.numbers[rest.place[shared]], rest.rest[shared])
        if alphas is not None and not np.isnan(alphas[who]):
            alpha = trim(alphas[who])
        measured = (
            ("Pearson's correlation", pearson, rule.pearson_below),
            ("alpha", alpha, rule.alpha_below),
        )
        faults = [
            f"{name} {_below(value, limit)}"
            for name, value, limit in measured
            if value is not None and limit is not None and value < limit
        ]
        reason = "; ".join(faults) or None
        if items < rule.minimum_items:
            needed = f"{rule.minimum_items} are needed"
            faults, reason = [], f"not judged: {items} items shared with others, {needed}"
        judged.append(
            {
                "annotator": people[who],
                "items": items,
                "pearson": None if pearson is None else round(pearson, 6),
                "alpha": None if alpha is None else round(alpha, 6),
                "excluded": bool(faults),
                "reason": reason,
            }
        )
    return judged


def _pearson(scores: Real, rest: Real) -> float | None:
    """Return the correlation with the mean of the others: 0 for scores that never vary.

    Somebody against whom the others never vary has none.
    """
    if not len(rest) or np.ptp(rest) == 0:
        return None
    return trim(np.corrcoef(scores, rest)[0, 1]) if np.ptp(scores) else 0.0


def exclusion_notes(votes: CodedVotes, excluded: Mapping[str, Mapping[str, Any]]) -> list[Note]:
    """Return a note on every vote of an excluded annotator."""
    reasons = {
        code: f"annotator {name} is excluded: {excluded[name]['reason']}"
        for code, name in enumerate(votes.names.annotators)
        if name in excluded
    }
    return [
        Note(votes.names.items[item], "vote.excluded@1", reasons[code])
        for item, code in zip(votes.item.tolist(), votes.annotator.tolist(), strict=True)
    ]


def _below(value: float, limit: float) -> str:
    """Write that a value is below a limit, with four digits or as many as it takes to see it."""
    texts = (f"{value:.{digits}f}" for digits in range(4, 16))
    text = next((text for text in texts if float(text) < limit), f"{value:.15f}")
    return f"{text} is below {limit}"
