"""Sampling of reading comprehension: passages (Section 3.7.1)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field

from pipeline.tasks.sampling.base import Length, Quota, Sampling, with_quotas


class ReadingSampling(Sampling):
    """Questions wanted of each type; passages are longer than `above` and shorter than `below`."""

    rule: Literal["passages"]
    quotas: Annotated[dict[str, Quota], Field(min_length=1)]
    above: Length
    below: Length

    @property
    def total(self) -> int:
        """Return how many candidates are wanted in all."""
        return sum(self.quotas.values())

    def scaled(self, total: int) -> Self:
        """Return the same section with quotas that add up to `total`."""
        found: Self = with_quotas(self, "quotas", total)
        return found
