"""What the sampling section of every spec has in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from pipeline.contracts.splits import apportion
from pipeline.core.specs import Spec

#: How many are wanted: quotas and sizes.
Quota = Annotated[int, Field(ge=1, le=10_000_000)]
#: A share, from 0 to 1.
Share = Annotated[float, Field(ge=0, le=1)]
#: Characters or words.
Length = Annotated[int, Field(ge=0, le=1_000_000)]


class SamplingSection(Spec):
    """Base of the eight sections: what a candidate must be, and how many are wanted.

    `quota_key` is the key that a build file may replace. Where it names sources, `by_source` holds,
    and `sources` are those; quotas may then be shared by what the sources of a build give. With
    `styled` the style of a source decides what is drawn, with `even` as much of one as of another.
    """

    quota_key: ClassVar[str] = "quotas"
    by_source: ClassVar[bool] = False
    styled: ClassVar[bool] = False
    even: ClassVar[bool] = False

    @property
    def sources(self) -> frozenset[str]:
        """Return the sources that have a quota."""
        return frozenset(getattr(self, self.quota_key) if self.by_source else ())

    @property
    @abstractmethod
    def total(self) -> int:
        """Return how many candidates are wanted in all."""

    @abstractmethod
    def scale(self, total: int) -> Self:
        """Return the same section with its quotas in proportion, adding up to about `total`."""


class QuotaSampling(SamplingSection):
    """Base of the sections that have a quota for each source, sampler, press section or type."""

    quotas: Annotated[dict[str, Quota], Field(min_length=1)]

    @property
    def total(self) -> int:
        return sum(self.quotas.values())

    def scale(self, total: int) -> Self:
        return self.model_copy(update={"quotas": proportional(self.quotas, total)})


class SourceSampling(QuotaSampling):
    """Base of the sections that have a quota for each source."""

    by_source: ClassVar[bool] = True


class LengthSampling(SourceSampling):
    """Base of the sections that bound the length of a text, in characters, both ends included."""

    shortest: Length
    longest: Length

    @model_validator(mode="after")
    def _has_lengths(self) -> Self:
        if self.shortest > self.longest:
            raise ValueError(f"shortest ({self.shortest}) is more than longest ({self.longest})")
        return self


def proportional(quotas: Mapping[str, float], total: int) -> dict[str, int]:
    """Return quotas that add up to `total` in the same proportion; each is at least 1."""
    return {name: max(value, 1) for name, value in apportion(quotas, total).items()}
