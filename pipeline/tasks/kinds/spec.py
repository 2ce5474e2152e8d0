"""Spec sections `sampling` and `split` of own tasks: quotas by source, and stratified splits."""

from __future__ import annotations

from typing import Final, Literal

from pipeline.contracts.sampling import Length, LengthSampling
from pipeline.contracts.splits import Sizes, split_section


class UnitSampling(LengthSampling):
    """Units wanted of each source, by kind and by length in characters (both ends included)."""

    rule: Literal["quotas"] = "quotas"
    unit: Literal["sentence", "whole"] = "sentence"
    shortest: Length = 1
    longest: Length = 1_000_000


class StratifiedNumbers(Sizes):
    """Sizes in proportion; splits have the labels, or the sources, in the shares of the whole."""

    by: Literal["label", "source"] = "label"


SAMPLING: Final = UnitSampling
SPLIT: Final = split_section("stratified", StratifiedNumbers)
