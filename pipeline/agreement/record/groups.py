"""Agreement within each source, and on each label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.agreement.coefficients.alpha import krippendorff_alpha
from pipeline.agreement.coefficients.bootstrap import resampled, with_interval
from pipeline.agreement.coefficients.estimate import Estimate, undefined
from pipeline.agreement.coefficients.percent import percent_agreement_units
from pipeline.agreement.people.annotators import display
from pipeline.agreement.votes.pairs import Floats, Ints
from pipeline.agreement.votes.ratings import Ratings
from pipeline.agreement.votes.views import Selection
from pipeline.contracts.spec import Level

#: What an item without a source is counted under.
UNKNOWN: Final = "unknown"
_MOST_LABELS: Final = 500
#: So many sources are reported each for itself, the largest; the others are taken together.
MOST_SOURCES: Final = 200


def sources_of(votes: pa.Table, items: pa.Table | None) -> dict[str, str | None]:
    """Return the source of every item: that of the items table, else the one its votes name."""
    found = _named(votes)
    if items is not None:
        found |= _named(items)
    return found


def _named(table: pa.Table) -> dict[str, str | None]:
    known = table.filter(table.column("source").is_valid()).select(["item", "source"])
    first = known.group_by("item").aggregate([("source", "min")])
    return dict(
        zip(first.column("item").to_pylist(), first.column("source_min").to_pylist(), strict=True)
    )


def per_source(
    selection: Selection,
    sources: dict[str, str | None],
    *,
    bootstrap: int,
    seed: int,
) -> dict[str, dict[str, Any]]:
    """Return items, votes, alpha, percent agreement and the share of unanimous items by source.

    Beyond `MOST_SOURCES` the small ones are one entry, with a note (see `grouped`).
    """
    ratings, level = selection.ratings, selection.level
    assert level is not None
    of, groups = grouped(ratings.units, sources)
    made = {}
    for code, (name, more) in enumerate(groups.items()):
        part = ratings.only(of[ratings.unit] == code)
        made[name] = _group(part, level, bootstrap, seed, int((of == code).sum())) | more
    return made


def grouped(
    units: Sequence[str], sources: Mapping[str, str | None]
) -> tuple[Ints, dict[str, dict[str, Any]]]:
    """Return the group of every unit, (units,), and the groups: name to what else to report.

    A group is a source; the places of the groups are the codes. Of more than `MOST_SOURCES` the
    ones with fewest items, by name among equal ones, are one group: it holds their number as
    `sources`, and a `note`.
    """
    names = [sources.get(unit) or UNKNOWN for unit in units]
    many = Counter(names)
    large = sorted(many, key=lambda name: (-many[name], name))
    kept = large if len(large) <= MOST_SOURCES else large[: MOST_SOURCES - 1]
    small = large[len(kept) :]
    groups: dict[str, dict[str, Any]] = {name: {} for name in sorted(kept)}
    if small:
        together = f"({len(small)} smaller sources)"
        note = f"{len(small)} sources of at most {many[small[0]]} items each, taken together"
        groups[together] = {"sources": len(small), "note": note}
    code = {name: place for place, name in enumerate(groups)}
    code |= dict.fromkeys(small, len(groups) - 1)
    return np.array([code[name] for name in names], np.int64), groups


def _group(ratings: Ratings, level: Level, bootstrap: int, seed: int, items: int) -> dict[str, Any]:
    alpha = krippendorff_alpha(ratings, level=level, bootstrap=bootstrap, seed=seed)
    percent = percent_agreement_units(ratings)
    share = unanimous(ratings)
    made: dict[str, Any] = {
        "items": items,
        "votes": len(ratings),
        "coefficients": {
            f"krippendorff_alpha_{level}": alpha.record(),
            "percent_agreement_units": percent.record(),
        },
        "unanimous": share,
    }
    if share is None:
        made["reason"] = "no item has two votes"
    return made


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
    votes = np.bincount(ratings.value, minlength=len(ratings.values))
    if len(ratings.values) > _MOST_LABELS:
        return {}
    found = _specific(ratings, bootstrap, seed)
    return {
        str(display(label)): {
            "votes": int(votes[code]),
            "share": round(int(votes[code]) / max(len(ratings), 1), 6),
            "agreement": found[code].record(),
        }
        for code, label in enumerate(ratings.values)
    }


def _specific(ratings: Ratings, bootstrap: int, seed: int) -> list[Estimate]:
    units = ratings.patterns.pairable
    table = units.table
    both = table.multiply(table).tocsr() - table
    one = (table * (units.votes - 1)[:, None]).tocsr()
    weight = units.units.astype(np.float64)
    values = _share(both.T @ weight, one.T @ weight)
    n = (table > 0).astype(np.float64).T @ weight
    made = [
        Estimate(float(value), n=int(n[code]))
        if np.isfinite(value)
        else undefined("nobody gave this label to an item with two votes")
        for code, value in enumerate(values)
    ]
    if not bootstrap or not len(units):
        return made
    blocks = [
        _share(both.T @ drawn, one.T @ drawn)
        for drawn in resampled(units, bootstrap, seed=seed, purpose="specific_agreement")
    ]
    samples = np.concatenate(blocks, axis=1)
    return [
        with_interval(estimate, samples[code]) if estimate.value is not None else estimate
        for code, estimate in enumerate(made)
    ]


def _share(top: Floats, bottom: Floats) -> Floats:
    found: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
    return found


def counted(votes: pa.Table, column: str) -> dict[str, int]:
    """Return how often each value of a text column occurs, sorted by value; nulls are left out."""
    found = votes.column(column).drop_null().value_counts()
    return {one["values"]: one["counts"] for one in sorted(found.to_pylist(), key=_value)}


def _value(one: dict[str, Any]) -> str:
    return str(one["values"])
