"""What `klue compare-versions` tells of two versions of a benchmark, as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from pipeline.core.errors import InputError
from pipeline.core.wording import count, verb
from pipeline.scoring.measure import Floats
from pipeline.scoring.resampling import Plan
from pipeline.scoring.versions.pairs import (
    pair_counts,
    rank_bounds,
    ranks,
    saturation,
    significant_signs,
)
from pipeline.scoring.versions.rank_correlation import (
    CORRELATIONS,
    FEWEST_FOR_INTERVAL,
    interval_over_systems,
    reason_without,
    rounded,
    spearman,
)
from pipeline.scoring.versions.sampling_error import ceiling, intervals_over_examples, reliability
from pipeline.scoring.versions.scores import Column, Examples, Scores, share, system_key

_TABLES: Final = "a table of scores holds no examples; give systems x examples"


@dataclass(frozen=True)
class Versions:
    """Two versions of a benchmark; `human` is the name that people's scores stand under."""

    old: Scores
    new: Scores
    human: str | None = None
    pairs: Mapping[str, str] | None = None


def compare_versions(versions: Versions, plan: Plan) -> dict[str, Any]:
    """Return the record of a comparison (docs/compare-versions.md has its keys).

    Raises InputError for versions that have no system or no metric in common.
    """
    old, human_old = _without_human(versions.old, versions.human)
    new, human_new = _without_human(versions.new, versions.human)
    if versions.human is not None and not human_old and not human_new:
        raise InputError(
            f"--human: neither {old.name} nor {new.name} has a system {versions.human!r}"
        )
    shared = share(old, new, versions.pairs)
    names = (old.name, new.name)
    metrics = {}
    for metric, columns in shared.columns.items():
        metrics[metric] = _metric(shared.systems, columns, names, plan)
        metrics[metric]["saturation"] = {
            side: _saturation(column, human.get(metric))
            for side, column, human in (
                ("old", old.columns[metric], human_old),
                ("new", new.columns[metric], human_new),
            )
        }
    return {
        "old": _described(old),
        "new": _described(new),
        "systems": {
            "both": list(shared.systems),
            "only_old": list(shared.only_old),
            "only_new": list(shared.only_new),
        },
        "confidence": plan.confidence,
        "metrics": metrics,
        "between_metrics": {"old": between_metrics(old), "new": between_metrics(new)},
    }


def _without_human(scores: Scores, human: str | None) -> tuple[Scores, dict[str, float]]:
    """Return the scores of systems, and those of people by metric."""
    keys = [system_key(name) for name in scores.systems]
    if human is None or system_key(human) not in keys:
        return scores, {}
    place = keys.index(system_key(human))
    rows = [row for row in range(len(keys)) if row != place]
    systems = tuple(scores.systems[row] for row in rows)
    columns = {name: column.of(rows) for name, column in scores.columns.items()}
    numbers = {name: float(column.values[place]) for name, column in scores.columns.items()}
    return Scores(scores.name, systems, columns), {
        name: number for name, number in numbers.items() if np.isfinite(number)
    }


def _described(scores: Scores) -> dict[str, Any]:
    counts = {
        name: len(column.examples.ids)
        for name, column in scores.columns.items()
        if column.examples is not None
    }
    return {
        "name": scores.name,
        "systems": len(scores.systems),
        "metrics": list(scores.columns),
        "examples": counts or None,
    }


def _metric(
    systems: tuple[str, ...], columns: tuple[Column, Column], names: tuple[str, str], plan: Plan
) -> dict[str, Any]:
    values = [column.values for column in columns]
    scored = np.flatnonzero(np.isfinite(values[0]) & np.isfinite(values[1])).tolist()
    old, new = (column.of(scored) for column in columns)
    apart = [
        None if column.examples is None else significant_signs(column.examples, plan.confidence)
        for column in (old, new)
    ]
    return {
        "systems": len(scored),
        "without_score": [name for row, name in enumerate(systems) if row not in scored],
        **_correlations(old, new, names, plan),
        "ranks": [
            {"system": systems[row], **{side: of[place] for side, of in _ranks(old, new, apart)}}
            for place, row in enumerate(scored)
        ],
        "pairs": pair_counts((old.values, new.values), (apart[0], apart[1])),
    }


