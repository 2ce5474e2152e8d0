"""What virtual places and instructions are made of: data files, read into frozen models."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field

from pipeline.core.fingerprint import ROOT
from pipeline.core.specs import Many, Spec, Text, load
from pipeline.tasks.sampling.base import Share

#: The folder of all data files of this package; its digest must enter the fingerprint of a call.
DATA: Final = ROOT / "data" / "dialogue"

#: Fragments keep their blanks: they are parts of sentences.
Fragments = Annotated[list[str], Field(min_length=1)]
Hour = Annotated[int, Field(ge=0, le=24)]
Hours = Annotated[list[Hour], Field(min_length=1)]
Percent = Annotated[int, Field(ge=0, le=100)]


class Venue(Spec):
    """A domain of virtual places, or, without names and types, what is added to real ones."""

    nouns: Many[Text] = ()
    endings: dict[str, Many[Text]] = Field(default_factory=dict)
    types: dict[str, Share] = Field(default_factory=dict)
    prices: dict[str, Share] = Field(default_factory=dict)
    features: dict[str, Percent] = Field(default_factory=dict)
    opens: Hours
    closes: Hours
    dishes: dict[str, Many[Text]] = Field(default_factory=dict)
    fees: Many[Text] = ()


class Rate(Spec):
    """Won to begin with, and for each minute."""

    base: int
    minute: int


class Taxis(Spec):
    """The least and the most minutes of a journey, and the rates of each type."""

    minutes: Annotated[list[int], Field(min_length=2, max_length=2)]
    types: dict[str, Rate]


class Material(Spec):
    """`data/dialogue/venues.yaml`."""

    modifiers: Many[Text]
    domains: dict[str, Venue]
    ratings: Many[Text]
    walks: dict[Literal["yes", "no"], list[int]]
    districts: dict[str, Many[Text]]
    taxi: Taxis


class Either(Spec):
    """A part of a sentence for a value, and for one that is as in a domain before."""

    value: Fragments
    same: Fragments
    same_as: Fragments = Field(default=["{other}"])


class Booking(Spec):
    """The parts of a booking, in their order."""

    start: Fragments
    end: Fragments
    day: dict[str, Either]
    time: Fragments
    stay: Fragments
    people: Either


class Called(Spec):
    """What places of a domain are called: later on, by type, and by name."""

    called: Text
    noun: dict[str, Fragments]
    named: Fragments


class Taxi(Spec):
    """Sentences about a taxi."""

    search: Fragments
    type: dict[str, str]
    leave: Fragments
    arrive: Fragments
    arrive_same: Fragments
    free: dict[str, Text]


class Ride(Spec):
    """Sentences about the metro; `near` is the station near a place."""

    search: Fragments
    near: Text
    leave: Fragments


class FeatureEnds(Spec):
    """What follows the words of a feature: another one, the end, or that it does not matter."""

    and_: str = Field(alias="and")
    end: str
    free: str


class Phrases(Spec):
    """`data/dialogue/phrases.yaml`."""

    openings: Fragments
    next: Fragments
    last: Fragments
    area: Either
    search: Fragments
    free: Fragments
    otherwise: Fragments
    choose: Fragments
    ask: Fragments
    found: Fragments
    booked: Fragments
    book: Booking
    counts: dict[Literal["people", "stay"], dict[str, Fragments]]
    domains: dict[str, Called]
    quality: dict[str, Fragments]
    prices: dict[str, Text]
    slots: dict[str, Text]
    features: dict[str, dict[Literal["yes", "no", "dontcare"], Fragments]]
    features_end: FeatureEnds
    taxi: Taxi
    metro: Ride


@cache
def material(folder: Path = DATA) -> Material:
    """Return what virtual places are made of."""
    return load(folder / "venues.yaml", Material)


@cache
def phrases(folder: Path = DATA) -> Phrases:
    """Return the templates of instructions."""
    return load(folder / "phrases.yaml", Phrases)
