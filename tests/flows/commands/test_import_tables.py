"""`klue import` takes vote files of every form; a cell may hold several labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from mood_task import SEVERAL, write_task

from flows.commands.batch_export import export
from flows.commands.batch_votes import import_votes
from flows.commands.examples import gold_at
from flows.commands.split_files import split
from pipeline.annotation.batches.batch import folder_of, read
from pipeline.contracts.own_task import register_task
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError

#: Votes as a table has them, and the labels that they name.
CELLS = {"a": "good|bad", "b": "bad", "c": "[]"}
LABELS = {"a": ["good", "bad"], "b": ["bad"], "c": []}


@pytest.fixture(autouse=True)
def _mood(no_own_tasks: None, tmp_path: Path) -> None:
    register_task(write_task(tmp_path / "mood", SEVERAL))
    items = tmp_path / "items.jsonl"
    rows = ({"item": item, "fields": {"text": f"{item} 좋다"}} for item in CELLS)
    items.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    export(task="mood", to="jsonl", items=items, work=tmp_path / "work")


def _import(file: Path, **more: Any) -> dict[str, Any]:
    asked = {"task": "mood", "source": "jsonl", "batch": "main", "replace": False} | more
    record, _ = import_votes(file, work=file.parent / "work", **asked)
    return record


def _labels(folder: Path) -> dict[str, Any]:
    votes = read(folder_of(folder / "work", "mood", "main")).votes
    pairs = zip(votes["item"].to_pylist(), votes["label"].to_pylist(), strict=True)
    return {item: json.loads(label) for item, label in pairs}


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "lists.parquet", "json", "jsonl"])
def test_every_form_gives_the_same_votes(tmp_path: Path, form: str) -> None:
    path, who = tmp_path / f"votes.{form}", ["kim"] * len(CELLS)
    if form in ("csv", "tsv"):
        sign = {"csv": ",", "tsv": "\t"}[form]
        lines = [sign.join(row) for row in zip(CELLS, who, CELLS.values(), strict=True)]
        path.write_text("\n".join([sign.join(("item", "annotator", "label")), *lines]), "utf-8")
    elif form.endswith("parquet"):
        labels = [*(LABELS if form == "lists.parquet" else CELLS).values()]
        pq.write_table(pa.table({"item": [*CELLS], "annotator": who, "label": labels}), path)
    else:
        rows = [{"item": item, "annotator": "kim", "label": LABELS[item]} for item in CELLS]
        text = json.dumps(rows) if form == "json" else "\n".join(map(json.dumps, rows))
        path.write_text(text, "utf-8")
    assert _import(path)["new"] == len(CELLS)
    assert _labels(tmp_path) == LABELS


def test_columns_of_other_names(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("doc,kim,memo\n" + "".join(f"{i},{c},x\n" for i, c in CELLS.items()), "utf-8")
    _import(path, columns="item=doc,annotator=kim", wide=True)
    assert _labels(tmp_path) == LABELS
    with pytest.raises(InputError, match="are for vote files; leave them out"):
        _import(path, wide=True, source="doccano")


def test_gold_holds_labels_as_cells(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    cells = {"a": "good|bad", "b": "bad", "c": []}
    rows = ({"item": i, "text": f"{i} 좋다", "gold": g} for i, g in cells.items())
    gold.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert {one.id: one.label for one in gold_at(gold, TASKS["mood"])} == LABELS
    gold.write_text('{"item": "a", "text": "좋다", "gold": "good|great"}', "utf-8")
    with pytest.raises(InputError, match=r"a: gold: the label .* not in the spec"):
        gold_at(gold, TASKS["mood"])
    with pytest.raises(InputError, match=r"a: gold: the label .* not in the spec"):
        split((gold,), task="mood")
