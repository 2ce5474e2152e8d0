"""What one more vote on each item is expected to add, so that the next round asks where it helps.

For labels it is the information about the true label, in bits, by the model in which all annotators
err alike (pooled_model.py); for several labels the sum over them. For scores it is the fall of the
squared error of the mean (score_errors.py). Items that wait for a decision and not for votes, those
that experts decided and those that were removed are not asked about again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pipeline.agreement.aggregation.aggregate import Aggregated
from pipeline.agreement.aggregation.beliefs import (
    Real,
    binary_counts,
    label_counts,
    label_names,
    score_moments,
)
from pipeline.agreement.aggregation.pooled_model import fit_pooled
from pipeline.agreement.aggregation.rules import COUNTING
from pipeline.agreement.aggregation.score_errors import variance_falls
from pipeline.agreement.aggregation.tally import Pool, Tally
from pipeline.contracts.aggregation_rules import Inspected
from pipeline.core.errors import InputError

#: Queues in which an item may wait though another vote could settle it.
_OPEN: Final = ("votes", "expert", "top_annotators")
#: Gains are rounded to so many digits; equal ones are in the order of votes and ids.
_DIGITS: Final = 9


@dataclass(frozen=True)
class NextVotes:
    """Items by gain, the highest first, each with item, votes, gain, reason, and how sure it is.

    `unit` is that of gains: bits or squared_error. `left_out` counts the items that are not asked
    about. `resolved` is how many items are gold now, `expected` how many are when each of `rows`
    has one more vote; None where the rule does not count single labels.
    """

    rows: list[dict[str, Any]]
    unit: str
    left_out: int
    resolved: int
    expected: float | None


def next_votes(result: Aggregated, *, budget: int | None = None) -> NextVotes:
    """Rank the items of votes by what one more vote adds; the first `budget` of them, if given.

    Raises InputError for a task whose answers are inspected and not counted.
    """
    pool = result.pool
    if isinstance(pool.spec.aggregation, Inspected):
        raise InputError(
            f"answers of task {pool.task.id} are inspected one by one, and no vote is counted;"
            " `klue status` says what its items wait for"
        )
    gains, unit = _gains(pool)
    table = result.gold.to_pylist()
    rule = f"gold.{pool.spec.aggregation.rule}@1"
    asked = [
        place
        for place, row in enumerate(table)
        if row["queue"] in _OPEN or (row["status"] == "gold" and row["rule"] == rule)
    ]
    asked.sort(key=lambda i: (-gains[i], pool.tallies[i].votes, table[i]["item"]))
    chosen = asked[:budget]
    return NextVotes(
        [_row(table[place], pool.tallies[place], gains[place]) for place in chosen],
        unit,
        len(table) - len(asked),
        sum(row["status"] == "gold" for row in table),
        _expected(pool, chosen, [row["status"] == "gold" for row in table]),
    )


def _row(row: dict[str, Any], tally: Tally, gain: float) -> dict[str, Any]:
    sure = {k: row[k] for k in ("confidence", "standard_error") if row[k] is not None}
    votes = tally.votes
    reason = row["reason"] or ("gold" if votes else "no_votes")
    return {"item": row["item"], "votes": votes, "gain": gain, "reason": reason, **sure}


def _gains(pool: Pool) -> tuple[list[float], str]:
    if pool.task.kind == "number":
        votes, variances = score_moments(pool)
        return _plain(variance_falls(votes, variances)), "squared_error"
    counts = label_counts(pool, label_names(pool))
    parts = [counts] if pool.task.kind == "category" else binary_counts(pool, counts)
    total = np.zeros(len(counts))
    for part in parts if counts.size else ():
        total += fit_pooled(part).gain(part)
    return _plain(total), "bits"


def _plain(gains: Real) -> list[float]:
    known = np.nan_to_num(gains)  # of scores without two votes on any item nothing is known
    return [round(gain, _DIGITS) for gain in known.tolist()]


def _expected(pool: Pool, chosen: Sequence[int], is_gold: Sequence[bool]) -> float | None:
    """Return how many items are expected to be gold when each chosen one has one more vote."""
    rule = COUNTING.get(pool.spec.aggregation.rule)
    names = label_names(pool) if pool.task.kind == "category" else ()
    if rule is None or not names:
        return None
    counts = label_counts(pool, names)
    model = fit_pooled(counts)
    chances = model.posterior(counts) @ model.confusion
    known: dict[int, float] = {}
    total = float(sum(is_gold))
    for place in chosen:
        tally = pool.tallies[place]
        if id(tally) not in known:
            known[id(tally)] = sum(
                float(chance) * (rule(tally.plus(name), pool.spec).status == "gold")
                for name, chance in zip(names, chances[place], strict=True)
            )
        total += known[id(tally)] - is_gold[place]
    return round(total, 3)
