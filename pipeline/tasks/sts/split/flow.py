"""Cheapest flows of whole units through a small network.

A network of whole rooms and supplies has a cheapest flow of whole units, at a vertex of its linear
program (Hoffman and Kruskal 1956: the node-arc matrix is totally unimodular).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

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
