"""CHANGELOG.md: what differs from the version before, in counts and ids; no text of examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from pipeline.release.cards.markdown import Cells, bullets, code, page, plain, table
from pipeline.release.diff import BySplit, Change, ConfigDifference, Difference
from pipeline.release.material import Facts
from pipeline.release.withdrawn import REASONS

#: How many other changes are listed, and up to which length their values are told.
_LISTED: Final = 40
_SHORT: Final = 40


def changelog(facts: Facts, difference: Difference | None) -> str:
    """Return CHANGELOG.md of a version; `difference` is that to the version before, if any.

    It tells the examples added, removed, relabelled, edited and moved by config, those withdrawn
    with their reasons, and what else changed.
    """
    blocks = _first(facts) if difference is None else _later(difference)
    return page(
        "# Changelog",
        f"## {plain(facts.name)} {plain(facts.version)}",
        *blocks,
        *_withdrawn(facts),
    )


def _first(facts: Facts) -> Iterator[str]:
    if facts.previous is None:
        yield "The first version: there is nothing to compare it with."
    else:
        yield f"It follows version {plain(facts.previous)}, which it was not compared with."


def _later(difference: Difference) -> Iterator[str]:
    yield f"Compared with {plain(difference.before)}."
    if difference.empty:
        yield "Nothing that is public changed."
    if difference.configs:
        yield "### Examples"
        titles = ("config", "added", "removed", "relabelled", "edited", "moved")
        yield table(titles, map(_counts, difference.configs))
        yield bullets(line for one in difference.configs for line in _moves(one))
    if difference.changes:
        yield "### Other changes"
        yield bullets(_others(difference.changes))
    yield bullets(plain(note) for note in difference.notes)


def _counts(one: ConfigDifference) -> Cells:
    kinds = (one.added, one.removed, one.relabelled, one.edited)
    return (code(one.config), *map(_many, kinds), len(one.moved))


def _many(found: BySplit) -> int:
    return sum(map(len, found.values()))


def _moves(one: ConfigDifference) -> Iterator[str]:
    ways = Counter((each.before, each.after) for each in one.moved)
    for (before, after), many in sorted(ways.items()):
        yield f"{code(one.config)}: {many:,} from {before} to {after}"


def _others(changes: tuple[Change, ...]) -> Iterator[str]:
    for one in changes[:_LISTED]:
        yield _told(one)
    if len(changes) > _LISTED:
        yield f"and {len(changes) - _LISTED:,} more; {code('klue diff')} lists them"


def _told(change: Change) -> str:
    if change.before is None or change.after is None:
        return f"{code(change.what)} {'is new' if change.before is None else 'is gone'}"
    if _is_short(change.before) and _is_short(change.after):
        return f"{code(change.what)}: {code(str(change.before))}, now {code(str(change.after))}"
    return f"{code(change.what)} changed"


def _is_short(value: Any) -> bool:
    return not isinstance(value, dict | list) and 0 < len(str(value)) <= _SHORT


def _withdrawn(facts: Facts) -> Iterator[str]:
    if not facts.withdrawn:
        return
    yield "### Withdrawn"
    yield "These examples are not in this version:"
    yield table(
        ("guid", "why"),
        [(code(guid), plain(REASONS.get(why, why))) for guid, why in sorted(facts.withdrawn)],
    )
