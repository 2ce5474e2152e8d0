"""Agreement within each source and on each label, and which labels are mistaken for which."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.agreement.coefficients.estimates import Estimate, ratio_estimates
from pipeline.agreement.votes.labels import display
from pipeline.agreement.votes.ratings import Ratings, Whole
from pipeline.core import schemas
from pipeline.core.wording import count

Bools = npt.NDArray[np.bool_]
#: What an item without a source is counted under.
UNKNOWN: Final = "unknown"
#: What an item is counted under whose votes name different sources.
SEVERAL: Final = "several sources"
_MOST_LABELS: Final = 500
#: So many sources are reported each for itself, the largest; the others are taken together.
MOST_SOURCES: Final = 200


def sources_of(votes: pa.Table, items: pa.Table | None) -> dict[str, str | None]:
    """Return the source of every item: that of the items table, else the one its votes name.

    It is SEVERAL where they name different ones.
    """
    sources: dict[str, str | None] = {}
    for table in (items, votes):
        if table is not None:
            known = table.select(["item", "source"]).filter(table["source"].is_valid())
            if sources:
                named = pa.array(list(sources), pa.string())
                known = known.filter(pc.invert(pc.is_in(known["item"], value_set=named)))
            pairs = known.group_by(["item", "source"]).aggregate([])
            for item, source in schemas.rows(pairs, "item", "source"):
                sources[item] = SEVERAL if item in sources else sys.intern(source)
    return sources


def per_source(
    ratings: Ratings,
    sources: Mapping[str, str | None],
    coefficients: Callable[[Bools, Ratings], dict[str, Estimate]],
    no_pair: str,
) -> dict[str, dict[str, Any]]:
    """Return items, votes, coefficients and the share of unanimous items by source.

    `coefficients` makes those of one source, of its units (a mask) and its votes; `no_pair` is the
    reason of a share without a value. Beyond `MOST_SOURCES` the small ones are one entry, with a
    note (see `group_units`).
    """
    of, groups = group_units(ratings.units, sources)
    records = {}
    for code, (name, more) in enumerate(groups.items()):
        units = of == code
        votes = ratings.only(units[ratings.unit])
        share, values = unanimous(votes), coefficients(units, votes)
        records[name] = {
            "items": int(units.sum()),
            "votes": len(votes),
            "coefficients": {key: value.record() for key, value in values.items()},
            "unanimous": share,
            **({"reason": no_pair} if share is None else {}),
            **more,
        }
    return records


def group_units(
    units: Sequence[str], sources: Mapping[str, str | None]
) -> tuple[Whole, dict[str, dict[str, Any]]]:
    """Return the group of every unit, (units,), and the groups: name to what else to report.

    A group is a source; the places of the groups are the codes. Of more than `MOST_SOURCES` the
    ones with fewest items, by name among equal ones, are one group: it holds their number as
    `sources`, and a `note`.
    """
    names = [sources.get(unit) or UNKNOWN for unit in units]
    many = Counter(names)
    large = sorted(many, key=lambda name: (-many[name], name))
    listed = large if len(large) <= MOST_SOURCES else large[: MOST_SOURCES - 1]
    small = large[len(listed) :]
    groups: dict[str, dict[str, Any]] = {name: {} for name in sorted(listed)}
    if small:
        together = f"({len(small)} smaller sources)"
        most = count(many[small[0]], "item")
        note = f"{count(len(small), 'source')} of at most {most} each, taken together"
        groups[together] = {"sources": len(small), "note": note}
    code = {name: place for place, name in enumerate(groups)}
    code |= dict.fromkeys(small, len(groups) - 1)
    return np.array([code[name] for name in names], np.int64), groups


def unanimous(ratings: Ratings) -> float | None:
    """Return the share of the items with at least two votes whose votes are all equal."""
    units = ratings.patterns.pairable
    cells = np.bincount(units.owner, minlength=len(units))
    total = int(units.units.sum())
    return round(int(units.units[cells == 1].sum()) / total, 6) if total else None


def per_label(ratings: Ratings, *, bootstrap: int, seed: int) -> dict[str, dict[str, Any]]:
    """Return votes, share and specific agreement of every label.

    Specific agreement is the chance that, where somebody gave the label, another person did too:
    pairs of votes that both name it over all pairs in which one does, summed over items (Fleiss,
    Levin and Paik, Statistical Methods for Rates and Proportions, 3rd ed., 2003, ch. 18).
    """
    if len(ratings.values) > _MOST_LABELS:
        return {}
    votes = np.bincount(ratings.value, minlength=len(ratings.values)).tolist()
    units, table = ratings.patterns.pairable, ratings.patterns.pairable.table
    agreement = ratio_estimates(
        table.multiply(table).tocsr() - table,
        (table * (units.votes - 1)[:, None]).tocsr(),
        units.units,
        ((table > 0).astype(np.int64).T @ units.units).tolist(),
        "nobody gave this label to an item with two votes",
        bootstrap=bootstrap,
        seed=seed,
        purpose="specific_agreement",
    )
    return {
        str(display(label)): {
            "votes": n,
            "share": round(n / max(len(ratings), 1), 6),
            "agreement": value.record(),
        }
        for label, n, value in zip(ratings.values, votes, agreement, strict=True)
    }


def count_values(votes: pa.Table, column: str) -> dict[str, int]:
    """Return how often each value of a text column occurs, sorted by value; nulls are left out."""
    counts = votes.column(column).drop_null().value_counts().to_pylist()
    return dict(sorted((row["values"], row["counts"]) for row in counts))


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
    used = np.unique(ratings.value)
    labels = [display(ratings.values[code]) for code in used.tolist()]
    if len(labels) > MOST_LABELS:
        reason = f"{len(labels)} different values; a table of at most {MOST_LABELS} is made"
        return {"labels": [], "counts": [], "top": [], "reason": reason}
    units = ratings.patterns
    table, weight = units.table, units.units.astype(np.float64)
    both = (table.T @ (table * weight[:, None]).tocsr()).toarray()
    both[np.diag_indices_from(both)] -= units.totals
    counts = np.rint(both).astype(np.int64)[np.ix_(used, used)]
    left, right = np.triu_indices(len(labels), 1)
    n = counts[left, right]
    order = [i for i in np.argsort(-n, kind="stable")[:_TOP] if n[i]]
    top = [
        {
            "a": labels[left[i]],
            "b": labels[right[i]],
            "n": int(n[i]),
            "share": round(int(n[i]) / int(n.sum()), 6),
        }
        for i in order
    ]
    record = {"labels": labels, "counts": counts.tolist(), "top": top}
    if not counts.any():
        return record | {"reason": "no item has two votes"}
    return record if top else record | {"reason": "no two votes on one item differ"}
