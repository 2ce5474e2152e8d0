"""Evaluation examples in files that the user names, such as a corpus for pretraining.

The examples are held and the file is streamed, so that its size costs time alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pipeline.core.io import Quarantined, Source, guess_source, read_batches
from pipeline.release.leakage.compare import Bag, Match, Settings, compare, rank
from pipeline.release.leakage.grams import Mask, Words
from pipeline.release.leakage.texts import Side, key


@dataclass
class SideMatches:
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
class FileMatches:
    """A file's name, its matches by side, and what of it could not be read, by rule."""

    name: str
    sides: list[SideMatches]
    unread: dict[str, Unread] = field(default_factory=dict)

    def refuse(self, row: Quarantined) -> None:
        """Count a row that cannot be read."""
        self.unread.setdefault(row.rule, Unread(0, row.line)).rows += 1


def search_file(path: Path, sides: Sequence[Side], settings: Settings, *, n: int) -> FileMatches:
    """Look for the texts of sides, and for their n-grams, in a file of any form.

    The column of the texts is `text`, or what follows a `#` in the name: `news.csv#title`. Raises
    InputError for a file that cannot be read as a whole.
    """
    source = source_of(path)
    found = [SideMatches(side, np.zeros(len(side.bag.grams(n).values), bool)) for side in sides]
    file, last = FileMatches(source.path.name, found), list[str]()
    for batch in read_batches(source, quarantine=file.refuse):
        pairs = zip(map(key, batch.texts.to_pylist()), batch.lines.to_pylist(), strict=True)
        texts = [(text, line) for text, line in pairs if text]
        if not texts:
            continue
        keys, lines = [text for text, _ in texts], [line for _, line in texts]
        running = " ".join([*last, *keys])
        last = running.rsplit(" ", n)[1 - n :]
        grams, bag = Words.of([running]).grams(n), Bag(keys)
        for one in found:
            one.grams |= one.side.bag.grams(n).within(grams)
            _add_matches(one, bag, lines, settings)
    return file


def source_of(path: Path) -> Source:
    """Return the file and the column that a name stands for."""
    name, mark, column = path.name.rpartition("#")
    if mark and name and not path.exists():
        return guess_source(path.with_name(name), text=column)
    return guess_source(path)


def _add_matches(found: SideMatches, bag: Bag, lines: Sequence[int], settings: Settings) -> None:
    for place, match in compare(found.side.bag, bag, settings, both=False).items():
        at_line = match._replace(other=lines[match.other])
        if place not in found.matches or rank(at_line) < rank(found.matches[place]):
            found.matches[place] = at_line
