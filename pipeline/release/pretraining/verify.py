"""`klue verify` of a pretraining corpus: whether it is what its manifest says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from pipeline.core import schemas
from pipeline.core.errors import InputError, StoreError
from pipeline.core.io.parquet import open_file
from pipeline.core.wording import count
from pipeline.release.checks.declarations import differences
from pipeline.release.checks.subject import Check
from pipeline.release.contained import released_file
from pipeline.release.pretraining.manifest import (
    CONTAMINATED,
    DATA,
    LEDGER,
    TEXT,
    CorpusManifest,
    Statistics,
    corpus_hash,
    read_corpus_manifest,
)
from pipeline.release.pretraining.parts import ROWS, document_starts, statistics, text_of
from pipeline.release.verify import run_check


@dataclass(frozen=True)
class Corpus:
    """A pretraining corpus with a readable manifest."""

    folder: Path
    manifest: CorpusManifest

    def path(self, name: str) -> Path:
        """Return a file of the corpus; raises StoreError for one that is not there."""
        return released_file(self.folder, name, self.manifest.files)

    def parts(self) -> Iterator[tuple[int, pa.Table]]:
        """Yield the number and the rows of each file of data."""
        for number in range(sum(name.startswith("data/") for name in self.manifest.files)):
            with open_file(self.path(DATA.format(number))) as file:
                batches = list(file.batches(file.schema.names, rows=65_536, use_threads=False))
            yield number, pa.Table.from_batches(batches, schema=file.schema)


def verify_corpus(folder: Path, *, expect: str | None = None) -> list[Check]:
    """Check a pretraining corpus; whatever was done to its files, this raises nothing.

    `expect` is what its hash has to begin with, where somebody knows it.
    """
    try:
        manifest = read_corpus_manifest(folder)
    except (InputError, StoreError) as error:
        return [Check("manifest", False, str(error))]
    corpus = Corpus(folder.resolve(), manifest)
    checks: dict[str, tuple[Any, str]] = {
        "expected_hash": (partial(_other_hash, expect=expect or ""), "is the one given"),
        "files": (_files, f"{count(len(manifest.files), 'file')} as listed"),
        "corpus_hash": (_hash, manifest.corpus_hash),
        "text": (_text, "every file of text has the sentences of its data"),
        "documents": (_documents, "each in one file, and no file above its size without need"),
        "statistics": (_statistics, f"{count(manifest.total.sentences, 'sentence')} as counted"),
        "ledger": (_ledger, "every stage adds up, and has its rows in the ledger"),
        "benchmark": (_benchmark, "contaminated examples as counted"),
    }
    if expect is None:
        del checks["expected_hash"]
    about = Check("manifest", True, f"{manifest.name}, format {manifest.format}")
    return [about, *(run_check(name, corpus, check) for name, check in checks.items())]


def _other_hash(corpus: Corpus, *, expect: str) -> Iterator[str]:
    if not corpus.manifest.corpus_hash.startswith(expect):
        yield f"the corpus has {corpus.manifest.corpus_hash}, not {expect}"


def _files(corpus: Corpus) -> Iterator[str]:
    yield from differences(corpus.folder, corpus.manifest.files)


def _hash(corpus: Corpus) -> Iterator[str]:
    listed, computed = corpus.manifest.corpus_hash, corpus_hash(corpus.manifest)
    if listed != computed:
        yield f"the manifest says {listed[:12]}, its content makes {computed[:12]}"


def _text(corpus: Corpus) -> Iterator[str]:
    for number, table in corpus.parts():
        if not table.schema.equals(ROWS):
            yield f"{DATA.format(number)} has other columns than {', '.join(ROWS.names)}"
        elif corpus.path(TEXT.format(number)).read_bytes() != text_of(table).encode():
            yield f"{TEXT.format(number)} has other lines than {DATA.format(number)}"


def _documents(corpus: Corpus) -> Iterator[str]:
    seen: set[str] = set()
    for number, table in corpus.parts():
        starts = document_starts(table)
        documents = table.column("document_id").take(pa.array(starts)).to_pylist()
        again = seen.intersection(documents)
        if again or len(set(documents)) < len(documents):
            yield f"{DATA.format(number)} has a part of a document"
        seen.update(documents)
        size = corpus.manifest.files[TEXT.format(number)].bytes
        if size > corpus.manifest.shard_bytes and len(documents) > 1:
            yield f"{TEXT.format(number)} has {size:,} bytes and more than one document"


def _statistics(corpus: Corpus) -> Iterator[str]:
    counts: dict[str, Statistics] = {}
    for _, table in corpus.parts():
        for source in table.column("source").unique().to_pylist():
            rows = table.filter(pa.compute.equal(table.column("source"), source))
            counts[source] = counts.get(source, Statistics()) + statistics(rows)
    listed = {name: source.statistics for name, source in corpus.manifest.sources.items()}
    for name in sorted(listed.keys() | counts.keys()):
        if counts.get(name, Statistics()) != listed.get(name):
            yield f"{name} has other statistics than listed"


def _ledger(corpus: Corpus) -> Iterator[str]:
    gone: Counter[str] = Counter()
    with open_file(corpus.path(LEDGER)) as file:
        for batch in file.batches(["stage", "action"], rows=65_536, use_threads=False):
            for stage, action in schemas.rows(pa.Table.from_batches([batch]), "stage", "action"):
                gone[stage] += action in ("drop", "quarantine")
    listed: Counter[str] = Counter()
    for entry in corpus.manifest.stages:
        listed[entry.stage] += entry.dropped + entry.quarantined
    for stage in sorted(listed.keys() | gone.keys()):
        if listed[stage] != gone[stage]:
            yield f"{stage}: {count(listed[stage], 'row')} left, and the ledger has {gone[stage]:,}"


def _benchmark(corpus: Corpus) -> Iterator[str]:
    lines = corpus.path(CONTAMINATED).read_bytes().splitlines()
    rows = [orjson.loads(line) for line in lines]
    matched = Counter((row["task"], row["split"] or "") for row in rows)
    for task, splits in corpus.manifest.benchmark.items():
        for split, entry in splits.items():
            if matched.pop((task, split), 0) != entry.matched:
                yield f"{task} {split} has another number of contaminated examples than listed"
    for task, split in sorted(matched):
        yield f"{CONTAMINATED} names examples of {task} {split}, which are not listed"
