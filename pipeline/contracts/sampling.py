"""What the sampling section of every spec has in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Self

from pydantic import Field

from pipeline.core.specs import Spec

#: How many are wanted: quotas and sizes.
Quota = Annotated[int, Field(ge=1, le=10_000_000)]
#: A share, from 0 to 1.
Share = Annotated[float, Field(ge=0, le=1)]
#: Characters or words.
Length = Annotated[int, Field(ge=0, le=1_000_000)]


class SamplingSection(Spec):
    """Base of the eight sections: what a candidate must be, and how many are wanted."""

    @property
    @abstractmethod
    def total(self) -> int:
        """Return how many candidates are wanted in all."""

    @abstractmethod
    def scaled(self, total: int) -> Self:
        """Return the same section with its quotas in proportion, adding up to about `total`."""


class QuotaSampling(SamplingSection):
    """Base of the sections that have a quota for each source, sampler, press section or type."""

    quotas: Annotated[dict[str, Quota], Field(min_length=1)]

    @property
    def total(self) -> int:
        return sum(self.quotas.values())

    def scaled(self, total: int) -> Self:
        return self.model_copy(update={"quotas": proportional(self.quotas, total)})


def proportional(quotas: dict[str, int], total: int) -> dict[str, int]:
    """Return quotas that add up to `total` in the same proportion, by largest remainders.

    Each is at least 1, ties go by name.
    """
    whole = sum(quotas.values())
    exact = {name: quota * total / whole for name, quota in quotas.items()}
    found = {name: int(value) for name, value in exact.items()}
    left = total - sum(found.values())
    for name in sorted(exact, key=lambda n: (found[n] - exact[n], n))[: max(left, 0)]:
        found[name] += 1
    return {name: max(value, 1) for name, value in found.items()}
