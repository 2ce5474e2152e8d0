"""The tree of slots that the Taxonomy offers: domains, their slots, and the values of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

#: {"value": NAME, "children": [BRANCH, ...]}, a value of a slot without children: the form in which
#: the editor takes options from a task.
Branch = dict[str, Any]
_LEVELS: Final = 3


def branches(values: Mapping[str, Sequence[str]]) -> list[Branch]:
    """Return the tree of values by slot (DOMAIN-SLOT)."""
    domains: dict[str, list[Branch]] = {}
    for slot, held in values.items():
        domain, _, name = slot.partition("-")
        children = [{"value": value} for value in held]
        domains.setdefault(domain, []).append({"value": name, "children": children})
    return [{"value": domain, "children": slots} for domain, slots in domains.items()]


def leaves(tree: object, path: tuple[str, ...] = ()) -> set[str]:
    """Return the slot-values (DOMAIN-SLOT-VALUE) of a tree; what is no branch has none."""
    found: set[str] = set()
    for one in tree if isinstance(tree, list) and len(path) < _LEVELS else ():
        if isinstance(one, dict) and isinstance(one.get("value"), str):
            below = (*path, one["value"])
            found |= leaves(one["children"], below) if "children" in one else {"-".join(below)}
    return found
