"""Spec sections `sampling` and `split` of re: pairs of entities (Section 3.5.1)."""

from __future__ import annotations

from typing import Final, Literal

from pipeline.contracts.sampling import Quota, Share, SourceSampling
from pipeline.contracts.splits import Sizes, split_section


class ReSampling(SourceSampling):
    """Pairs wanted of each source, and the share of them that is drawn uniformly.

    The others are pairs of the knowledge base; of these no pair is drawn more than `pair_cap` times
    from a source, and no entity occurs in more than `entity_cap` of them.
    """

    rule: Literal["entity_pairs"]
    uniform_share: Share
    pair_cap: Quota
    entity_cap: Quota


class PairNumbers(Sizes):
    """RE: dev and test take pairs of the sampler `evaluation_sampler` only (Section 3.5.1)."""

    evaluation_sampler: str
    unseen_entities_in_test: bool


SAMPLING: Final = ReSampling
SPLIT: Final = split_section("uniform_pairs", PairNumbers)
