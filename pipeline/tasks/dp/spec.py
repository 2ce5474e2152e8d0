"""Spec sections `sampling` and `split` of dp: sentences (Section 3.6.1)."""

from __future__ import annotations

from typing import ClassVar, Final, Literal, Self

from pydantic import model_validator

from pipeline.contracts.sampling import Length, SourceSampling
from pipeline.contracts.splits import Sizes, split_section


class DependencySampling(SourceSampling):
    """Sentences wanted of each source, and their length in words, both ends included."""

    styled: ClassVar[bool] = True
    even: ClassVar[bool] = True

    rule: Literal["equal_styles"]
    fewest: Length
    most: Length

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if not 1 <= self.fewest <= self.most:
            raise ValueError(f"fewest is {self.fewest} and most {self.most}; 1 <= fewest <= most")
        return self


class SourceNumbers(Sizes):
    """DP: every split has the sources in the shares of the whole."""

    keep_source_shares: bool


SAMPLING: Final = DependencySampling
SPLIT: Final = split_section("by_source", SourceNumbers)
