"""A small store of kept sentences, documents and translations, and calls over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.core import schemas, stage, store
from pipeline.core.stage import Call
from pipeline.tasks.sts.spec import StsSampling

Row = dict[str, Any]

PLAN: Row = {
    "rule": "sentence_pairs",
    "quotas": {"airbnb-rtt": 3, "airbnb-sampled": 4},
    "shortest": 5,
    "longest": 40,
    "reserve": 0.05,
    "stretch": 2.0,
    "pool": 100,
    "algorithm": "anchors",
    "rouge": "rougeL",
    "bins": 10,
}


def plan(**changes: Any) -> StsSampling:
    """Return the plan of the tests with changes."""
    return StsSampling.model_validate(PLAN | changes)


def unit(source: str, number: int, text: str, *, cluster: str = "", document: str = "") -> Row:
    """Return a row of KEPT; alone in its cluster unless that is told."""
    name = f"{source}-s{number:04}"
    return {
        "id": name,
        "source": source,
        "document": document or f"{source}-d{number:04}",
        "kind": "sentence",
        "ordinal": 0,
        "start": 0,
        "end": len(text),
        "text": text,
        "cluster": cluster or name,
    }


def translation(row: Row, back: str) -> Row:
    """Return the translation of a unit."""
    told = {"unit": row["id"], "source": row["source"], "text": row["text"]}
    return told | {"back": back, "translator": "file:invented", "pivot": "english"}


def document(source: str, number: int, meta: Mapping[str, str]) -> Row:
    """Return a document with its meta."""
    name = f"{source}-d{number:04}"
    return {
        "id": name,
        "source": source,
        "key": "",
        "text": "글",
        "sections": [],
        "meta": list(meta.items()),
        "file": "f",
        "line": number + 1,
    }


def make_call(
    folder: Path,
    kept: Sequence[Row],
    sampling: StsSampling,
    *,
    translations: Sequence[Row] = (),
    documents: Sequence[Row] = (),
    files: int = 1,
    seed: int = 7,
    sources: Sequence[str] = (),
) -> Call:
    """Write the tables below `folder`, kept units in so many files, and make the call."""
    found = sorted({row["source"] for row in [*kept, *documents]} | set(sources))
    dedup, translate = folder / "all" / "dedup-0", folder / "sts" / "translate-0"
    for path in (dedup, translate):
        path.mkdir(parents=True)
    for number in range(files):
        rows = schemas.build("kept", list(kept[number::files]))
        store.write_table(dedup, "kept", f"all-{number:04}", rows)
    rows = schemas.build("translations", list(translations))
    store.write_table(translate, "translations", "all", rows)
    selected = [folder / source / "select-0" for source in found]
    for path in selected:
        path.mkdir(parents=True)
        rows = schemas.build("documents", [d for d in documents if d["source"] == path.parent.name])
        store.write_table(path, "documents", "all", rows)
    params = {
        "seed": seed,
        "sampling": sampling.model_dump(mode="json"),
        "sources": {source: {"kind": "sentence", "style": "colloquial"} for source in found},
    }
    module = "pipeline.tasks.sts.candidates"
    planned = stage.call(module, work=folder, source="sts", params=params)
    return replace(planned, inputs=(dedup, translate, *selected))
