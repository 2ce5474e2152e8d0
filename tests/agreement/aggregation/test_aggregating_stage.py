"""The stage `aggregate`: the same gold as the function gives, one row an item, and its ledger."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pipeline.contracts.official.files import read_official
from pipeline.contracts.spec import load_spec
from pipeline.core import running, schemas, store
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.stage import Call, call

MODULE = "pipeline.agreement.aggregation.aggregate"


def _done(
    folder: Path,
    items: pa.Table,
    votes: pa.Table,
    task: str,
    refused: list[dict[str, object]] | None = None,
) -> Call:
    answered = folder / "answered"
    answered.mkdir(parents=True)
    for part in range(2):  # files of a stage may be several
        store.write_table(
            answered, "votes", f"{part}", votes.slice(part * 3, 3 if not part else None)
        )
    store.write_table(answered, "items", "all", items)
    store.write_table(answered, "ledger", "all", schemas.build("ledger", refused or []))
    planned = call(
        MODULE, work=folder, source=task, params={"task": task, "spec": load_spec(task).name}
    )
    done = replace(planned, inputs=(answered,))
    running.complete(done)
    return done


def _rows(done: Call, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read_all(done.folder, name).to_pylist()
    return rows


def _items(names: list[str]) -> pa.Table:
    fields = canonical({"title": "새 도서관 개관"})
    rows: list[dict[str, object]] = [
        {"item": one, "task": "tc", "fields": fields, "source": "yna"} for one in names
    ]
    return schemas.build("items", rows)


def _votes(given: dict[str, list[str]]) -> pa.Table:
    rows: list[dict[str, object]] = [
        {"item": item, "task": "tc", "role": "annotator", "round": "main", "attempt": 1,
         "simulated": False, "annotator": f"p{place}", "label": canonical([topic])}
        for item, topics in given.items()
        for place, topic in enumerate(topics)
    ]  # fmt: skip
    return schemas.build("votes", rows)


GIVEN = {
    "a": ["사회", "사회", "경제"],
    "b": ["정치", "경제", "사회"],
    "c": ["스포츠", "스포츠", "스포츠"],
    "d": ["세계"],
}


def test_two_of_three_are_gold(tmp_path: Path) -> None:
    """Section 3.1: the label that two of three gave; where all three differ the headline goes."""
    done = _done(tmp_path, _items([*GIVEN, "e"]), _votes(GIVEN), "tc")
    found = {row["item"]: row for row in _rows(done, "gold")}
    assert list(found) == sorted(found)
    assert {name: row["status"] for name, row in found.items()} == {
        "a": "gold", "b": "removed", "c": "gold", "d": "unresolved", "e": "unresolved"}  # fmt: skip
    assert parsed(found["a"]["label"]) == ["사회"]
    assert found["a"]["agreement"] == pytest.approx(2 / 3)
    assert found["c"]["agreement"] == 1
    assert all(row["source"] == "yna" for row in found.values())


def test_no_item_is_lost_and_what_left_is_told(tmp_path: Path) -> None:
    done = _done(tmp_path, _items([*GIVEN, "e"]), _votes(GIVEN), "tc")
    manifest = store.read_manifest(done.folder)
    assert manifest is not None
    assert manifest.counts.rows_in == len(_rows(done, "gold")) == 5
    told = Counter(row["action"] for row in _rows(done, "ledger"))
    assert told["drop"] == sum(row["status"] == "removed" for row in _rows(done, "gold")) == 1


def test_the_order_of_votes_makes_no_difference(tmp_path: Path) -> None:
    votes = _votes(GIVEN)
    turned = votes.take(pa.array(range(votes.num_rows - 1, -1, -1)))
    one, two = (
        _done(tmp_path / name, _items([*GIVEN]), given, "tc")
        for name, given in (("one", votes), ("two", turned))
    )
    assert store.read_all(one.folder, "gold").equals(store.read_all(two.folder, "gold"))


def test_official_judgements_give_official_labels(tmp_path: Path, data_dir: Path) -> None:
    """NLI dev: the majority of the five published labels is the published gold label."""
    found = read_official("nli", data_dir / "klue" / "klue-nli-v1.1_dev.json")
    items = found.items.slice(0, 600)
    votes = found.votes.filter(pc.is_in(found.votes["item"], value_set=items["item"]))
    assert votes.num_rows == 5 * 600
    done = _done(tmp_path, items, votes, "nli")
    gold = {row["item"]: row["label"] for row in _rows(done, "gold")}
    assert gold == dict(zip(items["item"].to_pylist(), items["gold"].to_pylist(), strict=True))


def test_items_without_gold_whose_votes_were_refused_are_named(tmp_path: Path) -> None:
    refused: list[dict[str, object]] = [
        {"unit": item, "source": "yna", "stage": "intake", "rule": "vote.label@1",
         "action": "quarantine", "reason": "no such label", "file": "v.jsonl", "line": line}
        for line, item in enumerate("adde")
    ]  # fmt: skip
    done = _done(tmp_path, _items([*GIVEN, "e"]), _votes(GIVEN), "tc", refused)
    named = [row for row in _rows(done, "ledger") if row["action"] == "keep"]
    assert [(row["unit"], row["rule"], row["reason"]) for row in named] == [
        ("d", "gold.votes_refused@1", "too_few_votes; 2 votes about it refused"),
        ("e", "gold.votes_refused@1", "too_few_votes; 1 vote about it refused"),
    ]
