"""Evidence of candidates that a library of the field can compute anew: the part `reference`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from pipeline.contracts.parts import Parts

#: Values that differ by more are not the same.
TOLERANCE: Final = 1e-6


class Comparison(NamedTuple):
    """A value of ours and that of a package; without theirs, `reason` says why."""

    name: str
    package: str
    ours: float
    theirs: float | None
    reason: str = ""

    @property
    def agrees(self) -> bool:
        """Tell whether the values are the same, or there is nothing to compare with."""
        return self.theirs is None or abs(self.ours - self.theirs) <= TOLERANCE


#: Takes the fields and the meta of an item; None for an item without such a value.
Reference = Callable[[Mapping[str, Any], Mapping[str, Any]], Comparison | None]
REFERENCES: Final[Parts[Reference]] = Parts("reference", "REFERENCE")
