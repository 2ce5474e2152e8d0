"""The scores of systems on one version of a benchmark, and what two versions have in common.

Scores come as they were published, one number for a system and a metric, or as systems x examples,
whose mean over the examples is the score. Only the latter tell how far a score is chance.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pipeline.core.errors import InputError
from pipeline.scoring.measure import Floats

#: The column of systems x examples that name no metric.
PLAIN: Final = "score"


@dataclass(frozen=True)
class Examples:
    """Scores of each example: `cells` has the shape systems x examples, without NaN."""

    ids: tuple[str, ...]
    cells: Floats


@dataclass(frozen=True)
class Column:
    """One metric of a version: a score of each system, NaN where it has none."""

    values: Floats
    examples: Examples | None = None

    def of(self, rows: Sequence[int]) -> Column:
        """Return the column of some systems, by their places."""
        index = np.asarray(rows, dtype=np.int64)
        examples = self.examples
        if examples is not None:
            examples = Examples(examples.ids, examples.cells[index])
        return Column(self.values[index], examples)


@dataclass(frozen=True)
class Scores:
    """The scores of one version: its name, its systems, and its columns by metric."""

    name: str
    systems: tuple[str, ...]
    columns: Mapping[str, Column]

    def __post_init__(self) -> None:
        """Raise InputError for a system that is there twice, or without any score."""
        keys = [system_key(system) for system in self.systems]
        for place, key in enumerate(keys):
            first = keys.index(key)
            if first != place:
                raise InputError(
                    f"{self.name}: system {self.systems[place]!r} is there twice (first as"
                    f" {self.systems[first]!r}); keep one row for each system"
                )
        if not self.systems or not self.columns:
            raise InputError(
                f"{self.name}: holds no scores; give a row for each system and a column of numbers"
                " for each metric"
            )


@dataclass(frozen=True)
class Shared:
    """What two versions have in common: names of systems, and their columns in that order."""

    systems: tuple[str, ...]
    columns: Mapping[str, tuple[Column, Column]]
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]


def system_key(name: str) -> str:
    """Return what a name of a system is matched by: without case, normal form and outer blanks."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def share(old: Scores, new: Scores, renamed: Mapping[str, str] | None = None) -> Shared:
    """Return the systems and columns that are in both versions, in the order of the old one.

    `renamed` names systems of the old version as the new one does; those it does not mention are
    matched by name. Raises InputError for a name that is in neither and for versions without a
    common system or column.
    """
    mapping = _places(old, new, renamed or {})
    rows = [place for place in range(len(old.systems)) if place in mapping]
    columns = {
        name: (old.columns[name].of(rows), new.columns[name].of([mapping[row] for row in rows]))
        for name in old.columns
        if name in new.columns
    }
    if not rows:
        raise InputError(
            f"{old.name} and {new.name} have no system in common: {_names(old.systems)} against"
            f" {_names(new.systems)}; name those that are the same with --pair OLD=NEW"
        )
    if not columns:
        raise InputError(
            f"{old.name} and {new.name} have no metric in common: {_names(tuple(old.columns))}"
            f" against {_names(tuple(new.columns))}; give both the same names of columns"
        )
    return Shared(
        tuple(old.systems[row] for row in rows),
        columns,
        tuple(name for place, name in enumerate(old.systems) if place not in mapping),
        tuple(name for place, name in enumerate(new.systems) if place not in mapping.values()),
    )


def _places(old: Scores, new: Scores, renamed: Mapping[str, str]) -> dict[int, int]:
    """Return the place in the new version of each system of the old one that is in both."""
    keys = {system_key(name): place for place, name in enumerate(new.systems)}
    asked = {system_key(name): system_key(other) for name, other in renamed.items()}
    known = {system_key(name) for name in old.systems}
    for version, name, keys_of in (
        *((old, name, known) for name in renamed),
        *((new, name, set(keys)) for name in renamed.values()),
    ):
        if system_key(name) not in keys_of:
            raise InputError(
                f"--pair: {version.name} has no system {name!r}; it has: {_names(version.systems)}"
            )
    taken = set(asked.values())
    places = {}
    for place, name in enumerate(old.systems):
        key = system_key(name)
        target = asked.get(key, key if key not in taken else "")
        if target in keys:
            places[place] = keys[target]
    return places


def _names(names: Sequence[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" * (len(names) > most))
