"""Which pairs are for dev and test, and which of these for dev (paper 3.2.1).

Both are cheapest flows of whole units from the bins of scores to the sources, so that what is
wanted of bins and of sources holds at once as nearly as it can. A network of whole rooms and
supplies has such a flow, at a vertex of its linear program (Hoffman and Kruskal 1956: the node-arc
matrix is totally unimodular).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pipeline.core.ids import draw
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


Node = tuple[Hashable, ...]
#: What a unit beyond a level costs more than one within it.
_BEYOND: Final = 10


class Arc(NamedTuple):
    """A way from a node to another for up to `room` units, each at `cost`."""

    tail: Node
    head: Node
    room: int
    cost: float


def cheapest(arcs: Sequence[Arc], supply: Mapping[Node, int]) -> list[int]:
    """Return the units on each arc of the cheapest flow that brings all supply to where it lacks.

    `supply` is what enters at a node, negative where it leaves; it adds up to 0. Costs may be
    negative; the same arcs in the same order give the same flow. Raises ValueError when the rooms
    do not let all of it through.
    """
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    if not arcs and not any(supply.values()):
        return []
    names = dict.fromkeys(node for one in arcs for node in (one.tail, one.head))
    rows = {node: row for row, node in enumerate(dict.fromkeys([*names, *supply]))}
    tails, heads = [rows[one.tail] for one in arcs], [rows[one.head] for one in arcs]
    signs = np.repeat([1.0, -1.0], len(arcs))
    places = (np.array(tails + heads), np.tile(np.arange(len(arcs)), 2))
    found = linprog(
        [one.cost for one in arcs],
        A_eq=csr_array((signs, places), shape=(len(rows), len(arcs))),
        b_eq=[supply.get(node, 0) for node in rows],
        bounds=[(0, one.room) for one in arcs],
        method="highs-ds",
    )
    if found.x is None:
        raise ValueError(f"no flow through {len(arcs)} arcs: {found.message}")
    return [round(units) for units in found.x]


def level(
    tail: Node, head: Node, room: int, *, parts: int, whole: int, weight: float
) -> Iterator[Arc]:
    """Yield arcs whose cost keeps the flow between two nodes near `parts` / `whole` units.

    Within the whole numbers below and above it a unit costs by what it does to the distance, and
    beyond them ten times as much.
    """
    below, rest = divmod(parts, whole)
    inner = weight * (1 - 2 * rest / whole)
    yield Arc(tail, head, min(below, room), -_BEYOND * weight)
    yield Arc(tail, head, min(1, max(0, room - below)), inner)
    yield Arc(tail, head, max(0, room - below - 1), _BEYOND * weight)
