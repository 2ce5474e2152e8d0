"""The words by which values count as said: a data file, read into a frozen model."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pipeline.core.specs import Many, Spec, Text, load
from pipeline.tasks.dst.ground.names import DATA


class Lexicon(Spec):
    """`data/dialogue/heard.yaml`."""

    values: dict[str, dict[str, Many[Text]]]
    topics: dict[str, Many[Text]]
    same: Many[Text]
    seems: Many[Text]
    days: Many[Text]
    takes: Many[Text]


@cache
def lexicon(folder: Path = DATA) -> Lexicon:
    """Return the words by which values are heard."""
    return load(folder / "heard.yaml", Lexicon)
