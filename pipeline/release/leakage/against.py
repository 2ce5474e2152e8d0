"""Evaluation examples in files that the user names, such as a corpus for pretraining.

The examples are held and the file is streamed, so that its size costs time alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pipeline.core import tablefile
from pipeline.core.tablefile import Quarantined, Source
from pipeline.release.leakage.bag import Bag
from pipeline.release.leakage.compare import Match, Settings, compare, rank
from pipeline.release.leakage.grams import Mask, Words
from pipeline.release.leakage.texts import Side, key


@dataclass
class Found:
    """What of a side stands in a file: the gravest match by text, `other` its line, and n-grams.

    N-grams are found across rows as well: a passage may stand there with a sentence a row.
    """

    side: Side
    grams: Mask
    matches: dict[int, Match] = field(default_factory=dict)


@dataclass
class Unread:
    """How many rows of a file could not be read under a rule, and the line of the first."""

    rows: int
    line: int


@dataclass
class Probed:
    """A file's name, what was found in it by side, and what of it could not be read, by rule."""

    file: str
    found: list[Found]
    unread: dict[str, Unread] = field(default_factory=dict)

    def refuse(self, row: Quarantined) -> None:
        """Count a row that cannot be read."""
        self.unread.setdefault(row.rule, Unread(0, row.line)).rows += 1


def probe(path: Path, sides: Sequence[Side], settings: Settings, *, n: int) -> Probed:
    """Look for the texts of sides, and for their n-grams, in a file that tablefile reads.

    The column of the texts is `text`, or what follows a `#` in the name: `news.csv#title`. Raises
    InputError for a file that cannot be read as a whole.
    """
    source = source_of(path)
    found = [Found(one, np.zeros(len(one.bag.grams(n).values), bool)) for one in sides]
    probed, last = Probed(source.path.name, found), list[str]()
    for batch in tablefile.batches(source, quarantine=probed.refuse):
        pairs = zip(batch.texts.to_pylist(), batch.lines.to_pylist(), strict=True)
        texts = [(made, line) for text, line in pairs if (made := key(text))]
        if not texts:
            continue
        keys, lines = [made for made, _ in texts], [line for _, line in texts]
        running = " ".join([*last, *keys])
        last = running.rsplit(" ", n)[1 - n :]
        _count(running, found, n)
        _look(Bag(keys), lines, found, settings)
    return probed


def source_of(path: Path) -> Source:
    """Return the file and the column that a name stands for."""
    name, mark, column = path.name.rpartition("#")
    if mark and name and not path.exists():
        return tablefile.guess(path.with_name(name), text=column)
    return tablefile.guess(path)


def _count(running: str, sides: Sequence[Found], n: int) -> None:
    grams = Words.of([running]).grams(n)
    for one in sides:
        one.grams |= one.side.bag.grams(n).within(grams)


def _look(bag: Bag, lines: Sequence[int], sides: Sequence[Found], settings: Settings) -> None:
    for one in sides:
        for place, match in compare(one.side.bag, bag, settings, both=False).items():
            told = match._replace(other=lines[match.other])
            if place not in one.matches or rank(told) < rank(one.matches[place]):
                one.matches[place] = told
