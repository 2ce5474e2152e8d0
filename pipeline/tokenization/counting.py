"""Files of texts to their letters, and to counted words, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa

from pipeline.core.io import Quarantined, Source, read_batches
from pipeline.core.pool import Workers
from pipeline.tokenization.database import open_database
from pipeline.tokenization.recipes import RECIPES

#: Different words that are held before their counts are written to disk.
HELD: Final = 1_000_000
#: Different words that a trainer gets, the most frequent ones: it holds all of them.
WORDS: Final = 2_000_000
#: Texts that are cut at a time.
_TEXTS: Final = 5_000
_ROWS: Final = 100_000
_DIGEST: Final = 2**256

#: Called with a file and a row of it that cannot be read.
Quarantine = Callable[[Source, Quarantined], object]


@dataclass
class Survey:
    """What files hold: texts that are not blank, their letters, rows that cannot be read by rule.

    `digest` is the sum of the SHA-256 of all texts, as a number below 2**256: texts in any order
    and in any files have the same.
    """

    texts: int = 0
    letters: Counter[str] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    digest: int = 0

    def add(self, texts: Sequence[str]) -> None:
        self.texts += len(texts)
        self.letters.update("".join(texts))
        sums = (int.from_bytes(sha256(text.encode()).digest()) for text in texts)
        self.digest = (self.digest + sum(sums)) % _DIGEST


@dataclass(frozen=True)
class Counts:
    """Counted words, in their order; `different` and `total` are before any were left out."""

    words: dict[str, int]
    different: int
    total: int


def survey(sources: Sequence[Source], quarantine: Quarantine = lambda *_: None) -> Survey:
    """Read files once; `quarantine` is called with each row that cannot be read, and its file.

    Raises InputError for a file that cannot be read as a whole.
    """
    result = Survey()

    def leave_out(source: Source, row: Quarantined) -> None:
        result.unreadable[row.rule] += 1
        quarantine(source, row)

    for texts in read_texts(sources, leave_out):
        result.add(texts)
    return result


def count_words(
    sources: Sequence[Source],
    recipe: str,
    *,
    folder: Path,
    workers: Workers,
    advance: Callable[[int], object] = lambda _: None,
) -> Counts:
    """Count the words of files as a recipe cuts them; counts that take room lie in `folder`.

    `advance` is called with numbers of texts that are done. Raises RetryError when the disk is
    full, MissingDependencyError without mecab for a recipe that needs it.
    """
    held = Counter[str]()
    with open_database(folder) as db:
        db.execute("CREATE TABLE counts (word VARCHAR, n UBIGINT)")
        texts = read_texts(sources)
        for texts_done, counts in workers.map(partial(_count, recipe), texts):
            held.update(counts)
            advance(texts_done)
            if len(held) > HELD:
                _write(db, held)
        _write(db, held)
        return _read_counts(db)


def read_texts(
    sources: Sequence[Source], quarantine: Quarantine = lambda *_: None
) -> Iterator[list[str]]:
    """Yield the texts of files that are not blank, some at a time."""
    for source in sources:
        for batch in read_batches(source, quarantine=partial(quarantine, source)):
            texts = (text for text in batch.texts.to_pylist() if text and not text.isspace())
            while part := list(islice(texts, _TEXTS)):
                yield part


def _count(recipe: str, texts: list[str]) -> tuple[int, Counter[str]]:
    cut = RECIPES[recipe]
    return len(texts), Counter(word for text in texts for word in cut(text))


def _write(db: duckdb.DuckDBPyConnection, held: Counter[str]) -> None:
    """Append counts to the table, and hold none any more."""
    rows = iter(held.items())
    while part := list(islice(rows, _ROWS)):
        words, numbers = zip(*part, strict=True)
        db.register("part", pa.table({"word": pa.array(words, pa.string()), "n": numbers}))
        db.execute("INSERT INTO counts SELECT word, n FROM part")
    held.clear()


def _read_counts(db: duckdb.DuckDBPyConnection) -> Counts:
    db.execute("CREATE TABLE words AS SELECT word, sum(n)::UBIGINT AS n FROM counts GROUP BY word")
    different, total = db.execute(
        "SELECT count(*), coalesce(sum(n), 0)::UBIGINT FROM words"
    ).fetchone() or (0, 0)
    db.execute(
        "SELECT word, n FROM (SELECT * FROM words ORDER BY n DESC, word LIMIT ?) ORDER BY word",
        [WORDS],
    )
    words: dict[str, int] = {}
    while rows := db.fetchmany(_ROWS):
        words.update(rows)
    return Counts(words, different, total)
