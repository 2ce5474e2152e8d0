"""Which texts of one split occur again in another, or in a file that the user names.

The texts of a split are compared as words. A file is streamed, so that its size costs time
alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.task import Fields, Task
from pipeline.core import schemas
from pipeline.core.io import Quarantined, Source, guess_source, read_batches
from pipeline.core.jsontext import parsed
from pipeline.core.nfkc import nfkc
from pipeline.release.leakage.grams import (
    Grams,
    Mask,
    Sketches,
    Words,
    containments,
    likest,
    width_for,
)

#: From the gravest on.
KINDS: Final = ("exact", "near", "contained")
#: Texts whose character trigrams have this Jaccard similarity are near-duplicates.
NEAR: Final = 0.8
#: A text is contained in another that has this share of its n-grams of `WORDS` words; one of fewer
#: words, but of `SHORTEST` at least, where all of them stand there in a row.
CONTAINED: Final = 0.8
WORDS: Final = 8
SHORTEST: Final = 6
_NAME_COLUMN: Final = "name the column behind the file: FILE#COLUMN"


class Bag:
    """Texts as `texts.key` returns them, none of them empty; what is computed of them is kept."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys
        self._grams: dict[int, Grams] = {}
        self._sketches: dict[int, Sketches] = {}

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.keys)

    @cached_property
    def words(self) -> Words:
        """The words of all texts."""
        return Words.of(self.keys)

    def grams(self, n: int) -> Grams:
        """Return the n-grams of words."""
        if n not in self._grams:
            self._grams[n] = self.words.grams(n)
        return self._grams[n]

    def sketches(self, width: int) -> Sketches:
        """Return the sketches of a width in 64 bits."""
        if width not in self._sketches:
            self._sketches[width] = Sketches.of(self.keys, width)
        return self._sketches[width]


class Match(NamedTuple):
    """How a text is found again: `other` is the place of its likest, `score` from 0 to 1.

    `kind` is one of KINDS.
    """

    kind: str
    score: float
    other: int


def rank(match: Match) -> tuple[int, float, int]:
    """Return by what matches are ordered: the gravest kind, the highest score, the first text."""
    return KINDS.index(match.kind), -match.score, match.other


def compare(left: Bag, right: Bag, *, both: bool) -> dict[int, Match]:
    """Return the gravest match of each text on the left that has one on the right.

    With `both`, a text on the left that holds one of the right is contained too.
    """
    best: dict[int, Match] = {}
    for place, match in _all(left, right, both=both):
        best[place] = min(best.get(place, match), match, key=rank)
    return best


def _all(left: Bag, right: Bag, *, both: bool) -> Iterator[tuple[int, Match]]:
    yield from exact(left, right)
    width = width_for(left.keys)
    sketches = left.sketches(width), right.sketches(width)
    for place, (score, other) in likest(left.keys, right.keys, sketches, NEAR).items():
        yield place, Match("near", round(score, 6), other)
    for text, other, share in _containments(left, right):
        yield text, Match("contained", share, other)
    if both:
        for text, other, share in _containments(right, left):
            yield other, Match("contained", share, text)


def exact(left: Bag, right: Bag) -> Iterator[tuple[int, Match]]:
    """Yield the texts on the left that one on the right equals but for blanks."""
    places: dict[str, int] = {}
    for place, key in enumerate(right.keys):
        places.setdefault(key.replace(" ", ""), place)
    for place, key in enumerate(left.keys):
        other = places.get(key.replace(" ", ""))
        if other is not None:
            yield place, Match("exact", 1.0, other)


def _containments(inner: Bag, outer: Bag) -> Iterator[tuple[int, int, float]]:
    counts = inner.words.counts
    for n in range(SHORTEST, WORDS + 1):
        rows = counts >= n if n == WORDS else counts == n
        if np.any(rows):
            pairs = containments(inner.grams(n).of(rows), outer.grams(n), CONTAINED)
            yield from ((text, other, round(share, 6)) for text, other, share in pairs)


_WORD: Final = re.compile(r"[^\W_]+")


def key(text: str) -> str:
    """Return a text as it is compared: its words, separated by one blank.

    Words are runs of letters and digits after NFKC and case folding. A text without any is made of
    its other signs; one of blanks alone is empty, and equals no other.
    """
    folded = nfkc(text).casefold()
    return " ".join(_WORD.findall(folded) or folded.split())


@dataclass(frozen=True)
class Side:
    """The texts of one split, each once, in the order of the first example that has it.

    `names` are those first examples; `examples` says which texts (places in `bag`) each has, in the
    order of ids.
    """

    split: str
    bag: Bag
    names: list[str]
    examples: dict[str, list[int]]


