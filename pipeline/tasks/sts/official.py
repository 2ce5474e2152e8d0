"""KLUE-STS: pairs with five to seven scores each, with annotator ids.

The gold answer is the official object of `label` (to one decimal), `real-label` (the mean) and
`binary-label` (1 from 3.0 on).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.contracts.official import documents
from pipeline.contracts.official.files import ReleaseFile, VoteRow, one_per_annotator
from pipeline.contracts.official.tables import (
    Official,
    Row,
    SourceTexts,
    Vote,
    check_annotators,
    corpus,
    fault,
    gather,
    more,
    need,
    rows_of,
)
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count

_KEYS: Final = ("guid", "source", "sentence1", "sentence2", "labels", "annotations")
_LABELS: Final = ("label", "real-label", "binary-label")
LOW: Final = 0
HIGH: Final = 5
#: The second sentence of a round-trip translation is a machine's.
TEXTS: Final = SourceTexts(
    rb'"sentence1"', ("sentence1", "sentence2"), exceptions={"rtt": ("sentence1",)}
)


def read(path: Path) -> Official:
    """Read KLUE-STS; raises InputError for any other file."""
    text = documents.read_text(path)
    records, frame = documents.load_list(text, path), documents.frame_of(text, path)
    return gather("sts", "json", path, records, _row, frame)


def write(official: Official, path: Path) -> None:
    """Write the items as KLUE-STS."""
    documents.save_json([_record(row) for row in rows_of(official)], path, official.frame)


def _row(record: Any) -> Row:
    name = need(record, "source", str)
    source, _, sampler = name.partition("-")
    raw = need(record, "annotations", dict)
    meta = {"source": name, "agreement": raw.get("agreement")}
    return Row(
        need(record, "guid", str),
        {key: need(record, key, str) for key in ("sentence1", "sentence2")},
        _labels(need(record, "labels", dict)),
        corpus(source),
        sampler or None,
        meta | more(record, _KEYS),
        _votes(need(raw, "annotators", list), need(raw, "annotations", list)),
    )


def _labels(labels: dict[str, Any]) -> dict[str, Any]:
    for key in _LABELS:
        if isinstance(labels.get(key), bool) or not isinstance(labels.get(key), int | float):
            raise fault("form", f"'labels' needs the number {key!r}")
        if not LOW <= labels[key] <= HIGH:
            raise fault("range", f"{key!r} is not from {LOW} to {HIGH}")
    return labels


def _votes(annotators: list[Any], scores: list[Any]) -> list[Vote]:
    if len(annotators) != len(scores):
        raise fault("form", f"{count(len(annotators), 'annotator')}, {count(len(scores), 'score')}")
    check_annotators(annotators)
    if not all(type(score) is int and LOW <= score <= HIGH for score in scores):
        raise fault("label", f"a score is a whole number from {LOW} to {HIGH}")
    return list(map(Vote, scores, annotators))


def _record(row: Row) -> dict[str, Any]:
    scores = [vote.label for vote in row.votes]
    counts = ":".join(str(scores.count(score)) for score in range(LOW, HIGH + 1))
    floats = {key: float(row.gold[key]) for key in ("label", "real-label")}
    labels = {key: row.gold[key] for key in _LABELS} | row.gold | floats
    return {
        "guid": row.item,
        "source": row.meta.get("source", source_name(row.source, row.sampler)),
        **row.fields,
        "labels": labels,
        "annotations": {
            "agreement": row.meta.get("agreement", counts),
            "annotators": [vote.annotator for vote in row.votes],
            "annotations": scores,
        },
        **row.meta.get("more", {}),
    }


def _from_example(example: Example, votes: Sequence[VoteRow]) -> Row:
    scores = [
        Vote(parsed(vote["label"]), vote["annotator"])
        for vote in one_per_annotator(votes)
        if vote["label"] is not None
    ]
    fields, meta = dict(example.fields), {"source": source_name(example.source, example.sampler)}
    return Row(example.id, fields, example.label, example.source, None, meta, scores)


def source_name(source: str | None, sampler: str | None) -> str:
    """Return the source of an official file, which names the sampler too: airbnb-rtt."""
    if sampler and sampler.startswith(f"{source}-"):
        return sampler
    return "-".join(part for part in (source, sampler) if part)


FILE: Final = ReleaseFile("klue-sts", row=_from_example, voted=True)
