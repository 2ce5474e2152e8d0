"""The manifest of a pretraining corpus: what it was made of, its statistics, and its files.

`corpus_hash` is a digest of all that the manifest tells, so of the names and contents of all files.
As that of a release it tells no time, host, absolute path or number of workers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from pipeline.core.files import regular_file
from pipeline.core.jsontext import parsed
from pipeline.core.specs import Spec
from pipeline.core.store import MANIFEST, write_json
from pipeline.release.contained import MOST_BYTES
from pipeline.release.manifest import Files, StageEntry, Tool, digest, read_as
from pipeline.release.material import RawFile

#: The form of manifests that this version writes.
FORMAT: Final = 1
KIND: Final = "pretraining-corpus"
#: Where the files lie: text and data of the same number hold the same documents.
TEXT: Final = "text/part-{:05d}.txt"
DATA: Final = "data/part-{:05d}.parquet"
CONTAMINATED: Final = "contaminated.jsonl"
LEDGER: Final = "ledger.parquet"


class Statistics(Spec):
    """How much text there is, as Table 28 counts it: words are what blanks part.

    `bytes` are those of the lines of text with their ends.
    """

    documents: int = 0
    sentences: int = 0
    words: int = 0
    characters: int = 0
    bytes: int = 0

    def __add__(self, other: Statistics) -> Statistics:
        mine, theirs = self.model_dump(), other.model_dump()
        return Statistics(**{name: mine[name] + theirs[name] for name in mine})


class Changes(Spec):
    """Sentences in which personal data was replaced or masked, and how many characters it had.

    `types` counts sentences by type; a sentence may hold several.
    """

    sentences: int = 0
    characters: int = 0
    types: dict[str, int] = Field(default_factory=dict)


class SourceEntry(Spec):
    """A source: what was read, and what is in the corpus."""

    licence: str
    private: bool
    inputs: list[RawFile]
    statistics: Statistics
    changes: Changes


class SplitEntry(Spec):
    """Examples of a split of a benchmark: how many there are, are too short to be looked for, and
    were found; `removed` are the sentences whose best match is one of them.
    """

    examples: int
    unguarded: int
    matched: int
    removed: int


class CorpusManifest(Spec):
    """The whole of manifest.json. `benchmark` has the splits by task ("" for none).

    `fingerprint` names what the corpus was made of; `key_check` tells keys of pseudonyms apart.
    """

    format: int
    kind: Literal["pretraining-corpus"]
    name: str
    fingerprint: str
    build: dict[str, Any]
    shard_bytes: int
    sources: dict[str, SourceEntry]
    personal_data: dict[str, list[str]]
    key_check: str
    rule: str
    benchmark: dict[str, dict[str, SplitEntry]]
    stages: list[StageEntry]
    files: Files
    corpus_hash: str
    tool: Tool

    @property
    def total(self) -> Statistics:
        """Return the statistics of all sources together."""
        return sum((source.statistics for source in self.sources.values()), Statistics())


def corpus_hash(manifest: CorpusManifest) -> str:
    """Return the digest of a corpus: of its manifest without this digest."""
    return digest(manifest.model_dump(mode="json", exclude={"corpus_hash"}, exclude_none=True))


def write_corpus_manifest(folder: Path, manifest: CorpusManifest) -> None:
    """Write a manifest with its hash into its folder."""
    whole = manifest.model_copy(update={"corpus_hash": corpus_hash(manifest)})
    write_json(folder / MANIFEST, whole.model_dump(mode="json", exclude_none=True))


def read_corpus_manifest(folder: Path) -> CorpusManifest:
    """Read the manifest of a corpus; raises StoreError as that of a release."""
    return read_as(folder, CorpusManifest)


def is_corpus(folder: Path) -> bool:
    """Tell whether a folder has the manifest of a pretraining corpus."""
    try:
        text = regular_file(folder / MANIFEST, most=MOST_BYTES).read_text("utf-8")
        return bool(parsed(text)["kind"] == KIND)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False
