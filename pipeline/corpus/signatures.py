"""Stage `sign`: what duplicates are found by, a digest and a MinHash signature for every unit.

MinHash: Broder (1997), "On the resemblance and containment of documents"; permutations by
multiplication modulo 2^64, as in Dietzfelbinger et al. (1997), "A reliable randomized algorithm for
the closest-pair problem"; bands as in Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets",
section 3.4.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.core import schemas, store
from pipeline.core.mixing import mix
from pipeline.core.nfkc import nfkc
from pipeline.core.stage import Call, Outcome, Shard, Stage, own_shards

#: 15 bands of 4: a pair of Jaccard similarity 0.8 shares a band with probability 0.9996, one of
#: 0.3 with 0.11.
BANDS = 15
ROWS = 4
SHINGLE = 3
_CODES: Final = "utf-32-le"
_NOT_LETTERS: Final = re.compile(r"[\W_]+")
#: Begins what a text that has too few letters is compared by; no letter or digit.
_WHOLE: Final = "\0"
#: Stands for it until its hash is put there.
_FILLER: Final = _WHOLE * SHINGLE


def normalise(text: str) -> str:
    """Return the form in which two texts are exact duplicates: NFKC, case folded, single blanks."""
    return " ".join(nfkc(text).casefold().split())


def compared(texts: Sequence[str], normalised: Sequence[str]) -> list[str]:
    """Return what shingles are made of: the letters and digits of the normalised texts.

    A text that has fewer than three of them, or none, is its own only shingle, and marked as such.
    """
    codes = np.frombuffer("".join(normalised).encode(_CODES, "surrogatepass"), "<u4")
    is_kept = _letters_and_digits()[codes]
    ends = np.cumsum([0, *map(len, normalised)])
    kept = np.concatenate([[0], np.cumsum(is_kept)])[ends]
    joined = codes[is_kept].tobytes().decode(_CODES)
    forms = [joined[begin:end] for begin, end in pairwise(kept.tolist())]
    for n in np.flatnonzero(np.diff(kept) < SHINGLE).tolist():
        forms[n] = _WHOLE + (forms[n] or texts[n])
    return forms


@cache
def _letters_and_digits() -> NDArray[np.bool_]:
    """Return for every code point whether it stays in `letters`."""
    every = np.arange(sys.maxunicode + 1, dtype="<u4")
    kept = _NOT_LETTERS.sub("", every.tobytes().decode(_CODES, "surrogatepass"))
    return np.isin(every, np.frombuffer(kept.encode(_CODES), "<u4"))


def bands(forms: Sequence[str]) -> NDArray[np.uint64]:
    """Return the hashes of the bands of the MinHash signatures of texts, shape (texts, BANDS).

    Texts are given as they are `compared`.
    """
    if not forms:
        return np.empty((0, BANDS), np.uint64)
    hashes, starts = shingle_hashes(forms)
    mixed = np.empty((len(forms), BANDS), np.uint64)
    for band, rows in enumerate(_MULTIPLIERS):
        mixed[:, band] = 0x9E3779B97F4A7C15 + band
        for multiplier in rows:
            mixed[:, band] = mix(mixed[:, band] ^ np.minimum.reduceat(hashes * multiplier, starts))
    return mixed


def letters(text: str) -> str:
    """Return the normalised text without blanks and punctuation: its letters and digits."""
    return _NOT_LETTERS.sub("", normalise(text))


def words(text: str) -> list[str]:
    """Return the runs of letters and digits of the normalised text."""
    return _NOT_LETTERS.sub(" ", normalise(text)).split()


def trigrams(texts: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return all character trigrams, with repeats, and where those of each text start.

    A trigram is one number, 21 bits a code point. Each text has three characters at least.
    """
    codes = np.frombuffer("".join(texts).encode(_CODES, "surrogatepass"), "<u4")
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    a, b, c = (codes[n : max(0, len(codes) - 2) + n].astype(np.uint64) for n in range(SHINGLE))
    inside = np.ones(len(a), bool)  # no trigram reaches into the next text
    ends = np.cumsum(lengths)[:-1]
    inside[ends - 1] = inside[ends - 2] = False
    packed: NDArray[np.uint64] = a << np.uint64(42) | b << np.uint64(21) | c
    return packed[inside], np.cumsum(lengths - 2) - (lengths - 2)


def shingle_hashes(forms: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the hashes of all shingles, with repeats, and where those of each text start.

    Texts are given as they are `compared`; their shingles are character trigrams.
    """
    kept = list(forms)
    short = [n for n, form in enumerate(forms) if form.startswith(_WHOLE)]
    whole = b"".join(blake2b(_bytes(forms[n][1:]), digest_size=8).digest() for n in short)
    for n in short:
        kept[n] = _FILLER
    packed, starts = trigrams(kept)
    hashes = mix(packed)
    hashes[starts[short]] = np.frombuffer(whole, "<u8")
    return hashes, starts


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


#: An odd factor for every row of every band; never changed, since every signature depends on it.
_MULTIPLIERS: Final = (
    mix(np.arange(1, BANDS * ROWS + 1, dtype=np.uint64) * 2).reshape(BANDS, ROWS) | 1
)


def sign(units: pa.Table) -> pa.Table:
    """Make the signature table of a table of units, one row a unit, in its order."""
    texts = units.column("text").to_pylist()
    normalised = [normalise(text) for text in texts]
    exact = [blake2b(text.encode(), digest_size=12).hexdigest() for text in normalised]
    forms = compared(texts, normalised)
    offsets = np.arange(0, BANDS * len(texts) + 1, BANDS, dtype=np.int32)
    columns = {
        "unit": units.column("id"),
        "source": units.column("source"),
        "kind": units.column("kind"),
        "exact": pa.array(exact, pa.string()),
        "bands": pa.ListArray.from_arrays(offsets, bands(forms).ravel()),
    }
    return pa.table(columns, schema=schemas.SIGNATURES)


def _run(call: Call, shard: Shard) -> Outcome:  # noqa: ARG001 - the shape of every stage
    units = store.read_table(shard.payload, "units")
    return Outcome(units.num_rows, {"signatures": sign(units), "ledger": schemas.empty("ledger")})


STAGE = Stage(
    name="sign",
    main="signatures",
    invariant="mark",
    shards=lambda call: own_shards(call, "units"),
    run=_run,
    distributions=("numpy",),
)
