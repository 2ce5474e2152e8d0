"""Sequences of a tokenised text as the tensors of a batch, made when they are needed.

FOLDER/sequences.bin   a row of six numbers a sequence, see packing.Sequence

In blocks, each document of a sequence has its own special tokens and positions, and attends to
nothing else: what a token becomes does not depend on its neighbours in the sequence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.training.features import Numbers, indices
from pipeline.training.pretraining.packing import FRAME, NO_LABEL, Sequence
from pipeline.training.pretraining.tokenised import Tokenised, read_array
from pipeline.training.pretraining.whole_words import Flags

_FILE: Final = "sequences.bin"
#: Sequences that are written at a time.
_BLOCK: Final = 65_536
Array = npt.NDArray[Any]


class Special(NamedTuple):
    """The special tokens that a sequence is made with."""

    begin: int
    end: int
    pad: int


class Batch(NamedTuple):
    """Sequences, a row each, filled up to the same length.

    `free` marks tokens of the text, all others are special; `words` those that begin a word;
    `types` are 1 in the second text of a pair. Where documents do not attend to each other,
    `blocks` number them from 1 (0 is padding), and `positions` count within them from 0.
    """

    ids: Array
    words: Flags
    free: Flags
    types: Array
    blocks: Array | None
    positions: Array | None
    lengths: Array
    labels: Array


class _Spans(NamedTuple):
    """The stretches of text in a batch: what stands between two special tokens.

    `row` is that of the batch, `place` the number within it, `start` and `size` are in the text,
    and `begin` is the place in the row of the first token.
    """

    row: Array
    place: Array
    start: Array
    size: Array
    begin: Array


@dataclass(frozen=True)
class Sequences:
    """The sequences of a text; with `blocks`, documents in one do not attend to each other."""

    text: Tokenised
    rows: Array
    special: Special
    blocks: bool

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def lengths(self) -> Array:
        """Return the numbers of tokens, special ones included."""
        return self.rows[:, 5]

    @property
    def labels(self) -> Array:
        """Return 0 for a pair that follows in the text, 1 for another pair, NO_LABEL for none."""
        return self.rows[:, 4]

    def batch(self, rows: Numbers, *, multiple: int = 1) -> Batch:
        """Return some sequences, filled up to the longest, and that to a multiple of tokens."""
        held = self.rows[rows]
        shape = len(rows), -(-int(held[:, 5].max()) // multiple) * multiple
        spans = self._spans(held)
        ids = np.full(shape, self.special.pad, dtype=np.int64)
        words, free = np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
        types = np.zeros(shape, dtype=np.int64)
        at = spans.row * shape[1] + spans.begin
        source, target = indices(spans.start, spans.size), indices(at, spans.size)
        ids.reshape(-1)[target] = self.text.tokens[source]
        words.reshape(-1)[target] = self.text.words[source]
        words.reshape(-1)[at] = free.reshape(-1)[target] = True
        ids.reshape(-1)[at[self.blocks | (spans.place == 0)] - 1] = self.special.begin
        ids.reshape(-1)[at + spans.size] = self.special.end
        second = (held[spans.row, 4] != NO_LABEL) & (spans.place == 1)
        types.reshape(-1)[indices(at[second], spans.size[second] + 1)] = 1
        blocks, positions = self._blocks(shape, spans, at) if self.blocks else (None, None)
        return Batch(ids, words, free, types, blocks, positions, held[:, 5], held[:, 4])

    def _blocks(self, shape: tuple[int, int], spans: _Spans, at: Array) -> tuple[Array, Array]:
        blocks, positions = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        sizes = spans.size + FRAME
        places = indices(at - 1, sizes)
        blocks.reshape(-1)[places] = np.repeat(spans.place + 1, sizes)
        positions.reshape(-1)[places] = indices(np.zeros_like(sizes), sizes)
        return blocks, positions

    def _spans(self, held: Array) -> _Spans:
        """Return the stretches of sequences: the texts of a pair, or the documents of the rest."""
        is_pair = held[:, 4] != NO_LABEL
        row = np.repeat(np.arange(len(held)), 1 + is_pair)
        first = np.diff(row, prepend=-1) > 0
        start, end = np.empty_like(row), np.empty_like(row)
        start[first], end[first] = held[:, 0], held[:, 1]
        start[~first], end[~first] = held[is_pair, 2], held[is_pair, 3]
        begin = np.searchsorted(self.text.breaks, start, side="right")
        inner = np.where(
            is_pair[row], 0, np.searchsorted(self.text.breaks, end, side="left") - begin
        )
        breaks = self.text.breaks[indices(begin, inner)]
        ends = np.cumsum(inner + 1)
        is_first, is_last = np.zeros(ends[-1], dtype=np.bool_), np.zeros(ends[-1], dtype=np.bool_)
        is_first[ends - inner - 1] = is_last[ends - 1] = True
        starts, stops = np.empty(ends[-1], dtype=np.int64), np.empty(ends[-1], dtype=np.int64)
        starts[is_first], starts[~is_first] = start, breaks
        stops[is_last], stops[~is_last] = end, breaks
        return self._placed(np.repeat(row, inner + 1), starts, stops - starts)

    def _placed(self, row: Array, start: Array, size: Array) -> _Spans:
        begins = np.flatnonzero(np.diff(row, prepend=-1))
        counts = np.diff(begins, append=len(row))
        place = np.arange(len(row)) - np.repeat(begins, counts)
        before = np.cumsum(size) - size
        before -= np.repeat(before[begins], counts)
        return _Spans(row, place, start, size, before + 1 + place * (2 if self.blocks else 1))


def write_sequences(folder: Path, sequences: Iterable[Sequence]) -> None:
    """Write sequences into a folder, block by block."""
    source = iter(sequences)
    with (folder / _FILE).open("wb") as file:
        while block := list(islice(source, _BLOCK)):
            np.array(block, dtype=np.int64).tofile(file)


def read_sequences(folder: Path, vocabulary: int, special: Special, *, blocks: bool) -> Sequences:
    """Return the sequences and the text that lie in a folder."""
    rows = read_array(folder / _FILE, np.int64).reshape(-1, len(Sequence._fields))
    return Sequences(Tokenised.open(folder, vocabulary), rows, special, blocks)


def attended(batch: Batch) -> Array:
    """Return for each sequence how many pairs of tokens attend to each other."""
    if batch.blocks is None:
        return batch.lengths**2
    sizes = (batch.blocks[:, :, None] == np.arange(1, batch.blocks.max() + 1)).sum(1)
    squares: Array = (sizes**2).sum(1)
    return squares
