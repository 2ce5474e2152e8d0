"""What virtual places are made of: a data file, read into frozen models."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from pipeline.contracts.sampling import Share
from pipeline.core.specs import Many, Spec, Text, load
from pipeline.tasks.dst.schema import DATA

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


@cache
def material(folder: Path = DATA) -> Material:
    """Return what virtual places are made of."""
    return load(folder / "venues.yaml", Material)
