"""Stage `sign`: what duplicates are found by, a digest and a MinHash signature for every unit.

MinHash: Broder (1997), "On the resemblance and containment of documents", from `datasketch`; bands
as in Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", section 3.4.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.core import schemas, store
from pipeline.core.stage import Call, Outcome, Shard, Stage, table_shards

#: 15 bands of 4: a pair of Jaccard similarity 0.8 shares a band with probability 0.9996, one of
#: 0.3 with 0.11.
BANDS = 15
ROWS = 4
SHINGLE = 3


def normalise(text: str) -> str:
    """Return the form in which two texts are exact duplicates: NFKC, case folded, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def shingles(text: str) -> set[str]:
    """Return the character trigrams of the normalised text without blanks and punctuation.

    A text that has fewer than three letters or digits is its own only shingle.
    """
    letters = "".join(c for c in normalise(text) if c.isalnum())
    if len(letters) < SHINGLE:
        return {letters or text}
    return {letters[i : i + SHINGLE] for i in range(len(letters) - SHINGLE + 1)}


def bands(text: str) -> NDArray[np.uint64]:
    """Return the hashes of the bands of a text's MinHash signature, shape (BANDS,)."""
    minhash = _minhash().copy()
    minhash.update_batch([s.encode("utf-8", "surrogatepass") for s in shingles(text)])
    rows = minhash.hashvalues.astype(np.uint64).reshape(BANDS, ROWS)
    start = [(0x9E3779B97F4A7C15 + band) % 2**64 for band in range(BANDS)]
    mixed = np.array(start, dtype=np.uint64)
    for column in rows.T:
        mixed = (mixed ^ column) * np.uint64(0xFF51AFD7ED558CCD)
        mixed ^= mixed >> np.uint64(32)
    return mixed


def sign(units: pa.Table) -> pa.Table:
    """Make the signature table of a table of units, one row a unit, in its order."""
    texts = units.column("text").to_pylist()
    exact = [blake2b(normalise(t).encode(), digest_size=12).hexdigest() for t in texts]
    values = np.concatenate([bands(t) for t in texts]) if texts else np.array([], np.uint64)
    offsets = np.arange(0, BANDS * len(texts) + 1, BANDS, dtype=np.int32)
    columns = {
        "unit": units.column("id"),
        "source": units.column("source"),
        "kind": units.column("kind"),
        "exact": pa.array(exact, pa.string()),
        "bands": pa.ListArray.from_arrays(offsets, values),
    }
    return pa.table(columns, schema=schemas.SIGNATURES)


def _hash(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=4).digest(), "little")


@lru_cache(maxsize=1)
def _minhash() -> Any:
    from datasketch import MinHash

    return MinHash(num_perm=BANDS * ROWS, seed=1, hashfunc=_hash, scheme="affine32")


def _run(call: Call, shard: Shard) -> Outcome:  # noqa: ARG001 - the shape of every stage
    units = store.read_table(shard.payload, "units")
    return Outcome(units.num_rows, {"signatures": sign(units), "ledger": schemas.empty("ledger")})


STAGE = Stage(
    name="sign",
    main="signatures",
    invariant="mark",
    shards=lambda call: table_shards(call, "units"),
    run=_run,
    distributions=("datasketch", "numpy"),
)
