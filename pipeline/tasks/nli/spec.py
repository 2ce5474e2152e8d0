"""Spec sections `sampling` (premises) and `split` (sets of pairs) of nli (Section 3.3.1)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from pipeline.contracts.sampling import LengthSampling
from pipeline.contracts.splits import Share, Size, Sizes, split_section
from pipeline.core.specs import Many, Spec

#: How a premise may end; pipeline/tasks/nli/endings.py describes the forms.
PremiseEnding = Literal["final", "suspended", "nominalised", "copula_less", "phrase"]
_Endings = Annotated[Many[PremiseEnding], Field(min_length=1)]


class PremiseEndings(Spec):
    """The endings that a premise may have in each style."""

    formal: _Endings
    colloquial: _Endings


class NliSampling(LengthSampling):
    """Premises wanted of each source, their length in characters (both ends included), endings."""

    styled: ClassVar[bool] = True

    rule: Literal["premises"]
    endings: PremiseEndings


class SetNumbers(Sizes):
    """What dev and test take: whole sets of pairs on one premise.

    set_size, distinct_golds: a complete set has so many pairs, and so many different gold labels.
    lowest_share: sets are taken among this share of each source's sets, those with the lowest
        distance.
    formal_share, colloquial_share: the shares of the styles in dev, and in test.
    per_formal_source, per_colloquial_source: the most pairs that a source of the style gives to
        each of dev and test, in a release of the paper's size (train + dev + test).
    """

    set_size: Size
    distinct_golds: Size
    lowest_share: Share
    formal_share: Share
    colloquial_share: Share
    per_formal_source: Size
    per_colloquial_source: Size

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if abs(self.formal_share + self.colloquial_share - 1) > 1e-9:
            raise ValueError("formal_share and colloquial_share must add up to 1")
        return self


SAMPLING: Final = NliSampling
SPLIT: Final = split_section("unbiased_sets", SetNumbers)
