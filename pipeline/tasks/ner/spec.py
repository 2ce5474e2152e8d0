"""Spec sections `sampling` and `split` of ner: sentences and reviews (Section 3.4.1)."""

from __future__ import annotations

from typing import Final, Literal

from pipeline.contracts.sampling import Length, SourceSampling
from pipeline.contracts.splits import Sizes, split_section


class NerSampling(SourceSampling):
    """Texts wanted of each source; `longest` in characters."""

    rule: Literal["tagged"]
    longest: Length


class EntityNumbers(Sizes):
    """NER: the test split prefers sentences with entities that train does not have."""

    unseen_entities_in_test: bool


SAMPLING: Final = NerSampling
SPLIT: Final = split_section("unseen_entities", EntityNumbers)
