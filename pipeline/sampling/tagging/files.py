"""A file of texts as JSONL with the entities that a tagger finds in them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.core.errors import InputError
from pipeline.core.io import Quarantined, Source, read_batches
from pipeline.sampling.tagging.checked import Checked, checked
from pipeline.sampling.tagging.protocol import Tagger

#: Unreadable rows that are told of; all are counted.
TOLD: Final = 5


class Tagged(NamedTuple):
    """How many rows were tagged, entities found, mentions malformed, and rows unreadable.

    `told` are the first unreadable rows.
    """

    rows: int
    entities: int
    left_out: int
    unreadable: int
    told: tuple[Quarantined, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return {name: value for name, value in self._asdict().items() if name != "told"}


def tag_file(source: Source, out: Path, tagger: Tagger, *, force: bool = False) -> Tagged:
    """Write one object a text: its row from 0, the text, and spans with start, end, label, score.

    `out` appears when all is written. Raises InputError for a file of which no row can be read, and
    for an `out` that exists (unless `force`), is the file itself, or is not named .jsonl.
    """
    _check_out(source, out, force=force)
    unreadable: list[Quarantined] = []
    rows = entities = left_out = 0
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8", newline="\n") as stream:
            for row, text, found in _tagged(source, tagger, unreadable):
                stream.write(_line(row, text, found))
                rows, entities = rows + 1, entities + len(found.mentions)
                left_out += len(found.left_out)
        _check_read(source, rows, unreadable)
        temporary.replace(out)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return Tagged(rows, entities, left_out, len(unreadable), tuple(unreadable[:TOLD]))


def _check_read(source: Source, rows: int, unreadable: list[Quarantined]) -> None:
    if unreadable and not rows:
        first = unreadable[0]
        raise InputError(
            f"{source.path}: none of its {len(unreadable):,} rows can be read; line {first.line}:"
            f" {first.reason}; is it {source.form} in UTF-8, and is its text column"
            f" {source.text!r}?"
        )


def _tagged(
    source: Source, tagger: Tagger, unreadable: list[Quarantined]
) -> Iterator[tuple[int, str, Checked]]:
    batches = read_batches(source, quarantine=unreadable.append)
    for batch in batches:
        texts = batch.texts.to_pylist()
        found = checked(tagger, texts, labels=tagger.labels)
        yield from zip(batch.rows.to_pylist(), texts, found, strict=True)


def _line(row: int, text: str, found: Checked) -> str:
    spans = [mention._asdict() for mention in found.mentions]
    return json.dumps({"row": row, "text": text, "spans": spans}, ensure_ascii=False) + "\n"


def _check_out(source: Source, out: Path, *, force: bool) -> None:
    if out.suffix.lower() != ".jsonl":
        raise InputError(f"{out}: what is tagged is written as JSONL; name a file in .jsonl")
    if out.exists() and source.path.exists() and out.samefile(source.path):
        raise InputError(f"{out}: is the file to be tagged; name another one")
    if out.is_dir():
        raise InputError(f"{out}: is a folder; name a file")
    if out.exists() and not force:
        raise InputError(f"{out}: exists; name another file, or give --force")
