"""A batch is made once and never changes; pilot items and main items stay apart."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from voting import make_items, raws

from pipeline.annotation.batches.assignment import find_bars
from pipeline.annotation.batches.batch import Batch, Plan, list_batches, read, receive
from pipeline.annotation.batches.making import make
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_path

SPEC = load_spec("tc")
PEOPLE = ("07", "08", "09", "10")
PLAN = Plan("main", "main", seed=7, annotators=PEOPLE)
ITEMS = make_items(["a", "b", "c", "d"])


def _answers(batch: Batch, label: list[str]) -> list[dict[str, Any]]:
    rows = batch.assignments.to_pylist()
    return [{"item": r["item"], "annotator": r["annotator"], "label": label} for r in rows]


def test_a_batch_is_read_as_it_was_made(tmp_path: Path) -> None:
    made = make(tmp_path, PLAN, ITEMS, SPEC)
    there = read(tmp_path / "annotation" / "tc" / "main")
    assert there.card == made.card
    assert there.items.equals(ITEMS) and there.assignments.equals(made.assignments)
    assert (there.card.spec, there.card.spec_digest) == (SPEC.name, SPEC.digest)
    assert (there.card.items, there.card.assignments, there.card.per_item) == (4, 12, 3)
    assert there.votes.num_rows == there.ledger.num_rows == 0
    assert list_batches(tmp_path) == [made.card]
    assert [path.name for path in (tmp_path / "annotation" / "tc").iterdir()] == ["main"]


def test_the_same_batch_again_is_unchanged_to_the_byte(tmp_path: Path) -> None:
    make(tmp_path, PLAN, ITEMS, SPEC)
    before = of_path(tmp_path)
    backwards = ITEMS.take([3, 2, 1, 0])
    again = make(tmp_path, replace(PLAN, annotators=PEOPLE[::-1]), backwards, SPEC)
    assert again.items.equals(ITEMS)
    assert of_path(tmp_path) == before
    make(tmp_path / "other", PLAN, ITEMS, SPEC)
    assert of_path(tmp_path / "other" / "annotation") == of_path(tmp_path / "annotation")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 8}, r"seed \(there: 7, asked for: 8\)"),
        ({"annotators": PEOPLE[:3]}, r"annotators \(there: 4 names, asked for: 3 names\)"),
        ({"per_item": 2}, "per_item"),
        ({"format": "doccano"}, "format"),
        ({"kind": "baseline"}, "kind"),
    ],
)
def test_another_batch_of_the_same_name_is_refused(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    make(tmp_path, PLAN, ITEMS, SPEC)
    with pytest.raises(StoreError, match=words + ".*give the new one another name"):
        make(tmp_path, replace(PLAN, **change), ITEMS, SPEC)


def test_other_items_specs_and_bars_make_another_batch(tmp_path: Path) -> None:
    make(tmp_path, PLAN, ITEMS, SPEC)
    with pytest.raises(StoreError, match="given "):
        make(tmp_path, PLAN, make_items(["a", "b"]), SPEC)
    with pytest.raises(StoreError, match=r"spec \(there: tc@1.0.1"):
        make(tmp_path, PLAN, ITEMS, SPEC.model_copy(update={"version": "1.0.9"}))
    with pytest.raises(StoreError, match="barred"):
        make(tmp_path, PLAN, ITEMS, SPEC, barred={"a": {"07"}})


def test_pilot_items_never_enter_the_main_batch(tmp_path: Path) -> None:
    gold = make_items(["b", "x"], source="yna", gold='["사회"]')
    pilot = make(tmp_path, replace(PLAN, name="pilot", kind="pilot"), gold, SPEC)
    assert pilot.card.per_item == len(PEOPLE)  # everybody answers every pilot item
    main = make(tmp_path, PLAN, make_items(["a", "b", "c", "x"], source="yna"), SPEC)
    assert main.items.column("item").to_pylist() == ["a", "c"]
    assert set(main.assignments.column("item").to_pylist()) == {"a", "c"}
    rows = main.ledger.to_pylist()
    assert [(r["unit"], r["rule"], r["action"], r["source"]) for r in rows] == [
        ("b", "batch.pilot@1", "drop", "yna"),
        ("x", "batch.pilot@1", "drop", "yna"),
    ]
    assert (main.card.items, main.card.taken_out) == (2, 2)
    vote = {"item": "b", "annotator": "07", "label": ["사회"]}
    _, taken = receive(main, raws(vote), task=TASKS["tc"], spec=SPEC)
    assert taken.counts.rules == {"vote.pilot@1": 1}


def test_a_main_batch_stays_the_same_when_a_pilot_comes_later(tmp_path: Path) -> None:
    main = make(tmp_path, PLAN, ITEMS, SPEC)
    with pytest.raises(StoreError, match="2 of its items are in the main batch main"):
        make(tmp_path, replace(PLAN, name="p", kind="pilot"), make_items(["a", "b", "z"]), SPEC)
    make(tmp_path, replace(PLAN, name="p", kind="pilot"), make_items(["z"]), SPEC)
    assert make(tmp_path, PLAN, ITEMS, SPEC).items.equals(main.items)


def test_pilots_of_other_tasks_do_not_matter(tmp_path: Path) -> None:
    sts = load_spec("sts")
    make(tmp_path, replace(PLAN, kind="pilot", name="p"), make_items(["a"], "sts"), sts)
    assert make(tmp_path, PLAN, ITEMS, SPEC).card.taken_out == 0
    assert [card.task for card in list_batches(tmp_path)] == ["sts", "tc"]
    assert [card.task for card in list_batches(tmp_path, "tc")] == ["tc"]


def test_bars_of_an_earlier_round_reach_the_assignments(tmp_path: Path) -> None:
    spec, task = load_spec("ner"), TASKS["ner"]
    items = make_items(["a", "b", "c"], "ner")
    tags = make(tmp_path, Plan("tags", "tag", 1, ("07", "08")), items, spec)
    spans = [{"start": 0, "end": 3, "label": "PS"}]
    tags, taken = receive(tags, raws(*_answers(tags, spans)), task=task, spec=spec)
    inspect = spec.round("inspect")
    assert inspect is not None and taken.counts.new == 3
    barred, people = find_bars(inspect, tags.votes), ("07", "08", "09")
    checks = make(tmp_path, Plan("checks", "inspect", 1, people), items, spec, barred=barred)
    for row in checks.assignments.to_pylist():
        assert row["annotator"] not in barred[row["item"]]


@pytest.mark.parametrize("name", ["", "Main", "../x", "a.b", "a/b", "-a", "x" * 65])
def test_names_that_are_no_folders_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot name a batch"):
        make(tmp_path, replace(PLAN, name=name), ITEMS, SPEC)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "items", "words"),
    [
        ({"round": "second"}, ITEMS, "has no round 'second'; allowed: main"),
        ({"annotators": ("07",)}, ITEMS, "1 annotator for 3 answers"),
        ({"annotators": ("07", "07", "08", "09")}, ITEMS, "named twice"),
        ({"per_item": 0}, ITEMS, "0 answers an item"),
        ({}, make_items(["a", "a"]), "1 item given twice"),
        ({}, make_items(["a"], "sts"), "holds items of sts"),
        ({}, schemas.empty("items"), "no items are left"),
    ],
)
def test_what_cannot_be_given_out_is_told_and_leaves_nothing(
    tmp_path: Path, change: dict[str, Any], items: Any, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        make(tmp_path, replace(PLAN, **change), items, SPEC)
    assert not list_batches(tmp_path)


def test_what_a_killed_process_left_is_cleared(tmp_path: Path) -> None:
    partial = tmp_path / "annotation" / "tc" / "main.partial"
    partial.mkdir(parents=True)
    (partial / "batch.json").write_text("{")
    assert list_batches(tmp_path) == []
    make(tmp_path, PLAN, ITEMS, SPEC)
    assert not partial.exists()


def test_damage_is_told(tmp_path: Path) -> None:
    folder = make(tmp_path, PLAN, ITEMS, SPEC).folder
    with pytest.raises(InputError, match="no such batch; of this task there are: main"):
        read(folder.with_name("other"))
    card = json.loads((folder / "batch.json").read_text("utf-8"))
    (folder / "batch.json").write_text(json.dumps(card | {"layout": 9}))
    with pytest.raises(StoreError, match="layout 9"):
        read(folder)
    (folder / "batch.json").write_text(json.dumps(card | {"surprise": 1}))
    with pytest.raises(StoreError, match="unreadable"):
        read(folder)


# What comes back.


def test_importing_twice_changes_no_byte(tmp_path: Path) -> None:
    batch = make(tmp_path, PLAN, ITEMS, SPEC)
    votes = [*_answers(batch, ["사회"]), {"item": "a", "annotator": "07", "label": 7}]
    records = raws(*votes, {"item": "zz", "annotator": "07", "label": ["사회"]})
    after, taken = receive(batch, records, task=TASKS["tc"], spec=SPEC)
    assert (taken.counts.new, taken.counts.quarantined) == (12, 2)
    before = of_path(tmp_path)
    again, retaken = receive(read(batch.folder), reversed(records), task=TASKS["tc"], spec=SPEC)
    assert (retaken.counts.unchanged, retaken.counts.new) == (12, 0)
    assert of_path(tmp_path) == before
    assert again.votes.equals(after.votes) and again.ledger.equals(after.ledger)


def test_an_import_killed_before_its_votes_says_nothing_twice(tmp_path: Path) -> None:
    batch = make(tmp_path, replace(PLAN, annotators=PEOPLE[:3], per_item=1), ITEMS, SPEC)
    votes = [{"item": item, "annotator": "07", "label": ["사회"]} for item in "abcd"]
    task, votes_file = TASKS["tc"], batch.folder / "votes.parquet"
    before = votes_file.read_bytes()
    whole, _ = receive(batch, raws(*votes), task=task, spec=SPEC, open_tool=True)
    assert set(whole.ledger["rule"].to_pylist()) == {"vote.unassigned@1"}
    votes_file.write_bytes(before)
    again, _ = receive(read(batch.folder), raws(*votes), task=task, spec=SPEC, open_tool=True)
    assert again.ledger.equals(whole.ledger) and again.votes.equals(whole.votes)
    said = raws({**votes[0], "label": ["정치"]}, file="newer.jsonl")
    before = votes_file.read_bytes()
    after, _ = receive(again, said, task=task, spec=SPEC, replace=True, open_tool=True)
    assert "vote.replaced@1" in after.ledger["rule"].to_pylist()
    votes_file.write_bytes(before)
    killed, options = read(batch.folder), {"replace": True, "open_tool": True}
    again, _ = receive(killed, said, task=task, spec=SPEC, **options)
    assert again.ledger.equals(after.ledger) and again.votes.equals(after.votes)


def test_a_mended_file_clears_what_it_was_refused_for(tmp_path: Path) -> None:
    batch = make(tmp_path, replace(PLAN, annotators=()), ITEMS, SPEC)
    bad, good = ({"item": "a", "annotator": "07", "label": [x]} for x in ("날씨", "사회"))
    task = TASKS["tc"]
    batch, _ = receive(batch, raws(bad, file="one.jsonl"), task=task, spec=SPEC)
    batch, _ = receive(batch, raws(bad, file="two.jsonl"), task=task, spec=SPEC)
    assert batch.ledger.column("file").to_pylist() == ["one.jsonl", "two.jsonl"]
    batch, _ = receive(batch, raws(good, file="one.jsonl"), task=task, spec=SPEC)
    assert batch.ledger.column("file").to_pylist() == ["two.jsonl"]


def test_a_replaced_answer_stays_on_record(tmp_path: Path) -> None:
    batch = make(tmp_path, replace(PLAN, annotators=()), ITEMS, SPEC)
    task = TASKS["tc"]
    old, new = ({"item": "a", "annotator": "07", "label": [x]} for x in ("경제", "사회"))
    batch, _ = receive(batch, raws(old), task=task, spec=SPEC)
    batch, _ = receive(batch, raws(new), task=task, spec=SPEC, replace=True)
    batch, taken = receive(batch, raws(new), task=task, spec=SPEC, replace=True)
    assert taken.counts.unchanged == 1
    assert batch.votes.column("label").to_pylist() == ['["사회"]']
    assert batch.ledger.column("rule").to_pylist() == ["vote.replaced@1"]


def test_votes_go_to_the_round_of_the_batch_and_its_spec(tmp_path: Path) -> None:
    spec = load_spec("re")
    batch = make(tmp_path, Plan("second", "resolve", 1), make_items(["a"], "re"), spec)
    vote = {"item": "a", "annotator": "07", "label": "per:title"}
    batch, _ = receive(batch, raws(vote), task=TASKS["re"], spec=spec)
    assert batch.votes.column("round").to_pylist() == ["resolve"]
    newer = spec.model_copy(update={"version": "1.1.0"})
    with pytest.raises(InputError, match=r"under re@1.0.1, which re@1.1.0 rules out"):
        receive(batch, raws(vote), task=TASKS["re"], spec=newer)
