"""Spec sections `sampling` and `split` of ner: sentences and reviews (Section 3.4.1)."""

from __future__ import annotations

from typing import Final, Literal

from pipeline.contracts.sampling import Length, QuotaSampling
from pipeline.contracts.splits import Sizes
from pipeline.core.specs import Spec


class NerSampling(QuotaSampling):
    """Texts wanted of each source; `longest` in characters."""

    rule: Literal["tagged"]
    longest: Length


class EntityNumbers(Sizes):
    """NER: the test split prefers sentences with entities that train does not have."""

    unseen_entities_in_test: bool


class UnseenEntities(Spec):
    """NER (Section 3.4.1)."""

    rule: Literal["unseen_entities"]
    numbers: EntityNumbers


SAMPLING: Final = NerSampling
SPLIT: Final = UnseenEntities