def _ranks(old: Column, new: Column, apart: list[Any]) -> list[tuple[str, list[Any]]]:
    return [
        (
            side,
            [
                {
                    "score": rounded(score),
                    "rank": float(rank),
                    "between": None if bounds is None else list(bounds[place]),
                }
                for place, (score, rank) in enumerate(
                    zip(column.values, ranks(column.values), strict=True)
                )
            ],
        )
        for side, column, bounds in (
            (side, column, None if signs is None else rank_bounds(signs))
            for side, column, signs in zip(("old", "new"), (old, new), apart, strict=True)
        )
    ]


def _correlations(old: Column, new: Column, names: tuple[str, str], plan: Plan) -> dict[str, Any]:
    reason = reason_without(old.values, new.values, names)
    values = {
        name: float("nan") if reason else correlation.statistic(old.values, new.values)
        for name, correlation in CORRELATIONS.items()
    }
    reliabilities = [
        None if column.examples is None else reliability(column.examples, plan.seed)
        for column in (old, new)
    ]
    common = _common(old.examples, new.examples)
    over_examples = {}
    if old.examples and new.examples and not reason:
        over_examples = intervals_over_examples(old.examples, new.examples, values, plan)
    record: dict[str, Any] = {
        name: {
            "value": rounded(value),
            "over_systems": _over_systems(name, old.values, new.values, value, plan),
            "over_examples": rounded(over_examples.get(name)),
            "ceiling": None if common else rounded(ceiling(name, *reliabilities)),
        }
        for name, value in values.items()
    }
    reasons = {
        "value": reason,
        "over_systems": None
        if len(old.values) >= FEWEST_FOR_INTERVAL
        else f"an interval over systems needs {FEWEST_FOR_INTERVAL}; there: {len(old.values)}",
        "over_examples": None if old.examples and new.examples else _TABLES,
        "ceiling": _reason_without_ceiling(old, new, reliabilities, common, names),
    }
    sides = zip(("old", "new"), reliabilities, strict=True)
    return {
        "correlations": record,
        "reliability": {side: rounded(value) for side, value in sides},
        "common_examples": common,
        "reasons": {key: text for key, text in reasons.items() if text},
    }


def _over_systems(name: str, old: Floats, new: Floats, value: float, plan: Plan) -> Any:
    if not np.isfinite(value):
        return None
    return rounded(interval_over_systems(name, old, new, value, plan.confidence))


def _common(old: Examples | None, new: Examples | None) -> int | None:
    """Return how many examples are in both versions, None where that is not known."""
    return None if old is None or new is None else len(set(old.ids) & set(new.ids))


def _reason_without_ceiling(
    old: Column,
    new: Column,
    reliabilities: list[float | None],
    common: int | None,
    names: tuple[str, str],
) -> str | None:
    if old.examples is None or new.examples is None:
        return _TABLES
    if common:
        shared = f"{count(common, 'example')} {verb(common, 'is', 'are')}"
        return f"{shared} in both versions: their chance is common, not separate"
    without = [name for name, value in zip(names, reliabilities, strict=True) if value is None]
    return f"halves of {' and '.join(without)} do not tell systems apart" if without else None


def _saturation(column: Column, human: float | None) -> dict[str, Any] | None:
    values = column.values[np.isfinite(column.values)].tolist()
    if human is None or not values:
        return None
    return {
        name: rounded(value) if isinstance(value, float) else value
        for name, value in asdict(saturation(values, human)).items()
    }


def between_metrics(scores: Scores) -> list[dict[str, Any]]:
    """Return Spearman's correlation of each two metrics of a version, over its systems."""
    found = []
    names = list(scores.columns)
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            pair = [scores.columns[name].values for name in (first, second)]
            both = np.isfinite(pair[0]) & np.isfinite(pair[1])
            left, right = (values[both] for values in pair)
            reason = reason_without(left, right, (first, second))
            value = None if reason else rounded(spearman(left, right))
            row = {"a": first, "b": second, "systems": int(both.sum()), "spearman": value}
            found.append(row | ({"reason": reason} if reason else {}))
    return found
