"""The `linear` detector: one sum of small whole numbers a text, turned into probabilities.

Every n-gram has four weights of one byte: one for gender bias, one for each class of hate. They are
added as integers, so that the sum is exact in whatever order it is made, and then

    logit = scale * sum / sqrt(number of n-grams) + bias

gender_bias is the logistic function of the first logit; hate is the share of `hate` in the softmax
of the other three.

Hashed n-grams of Korean text: syllables as written, and the letters (jamo) they are made of.

Syllables carry words and their particles. Jamo see through the spellings that hide an insult: half
of a syllable written alone, a final consonant swapped. All texts of a batch are one array of code
points, so that an order of n-grams costs a few array operations whatever the number of texts.

A text is in form NFKC and lower case, with one blank at each end, runs of blanks as one and runs of
a character cut to two. What it is hashed to depends on that text alone, never on its neighbours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_file
from pipeline.core.resources import DATA
from pipeline.corpus.toxicity.scoring import as_table

Codes = np.ndarray[Any, np.dtype[np.uint32]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]
Hashes = np.ndarray[Any, np.dtype[np.uint64]]

#: A longer text is judged by its first this many characters: a bound on memory, far above any unit.
MAX_CHARS: Final = 20_000
#: Orders of the n-grams, (shortest, longest), of syllables and of jamo.
SYLLABLES: Final = (1, 3)
JAMO: Final = (3, 4)

# Odd constants with well-mixed bits (the golden ratio, and one of the MurmurHash family).
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
_FIRST, _LAST = 0xAC00, 0xD7A3
_BLANK: Final = 0x20
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
    """Make every blank U+0020, a run of blanks one, and a longer run of a character two."""
    codes, starts = stream
    codes = np.where((codes < _BLANK) | np.isin(codes, _BLANKS), np.uint32(_BLANK), codes)
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


#: The weights that come with the project.
SHIPPED: Final = DATA / "models" / "toxicity-linear"
WEIGHTS: Final = "weights.safetensors"
#: Columns of the weights.
OUTPUTS: Final = ("gender_bias", "none", "offensive", "hate")
#: Raised when the meaning of the file changes, and with it every weight.
FORMAT: Final = "klue-toxicity-linear@1"
#: Texts taken at a time, and the most characters: what is in the processor's cache is fast.
BATCH: Final = 2048
BATCH_CHARS: Final = 1 << 20

Logits = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Linear:
    """Fitted weights: int8 of shape (2**bits, 4), and the scale and bias of each output."""

    weights: np.ndarray[Any, np.dtype[np.int8]]
    scales: Logits
    biases: Logits
    name: str = "linear"
    digest: str = ""

    def __post_init__(self) -> None:
        # Four numbers of 16 bits side by side are one of 64: one look-up finds all of a bucket.
        lanes = np.ascontiguousarray(self.weights, dtype=np.int16).view(np.int64).reshape(-1)
        object.__setattr__(self, "_lanes", lanes)

    @property
    def bits(self) -> int:
        """The number of bits of a bucket."""
        return len(self.weights).bit_length() - 1

    def score(self, texts: pa.Array) -> pa.Table:
        """Score texts; see `Detector.score`."""
        shares = self.probabilities(texts)
        return as_table(shares[:, 0], shares[:, 3])

    def probabilities(self, texts: pa.Array) -> Logits:
        """Return for every text P(gender bias) and the shares of none, offensive and hate."""
        parts = [self._logits(batch) for batch in batches(texts)]
        return probabilities(np.concatenate([np.empty((0, len(OUTPUTS))), *parts]))

    def _logits(self, texts: pa.Array) -> Logits:
        sums = np.zeros((len(texts), len(OUTPUTS)), dtype=np.int64)
        counts = np.zeros(len(texts), dtype=np.int64)
        for stream, orders in grams(texts, bits=self.bits):
            # At every position the weights of all orders that begin there; they fit 16 bits.
            at = np.zeros((len(stream.codes), len(OUTPUTS)), dtype=np.int16)
            covered = np.zeros(len(stream.codes), dtype=np.int16)
            for buckets, valid in orders:
                lanes = self._lanes[buckets] * valid  # type: ignore[attr-defined]
                at[: len(buckets)] += lanes.view(np.int16).reshape(-1, len(OUTPUTS))
                covered[: len(buckets)] += valid
            # Every text has at least its blank, so no piece is empty.
            sums += np.add.reduceat(at, stream.starts[:-1], axis=0, dtype=np.int64)
            counts += np.add.reduceat(covered, stream.starts[:-1], axis=0, dtype=np.int64)
        return self.scales * (sums / np.sqrt(counts)[:, None]) + self.biases


def probabilities(logits: Logits) -> Logits:
    """Return P(gender bias) and the shares of none, offensive and hate for rows of logits."""
    shares = np.exp(logits[:, 1:] - logits[:, 1:].max(axis=1, keepdims=True))
    # The larger of the logit and 0 is taken out first, so that no power overflows.
    top = np.maximum(logits[:, :1], 0)
    bias = np.exp(logits[:, :1] - top) / (np.exp(logits[:, :1] - top) + np.exp(-top))
    found: Logits = np.hstack([bias, shares / shares.sum(axis=1, keepdims=True)])
    return found


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


def load_linear(folder: str | Path = "", *, name: str = "linear") -> Linear:
    """Read the weights of a folder, by default the shipped ones.

    Raises InputError that says what is wrong with which file, and what to do.
    """
    path = Path(folder or SHIPPED) / WEIGHTS
    facts, tensors = read_weights(path)
    _check(path, facts, tensors)
    return Linear(**tensors, name=name, digest=of_file(path))


def read_weights(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the facts of the making that a file of weights holds, and its arrays, unchecked."""
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise InputError(
            f"{path}: no such file; give the folder that `tools/train_toxicity.py` wrote, or"
            " `linear` for the shipped weights"
        )
    try:
        with safe_open(path, framework="numpy") as stored:
            facts = json.loads((stored.metadata() or {}).get("klue", "{}"))
            tensors = {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(path, f"cannot be read ({type(error).__name__})") from None
    return facts, tensors


def _check(path: Path, facts: dict[str, Any], tensors: dict[str, Any]) -> None:
    if facts.get("format") != FORMAT:
        raise _damaged(path, f"is of format {facts.get('format')!r}, needed: {FORMAT!r}")
    if tensors.keys() != {"weights", "scales", "biases"}:
        raise _damaged(path, f"holds {sorted(tensors)}, needed: biases, scales, weights")
    weights, n = tensors["weights"], len(OUTPUTS)
    rows = len(weights) if weights.ndim else 0
    square = weights.ndim == 2 and weights.shape[1] == n and rows > 1 and rows & (rows - 1) == 0
    if weights.dtype != np.int8 or not square:
        raise _damaged(
            path, f"weights are {weights.dtype} {weights.shape}, needed: int8 (a power of 2, {n})"
        )
    for key in ("scales", "biases"):
        values = tensors[key]
        if values.dtype != np.float64 or values.shape != (n,):
            raise _damaged(path, f"{key} are {values.dtype} {values.shape}, needed: float64 ({n},)")
        if not np.isfinite(values).all():
            raise _damaged(path, f"{key} are not all finite numbers")
    if facts.get("content") != content_digest(tensors):
        raise _damaged(path, "the numbers are not those that were written: a digest differs")


def content_digest(tensors: dict[str, Any]) -> str:
    """Return the SHA-256 of the numbers themselves, so that a flipped bit is seen."""
    content = sha256()
    for key in sorted(tensors):
        content.update(np.ascontiguousarray(tensors[key]).tobytes())
    return content.hexdigest()


def _damaged(path: Path, what: str) -> InputError:
    return InputError(
        f"{path}: {what}; restore the file, or train again with `tools/train_toxicity.py`"
    )
