"""Korean wording of slots and values: particles, words and phrases of instructions (Table 24)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field

from pipeline.core.specs import Spec, Text, load
from pipeline.tasks.dst.goals.goal import Want
from pipeline.tasks.dst.schema import ANY, DATA, Chance, Schema, domain_of

#: As templates write them: the form after a final consonant, the form after a vowel.
_MARK: Final = re.compile(r"(\S)(\W*)\((을/를|이/가|은/는|과/와|으로/로)\)")
#: Finals of a syllable, with none the first, and the number of ㄹ among them.
_FINALS: Final = 28
_RIEUL: Final = 8
#: Figures and letters that are read with a final consonant: 영 일 삼 육 칠 팔, 엘 엠 엔 알.
_CLOSED: Final = frozenset("013678LMNRlmnr")
#: Of these, those that end in ㄹ, after which it is 로.
_RIEUL_READ: Final = frozenset("178LRlr")


def resolve(text: str) -> str:
    """Return a text in which each mark such as `(을/를)` is the particle that fits."""
    return _MARK.sub(_choose_particle, text)


def _choose_particle(mark: re.Match[str]) -> str:
    letter, between, forms = mark.groups()
    closed, opened = forms.split("/")
    is_closed, is_rieul = letter in _CLOSED, letter in _RIEUL_READ
    if "가" <= letter <= "힣":
        final = (ord(letter) - ord("가")) % _FINALS
        is_closed, is_rieul = final > 0, final == _RIEUL
    takes_closed = is_closed and not (closed == "으로" and is_rieul)
    return f"{letter}{between}{closed if takes_closed else opened}"


@dataclass(frozen=True)
class Words:
    """Templates for the part at `place` of a goal; `chance` is that of the whole goal."""

    phrases: Phrases
    schema: Schema
    chance: Chance
    place: int

    def pick(self, what: str, options: Sequence[str], turn: int | None = None) -> str:
        """Return a variant: the first drawn for the goal, and the next one at each turn.

        So a goal says the same thing in other words each time, as far as there are variants. A turn
        is a part, unless it is given.
        """
        ring = self.chance.rotate(what, options)
        return ring[(self.place if turn is None else turn) % len(ring)]

    def noun_of(self, slot: str) -> str:
        """Return what the place of another domain's slot is called."""
        return self.phrases.domains[domain_of(slot)].called

    def either(self, what: str, forms: Either, want: Want) -> str:
        """Return the template for a value, or for one that is as before."""
        return self.pick(what, forms.same if want.same_as else forms.value)


def list_names(names: Sequence[str]) -> str:
    """Return names in a row: 주소, 평점과 요금."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])}(과/와) {names[-1]}"


#: Fragments keep their blanks: they are parts of sentences.
Fragments = Annotated[list[str], Field(min_length=1)]


class Either(Spec):
    """A part of a sentence for a value, and for one that is as in a domain before."""

    value: Fragments
    same: Fragments
    same_as: Fragments = Field(default=["{other}"])


class Called(Spec):
    """What places of a domain are called: later on, by type, and by name."""

    called: Text
    noun: dict[str, Fragments]
    named: Fragments


class Ride(Spec):
    """Sentences about a taxi or the metro; `near` is what an end near a place is called."""

    search: Fragments
    leave: Fragments
    near: Text = "{called}"
    type: dict[str, str] = Field(default={ANY: ""})
    arrive: list[str] = Field(default=[])
    arrive_same: list[str] = Field(default=[])


class Phrases(Spec):
    """`data/dialogue/phrases.yaml`."""

    openings: Fragments
    next: Fragments
    last: Fragments
    area: Either
    search: Fragments
    free: Fragments
    free_features: Fragments
    otherwise: Fragments
    choose: Fragments
    ask: Fragments
    found: Fragments
    booked: Fragments
    book_start: Fragments
    book_day: dict[str, Either]
    book_time: Fragments
    book_people: Either
    book_end: Fragments
    counts: dict[Literal["people", "stay"], dict[str, Fragments]]
    domains: dict[str, Called]
    quality: dict[str, Fragments]
    prices: dict[str, Text]
    slots: dict[str, Text]
    features: dict[str, dict[Literal["yes", "no", "dontcare"], Fragments]]
    features_and: Fragments
    features_end: Fragments
    rides: dict[Literal["taxi", "metro"], Ride]


@cache
def phrases(folder: Path = DATA) -> Phrases:
    """Return the templates of instructions."""
    return load(folder / "phrases.yaml", Phrases)
