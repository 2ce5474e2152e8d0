"""Which cases of a parametrised test the default run keeps; `make test-full` runs the others.

`@pytest.mark.thin(5)` keeps the first of each five. `@pytest.mark.thin("task", "tool")` keeps as
few as show each value of each named parameter at least once; of a tuple of names, each combination.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import pytest


def every(step: int, number: int) -> set[int]:
    """Return the places of the first of each `step` among so many cases."""
    return set(range(0, number, step))


def showing(cases: Sequence[Mapping[str, Hashable]], names: Sequence[str]) -> set[int]:
    """Return the places of few cases that show each value of each named parameter.

    The case with most values that none before it shows comes next, the first of equals.
    """
    values = [{(name, case[name]) for name in names} for case in cases]
    missing: set[tuple[str, Hashable]] = set().union(*values)
    kept: set[int] = set()
    while missing:
        best = max(range(len(values)), key=lambda place: len(values[place] & missing))
        kept.add(best)
        missing -= values[best]
    return kept


def thin(items: Sequence[pytest.Item]) -> None:
    """Mark as `full` what marks `thin` leave out; a case that is `full` already shows nothing."""
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("thin") and not item.get_closest_marker("full"):
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for family in families.values():
        mark = family[0].get_closest_marker("thin")
        assert mark is not None
        kept = _places_to_run(family, mark.args)
        for place, item in enumerate(family):
            if place not in kept:
                item.add_marker(pytest.mark.full)


def _places_to_run(family: Sequence[pytest.Item], words: tuple[object, ...]) -> set[int]:
    if len(words) == 1 and isinstance(words[0], int):
        return every(words[0], len(family))
    names = [word if isinstance(word, tuple) else (word,) for word in words]
    cases = [{", ".join(of): _shown(item, of) for of in names} for item in family]
    return showing(cases, [", ".join(of) for of in names])


def _shown(item: pytest.Item, names: tuple[str, ...]) -> str:
    """Return the values of parameters of a case, written out: some cannot be hashed."""
    return repr([item.callspec.params[name] for name in names])  # type: ignore[attr-defined]
