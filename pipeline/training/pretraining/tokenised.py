"""A text as memory-mapped arrays of tokens: what is in memory does not grow with the text.

FOLDER/tokens.bin      token ids, without special ones, 2 bytes each, or 4 for a large vocabulary
FOLDER/words.bin       for each token, whether a word begins with it
FOLDER/sentences.bin   where each sentence begins: the number of its first token; then the end
FOLDER/documents.bin   where each document begins: the number of its first sentence; then the end
FOLDER/breaks.bin      the same as the number of its first token
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.core.ids import draw
from pipeline.training.features import Numbers, Ragged, indices
from pipeline.training.pretraining.whole_words import Flags, word_starts
from pipeline.training.tokens import Tokens

#: Sentences that are encoded at a time.
_BLOCK: Final = 8_192
#: Ids below this take two bytes.
_SMALL: Final = 1 << 16
#: The folders of what is learnt from and of what is held out.
SIDES: Final = ("train", "held_out")
_NAMES: Final = ("tokens", "words", "sentences", "documents", "breaks")
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Tokenised:
    """The arrays of a text, as they are on disk."""

    tokens: Array
    words: Array
    sentences: Array
    documents: Array
    breaks: Array

    @classmethod
    def open(cls, folder: Path, vocabulary: int) -> Tokenised:
        """Return the arrays in a folder that `tokenise` filled."""
        kinds = (_id_kind(vocabulary), np.bool_, np.int64, np.int64, np.int64)
        return cls(*map(read_array, (folder / f"{name}.bin" for name in _NAMES), kinds))

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sentences) - 1

    def bounds(self) -> Iterator[tuple[int, int, bool]]:
        """Yield of each sentence its first token, its end, and whether it begins a document."""
        document, begin = 0, 0
        for at in range(0, len(self), _BLOCK):
            ends = self.sentences[at + 1 : at + _BLOCK + 1].tolist()
            for number, end in enumerate(ends, start=at):
                begins = number == self.documents[document]
                document += begins
                yield begin, end, bool(begins)
                begin = end


@dataclass(frozen=True)
class Counts:
    """What a text came to: `cut` sentences were longer than a sequence and are several now."""

    sentences: int = 0
    documents: int = 0
    tokens: int = 0
    words: int = 0
    unknown: int = 0
    cut: int = 0


def tokenise(
    sentences: Iterable[tuple[bool, str]],
    tokens: Tokens,
    folder: Path,
    *,
    longest: int,
    held_out: float,
) -> dict[str, Counts]:
    """Write the arrays of a text into the folders `SIDES`; return what is in each.

    `sentences` come with whether a document begins with them. They are written as stretches of at
    most `longest` tokens, cut at a word where one is longer. A share of the documents is held out:
    by a draw on the first sentence, so that copies of a document go the same way, whatever the
    seed of a training.
    """
    with ExitStack() as stack:
        sides = [stack.enter_context(_Writer(folder / side, tokens, longest)) for side in SIDES]
        side = 0
        source = iter(sentences)
        while block := list(islice(source, _BLOCK)):
            encoded = tokens.encode([text for _, text in block])
            starts = word_starts([text for _, text in block], encoded.places)
            chosen = []
            for begins, text in block:
                if begins:
                    side = int(draw(0, "pretraining-held-out", text) < held_out)
                chosen.append(side)
            begins_document = np.array([begins for begins, _ in block])
            for number, writer in enumerate(sides):
                rows = np.flatnonzero(np.array(chosen) == number)
                writer.add(encoded.ids, starts, rows, begins_document[rows])
    return {name: writer.counts for name, writer in zip(SIDES, sides, strict=True)}


class _Writer:
    """Appends sentences to the arrays of a folder."""

    def __init__(self, folder: Path, tokens: Tokens, longest: int) -> None:
        folder.mkdir(parents=True)
        self.counts = Counts()
        self._kind = _id_kind(len(tokens.tokenizer))
        self._unknown = tokens.tokenizer.unk_token_id
        self._longest = longest
        self._files = {name: (folder / f"{name}.bin").open("wb") for name in _NAMES}

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *_: object) -> None:
        """Write where the last sentence and document end, and close the files."""
        self._write("sentences", [self.counts.tokens], np.int64)
        self._write("documents", [self.counts.sentences], np.int64)
        self._write("breaks", [self.counts.tokens], np.int64)
        for file in self._files.values():
            file.close()

    def add(self, ids: Ragged, starts: Flags, rows: Numbers, begins: Flags) -> None:
        """Append some rows, of which these begin documents."""
        places = indices(ids.starts[rows], ids.lengths[rows])
        values, words = ids.values[places], starts[places]
        lengths, pieces = self._lengths(ids.lengths[rows], words)
        first = np.concatenate([[0], np.cumsum(pieces)])[:-1]  # each row's first stretch
        ends = self.counts.tokens + np.cumsum(lengths)
        self._write("tokens", values, self._kind)
        self._write("words", words, np.bool_)
        self._write("sentences", ends - lengths, np.int64)
        self._write("documents", self.counts.sentences + first[begins], np.int64)
        self._write("breaks", (ends - lengths)[first[begins]], np.int64)
        self.counts = Counts(
            sentences=self.counts.sentences + len(lengths),
            documents=self.counts.documents + int(begins.sum()),
            tokens=self.counts.tokens + len(values),
            words=self.counts.words + int(words.sum()),
            unknown=self.counts.unknown + int((values == self._unknown).sum()),
            cut=self.counts.cut + int((pieces > 1).sum()),
        )

    def _lengths(self, lengths: Numbers, words: Flags) -> tuple[Numbers, Numbers]:
        """Return the lengths of stretches, and how many of them each row has."""
        if (lengths <= self._longest).all():
            return lengths, np.ones(len(lengths), dtype=np.int64)
        found: list[int] = []
        pieces = []
        begin = 0
        for length in lengths.tolist():
            before = len(found)
            found += stretches(words[begin : begin + length], self._longest)
            pieces.append(len(found) - before)
            begin += length
        return np.array(found, dtype=np.int64), np.array(pieces, dtype=np.int64)

    def _write(self, name: str, values: Any, kind: Any) -> None:
        np.asarray(values, dtype=kind).tofile(self._files[name])


def stretches(words: Flags, longest: int) -> list[int]:
    """Return the lengths that a sentence is cut into: before a word, or within one that is long."""
    found, begin = [], 0
    while len(words) - begin > longest:
        heads = np.flatnonzero(words[begin + 1 : begin + longest + 1])
        size = int(heads[-1]) + 1 if len(heads) else longest
        found.append(size)
        begin += size
    return [*found, len(words) - begin]


def read_array(path: Path, kind: Any) -> Array:
    """Return a file of numbers of one kind as an array that lies on disk."""
    if not path.stat().st_size:
        return np.empty(0, kind)
    return np.asarray(np.memmap(path, kind, "r"))


def _id_kind(vocabulary: int) -> Any:
    return np.uint16 if vocabulary <= _SMALL else np.uint32
