"""Which pairs are for dev and test, and which of these for dev (paper 3.2.1).

Both are cheapest flows of whole units from the bins of scores to the sources, so that what is
wanted of bins and of sources holds at once as nearly as it can. A network of whole rooms and
supplies has such a flow, at a vertex of its linear program (Hoffman and Kruskal 1956: the node-arc
matrix is totally unimodular).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from pipeline.contracts.splits import Split
from pipeline.core.ids import draw
from pipeline.core.morphology import readings
from pipeline.release.splits.member import Member

#: Tells pairs of the same overlap apart; less than two unlike overlaps of sentences differ.
_TIE: Final = 1e-4
#: What makes a flow keep to what an earlier version placed.
_KEPT: Final = -10_000
#: What even bins and sources count, against even cells of both.
_MARGIN: Final = 4.0
#: What a unit beyond a level costs more than one within it.
_BEYOND: Final = 10
_IN: Final = ("in",)
_OUT: Final = ("out",)

#: The bin of a pair and its source.
Cell = tuple[int, str]


@dataclass(frozen=True)
class Pair:
    """A pair, its bin, whether few common words make it welcome in dev and test or many.

    `kept` is the split that an earlier version gave its group.
    """

    member: Member
    place: int
    least: bool
    kept: Split | None = None

    @property
    def cell(self) -> Cell:
        """Return its bin and its source."""
        return self.place, self.member.source

    @cached_property
    def overlap(self) -> float:
        """Return the word overlap of its sentences."""
        return overlap(self.member.fields["sentence1"], self.member.fields["sentence2"])

    def order(self, seed: int) -> tuple[float, float, str]:
        """Return its place among the pairs of its cell: the most welcome first, ties keyed.

        It begins with how little welcome the pair is in dev and test, from 0 to 1.
        """
        cost = self.overlap if self.least else 1 - self.overlap
        return cost, draw(seed, "split.sts.pair", self.member.id), self.member.id


def overlap(first: str, second: str) -> float:
    """Return the Jaccard index of the sets of morphemes of two sentences, from 0 to 1.

    Two sentences without any morpheme are the same.
    """
    left, right = ({reading.form for reading in readings(text)} for text in (first, second))
    return len(left & right) / len(left | right) if left | right else 1.0


def by_cell(pairs: Iterable[Pair]) -> dict[Cell, list[Pair]]:
    """Return the pairs of each bin and source, cells in order."""
    cells = defaultdict(list)
    for pair in pairs:
        cells[pair.cell].append(pair)
    return dict(sorted(cells.items()))


def by_bin(pairs: Iterable[Pair]) -> Counter[int]:
    """Return how many pairs each bin has."""
    return Counter(pair.place for pair in pairs)


def by_source(pairs: Iterable[Pair]) -> Counter[str]:
    """Return how many pairs each source has."""
    return Counter(pair.member.source for pair in pairs)


def evenly(
    held: Mapping[int, int], there: Mapping[int, int], total: int, *, seed: int
) -> dict[int, int]:
    """Return how many pairs to have of each bin, `total` of them or as many as there are.

    `held` are those that a bin has already and keeps, `there` all that it can have, `held` with
    them. All bins have as many, or one more; but a bin with fewer has all that there are, and one
    with more what it held. Which bins have the one more is keyed.
    """

    def fill(level: int) -> dict[int, int]:
        return {place: max(held.get(place, 0), min(level, there[place])) for place in there}

    levels = range(1, max(there.values(), default=0) + 1)
    base = bisect_right(levels, total, key=lambda level: sum(fill(level).values()))
    bins, above = fill(base), fill(base + 1)
    more = [place for place in there if above[place] > bins[place]]
    more.sort(key=lambda place: (draw(seed, "split.sts.bin", str(place)), place))
    for place in more[: max(0, total - sum(bins.values()))]:
        bins[place] += 1
    return bins


def choose(
    free: Sequence[Pair], need: Mapping[int, int], targets: Mapping[str, int] | None, *, seed: int
) -> list[Pair]:
    """Return the free pairs for dev and test: of each bin as many as it needs.

    The sources come as near to `targets` as the bins allow; among all such choices it is the one
    whose pairs are most welcome by their overlap. Without targets the overlap alone decides.
    """
    cells = by_cell(sorted(free, key=lambda pair: pair.order(seed)))
    best = [
        pair
        for (place, _), cell_pairs in cells.items()
        for pair in cell_pairs[: need.get(place, 0)]
    ]
    arcs = []
    for pair in best:
        cost, tie, _ = pair.order(seed)
        arcs.append(Arc(("bin", pair.place), ("source", pair.member.source), 1, cost + _TIE * tie))
    sources, total = sorted(by_source(free)), sum(need.values())
    # A unit too many moves by a chain through every source at most, each step costing up to 1.
    too_many = 0.0 if targets is None else 2.0 * (len(sources) + 1)
    for name in sources:
        room = max(0, (targets or {}).get(name, 0))
        arcs += [Arc(("source", name), _OUT, room, 0), Arc(("source", name), _OUT, total, too_many)]
    supply: dict[Node, int] = {("bin", place): units for place, units in need.items() if units}
    flow = cheapest(arcs, supply | {_OUT: -total})
    count = Counter(pair.cell for pair, units in zip(best, flow, strict=False) if units)
    return [pair for cell, cell_pairs in cells.items() for pair in cell_pairs[: count[cell]]]


def for_dev(pairs: Sequence[Pair], total: int, *, parts: int, whole: int, seed: int) -> list[Pair]:
    """Return those of dev and test that are for dev: `total`, `parts` of `whole` everywhere.

    Every bin, every source and every cell of both gives its part, rounded up or down. Pairs that an
    earlier version placed stay. Which pairs of a cell is keyed.
    """

    def key(pair: Pair) -> tuple[float, str]:
        return draw(seed, "split.sts.dev", pair.member.id), pair.member.id

    def margin(tail: Node, head: Node, units: int) -> Iterator[Arc]:
        return level(tail, head, units, parts=units * parts, whole=whole, weight=_MARGIN)

    cells = by_cell(sorted(pairs, key=key))
    arcs: list[Arc] = []
    for (place, source), cell_pairs in cells.items():
        tail, head = ("bin", place), ("source", source)
        kept = Counter(pair.kept for pair in cell_pairs)
        room = len(cell_pairs) - kept["dev"] - kept["test"]
        due = max(0, len(cell_pairs) * parts - kept["dev"] * whole)
        weight = 1 + _TIE * draw(seed, "split.sts.cell", f"{place} {source}")
        arcs.append(Arc(tail, head, kept["dev"], _KEPT))
        arcs += level(tail, head, room, parts=due, whole=whole, weight=weight)
    for place, units in sorted(by_bin(pairs).items()):
        arcs += margin(_IN, ("bin", place), units)
    for source, units in sorted(by_source(pairs).items()):
        arcs += margin(("source", source), _OUT, units)
    flow: Counter[tuple[Node, Node]] = Counter()
    for arc, units in zip(arcs, cheapest(arcs, {_IN: total, _OUT: -total}), strict=False):
        flow[arc.tail, arc.head] += units
    dev = []
    for (place, source), cell_pairs in cells.items():
        kept_in_dev = [pair for pair in cell_pairs if pair.kept == "dev"]
        new = flow[("bin", place), ("source", source)] - len(kept_in_dev)
        dev += kept_in_dev + [pair for pair in cell_pairs if pair.kept is None][:new]
    return dev


Node = tuple[Hashable, ...]


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
    nodes = dict.fromkeys([node for arc in arcs for node in (arc.tail, arc.head)] + [*supply])
    rows = {node: row for row, node in enumerate(nodes)}
    ends = [rows[arc.tail] for arc in arcs] + [rows[arc.head] for arc in arcs]
    signs = np.repeat([1.0, -1.0], len(arcs))
    places = (np.array(ends), np.tile(np.arange(len(arcs)), 2))
    result = linprog(
        [arc.cost for arc in arcs],
        A_eq=csr_array((signs, places), shape=(len(rows), len(arcs))),
        b_eq=[supply.get(node, 0) for node in rows],
        bounds=[(0, arc.room) for arc in arcs],
        method="highs-ds",
    )
    if result.x is None:
        raise ValueError(f"no flow through {len(arcs)} arcs: {result.message}")
    return [round(units) for units in result.x]


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
