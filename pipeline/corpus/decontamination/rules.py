"""Rules by which a text of a corpus holds a text of a benchmark: by alignment, and those of others.

The rules of others are there for comparison: equal texts, 13 words in a row (Brown et al.,
"Language models are few-shot learners", 2020), and letters in a row (50 in the technical report of
GPT-4, 2023).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Final, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.core import schemas
from pipeline.corpus.decontamination.alignment import copy_similarity, part_similarity
from pipeline.corpus.decontamination.index import Index
from pipeline.corpus.decontamination.pieces import SHORTEST, pieces_of, units_of
from pipeline.corpus.signatures import letters, words

#: From these similarities on a piece is a copy of a unit, or holds it as a part.
COPY: Final = 0.73
PART: Final = 0.9
VERBATIM: Final = "benchmark.verbatim@1"
NEAR: Final = "benchmark.near@1"
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
Hashes = NDArray[np.uint64]


class Match(NamedTuple):
    """A text of a corpus and one of a benchmark, by their places; `score` is from 0 to 1."""

    row: int
    text: int
    score: float
    rule: str


class Rule(Protocol):
    """A rule that knows the texts of a benchmark."""

    def matches(self, texts: Sequence[str]) -> Iterator[Match]:
        """Yield what texts of a corpus hold, in any order; of a pair of texts the best counts."""


def find_matches(texts: Sequence[str], rule: Rule) -> pa.Table:
    """Return the table MATCHES of texts of a corpus, each with its best match first.

    Of matches with the same score the verbatim one comes first, then the first text of the
    benchmark.
    """
    best: dict[tuple[int, int], Match] = {}
    for match in rule.matches(texts):
        pair = match.row, match.text
        best[pair] = min(best.get(pair, match), match, key=_rank)
    rows = sorted(best.values(), key=_rank)
    return schemas.build("matches", [match._asdict() for match in rows])


def _rank(match: Match) -> tuple[int, float, bool, int]:
    return match.row, -match.score, match.rule != VERBATIM, match.text


class Alignment:
    """Units of the benchmark that stand in a text, are near copies of it, or nearly stand in it.

    Candidates come from an index of character trigrams, and each is aligned.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the texts of a benchmark."""
        owners: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            for unit in units_of(text):
                owners.setdefault(unit, []).append(place)
        self._units, self._owners = list(owners), list(owners.values())
        self._index = Index(self._units)

    def matches(self, texts: Sequence[str]) -> Iterator[Match]:
        """Yield the matches of texts."""
        pieces: list[str] = []
        rows: list[int] = []
        for row, text in enumerate(texts):
            parts = pieces_of(text)
            pieces += parts
            rows += [row] * len(parts)
        for piece, unit, _ in self._index.search(pieces):
            aligned = align(pieces[piece], self._units[unit])
            if aligned:
                for place in self._owners[unit]:
                    yield Match(rows[piece], place, *aligned)


def align(piece: str, unit: str) -> tuple[float, str] | None:
    """Return the similarity of a piece and a unit and the rule, or None if they are not alike."""
    if unit in piece:
        return 1.0, VERBATIM
    score = copy_similarity(piece, unit)
    if score < COPY:
        score = part_similarity(unit, piece)
        if score < PART:
            return None
    return round(score, 6), NEAR


class Equal:
    """Texts of the benchmark whose letters are those of a text."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Take the texts of a benchmark."""
        self._places: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            key = letters(text)
            if len(key) >= SHORTEST:
                self._places.setdefault(key, []).append(place)

    def matches(self, texts: Sequence[str]) -> Iterator[Match]:
        """Yield the matches of texts."""
        for row, text in enumerate(texts):
            for place in self._places.get(letters(text), ()):
                yield Match(row, place, 1.0, "benchmark.equal@1")


class CommonRuns:
    """Texts of the benchmark that have n words or letters in a row in common with a text.

    The score is the share of the benchmark text's runs that the text has.
    """

    def __init__(
        self, texts: Sequence[str], *, tokens: Callable[[str], Hashes], n: int, rule: str
    ) -> None:
        """Take the texts of a benchmark; `tokens` cuts a text."""
        self._tokens, self._n, self._rule = tokens, n, rule
        runs, owners = self._runs(texts)
        order = np.lexsort((owners, runs))
        self._known, self._owners = runs[order], owners[order]
        self._sizes = np.bincount(owners, minlength=len(texts))

    def matches(self, texts: Sequence[str]) -> Iterator[Match]:
        """Yield the matches of texts."""
        runs, rows = self._runs(texts)
        first, last = (np.searchsorted(self._known, runs, side) for side in ("left", "right"))
        shared: Counter[tuple[int, int]] = Counter()
        for at in np.flatnonzero(first < last).tolist():
            owners = self._owners[first[at] : last[at]].tolist()
            shared.update((int(rows[at]), owner) for owner in owners)
        for (row, owner), count in shared.items():
            yield Match(row, owner, round(count / int(self._sizes[owner]), 6), self._rule)

    def _runs(self, texts: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
        """Return the distinct runs of each text as hashes, and whose they are."""
        parts = [_hash_runs(self._tokens(text), self._n) for text in texts]
        owners = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        return np.concatenate([np.empty(0, np.uint64), *parts]), owners


def _hash_runs(tokens: Hashes, n: int) -> Hashes:
    starts = max(0, len(tokens) - n + 1)
    values = np.zeros(starts, np.uint64)
    for offset in range(n):
        values = values * _FACTOR + tokens[offset : offset + starts]
    return np.unique(values)


def _letter_tokens(text: str) -> Hashes:
    data = letters(text).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(data, "<u4").astype(np.uint64)


def _word_tokens(text: str) -> Hashes:
    return np.fromiter(map(_hash_word, words(text)), np.uint64)


@lru_cache(1 << 16)
def _hash_word(word: str) -> int:
    raw = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "little")


def _runs(tokens: Callable[[str], Hashes], n: int, rule: str) -> Callable[[Sequence[str]], Rule]:
    return partial(CommonRuns, tokens=tokens, n=n, rule=rule)


#: What makes a rule of the texts of a benchmark; the first is the one that is meant to be used.
RULES: Final[Mapping[str, Callable[[Sequence[str]], Rule]]] = {
    "alignment": Alignment,
    "equal": Equal,
    "words-13": _runs(_word_tokens, 13, "benchmark.words_13@1"),
    "letters-13": _runs(_letter_tokens, 13, "benchmark.letters_13@1"),
    "letters-50": _runs(_letter_tokens, 50, "benchmark.letters_50@1"),
}
