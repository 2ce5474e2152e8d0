"""Columns of sts. As in the official files, `source` tells the sampler too: airbnb-rtt."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from pipeline.contracts.aggregation_rules import Scores
from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.release.soft_labels import with_soft_label
from pipeline.release.tables import TEXT, Card, Columns, Row, schema

#: The ways in which pairs are made (Section 3.2.1).
SAMPLERS: Final = ("rtt", "sampled", "para")
_LABELS: Final = pa.struct(
    [("label", pa.float64()), ("real-label", pa.float64()), ("binary-label", pa.int32())]
)


def _to_row(example: Example) -> Row:
    source, sampler = example.source, example.sampler
    if sampler in SAMPLERS:
        source = f"{source}-{sampler}"
    elif sampler and _split_source(sampler)[1]:
        source = sampler
    return {
        "guid": example.id,
        "source": source,
        "sentence1": example.fields["sentence1"],
        "sentence2": example.fields["sentence2"],
        "labels": {field.name: example.label[field.name] for field in _LABELS},
    }


def _split_source(name: str) -> tuple[str, str | None]:
    source, _, sampler = name.rpartition("-")
    return (source, name) if source and sampler in SAMPLERS else (name, None)


def _from_row(row: Row) -> Example:
    source, sampler = _split_source(row["source"])
    fields = {"sentence1": row["sentence1"], "sentence2": row["sentence2"]}
    return Example(row["guid"], source, fields, row["labels"], sampler)


def _fault(row: Row, spec: TaskSpec) -> str | None:
    labels, scale, rule = row["labels"], spec.scale, spec.aggregation
    if labels is None or None in labels.values():
        return "lacks a score"
    if scale and not all(scale.low <= labels[k] <= scale.high for k in ("label", "real-label")):
        return "has a score off the scale"
    threshold = rule.binary_at if isinstance(rule, Scores) else None
    if threshold is not None and labels["binary-label"] != (labels["real-label"] >= threshold):
        return "has a binary label that its score does not make"
    return None


_COLUMNS: Final = Columns(
    task="sts",
    schema=schema(guid=TEXT, source=TEXT, sentence1=TEXT, sentence2=TEXT, labels=_LABELS),
    answer=("labels",),
    hidden_in_test=("labels",),
    to_row=_to_row,
    from_row=_from_row,
    classes=lambda _spec: {"labels.binary-label": ("negative", "positive")},
    fault=_fault,
)
COLUMNS: Final = with_soft_label(_COLUMNS, "number")
CARD: Final = Card(
    "text-classification",
    "semantic-similarity-scoring",
    split="By score: validation and test have about as many pairs in every tenth of a point.",
    promises=(
        "In validation and test, pairs of high score that share the fewest words and pairs of "
        "low score that share the most are taken first, so that counting words does not help.",
    ),
)
