"""Who answers which item: a keyed, balanced draw (Sections 3.1.1 to 3.5.1 give the numbers)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.annotation.intake.vote import normal
from pipeline.contracts.spec import Round
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.ids import draw
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count, verb

#: Who may not answer an item.
Barred = Mapping[str, Collection[str]]
#: The key of an item's `meta` that names the item it was made from (a pair: its premise).
ORIGIN: Final = "origin"


def assign(
    items: Iterable[str],
    annotators: Iterable[str],
    *,
    per_item: int,
    seed: int,
    barred: Barred | None = None,
) -> pa.Table:
    """Draw `per_item` different annotators for every item; returns the table `assignments`.

    The loads of two annotators differ by at most one where `barred` allows it; where it does not,
    no exchange of annotators would bring them nearer. Who works with whom is mixed, and so is the
    order in which each sees the items. The order of the arguments changes nothing. Raises
    InputError when an item has too few annotators that may answer it.
    """
    names, people = _distinct(items, "item"), _distinct(annotators, "annotator")
    given, everybody = barred or {}, set(people)
    bars = {item: everybody.intersection(given[item]) for item in names if item in given}
    _check(names, people, per_item, bars)
    # Items that few may answer come first: the others then make up for the difference.
    order = sorted(names, key=lambda i: (-len(bars.get(i, ())), draw(seed, "assign.item", i), i))
    chosen = _deal(order, people, per_item, seed, bars)
    if any(bars.values()):
        level(order, people, chosen, bars)
    return _table(chosen, seed)


def find_bars(round_: Round, votes: pa.Table, items: pa.Table | None = None) -> dict[str, set[str]]:
    """Return who may not answer an item in a round: who answered it in the rounds of `not_by`.

    With `items`, an item made from another (`origin` in its `meta`) is barred to those who answered
    that one: the author of a premise's hypotheses never validates the pairs (Section 3.3.1).
    """
    pairs = [
        (item, annotator)
        for item, name, annotator in schemas.rows(votes, "item", "round", "annotator")
        if name in round_.not_by and annotator is not None
    ]
    by_item = schemas.group(pairs)
    pairs += [(item, who) for item, origin in _origins(items) for who in by_item.get(origin, ())]
    return {item: set(people) for item, people in schemas.group(pairs).items()}


def _origins(items: pa.Table | None) -> list[tuple[str, str]]:
    if items is None:
        return []
    pairs = schemas.rows(items, "item", "meta")
    origins = [(item, parsed(meta).get(ORIGIN)) for item, meta in pairs if meta]
    return [(item, origin) for item, origin in origins if isinstance(origin, str)]


def _distinct(names: Iterable[str], noun: str) -> list[str]:
    all_names = list(names)
    unique = sorted(set(all_names))
    twice = len(all_names) - len({normal(name) for name in unique})
    refuse(
        f"the {noun}s",
        (twice, f"{count(twice, noun)} named twice; name each once"),
        (not all(map(str.strip, unique)), f"an {noun} has a blank name; give every {noun} one"),
    )
    return unique


def _check(names: list[str], people: list[str], per_item: int, bars: Barred) -> None:
    refuse(
        "the assignment",
        (per_item < 1, f"{per_item} annotators an item were asked for; allowed: 1 or more"),
        (
            len(people) < per_item,
            f"{count(len(people), 'annotator')} for {per_item} answers to an item, one each; name"
            f" at least {per_item}",
        ),
    )
    short = [item for item in names if len(people) - len(bars.get(item, ())) < per_item]
    if short:
        left = len(people) - len(bars[short[0]])
        raise InputError(
            f"{count(len(short), 'item')} with too few annotators who may answer them; the first,"
            f" {short[0]}, needs {per_item} and has {left}, {(barred := len(bars[short[0]]))}"
            f" {verb(barred, 'is', 'are')} barred from"
            " it; name more annotators"
        )


def _deal(
    order: list[str], people: list[str], per_item: int, seed: int, bars: Barred
) -> dict[str, list[str]]:
    """Give each item the annotators with the fewest items so far; ties are drawn anew each time."""

    def turn(load: int, person: str) -> tuple[int, float, str]:
        return load, draw(seed, "assign.turn", f"{load}\x1f{person}"), person

    heap = [turn(0, person) for person in people]
    heapify(heap)
    chosen: dict[str, list[str]] = {}
    for item in order:
        barred = bars.get(item, ())
        dealt: list[tuple[int, float, str]] = []
        passed: list[tuple[int, float, str]] = []
        while len(dealt) < per_item:
            first = heappop(heap)
            (passed if first[2] in barred else dealt).append(first)
        chosen[item] = [person for _, _, person in dealt]
        for first in passed:
            heappush(heap, first)
        for load, _, person in dealt:
            heappush(heap, turn(load + 1, person))
    return chosen


def _table(chosen: dict[str, list[str]], seed: int) -> pa.Table:
    pairs = ((person, item) for item, people in chosen.items() for person in people)
    queues = sorted((who, draw(seed, f"queue.{who}", item), item) for who, item in pairs)
    rows: list[dict[str, object]] = [
        {"item": item, "annotator": who, "ordinal": place}
        for who, queue in groupby(queues, key=itemgetter(0))
        for place, (_, _, item) in enumerate(queue, start=1)
    ]
    return schemas.build("assignments", rows)


_Flags = npt.NDArray[np.bool_]


def level(
    order: Sequence[str],
    people: Sequence[str],
    chosen: dict[str, list[str]],
    bars: Mapping[str, Collection[str]],
) -> None:
    """Change `chosen` (item: its annotators) in place; the items' order says which moves first."""
    place = {person: column for column, person in enumerate(people)}
    has = _flags(order, chosen, place)
    if np.ptp(has.sum(axis=0)) <= 1:
        return
    for row in sorted(_Moves(has, may=~(has | _flags(order, bars, place))).run()):
        chosen[order[row]] = [people[column] for column in np.flatnonzero(has[row]).tolist()]


