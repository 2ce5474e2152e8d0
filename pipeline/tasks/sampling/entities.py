"""Sampling of named entities: sentences and reviews (Section 3.4.1)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field

from pipeline.tasks.sampling.base import Length, Quota, Sampling, with_quotas


class EntitySampling(Sampling):
    """Texts wanted of each source; `longest` in characters."""

    rule: Literal["tagged"]
    quotas: Annotated[dict[str, Quota], Field(min_length=1)]
    longest: Length

    @property
    def total(self) -> int:
        """Return how many candidates are wanted in all."""
        return sum(self.quotas.values())

    def scaled(self, total: int) -> Self:
        """Return the same section with quotas that add up to `total`."""
        found: Self = with_quotas(self, "quotas", total)
        return found
