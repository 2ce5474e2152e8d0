"""The section `split` of a spec: one model a rule, told apart by `rule` (Final Dataset, 3.1-3.8).

`train`, `dev` and `test` are the sizes of the paper, or (MRC) parts. A release scales them
to what there is, so that only their proportions and the other numbers decide.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final, Literal, Self

from pydantic import Field, field_validator, model_validator

from pipeline.core.specs import Spec

Size = Annotated[int, Field(ge=1, le=10_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=10_000_000)]
Split = Literal["train", "dev", "test"]
#: The splits in their order, and their names in the files of a release.
SPLITS: Final[tuple[Split, ...]] = ("train", "dev", "test")
FILES: Final[dict[Split, str]] = {"train": "train", "dev": "validation", "test": "test"}


class Sizes(Spec):
    """Numbers that every rule has."""

    train: Size
    dev: Size
    test: Size

    @property
    def sizes(self) -> dict[Split, int]:
        """Return the sizes by split."""
        return {"train": self.train, "dev": self.dev, "test": self.test}


class DateNumbers(Sizes):
    """TC: headlines from `evaluation_from` on (YYYY-MM-DD) are for dev and test."""

    evaluation_from: str
    unseen_terms_to_evaluation: bool

    @field_validator("evaluation_from")
    @classmethod
    def _is_a_day(cls, given: str) -> str:
        try:
            date.fromisoformat(given)
        except ValueError:
            raise ValueError("must be a day such as 2020-01-01") from None
        return given


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


class SetNumbers(Sizes):
    """NLI: dev and test take sets of `set_size` pairs on one premise with `distinct_golds` golds.

    They are drawn among the `lowest_share` of each source's sets that give least away. The shares
    are those of the styles, the others pairs a source and split in a release of the paper's size.
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


class EntityNumbers(Sizes):
    """NER: the test split prefers sentences with entities that train does not have."""

    unseen_entities_in_test: bool


class PairNumbers(Sizes):
    """RE: dev and test take pairs of the sampler `evaluation_sampler` only."""

    evaluation_sampler: str
    unseen_entities_in_test: bool


class SourceNumbers(Sizes):
    """DP: every split has the sources in the shares of the whole."""

    keep_source_shares: bool


class QuestionNumbers(Sizes):
    """MRC: the parts hold for every question type; `documents_apart`: no document in two splits."""

    documents_apart: bool


class GoalNumbers(Sizes):
    """DST: dialogues on counterfactual goals and on instances that train never names."""

    counterfactual_dev: Count
    counterfactual_test: Count
    unseen_instances: bool


class ByDate(Spec):
    """TC (Section 3.1.1)."""

    rule: Literal["by_date"]
    numbers: DateNumbers


class UniformScores(Spec):
    """STS (Section 3.2.1)."""

    rule: Literal["uniform_scores"]
    numbers: ScoreNumbers


class UnbiasedSets(Spec):
    """NLI (Section 3.3.1)."""

    rule: Literal["unbiased_sets"]
    numbers: SetNumbers


class UnseenEntities(Spec):
    """NER (Section 3.4.1)."""

    rule: Literal["unseen_entities"]
    numbers: EntityNumbers


class UniformPairs(Spec):
    """RE (Section 3.5.1)."""

    rule: Literal["uniform_pairs"]
    numbers: PairNumbers


class BySource(Spec):
    """DP (Section 3.6.1)."""

    rule: Literal["by_source"]
    numbers: SourceNumbers


class ByQuestionType(Spec):
    """MRC (Section 3.7.1)."""

    rule: Literal["by_question_type"]
    numbers: QuestionNumbers


class Counterfactual(Spec):
    """DST (Section 3.8.1)."""

    rule: Literal["counterfactual"]
    numbers: GoalNumbers


SplitRule = Annotated[
    ByDate
    | UniformScores
    | UnbiasedSets
    | UnseenEntities
    | UniformPairs
    | BySource
    | ByQuestionType
    | Counterfactual,
    Field(discriminator="rule"),
]
#: The rule by which each task is split.
SPLIT_RULES: Final[dict[str, str]] = {
    "tc": "by_date",
    "sts": "uniform_scores",
    "nli": "unbiased_sets",
    "ner": "unseen_entities",
    "re": "uniform_pairs",
    "dp": "by_source",
    "mrc": "by_question_type",
    "dst": "counterfactual",
}
