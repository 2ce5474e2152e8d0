"""A file of texts written again with two columns more, the scores of a detector.

Plain text has no columns: its lines become JSONL, an object ``{"text": ...}`` each.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.core.errors import InputError
from pipeline.core.io import Batch, Source, guess_source, open_writer, read_batches
from pipeline.corpus.toxicity.detector import COLUMNS, Detector

_ADDS: Final = pa.schema([(name, pa.float64()) for name in COLUMNS])


class Scored(NamedTuple):
    """How many rows were scored, and how many could not be read and were left out."""

    rows: int
    unreadable: int


def score_file(source: Source, out: Path, detector: Detector, *, force: bool = False) -> Scored:
    """Write a file with the columns gender_bias and hate; `out` appears when all is written.

    Raises InputError for a file that cannot be read, and for an `out` that exists (unless `force`)
    or has the ending of another form.
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
    left_out: list[int] = []
    rows = 0
    with open_writer(target, out, adds=_ADDS, force=force) as writer:
        for batch in read_batches(
            source, quarantine=lambda row: left_out.append(row.row), whole=True
        ):
            scores = detector.score(batch.texts)
            columns = {name: scores.column(name).combine_chunks() for name in COLUMNS}
            writer.write(_as_json(batch) if is_text else batch, columns=columns)
            rows += len(batch)
    return Scored(rows, len(left_out))


def _as_json(batch: Batch) -> Batch:
    """Return lines of plain text as the lines of JSON that they become."""
    texts = batch.texts.to_pylist()
    lines = [json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n" for text in texts]
    return replace(
        batch, data=b"".join(lines), ends=np.cumsum([len(line) for line in lines], dtype=np.int64)
    )
