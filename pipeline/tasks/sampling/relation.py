"""Sampling of relations: pairs of entities (Section 3.5.1)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field

from pipeline.tasks.sampling.base import Quota, Sampling, Share, with_quotas


class RelationSampling(Sampling):
    """Pairs wanted of each source, and the share of them that is drawn uniformly.

    The others are pairs of the knowledge base; of these no pair is drawn more than `pair_cap` times
    from a source, and no entity occurs in more than `entity_cap` of them.
    """

    rule: Literal["entity_pairs"]
    quotas: Annotated[dict[str, Quota], Field(min_length=1)]
    uniform_share: Share
    pair_cap: Quota
    entity_cap: Quota

    @property
    def total(self) -> int:
        """Return how many candidates are wanted in all."""
        return sum(self.quotas.values())

    def scaled(self, total: int) -> Self:
        """Return the same section with quotas that add up to `total`."""
        found: Self = with_quotas(self, "quotas", total)
        return found
