"""Sampling of inference: premises (Section 3.3.1)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field

from pipeline.tasks.sampling.base import Length, Quota, Sampling, with_quotas


class InferenceSampling(Sampling):
    """Premises wanted of each source, and their length in characters, both ends included."""

    rule: Literal["premises"]
    quotas: Annotated[dict[str, Quota], Field(min_length=1)]
    shortest: Length
    longest: Length

    @property
    def total(self) -> int:
        """Return how many candidates are wanted in all."""
        return sum(self.quotas.values())

    def scaled(self, total: int) -> Self:
        """Return the same section with quotas that add up to `total`."""
        found: Self = with_quotas(self, "quotas", total)
        return found
