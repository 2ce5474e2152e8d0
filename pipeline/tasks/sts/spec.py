"""Spec sections `sampling` and `split` of sts: pairs of sentences (Section 3.2.1)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, field_validator

from pipeline.contracts.sampling import LengthSampling, Share
from pipeline.contracts.splits import Size, Sizes, split_section

#: Endings of the names of quotas, after the source: pairs by translation, by matching (of intents,
#: where these are known), and by intent.
ROUND_TRIPS: Final = "-rtt"
MATCHED: Final = "-sampled"
INTENTS: Final = "-para"

Algorithm = Literal["anchors", "global"]
Rouge = Literal["rouge1", "rougeL"]
#: Sentences that are matched at a time: the time grows with the square.
Pool = Annotated[int, Field(ge=2, le=200_000)]


class StsSampling(LengthSampling):
    """Pairs wanted of each sampler (`SOURCE-rtt`, `SOURCE-sampled`, `SOURCE-para`), and which.

    A source with a quota `SOURCE-para` is paired by intent (and has no `rtt`), any other by
    translation (`rtt`) and by matching (`sampled`); its sentences have `shortest` to `longest`
    characters, both included. The share `reserve` of a quota is translated beyond it, since some
    translations are refused: those more than `stretch` times as long as their sentence, or as much
    shorter. Up to `pool` sentences are matched by `algorithm` and `rouge`, and drawn evenly over
    `bins` equal bins of that score, as far as they have pairs. Where intents are known, the share
    `same_act` of the less similar pairs is of one speech act, and an utterance gets the best of
    `choices` others.
    """

    rule: Literal["sentence_pairs"]
    reserve: Share
    stretch: Annotated[float, Field(ge=1, le=100)]
    pool: Pool
    algorithm: Algorithm
    rouge: Rouge
    bins: Annotated[int, Field(ge=1, le=1000)]
    same_act: Share = 0.6
    choices: Annotated[int, Field(ge=1, le=1000)] = 7

    @property
    def sources(self) -> frozenset[str]:
        return frozenset(map(source_of, self.quotas))

    @field_validator("quotas")
    @classmethod
    def _kinds(cls, quotas: dict[str, int]) -> dict[str, int]:
        for name in quotas:
            if not source_of(name):
                raise ValueError(
                    f"{name!r} names no source and kind of pair; allowed: SOURCE{ROUND_TRIPS},"
                    f" SOURCE{MATCHED}, SOURCE{INTENTS}"
                )
            if f"{source_of(name)}{INTENTS}" in quotas and name.endswith(ROUND_TRIPS):
                raise ValueError(
                    f"{name!r} and {source_of(name)}{INTENTS} exclude each other: a source that is"
                    " paired by intent is not translated; remove one of the two"
                )
        return quotas


def source_of(name: str) -> str:
    """Return the source in the name of a quota; empty for what names none."""
    for kind in (ROUND_TRIPS, MATCHED, INTENTS):
        if name.endswith(kind):
            return name.removesuffix(kind)
    return ""


class ScoreNumbers(Sizes):
    """STS: scores fall into `bins` bins of equal width over the scale.

    From the score `least_overlap_from` on, pairs that share the fewest words are preferred for dev
    and test, below it those that share the most; these are parted `dev_parts` to `test_parts`.
    """

    bins: Annotated[int, Field(ge=2, le=501)]
    least_overlap_from: float
    dev_parts: Size
    test_parts: Size
    keep_source_shares: bool


SAMPLING: Final = StsSampling
SPLIT: Final = split_section("uniform_scores", ScoreNumbers)
