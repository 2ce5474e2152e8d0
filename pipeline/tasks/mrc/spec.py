"""Spec sections `sampling` and `split` of mrc: passages (Section 3.7.1)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from pipeline.contracts.sampling import Length, Quota, QuotaSampling, Share
from pipeline.contracts.splits import Sizes, split_section
from pipeline.core.specs import Many, Spec, Text

#: The types of questions; the last one has no answer and stands alone with its passage.
TYPES: Final = ("1", "2", "3")


class Returned(Spec):
    """The numbers of the checks of returned questions.

    A type-1 question is told when this share of its words or more stands in its evidence sentence
    (`overlap`); any question when so many words in a row are the passage's (`copied`), or so many
    that the passage holds once stand beside the answer (`once`). `shortest` and `longest` are
    characters of a question, both ends included; `related` is the least number of words that a
    type-3 question shares with its passage.
    """

    overlap: Share
    copied: Annotated[int, Field(ge=2)]
    shortest: Length
    longest: Length
    once: Annotated[int, Field(ge=1)]
    related: Length


class Passages(QuotaSampling):
    """Questions wanted of each type, and passages to carry them; what a passage must be.

    Every passage carries one question, or one of each answerable type; `shares` weighs the sources.
    Passages are longer than `above` and shorter than `below`. `politics` names categories that are
    left out, `least_articles` is how many articles a category needs. A sentence that a rule of
    `boilerplate` dropped was none, so that its passage has lost nothing. At least `prose` of a
    passage's characters stand in whole sentences, and at least `lines` of its lines end as one; it
    shares at most `known` of its text with other benchmarks, and `near` with another passage.
    """

    quota_key: ClassVar[str] = "shares"
    by_source: ClassVar[bool] = True

    rule: Literal["passages"]
    passages: Quota
    shares: Annotated[dict[str, Quota], Field(min_length=1)]
    above: Length
    below: Length
    politics: Many[Text]
    least_articles: Quota
    boilerplate: Many[Text]
    prose: Share
    lines: Share
    known: Share
    near: Share

    @model_validator(mode="after")
    def _fits(self) -> Self:
        # each type is asked at most once about a passage, and type 3 alone
        if set(self.quotas) != set(TYPES):
            raise ValueError(f"quotas needs the types {', '.join(TYPES)}")
        if not self._least <= self.passages <= self.total:
            raise ValueError(
                f"passages is {self.passages}; with these quotas it lies between {self._least} and"
                f" {self.total}"
            )
        return self

    @property
    def _least(self) -> int:
        return self.quotas["3"] + max(self.quotas["1"], self.quotas["2"])

    def scale(self, total: int) -> Self:
        """Return the same section with quotas that add up to `total`.

        `passages` and `least_articles` go with them: what is rare depends on the size of a corpus.
        """
        scaled = super().scale(total)
        passages = round(self.passages * total / self.total)
        return scaled.model_copy(
            update={
                "passages": min(max(passages, scaled._least), scaled.total),
                "least_articles": max(round(self.least_articles * total / self.total), 1),
            }
        )


class ReadingSampling(Passages):
    """The whole section: how passages are drawn, and how returned questions are checked."""

    returned: Returned


class QuestionNumbers(Sizes):
    """MRC: the parts hold for every question type; `documents_apart`: no document in two splits."""

    documents_apart: bool


SAMPLING: Final = ReadingSampling
SPLIT: Final = split_section("by_question_type", QuestionNumbers)
