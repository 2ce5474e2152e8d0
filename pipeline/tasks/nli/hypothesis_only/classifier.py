"""The protocol of a hypothesis-only classifier, and the table of those there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from pipeline.core.errors import InputError
from pipeline.tasks.nli.hypothesis_only.linear import Linear

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


class Classifier(Protocol):
    """What is fitted on hypotheses and their labels, and tells the labels of others.

    Labels are numbers from 0, one for each class. The same texts in the same order must give the
    same numbers to 1e-6.
    """

    def fit(self, texts: Sequence[str], labels: Labels) -> None:
        """Learn from texts; every class occurs among `labels`."""
        ...

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        """Return natural logarithms of probabilities; shape: texts x classes."""
        ...


Maker = Callable[[str], Classifier]
#: Makers by name; one whose name ends in a colon takes what follows it (a model's path, say).
CLASSIFIERS: Final[dict[str, Maker]] = {"linear": lambda _: Linear()}


def maker_of(
    name: str, more: Mapping[str, Maker] = MappingProxyType({})
) -> Callable[[], Classifier]:
    """Return what makes a fresh classifier of that name, of those here or of `more`.

    Raises InputError for an unknown one.
    """
    known = {**CLASSIFIERS, **more}
    head, colon, rest = name.partition(":")
    found = known.get(head + colon)
    if found is None or (colon and not rest):
        allowed = ", ".join(f"{one}MODEL" if one.endswith(":") else one for one in sorted(known))
        raise InputError(f"classifier {name!r} is not known; allowed: {allowed}")
    return lambda: found(rest)
