"""A file of texts as JSONL with the entities that a tagger finds in them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pipeline.core import tablefile
from pipeline.core.errors import InputError
from pipeline.core.tablefile import Source
from pipeline.sampling.tagging.checked import Checked, checked
from pipeline.sampling.tagging.protocol import Tagger


class Tagged(NamedTuple):
    """How many rows were tagged, entities found, mentions malformed, and rows unreadable."""

    rows: int
    entities: int
    left_out: int
    unreadable: int


def tag_file(source: Source, out: Path, tagger: Tagger, *, force: bool = False) -> Tagged:
    """Write one object a text: its row from 0, the text, and spans with start, end, label, score.

    `out` appears when all is written. Raises InputError for a file that cannot be read, and for an
    `out` that exists (unless `force`), is the file itself, or is not named .jsonl.
    """
    _check_out(source, out, force=force)
    unreadable: list[int] = []
    rows = entities = left_out = 0
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8", newline="\n") as stream:
            for row, text, found in _tagged(source, tagger, unreadable):
                stream.write(_line(row, text, found))
                rows, entities = rows + 1, entities + len(found.mentions)
                left_out += len(found.left_out)
        temporary.replace(out)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return Tagged(rows, entities, left_out, len(unreadable))


def _tagged(
    source: Source, tagger: Tagger, unreadable: list[int]
) -> Iterator[tuple[int, str, Checked]]:
    batches = tablefile.batches(source, quarantine=lambda row: unreadable.append(row.row))
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
