"""What is connected, directly or through others: disjoint sets of names (union-find)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)


class Components(Generic[Name]):
    """Sets of names; a name that was never joined is alone.

    Tarjan, "Efficiency of a good but not linear set union algorithm", Journal of the ACM 22 (1975).
    """

    def __init__(self) -> None:
        """Start with every name alone."""
        self._above: dict[Name, Name] = {}
        self._size: dict[Name, int] = {}

    def find(self, name: Name) -> Name:
        """Return the name that stands for the set of `name`; it changes when sets are joined."""
        above, root = self._above, name
        while (higher := above.get(root, root)) != root:
            root = higher
        while name != root:
            above[name], name = root, above.get(name, name)
        return root

    def join(self, left: Name, right: Name) -> bool:
        """Make one set of the sets of two names; return whether they were two."""
        one, other = self.find(left), self.find(right)
        if one == other:
            return False
        sizes = self._size.get(one, 1), self._size.get(other, 1)
        if sizes[0] < sizes[1]:
            one, other = other, one
        self._above[other] = one
        self._size[one] = sum(sizes)
        return True
