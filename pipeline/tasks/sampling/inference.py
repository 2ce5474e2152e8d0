"""Sampling of inference: premises (Section 3.3.1)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pipeline.core.specs import Many, Spec
from pipeline.tasks.sampling.base import Length, Quota, Sampling, with_quotas

#: How a premise may end; the forms are told in pipeline/sampling/inference/ending.py.
PremiseEnding = Literal["final", "suspended", "nominalised", "copula_less", "phrase"]
_Endings = Annotated[Many[PremiseEnding], Field(min_length=1)]


class PremiseEndings(Spec):
    """The endings that a premise may have in each style."""

    formal: _Endings
    colloquial: _Endings


class InferenceSampling(Sampling):
    """Premises wanted of each source, their length in characters (both ends included), endings."""

    rule: Literal["premises"]
    quotas: Annotated[dict[str, Quota], Field(min_length=1)]
    shortest: Length
    longest: Length
    endings: PremiseEndings

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if self.shortest > self.longest:
            raise ValueError(f"shortest ({self.shortest}) is more than longest ({self.longest})")
        return self

    @property
    def total(self) -> int:
        """Return how many candidates are wanted in all."""
        return sum(self.quotas.values())

    def scaled(self, total: int) -> Self:
        """Return the same section with quotas that add up to `total`."""
        found: Self = with_quotas(self, "quotas", total)
        return found