def _flags(
    order: Sequence[str], of: Mapping[str, Collection[str]], place: Mapping[str, int]
) -> _Flags:
    flags = np.zeros((len(order), len(place)), np.bool_)
    for row, item in enumerate(order):
        for person in of.get(item, ()):
            flags[row, place[person]] = True
    return flags


class _Moves:
    """`has` and `may` say, items x annotators, who has an item and who else might.

    `arrows[u, w]` counts the items of u that may go to w.
    """

    def __init__(self, has: _Flags, may: _Flags) -> None:
        self.has, self.may = has, may
        self.loads = has.sum(axis=0)
        # float32 counts items exactly up to 2**24
        self.arrows = (has.T.astype(np.float32) @ may.astype(np.float32)).astype(np.int64)

    def run(self) -> set[int]:
        """Move while a chain helps; returns the items that changed."""
        changed: set[int] = set()
        while chain := self._chain():
            for giver, taker in pairwise(chain):
                changed.add(self._move(giver, taker))
        return changed

    def _chain(self) -> list[int]:
        """Return annotators from one with many items to one with two fewer or less, or none."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import breadth_first_order

        for start in np.argsort(-self.loads, kind="stable").tolist():
            if self.loads[start] < self.loads.min() + 2:
                break
            reached, before = breadth_first_order(csr_array(self.arrows), start)
            end = min(reached.tolist(), key=lambda person: (self.loads[person], person))
            if self.loads[end] <= self.loads[start] - 2:
                chain = [end]
                while chain[-1] != start:
                    chain.append(int(before[chain[-1]]))
                return chain[::-1]
        return []

    def _move(self, giver: int, taker: int) -> int:
        row = int(np.flatnonzero(self.has[:, giver] & self.may[:, taker])[0])
        self.arrows[self.has[row]] -= self.may[row]
        self.has[row, giver], self.has[row, taker] = False, True
        self.may[row, giver], self.may[row, taker] = True, False
        self.arrows[self.has[row]] += self.may[row]
        self.loads[giver] -= 1
        self.loads[taker] += 1
        return row
