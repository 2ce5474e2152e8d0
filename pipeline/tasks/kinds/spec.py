"""Spec sections `sampling` and `split` of own tasks: quotas by source, and stratified splits."""

from __future__ import annotations

from typing import Final, Literal

from pipeline.contracts.sampling import Length, QuotaSampling
from pipeline.contracts.splits import Sizes
from pipeline.core.specs import Spec


class UnitSampling(QuotaSampling):
    """Units wanted of each source, by kind and by length in characters (both ends included)."""

    rule: Literal["quotas"] = "quotas"
    unit: Literal["sentence", "whole"] = "sentence"
    shortest: Length = 1
    longest: Length = 1_000_000


class StratifiedNumbers(Sizes):
    """Sizes in proportion; splits have the labels, or the sources, in the shares of the whole."""

    by: Literal["label", "source"] = "label"


class Stratified(Spec):
    """The split of own tasks."""

    rule: Literal["stratified"]
    numbers: StratifiedNumbers


SAMPLING: Final = UnitSampling
SPLIT: Final = Stratified
