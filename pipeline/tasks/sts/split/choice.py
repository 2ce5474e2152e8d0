"""Which pairs are for dev and test, and which of these for dev (paper 3.2.1).

Both are cheapest flows from the bins of scores to the sources, so that what is wanted of bins and
of sources holds at once as nearly as it can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pipeline.core.ids import draw
from pipeline.tasks.sts.split.flow import Arc, Node, cheapest, level
from pipeline.tasks.sts.split.pairs import Cell, Pair, by_bin, by_cell, by_source

#: Tells pairs of the same overlap apart; less than two unlike overlaps of sentences differ.
_TIE: Final = 1e-4
#: What makes a flow keep to what an earlier version placed.
_KEPT: Final = -10_000
#: What even bins and sources count, against even cells of both.
_MARGIN: Final = 4.0
_IN: Final = ("in",)
_OUT: Final = ("out",)


def taken(
    free: Sequence[Pair], need: Mapping[int, int], targets: Mapping[str, int] | None, *, seed: int
) -> list[Pair]:
    """Return the free pairs for dev and test: of each bin as many as it needs.

    The sources come as near to `targets` as the bins allow; among all such choices it is the one
    whose pairs are most welcome by their overlap. Without targets the overlap alone decides.
    """
    cells = by_cell(sorted(free, key=lambda one: one.order(seed)))
    best = [one for (place, _), found in cells.items() for one in found[: need.get(place, 0)]]
    arcs = [
        Arc(("bin", one.place), ("source", one.member.source), 1, one.cost + _tie(one, seed))
        for one in best
    ]
    sources = sorted(by_source(free))
    total = sum(need.values())
    # A unit too many moves by a chain through every source at most, each step costing up to 1.
    too_many = 2.0 * (len(sources) + 1) if targets is not None else 0.0
    for name in sources:
        room = max(0, targets.get(name, 0)) if targets is not None else 0
        arcs += [Arc(("source", name), _OUT, room, 0), Arc(("source", name), _OUT, total, too_many)]
    supply: dict[Node, int] = {("bin", place): units for place, units in need.items() if units}
    flow = cheapest(arcs, supply | {_OUT: -total})
    count = Counter(one.cell for one, units in zip(best, flow, strict=False) if units)
    return [one for cell, found in cells.items() for one in found[: count[cell]]]


def _tie(one: Pair, seed: int) -> float:
    return _TIE * draw(seed, "split.sts.pair", one.member.id)


def for_dev(pairs: Sequence[Pair], total: int, *, parts: int, whole: int, seed: int) -> list[Pair]:
    """Return those of dev and test that are for dev: `total`, `parts` of `whole` everywhere.

    Every bin, every source and every cell of both gives its part, rounded up or down. Pairs that an
    earlier version placed stay. Which pairs of a cell is keyed.
    """
    keys = {one.member.id: draw(seed, "split.sts.dev", one.member.id) for one in pairs}
    order = sorted(pairs, key=lambda one: (keys[one.member.id], one.member.id))
    cells = by_cell(order)
    arcs: list[Arc] = []
    ends: list[Cell] = []
    for cell, found in cells.items():
        more = _cell_arcs(cell, found, parts, whole, seed)
        arcs += more
        ends += [cell] * len(more)
    for place, units in sorted(by_bin(pairs).items()):
        arcs += _margin(_IN, ("bin", place), units, parts, whole)
    for name, units in sorted(by_source(pairs).items()):
        arcs += _margin(("source", name), _OUT, units, parts, whole)
    flow = cheapest(arcs, {_IN: total, _OUT: -total})
    count: Counter[Cell] = Counter()
    for end, units in zip(ends, flow, strict=False):
        count[end] += units
    return [one for cell, found in cells.items() for one in _first(found, count[cell])]


def _cell_arcs(cell: Cell, pairs: Sequence[Pair], parts: int, whole: int, seed: int) -> list[Arc]:
    tail, head = ("bin", cell[0]), ("source", cell[1])
    kept = Counter(one.kept for one in pairs)
    room = len(pairs) - kept["dev"] - kept["test"]
    due = max(0, len(pairs) * parts - kept["dev"] * whole)
    tie = draw(seed, "split.sts.cell", f"{cell[0]} {cell[1]}")
    near = level(tail, head, room, parts=due, whole=whole, weight=1 + _TIE * tie)
    return [Arc(tail, head, kept["dev"], _KEPT), *near]


def _margin(tail: Node, head: Node, units: int, parts: int, whole: int) -> Iterator[Arc]:
    return level(tail, head, units, parts=units * parts, whole=whole, weight=_MARGIN)


def _first(pairs: Sequence[Pair], units: int) -> list[Pair]:
    """Return that many pairs: those kept in dev, then new ones in order."""
    kept = [one for one in pairs if one.kept == "dev"]
    return kept + [one for one in pairs if one.kept is None][: units - len(kept)]
