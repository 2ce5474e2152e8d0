"""Spec sections `sampling` and `split` of tc: headlines by press section (Section 3.1.1)."""

from __future__ import annotations

from datetime import date
from typing import Final, Literal, Self

from pydantic import Field, field_validator, model_validator

from pipeline.contracts.sampling import QuotaSampling
from pipeline.contracts.splits import Sizes, split_section
from pipeline.core.specs import Many, Spec, Text


class PressSection(Spec):
    """How sources write one press section.

    `names` are its names in sources, beside the section's own id. `addresses` are parts of
    the addresses of its articles, for headlines whose source names no section.
    """

    names: Many[Text] = ()
    addresses: Many[Text] = ()


class TcSampling(QuotaSampling):
    """Headlines wanted of each press section, and how sources write the sections."""

    rule: Literal["headlines"]
    sections: dict[str, PressSection] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        unknown = sorted(set(self.sections) - set(self.quotas))
        if unknown:
            raise ValueError(f"sections: {unknown[0]!r} has no quota; give it one")
        names: list[str] = []
        for id_, section in self.sections.items():
            names += [*map(folded_name, (id_, *section.names)), *section.addresses]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"sections: {twice[0]!r} is given twice; keep one")
        return self


def folded_name(name: str) -> str:
    """Return the name of a section without case, blanks and signs: IT/과학 and it 과학 are one."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


class DateNumbers(Sizes):
    """TC: headlines from `evaluation_from` on (YYYY-MM-DD) are for dev and test."""

    evaluation_from: str
    unseen_terms_to_evaluation: bool

    @field_validator("evaluation_from")
    @classmethod
    def _is_a_day(cls, day: str) -> str:
        try:
            date.fromisoformat(day)
        except ValueError:
            raise ValueError("must be a day such as 2020-01-01") from None
        return day


SAMPLING: Final = TcSampling
SPLIT: Final = split_section("by_date", DateNumbers)
