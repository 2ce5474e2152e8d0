"""Spec sections `sampling` and `split` of re: pairs of entities (Section 3.5.1)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import Field

from pipeline.contracts.sampling import Quota, SamplingSection, Share, with_quotas
from pipeline.contracts.splits import Sizes
from pipeline.core.specs import Spec


class RelationSampling(SamplingSection):
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


class PairNumbers(Sizes):
    """RE: dev and test take pairs of the sampler `evaluation_sampler` only."""

    evaluation_sampler: str
    unseen_entities_in_test: bool


class UniformPairs(Spec):
    """RE (Section 3.5.1)."""

    rule: Literal["uniform_pairs"]
    numbers: PairNumbers


SAMPLING: Final = RelationSampling
SPLIT: Final = UniformPairs
