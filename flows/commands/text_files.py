"""Files of texts, written again with what a model finds in them: toxicity scores, or entities."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.core.errors import InputError
from pipeline.core.io import Batch, Quarantined, Source, guess_source, open_writer, read_batches
from pipeline.corpus.toxicity.scoring import COLUMNS, Detector
from pipeline.sampling.tagging.registry import Tagger, tag_checked

_ADDS: Final = pa.schema([(name, pa.float64()) for name in COLUMNS])
#: Unreadable rows that are named; all are counted.
NAMED: Final = 5


class Scored(NamedTuple):
    """How many rows were scored, and how many could not be read and were left out."""

    rows: int
    unreadable: int


class Tagged(NamedTuple):
    """How many rows were tagged, entities found, mentions malformed, and rows unreadable.

    `first` are the first unreadable rows.
    """

    rows: int
    entities: int
    left_out: int
    unreadable: int
    first: tuple[Quarantined, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return {name: value for name, value in self._asdict().items() if name != "first"}


def score_file(source: Source, out: Path, detector: Detector, *, force: bool = False) -> Scored:
    """Write a file with the columns gender_bias and hate; `out` appears when all is written.

    Plain text has no columns: its lines become JSONL, an object ``{"text": ...}`` each. Raises
    InputError for a file that cannot be read, and for an `out` that exists (unless `force`) or has
    the ending of another form.
    """
    is_text = source.form == "text"
    if not is_text and source.text in COLUMNS:
        raise InputError(
            f"{source.path}: its texts are in the column {source.text}, which is to hold scores;"
            " rename the column"
        )
    target = replace(source, form="jsonl", text="text") if is_text else source
    if is_text and guess_source(out).form != "jsonl":
        raise InputError(f"{out}: scored lines of plain text are JSONL; name a file in .jsonl")
    unreadable: list[Quarantined] = []
    rows = 0
    with open_writer(target, out, adds=_ADDS, force=force) as writer:
        for batch in read_batches(source, quarantine=unreadable.append, whole=True):
            scores = detector.score(batch.texts)
            columns = {name: scores.column(name).combine_chunks() for name in COLUMNS}
            writer.write(_as_json(batch) if is_text else batch, columns=columns)
            rows += len(batch)
    return Scored(rows, len(unreadable))


def _as_json(batch: Batch) -> Batch:
    texts = batch.texts.to_pylist()
    lines = [json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n" for text in texts]
    return replace(
        batch, data=b"".join(lines), ends=np.cumsum([len(line) for line in lines], dtype=np.int64)
    )


def tag_file(source: Source, out: Path, tagger: Tagger, *, force: bool = False) -> Tagged:
    """Write one object a text: its row from 0, the text, and spans with start, end, label, score.

    `out` appears when all is written. Raises InputError for a file of which no row can be read, and
    for an `out` that exists (unless `force`), is the file itself, or is not named .jsonl.
    """
    if out.suffix.lower() != ".jsonl":
        raise InputError(f"{out}: what is tagged is written as JSONL; name a file in .jsonl")
    if out.exists() and source.path.exists() and out.samefile(source.path):
        raise InputError(f"{out}: is the file to be tagged; name another one")
    if out.is_dir():
        raise InputError(f"{out}: is a folder; name a file")
    if out.exists() and not force:
        raise InputError(f"{out}: exists; name another file, or give --force")
    unreadable: list[Quarantined] = []
    rows = entities = left_out = 0
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8", newline="\n") as stream:
            for batch in read_batches(source, quarantine=unreadable.append):
                texts = batch.texts.to_pylist()
                tagged = tag_checked(tagger, texts, labels=tagger.labels)
                for row, text, own in zip(batch.rows.to_pylist(), texts, tagged, strict=True):
                    spans = [mention._asdict() for mention in own.mentions]
                    line = {"row": row, "text": text, "spans": spans}
                    stream.write(json.dumps(line, ensure_ascii=False) + "\n")
                    entities += len(own.mentions)
                    left_out += len(own.left_out)
                rows += len(texts)
        if unreadable and not rows:
            raise InputError(
                f"{source.path}: none of its {len(unreadable):,} rows can be read; line"
                f" {unreadable[0].line}: {unreadable[0].reason}; is it {source.form} in UTF-8, and"
                f" is its text column {source.text!r}?"
            )
        temporary.replace(out)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return Tagged(rows, entities, left_out, len(unreadable), tuple(unreadable[:NAMED]))
