"""Sampling of similarity: pairs of sentences (Section 3.2.1)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pipeline.tasks.sampling.base import Length, Quota, Sampling, Share, with_quotas

#: Sentences that are matched at a time: the time grows with the square.
Pool = Annotated[int, Field(ge=2, le=200_000)]


class SimilaritySampling(Sampling):
    """Pairs wanted of each sampler (`SOURCE-rtt`, `SOURCE-sampled`, `SOURCE-para`), and which.

    A source with a quota `SOURCE-para` is paired by intent, any other by translation (`rtt`) and
    by matching (`sampled`); its sentences have `shortest` to `longest` characters, both included.
    The share `reserve` of a quota is translated beyond it, since some translations are refused:
    those more than `stretch` times as long as their sentence, or as much shorter. Up to `pool`
    sentences are matched by `algorithm` and `rouge`, and drawn evenly over `bins` equal bins of
    that score.
    """

    rule: Literal["sentence_pairs"]
    quotas: Annotated[dict[str, Quota], Field(min_length=1)]
    shortest: Length
    longest: Length
    reserve: Share
    stretch: Annotated[float, Field(ge=1, le=100)]
    pool: Pool
    algorithm: Literal["anchors", "global"]
    rouge: Literal["rouge1", "rougeL"]
    bins: Annotated[int, Field(ge=1, le=1000)]

    @model_validator(mode="after")
    def _lengths(self) -> Self:
        if self.shortest > self.longest:
            raise ValueError(f"shortest {self.shortest} is above longest {self.longest}")
        return self

    @property
    def total(self) -> int:
        """Return how many candidates are wanted in all."""
        return sum(self.quotas.values())

    def scaled(self, total: int) -> Self:
        """Return the same section with quotas that add up to `total`."""
        found: Self = with_quotas(self, "quotas", total)
        return found
