"""Spec sections `sampling` and `split` of ner: sentences and reviews (Section 3.4.1)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import Field

from pipeline.contracts.sampling import Length, Quota, SamplingSection, with_quotas
from pipeline.contracts.splits import Sizes
from pipeline.core.specs import Spec


class EntitySampling(SamplingSection):
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


class EntityNumbers(Sizes):
    """NER: the test split prefers sentences with entities that train does not have."""

    unseen_entities_in_test: bool


class UnseenEntities(Spec):
    """NER (Section 3.4.1)."""

    rule: Literal["unseen_entities"]
    numbers: EntityNumbers


SAMPLING: Final = EntitySampling
SPLIT: Final = UnseenEntities
