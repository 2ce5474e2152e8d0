"""Sampling of topic classification: headlines by press section (Section 3.1.1)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field

from pipeline.tasks.sampling.base import Quota, Sampling, with_quotas


class TopicSampling(Sampling):
    """Headlines wanted of each press section."""

    rule: Literal["headlines"]
    quotas: Annotated[dict[str, Quota], Field(min_length=1)]

    @property
    def total(self) -> int:
        """Return how many candidates are wanted in all."""
        return sum(self.quotas.values())

    def scaled(self, total: int) -> Self:
        """Return the same section with quotas that add up to `total`."""
        found: Self = with_quotas(self, "quotas", total)
        return found
