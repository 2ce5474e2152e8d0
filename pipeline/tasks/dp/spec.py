"""Spec sections `sampling` and `split` of dp: sentences (Section 3.6.1)."""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import model_validator

from pipeline.contracts.sampling import Length, QuotaSampling
from pipeline.contracts.splits import Sizes
from pipeline.core.specs import Spec


class DependencySampling(QuotaSampling):
    """Sentences wanted of each source, and their length in words, both ends included."""

    rule: Literal["equal_styles"]
    fewest: Length
    most: Length

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not 1 <= self.fewest <= self.most:
            raise ValueError(f"fewest is {self.fewest} and most {self.most}; 1 <= fewest <= most")
        return self


class SourceNumbers(Sizes):
    """DP: every split has the sources in the shares of the whole."""

    keep_source_shares: bool


class BySource(Spec):
    """DP (Section 3.6.1)."""

    rule: Literal["by_source"]
    numbers: SourceNumbers


SAMPLING: Final = DependencySampling
SPLIT: Final = BySource
