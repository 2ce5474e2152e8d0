"""Spec sections `sampling` and `split` of re: pairs of entities (Section 3.5.1)."""

from __future__ import annotations

from typing import Final, Literal

from pipeline.contracts.sampling import Quota, QuotaSampling, Share
from pipeline.contracts.splits import Sizes
from pipeline.core.specs import Spec


class ReSampling(QuotaSampling):
    """Pairs wanted of each source, and the share of them that is drawn uniformly.

    The others are pairs of the knowledge base; of these no pair is drawn more than `pair_cap` times
    from a source, and no entity occurs in more than `entity_cap` of them.
    """

    rule: Literal["entity_pairs"]
    uniform_share: Share
    pair_cap: Quota
    entity_cap: Quota


class PairNumbers(Sizes):
    """RE: dev and test take pairs of the sampler `evaluation_sampler` only."""

    evaluation_sampler: str
    unseen_entities_in_test: bool


class UniformPairs(Spec):
    """RE (Section 3.5.1)."""

    rule: Literal["uniform_pairs"]
    numbers: PairNumbers


SAMPLING: Final = ReSampling
SPLIT: Final = UniformPairs