def side(examples: pa.Table, split: str, texts: Callable[[Fields, Any], list[str]]) -> Side:
    """Return the texts that a function takes from the examples of a split."""
    places: dict[str, int] = {}
    names: list[str] = []
    owned: dict[str, list[int]] = {}
    for name, fields, label in _answers(examples, split):
        keys = dict.fromkeys(key(text) for text in texts(fields, label))
        for text in keys:
            if text and text not in places:
                places[text] = len(places)
                names.append(name)
        owned[name] = [places[text] for text in keys if text]
    return Side(split, Bag(list(places)), names, owned)


def by_example(of: Side, matches: Mapping[int, Match]) -> Iterator[tuple[str, Match]]:
    """Yield each example that has a text with a match, with the gravest of its matches."""
    for name, places in of.examples.items():
        of_example = [matches[place] for place in places if place in matches]
        if of_example:
            yield name, min(of_example, key=rank)


def documents(examples: pa.Table, split: str) -> dict[str, list[str]]:
    """Return by id the documents and the group of the examples of a split, each marked as such."""
    return {
        name: [*(f"document {document}" for document in documents_of_example), f"group {group}"]
        for name, documents_of_example, group in _rows(examples, split, "documents", "group")
    }


def entities(examples: pa.Table, split: str, task: Task) -> dict[str, list[str]]:
    """Return by id the distinct entities of the examples of a split; empty for a task without.

    They are compared in NFKC, case folded and without blanks; signs count.
    """
    if task.texts.entities is None:
        return {}
    return {
        name: sorted(
            {
                "".join(unicodedata.normalize("NFKC", word).casefold().split())
                for word in task.texts.entities(fields, label)
            }
        )
        for name, fields, label in _answers(examples, split)
    }


def _answers(examples: pa.Table, split: str) -> Iterator[tuple[str, Fields, Any]]:
    for name, fields, label in _rows(examples, split, "fields", "label"):
        yield name, parsed(fields), parsed(label)


def _rows(examples: pa.Table, split: str, *columns: str) -> Iterator[tuple[Any, ...]]:
    rows = examples.filter(pc.equal(examples["split"], split)).sort_by("id")
    return schemas.rows(rows, "id", *columns)


@dataclass
class SideMatches:
    """What of a side stands in a file: the gravest match by text, `other` its line, and n-grams.

    N-grams are found across rows as well: a passage may stand there with a sentence a row.
    """

    side: Side
    grams: Mask
    matches: dict[int, Match] = field(default_factory=dict)


@dataclass
class FileMatches:
    """A file's name, its matches by side, and the rows that could not be read, by rule."""

    name: str
    sides: list[SideMatches]
    unread: Counter[str] = field(default_factory=Counter)
    first_lines: dict[str, int] = field(default_factory=dict)

    def refuse(self, row: Quarantined) -> None:
        """Count a row that cannot be read, by rule, and keep the line of the first."""
        self.unread[row.rule] += 1
        self.first_lines.setdefault(row.rule, row.line)


def search_file(path: Path, sides: Sequence[Side], *, n: int) -> FileMatches:
    """Look for the texts of sides, and for their n-grams, in a file of any form.

    The column of the texts is `text`, or what follows a `#` in the name: `news.csv#title`. Raises
    InputError for a file that cannot be read as a whole.
    """
    source = source_of(path)
    by_side = [SideMatches(side, np.zeros(len(side.bag.grams(n).values), bool)) for side in sides]
    file, last = FileMatches(source.path.name, by_side), list[str]()
    for batch in read_batches(source, quarantine=file.refuse):
        pairs = zip(map(key, batch.texts.to_pylist()), batch.lines.to_pylist(), strict=True)
        texts = [(text, line) for text, line in pairs if text]
        if not texts:
            continue
        keys, lines = zip(*texts, strict=True)
        running = " ".join([*last, *keys])
        last = running.rsplit(" ", n)[1 - n :]
        grams, bag = Words.of([running]).grams(n), Bag(keys)
        for matches in by_side:
            matches.grams |= matches.side.bag.grams(n).within(grams)
            for place, match in compare(matches.side.bag, bag, both=False).items():
                at_line = match._replace(other=lines[match.other])
                matches.matches[place] = min(matches.matches.get(place, at_line), at_line, key=rank)
    return file


def source_of(path: Path) -> Source:
    """Return the file and the column that a name stands for."""
    name, mark, column = path.name.rpartition("#")
    if mark and name and not path.exists():
        return guess_source(path.with_name(name), text=column, advice=_NAME_COLUMN)
    return guess_source(path, advice=_NAME_COLUMN)
