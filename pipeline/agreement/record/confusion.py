"""Which labels annotators mistake for which: pairs of votes on one item, counted both ways."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pipeline.agreement.people.annotators import display
from pipeline.agreement.votes.pairs import Ints
from pipeline.agreement.votes.ratings import Ratings

#: More labels than this give no table that anybody could read.
MOST_LABELS: Final = 100
_TOP: Final = 20


def confusion(ratings: Ratings) -> dict[str, Any]:
    """Return how often two people gave which two labels to one item.

    `counts` (labels, labels) is symmetric and counts every pair of votes both ways, so that the
    share of a cell in its row says what another person gives where one gives the label of the row.
    `top` lists the pairs of different labels by the pairs of votes, each once, `share` being that
    of all pairs that differ. Labels that nobody gave are left out.
    """
    given = np.unique(ratings.value)
    labels = [display(ratings.values[code]) for code in given.tolist()]
    if len(labels) > MOST_LABELS:
        reason = f"{len(labels)} different values; a table of at most {MOST_LABELS} is made"
        return {"labels": [], "counts": [], "top": [], "reason": reason}
    counts = pair_counts(ratings)[np.ix_(given, given)]
    made: dict[str, Any] = {
        "labels": labels,
        "counts": counts.tolist(),
        "top": _top(labels, counts),
    }
    if not counts.any():
        made["reason"] = "no item has two votes"
    elif not made["top"]:
        made["reason"] = "no two votes on one item differ"
    return made


def pair_counts(ratings: Ratings) -> Ints:
    """Return the ordered pairs of votes on one unit by their two values, (values, values)."""
    units = ratings.patterns
    table, weight = units.table, units.units.astype(np.float64)
    both = (table.T @ (table * weight[:, None]).tocsr()).toarray()
    both[np.diag_indices_from(both)] -= units.totals
    found: Ints = np.rint(both).astype(np.int64)
    return found


def _top(labels: list[Any], counts: Ints) -> list[dict[str, Any]]:
    left, right = np.triu_indices(len(labels), 1)
    n = counts[left, right]
    total = int(n.sum())
    order = np.argsort(-n, kind="stable")[:_TOP]
    return [
        {
            "a": labels[left[i]],
            "b": labels[right[i]],
            "n": int(n[i]),
            "share": round(int(n[i]) / total, 6),
        }
        for i in order
        if n[i]
    ]
