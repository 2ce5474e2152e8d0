"""Scores that decide what leaves: thresholds of toxic text, by catalogue entry or build file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WrapValidator

from pipeline.core.specs import Spec

Score = Annotated[float, Field(gt=0, le=1)]


class Thresholds(Spec):
    """Scores at or above which a sentence is dropped (Section 2.3)."""

    gender_bias: Score
    hate: Score


def _limits(value: object, _: object) -> object:
    if value == "flag" or isinstance(value, dict | Thresholds):
        return value if value == "flag" else Thresholds.model_validate(value)
    raise ValueError("must be flag, or thresholds gender_bias and hate")


#: What becomes of a source's toxic sentences; those of `flag` have scores and stay.
Limits = Annotated[Thresholds | Literal["flag"], WrapValidator(_limits)]
