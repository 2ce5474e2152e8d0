"""Personal data in one file of texts: counted, or taken out while the file is written again.

Files are read in bounded batches. Each public function is what one worker does with one file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import orjson
import pyarrow as pa

from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.files import input_errors, refuse, replacing
from pipeline.core.io import Batch, Quarantined, Source, check_output, open_writer
from pipeline.core.io.watched import watched_batches
from pipeline.core.wording import count
from pipeline.pii.actions import Pseudonymiser, originals, pseudonymise, redact
from pipeline.pii.detect import detect, mask, shape
from pipeline.pii.key import Originals

#: Shapes that are shown of each rule, and unreadable rows that are named; all are counted.
EXAMPLES: Final = 3
NAMED: Final = 5

#: Sets of digests that are merged at once.
PARTS: Final = 64
_STATE: Final = b"state of the file"
_HIT_KEYS: Final = ("type", "start", "end", "confidence", "rule", "validated")

Look = Callable[[Batch], pa.Table]
Change = Callable[[pa.Array, pa.Table], pa.Array]

_mask = lru_cache(4096)(mask)


@dataclass(frozen=True)
class Task:
    """One file and what is wanted of it.

    `source` names the column that says where a row is from; without it that is the file's name.
    `hits` and `out` are files to write, if any; `kept` are files that must not be written over.
    `run` tells runs apart that write at the same time.
    """

    file: Source
    types: tuple[str, ...]
    minimum: float
    source: str | None = None
    hits: Path | None = None
    out: Path | None = None
    force: bool = False
    run: int = 0
    kept: tuple[Path, ...] = ()

    @property
    def rejects(self) -> Path | None:
        """The file that lists the rows of `out` that could not be read."""
        return self.out.with_name(f"{self.out.name}.quarantine.jsonl") if self.out else None

    @property
    def notes(self) -> Path:
        """The file that holds the places of hits from the first pass to the second."""
        assert self.out is not None  # pseudonyms are always written somewhere
        return self.out.with_name(f".{self.out.name}.hits.{self.run}")

    def check(self) -> None:
        """Raise InputError when a file to write exists, cannot be written, or stands for two."""
        if self.out is not None:
            check_output(self.file, self.out, force=self.force)
        if self.source == self.file.text and self.file.form != "text":
            raise InputError(f"{self.file.path}: {self.source!r} is the column of the texts")
        used = set(map(os.path.realpath, (*self.kept, self.file.path)))
        for path in filter(None, (self.out, self.hits, self.rejects)):
            real = os.path.realpath(path)
            refuse(
                path,
                (real in used, "is an input or written twice; name another file"),
                (
                    path.exists() and not path.is_file(),
                    "is a folder, device or pipe; name a file to write",
                ),
                (
                    path.exists() and not self.force,
                    "exists; remove it, name another file, or use --force",
                ),
            )
            used.add(real)


@dataclass
class Findings:
    """What a file holds; `hits` counts by source, type and rule, `examples` are shapes by rule.

    `redacted` counts by type the values for which no pseudonym was free.
    """

    file: str
    rows: int = 0
    rows_with_hits: int = 0
    hits: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    quarantined: Counter[str] = field(default_factory=Counter)
    first: list[Quarantined] = field(default_factory=list)
    sourced: bool = False
    redacted: Counter[str] = field(default_factory=Counter)

    def add(self, batch: Batch, hits: list[dict[str, Any]], source: str | None) -> None:
        """Count the hits of a batch, and keep the shapes of the first ones of each rule."""
        self.rows += len(batch)
        self.rows_with_hits += len({hit["row"] for hit in hits})
        if source:
            self.sourced |= batch.columns[source].null_count < len(batch)
        for row, row_hits in groupby(hits, key=itemgetter("row")):
            where = batch.columns[source][row].as_py() if source else self.file
            text = batch.texts[row].as_py()
            for hit in row_hits:
                self.hits[_mask(where or ""), hit["type"], hit["rule"]] += 1
                shapes = self.examples.setdefault(hit["rule"], [])
                if len(shapes) < EXAMPLES:
                    shapes += {shape(text[hit["start"] : hit["end"]])} - set(shapes)

    def check(self, task: Task) -> None:
        """Raise InputError when nothing could be read, or no row has the column of the source."""
        unread = self.quarantined.total()
        if unread and unread == self.rows:
            first = self.first[0]
            raise InputError(
                f"{task.file.path}: none of {count(unread, 'row')} can be read; line {first.line}:"
                f" {first.reason}; is it {task.file.form} in UTF-8, and is its text column"
                f" {task.file.text!r}?"
            )
        if task.source and self.rows and not self.sourced:
            raise InputError(
                f"{task.file.path}: no row has a column {task.source!r}; name the column that says"
                " where a row is from, or leave out --source-column"
            )

    def refuse(self, row: Quarantined) -> None:
        """Count a row that cannot be read."""
        self.rows += 1
        self.quarantined[row.rule] += 1
        if len(self.first) < NAMED:
            self.first.append(row)


def search_file(task: Task) -> Findings:
    """Count the personal data of a file; with `out`, write it with types in place of values."""
    return _run(task, redact, _detector(task))


def collect_originals(task: Task, *, key: bytes) -> Originals:
    """Return the digests of all values in a file: the first pass of pseudonymisation.

    The places of the hits are kept beside the output, so that the second pass need not look again.
    """
    task.check()
    look, parts = _detector(task), [Originals.of(())]
    schema = schemas.HITS.with_metadata({_STATE: _state(task)})
    with (
        input_errors(task.notes, "written"),
        pa.OSFile(str(task.notes), "wb") as file,
        pa.ipc.new_stream(file, schema) as notes,
    ):
        for batch in watched_batches(task.file, quarantine=lambda _: None, verb="searching"):
            hits = look(batch)
            parts.append(Originals.of(originals(batch.texts, hits, key)))
            parts = [Originals.merge(parts)] if len(parts) > PARTS else parts
            columns = [column.combine_chunks() for column in hits.columns]
            notes.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
    return Originals.merge(parts)


def pseudonymise_file(task: Task, *, key: bytes, known: Originals) -> Findings:
    """Write a file again with every hit of the first pass replaced by its pseudonym.

    Raises InputError when the file has changed since that pass.
    """
    pseudonymiser = Pseudonymiser(key, known)
    change = partial(pseudonymise, pseudonymiser=pseudonymiser)
    with pa.OSFile(str(task.notes)) as file, pa.ipc.open_stream(file) as notes:

        def recall(_: Batch) -> pa.Table:
            if notes.schema.metadata[_STATE] != _state(task):
                raise InputError(f"{task.file.path}: changed while it was read; run again")
            return pa.Table.from_batches([notes.read_next_batch()])

        findings = _run(task, change, recall)
    findings.redacted = pseudonymiser.refused
    return findings


def _detector(task: Task) -> Look:
    return lambda batch: detect(batch.texts, types=task.types, minimum=task.minimum)


def _state(task: Task) -> bytes:
    """Return what changes when a file does."""
    stat = task.file.path.stat()
    return f"{stat.st_ino} {stat.st_size} {stat.st_mtime_ns}".encode()


def _run(task: Task, change: Change, look: Look) -> Findings:
    task.check()
    findings = Findings(task.file.path.name)
    columns = (task.source,) if task.source else ()
    with (
        _writer(task) as write,
        _lines(task.hits) as emit,
        _lines(task.rejects, empty=False) as reject,
    ):

        def quarantine(row: Quarantined) -> None:
            findings.refuse(row)
            reject({"file": findings.file, **row._asdict()})

        batches = watched_batches(
            task.file, quarantine=quarantine, columns=columns, whole=task.out is not None
        )
        for batch in batches:
            hits = look(batch)
            rows = hits.to_pylist()
            findings.add(batch, rows, task.source)
            for hit in rows if task.hits else ():
                # A hit is told by where and what it is, never by its value.
                row, line = batch.rows[hit["row"]].as_py(), batch.lines[hit["row"]].as_py()
                emit({"row": row, "line": line} | {key: hit[key] for key in _HIT_KEYS})
            write(batch, hits, change)
        findings.check(task)
    return findings


@contextmanager
def _writer(task: Task) -> Iterator[Callable[[Batch, pa.Table, Change], None]]:
    """Give what writes a batch changed, or does nothing where nothing is written."""
    if task.out is None:
        yield lambda *_: None
        return
    with open_writer(task.file, task.out, force=task.force) as writer:
        yield lambda batch, hits, change: writer.write(batch, change(batch.texts, hits))


@contextmanager
def _lines(
    path: Path | None, *, empty: bool = True
) -> Iterator[Callable[[dict[str, Any]], object]]:
    """Give what writes one JSON object a line; the file appears when all is written.

    Without a path nothing is written; with `empty` unset a file without lines does not appear.
    """
    if path is None:
        yield lambda _: None
        return
    with replacing(path) as temporary:
        with input_errors(path, "written"):
            file = temporary.open("wb")
        with file:
            yield lambda row: file.write(orjson.dumps(row) + b"\n")
    if not (empty or path.stat().st_size):
        path.unlink()
