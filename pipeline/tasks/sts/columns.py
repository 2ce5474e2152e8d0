"""Columns of sts. As in the official files, `source` tells the sampler too: airbnb-rtt."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.release.columns import TEXT, Columns, Row, schema

#: The ways in which pairs are made (Section 3.2.1).
SAMPLERS: Final = ("rtt", "sampled", "para")
_LABELS: Final = pa.struct(
    [("label", pa.float64()), ("real-label", pa.float64()), ("binary-label", pa.int32())]
)


def _row(one: Example) -> Row:
    return {
        "guid": one.id,
        "source": _joined(one.source, one.sampler),
        "sentence1": one.fields["sentence1"],
        "sentence2": one.fields["sentence2"],
        "labels": {name: one.label[name] for name in ("label", "real-label", "binary-label")},
    }


def _joined(source: str, sampler: str | None) -> str:
    if sampler in SAMPLERS:
        return f"{source}-{sampler}"
    return sampler if sampler and _parted(sampler)[1] else source


def _parted(name: str) -> tuple[str, str | None]:
    source, _, sampler = name.rpartition("-")
    return (source, name) if source and sampler in SAMPLERS else (name, None)


def _back(row: Row) -> Example:
    source, sampler = _parted(row["source"])
    fields = {"sentence1": row["sentence1"], "sentence2": row["sentence2"]}
    return Example(row["guid"], source, fields, row["labels"], sampler)


COLUMNS: Final = Columns(
    task="sts",
    schema=schema(guid=TEXT, source=TEXT, sentence1=TEXT, sentence2=TEXT, labels=_LABELS),
    answer=("labels",),
    betraying=("labels",),
    row=_row,
    back=_back,
)
