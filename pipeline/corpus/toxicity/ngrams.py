"""Hashed n-grams of Korean text: syllables as written, and the letters (jamo) they are made of.

Syllables carry words and their particles. Jamo see through the spellings that hide an insult: half
of a syllable written alone, a final consonant swapped. All texts of a batch are one array of code
points, so that an order of n-grams costs a few array operations whatever the number of texts.

A text is in form NFKC and lower case, with one blank at each end, runs of blanks as one and runs of
a character cut to two. Letters of other scripts are all the same letter: in comments they stand
beside few words, and would lend an English text their weights. What a text is hashed to depends on
that text alone, never on its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Codes = np.ndarray[Any, np.dtype[np.uint32]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]
Hashes = np.ndarray[Any, np.dtype[np.uint64]]

#: A longer text is judged by its first this many characters: a bound on memory, far above any unit.
MAX_CHARS: Final = 20_000
#: Orders of the n-grams, (shortest, longest), of syllables and of jamo.
SYLLABLES: Final = (1, 3)
JAMO: Final = (3, 4)

#: Texts taken at a time, and the most characters: what is in the processor's cache is fast.
BATCH: Final = 2048
BATCH_CHARS: Final = 1 << 20

# Odd constants with well-mixed bits (the golden ratio, and one of the MurmurHash family).
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
_FIRST, _LAST = 0xAC00, 0xD7A3
_BLANK: Final = 0x20
#: The longest piece of a text that is scored at once: that of the comments it learned from.
WINDOW: Final = 140
#: The shortest sentence that is a piece of its own.
SENTENCE: Final = 15
_WINDOWS: Final = re.compile(
    rf"(?:.{{{SENTENCE},{WINDOW}}}?(?:[.!?…~](?!\S)|\n)|.{{1,{WINDOW}}}(?!\S)|.{{1,{WINDOW}}})\s*",
    re.DOTALL,
)
# Letters that are no Hangul, after NFKC and in lower case: ranges of code points.
_FOREIGN: Final = np.array(
    [0x61, 0x7A, 0xDF, 0x10FF, 0x1200, 0x1FFF, 0x3040, 0x30FF, 0x3400, 0x9FFF], dtype=np.uint32
).reshape(-1, 2)
_LETTER: Final = np.uint32(0x61)
# Blanks that NFKC leaves: controls, next line, line and paragraph separators.
_BLANKS: Final = np.array([0x85, 0x1680, 0x2028, 0x2029], dtype=np.uint32)


class Stream(NamedTuple):
    """Texts as one array of code points; text i is `codes[starts[i]:starts[i + 1]]`."""

    codes: Codes
    starts: Numbers


class Grams(NamedTuple):
    """One order of n-grams: a bucket for every position, and whether the text still covers it."""

    buckets: Numbers
    valid: np.ndarray[Any, np.dtype[np.bool_]]


def streams(texts: pa.Array) -> tuple[Stream, Stream]:
    """Return the normalised texts as syllables and as jamo; null is an empty text."""
    plain = pc.utf8_lower(pc.utf8_normalize(_cut(pc.fill_null(texts, "")), form="NFKC"))
    # Cut again: one character may have become eighteen.
    framed = pc.binary_join_element_wise(" ", _cut(plain), " ", "")
    starts = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(pc.utf8_length(framed).to_numpy(zero_copy_only=False), out=starts[1:])
    joined = "".join(framed.to_pylist()).encode("utf-32-le")
    syllables = _squeeze(Stream(np.frombuffer(joined, dtype="<u4"), starts))
    return syllables, _jamo(syllables)


def grams(texts: pa.Array, *, bits: int) -> Iterator[tuple[Stream, Iterator[Grams]]]:
    """Yield, for syllables and then for jamo, the stream and its n-grams of every order.

    Buckets are below 2**bits.
    """
    for salt, (stream, orders) in enumerate(
        zip(streams(texts), (SYLLABLES, JAMO), strict=True), start=1
    ):
        yield stream, _orders(stream, orders, bits, salt)


def _orders(stream: Stream, orders: tuple[int, int], bits: int, salt: int) -> Iterator[Grams]:
    shortest, longest = orders
    codes = stream.codes.astype(np.uint64)
    # How many characters of its text are left at every position, itself included.
    left = np.repeat(stream.starts[1:], np.diff(stream.starts)) - np.arange(len(codes))
    hashes: Hashes = np.full(len(codes), salt, dtype=np.uint64)
    shift = np.uint64(64 - bits)
    for order in range(1, longest + 1):
        hashes = hashes[: len(codes) - order + 1]
        hashes = hashes * _STEP + codes[order - 1 :]
        hashes ^= hashes >> np.uint64(29)
        if order >= shortest:
            valid = left[: len(hashes)] >= order
            yield Grams(((hashes * _MIX) >> shift).view(np.int64), valid)


def _cut(texts: pa.Array) -> pa.Array:
    longest = pc.max(pc.binary_length(texts)).as_py() or 0
    return pc.utf8_slice_codeunits(texts, 0, MAX_CHARS) if longest > MAX_CHARS else texts


def _squeeze(stream: Stream) -> Stream:
    """Make blanks U+0020 and foreign letters one, a run of blanks one, a longer run two."""
    codes, starts = stream
    codes = np.where((codes < _BLANK) | np.isin(codes, _BLANKS), np.uint32(_BLANK), codes)
    for first_letter, last_letter in _FOREIGN:
        codes = np.where((codes >= first_letter) & (codes <= last_letter), _LETTER, codes)
    first = np.zeros(len(codes) + 1, dtype=bool)
    first[starts] = True
    same = np.zeros(len(codes), dtype=bool)
    same[1:] = (codes[1:] == codes[:-1]) & ~first[1:-1]
    drop = same & (codes == _BLANK)
    drop[1:] |= same[1:] & same[:-1]
    return Stream(codes[~drop], _move_starts(starts, ~drop))


def _move_starts(starts: Numbers, widths: np.ndarray[Any, Any]) -> Numbers:
    """Return the starts of texts after every character became `widths` characters."""
    ends = np.zeros(len(widths) + 1, dtype=np.int64)
    np.cumsum(widths, out=ends[1:])
    return ends[starts]


def _jamo(stream: Stream) -> Stream:
    """Take syllables apart into leading consonant, vowel and, where there is one, the final."""
    codes, starts = stream
    is_syllable = (codes >= _FIRST) & (codes <= _LAST)
    number = np.where(is_syllable, codes - np.uint32(_FIRST), np.uint32(0))
    final = number % 28
    widths = 1 + is_syllable.astype(np.int64) + (final > 0)
    at = np.cumsum(widths) - widths
    out = np.empty(int(widths.sum()), dtype=np.uint32)
    out[at] = np.where(is_syllable, 0x1100 + number // 588, codes)
    out[at[is_syllable] + 1] = 0x1161 + number[is_syllable] % 588 // 28
    out[at[final > 0] + 2] = 0x11A7 + final[final > 0]
    return Stream(out, _move_starts(starts, widths))


def windows(texts: pa.Array) -> tuple[pa.Array, Numbers]:
    """Cut texts into windows; return these and the number of the first one of each text."""
    long = pc.greater(pc.fill_null(pc.utf8_length(texts), 0), WINDOW).to_numpy(zero_copy_only=False)
    if not long.any():
        return texts, np.arange(len(texts))
    pieces = [
        _WINDOWS.findall(text[:MAX_CHARS]) if cut else [text]
        for text, cut in zip(texts.to_pylist(), long.tolist(), strict=True)
    ]
    starts = np.cumsum([0, *map(len, pieces[:-1])])
    return pa.array(
        [piece for pieces_of_text in pieces for piece in pieces_of_text], pa.string()
    ), starts


def batches(texts: pa.Array) -> Iterator[pa.Array]:
    """Cut texts into pieces that are small in number and in characters."""
    lengths = pc.fill_null(pc.binary_length(texts), 0).to_numpy(zero_copy_only=False)
    sizes = np.minimum(lengths.astype(np.int64), MAX_CHARS)
    begin = 0
    while begin < len(texts):
        total = np.cumsum(sizes[begin : begin + BATCH])
        n = max(1, int(np.searchsorted(total, BATCH_CHARS, side="right")))
        yield texts.slice(begin, n)
        begin += n
