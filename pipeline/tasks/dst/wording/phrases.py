"""The templates of instructions: a data file, read into frozen models."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from pipeline.core.specs import Spec, Text, load
from pipeline.tasks.dst.ground.names import DATA

#: Fragments keep their blanks: they are parts of sentences.
Fragments = Annotated[list[str], Field(min_length=1)]


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
    """What follows the words of a feature: another one, or the end."""

    and_: Fragments = Field(alias="and")
    end: Fragments


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
def phrases(folder: Path = DATA) -> Phrases:
    """Return the templates of instructions."""
    return load(folder / "phrases.yaml", Phrases)
