"""Items with known answers are hidden in what annotators get, and audit and status score them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mood_task
import pytest
from annotation_stories import TOOLS, bad, good, klue, write_lines

from pipeline.annotation.batches.batch import read
from pipeline.contracts.spec import SPECS, load_spec
from pipeline.core import schemas

#: Where each tool's file has its records, and a record its id.
_RECORDS = {
    "label-studio": ("tasks.json", lambda row: row["data"]["item"]),
    "doccano": ("examples.jsonl", lambda row: row["item"]),
    "argilla": ("records.json", lambda row: row["id"]),
    "jsonl": ("items.jsonl", lambda row: row["item"]),
}


def _specs(folder: Path, task: str, section: str) -> Path:
    shutil.copytree(SPECS / task, folder / "specs" / task)
    path = folder / "specs" / task / "spec.yaml"
    path.write_text(path.read_text("utf-8") + f"\ncontrol_items: {section}\n", "utf-8")
    return folder / "specs"


def _items(folder: Path, task: str) -> Path:
    """Return the sample's items of a task without their answers."""
    lines = Path(f"data/sample/answers/{task}.jsonl").read_text("utf-8").splitlines()
    rows = [{k: json.loads(line)[k] for k in ("item", "fields")} for line in lines[:90]]
    return write_lines(folder / f"{task}.jsonl", rows)


def _keys(value: Any) -> Any:
    """Return the form of a record: the keys of its objects, whatever stands there."""
    if isinstance(value, dict):
        return {key: _keys(inner) for key, inner in sorted(value.items())}
    if isinstance(value, list):
        return sorted({json.dumps(_keys(inner)) for inner in value})
    return type(value).__name__


@pytest.mark.parametrize(
    ("task", "tool"),
    [*(("re", tool) for tool in TOOLS), ("ner", "label-studio"), ("tc", "doccano")],
)
def test_no_tool_shows_which_items_are_control_items(task: str, tool: str, tmp_path: Path) -> None:
    work, specs = tmp_path / "work", _specs(tmp_path, task, "{share: 0.1, from: pilot.jsonl}")
    items = _items(tmp_path, task)
    batch = good("export", task, "--items", items, "--annotators", "9", "--to", tool,
                 "--work", work, "--specs", specs)  # fmt: skip
    assert batch["control_items"] > 0 and batch["control_share"] == 0.1
    stored = read(Path(batch["folder"]))
    hidden = set(stored.control.items["item"].to_pylist())
    name, id_of = _RECORDS[tool]
    text = (Path(batch["folder"]) / "export" / name).read_text("utf-8")
    rows = json.loads(text) if name.endswith("json") else [*map(json.loads, text.splitlines())]
    assert {id_of(row) for row in rows if id_of(row) in hidden} == hidden
    forms: dict[bool, set[str]] = {True: set(), False: set()}
    for row in rows:
        forms[id_of(row) in hidden].add(json.dumps(_keys(row)))
    assert forms[True] <= forms[False]
    ids = stored.items["item"].to_pylist()
    every_file = "".join(Path(path).read_text("utf-8") for path in batch["files"])
    assert not any(f'"{item}"' in every_file for item in ids)
    assert "pilot" not in text and '"gold"' not in text and '"control"' not in text


def _story(folder: Path, task: str, *options: object) -> Iterator[dict[str, Any]]:
    """Export, simulate, import, status, audit; yields what each says."""
    work = folder / "work"
    votes = folder / "votes.jsonl"
    yield good(
        "export", task, "--annotators", "simulated", "--to", "jsonl", "--work", work, *options
    )
    specs = [
        str(one) for n, one in enumerate(options) if "--specs" in options[max(0, n - 1) : n + 1]
    ]
    yield good("simulate", task, "--out", votes, "--work", work, "--force", *specs)
    yield good("import", votes, "--task", task, "--work", work, *specs)
    yield good("status", "--work", work)
    yield good("audit", work / "annotation" / task, "--task", task, *specs, "--bootstrap", 0,
               "--html", folder / "page")  # fmt: skip


@pytest.mark.parametrize("task", ["sts", "ner"])
def test_audit_and_status_show_each_annotators_score(task: str, tmp_path: Path) -> None:
    specs = _specs(tmp_path, task, "{share: 0.1}")
    items = _items(tmp_path, task)
    options = ("--items", items, "--specs", specs, "--control-items", SPECS / task / "pilot.jsonl")
    batch, simulated, imported, status, audit = _story(tmp_path, task, *options)
    assert simulated["votes"] == batch["assignments"] + batch["control_assignments"]
    assert imported["votes"] == batch["assignments"]
    assert imported["control_votes"] == batch["control_assignments"]
    scores = audit["control_items"]
    assert scores == status["batches"][0]["control_items"]
    assert set(scores["annotators"]) == set(batch["annotators"])
    assert scores["assigned"] == batch["control_assignments"]
    assert scores["answered"] + scores["reported"] == scores["assigned"]
    for person in scores["annotators"].values():
        thirds = [person[f"{part}_third"]["n"] for part in ("first", "middle", "last")]
        assert sum(thirds) == person["n"] == len(person["answers"])
        assert max(thirds) - min(thirds) <= 1
    # nothing of them is among the votes that are compared
    assert audit["items"] == batch["items"]
    assert audit["gold"]["items"] == batch["items"]
    assert "table-control-items" in (tmp_path / "page" / "index.html").read_text("utf-8")
    shown = klue("status", "--work", tmp_path / "work").output
    assert "Control items" in shown


def test_an_own_task_hides_its_own_gold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_own_tasks: None
) -> None:
    spec = f"{mood_task.SPEC}control_items: {{share: 0.2, from: gold.jsonl}}\n"
    folder = mood_task.write_task(tmp_path / "mood", spec)
    gold = [{"item": f"g{n}", "text": f"답을 아는 글 {n}", "gold": "good"} for n in range(20)]
    write_lines(folder / "gold.jsonl", gold)
    items = write_lines(
        tmp_path / "i.jsonl", [{"item": f"i{n}", "text": f"글 {n}"} for n in range(30)]
    )
    monkeypatch.setenv("KLUE_TASKS", str(folder))
    batch, _, imported, _, audit = _story(tmp_path, "mood", "--items", items)
    assert imported["control_votes"] == batch["control_assignments"] > 0
    assert audit["control_items"]["answered"] == batch["control_assignments"]


def test_gold_of_earlier_batches_becomes_control_items(tmp_path: Path) -> None:
    specs, work = _specs(tmp_path, "tc", "{share: 0.1}"), tmp_path / "work"
    (*_,) = _story(tmp_path, "tc", "--items", _items(tmp_path, "tc"))  # under the shipped spec
    good("aggregate", work / "annotation" / "tc", "--task", "tc", "--out", tmp_path / "gold")
    rows = [{"item": f"n{n}", "fields": {"title": f"새 소식 {n}"}} for n in range(50)]
    more = write_lines(tmp_path / "more.jsonl", rows)
    asked = ["export", "tc", "--items", more, "--annotators", "6", "--to", "jsonl",
             "--batch", "two", "--work", work, "--specs", specs, "--control-items"]  # fmt: skip
    batch = good(*asked, tmp_path / "gold" / "gold.parquet")
    stored = read(Path(batch["folder"]))
    labels = {
        json.loads(line)["item"]: json.loads(line)["label"]
        for line in (tmp_path / "gold" / "gold.jsonl").read_text("utf-8").splitlines()
        if json.loads(line)["status"] == "gold"
    }
    for meta, gold in schemas.rows(stored.control.items, "meta", "gold"):
        assert json.loads(gold) == labels[json.loads(meta)["control"]]
    shutil.rmtree(work / "annotation" / "tc" / "main")
    again = [*asked[:-1], "--batch", "three", "--control-items", tmp_path / "gold" / "gold.parquet"]
    assert "are in no batch below" in bad(*again)


def test_what_cannot_be_hidden_is_refused(tmp_path: Path) -> None:
    pilot = {task: SPECS / task / "pilot.jsonl" for task in ("tc", "dp", "mrc", "nli")}
    work = ("--work", tmp_path / "work")
    tc = ("export", "tc", "--items", _items(tmp_path, "tc"), "--to", "jsonl", *work)
    people = ("--annotators", "6")
    assert "hides no control items" in bad(*tc, *people, "--control-items", pilot["tc"])
    open_, named = (_specs(tmp_path / name, "tc", section) for name, section in
                    (("a", "{share: 0.1}"), ("b", "{share: 0.1, from: pilot.jsonl}")))  # fmt: skip
    assert "name their file" in bad(*tc, *people, "--specs", open_)
    assert "names its file itself" in bad(
        *tc, *people, "--specs", named, "--control-items", pilot["tc"]
    )
    assert "no annotator is named" in bad(*tc, "--specs", named)
    assert "only a main batch" in bad(
        "export", "tc", "--pilot", "--to", "jsonl", *work, *people, "--specs", open_,
        "--control-items", pilot["tc"],
    )  # fmt: skip
    nowhere = bad(*tc, *people, "--specs", open_, "--control-items", tmp_path / "no.jsonl")
    assert "no.jsonl" in nowhere
    without = write_lines(tmp_path / "without.jsonl", [{"item": "x", "title": "글"}])
    assert "has no `gold`" in bad(*tc, *people, "--specs", open_, "--control-items", without)
    few = write_lines(tmp_path / "few.jsonl", [{"item": "x", "title": "글", "gold": ["정치"]}])
    assert "none is left" in bad(*tc, *people, "--specs", open_, "--control-items", few)
    for name, task, reason in (("d", "dp", "no right answer of round pos"), ("m", "mrc", "fields")):
        specs = _specs(tmp_path / name, task, "{share: 0.1, from: pilot.jsonl}")
        items = _items(tmp_path, task)
        told = bad("export", task, "--items", items, "--to", "jsonl", *work, *people,
                   "--specs", specs)  # fmt: skip
        assert reason in told
    assert not (tmp_path / "work" / "annotation").exists()


def test_arcs_show_the_parts_of_speech_of_control_items_too(tmp_path: Path) -> None:
    specs = _specs(tmp_path, "dp", "{share: 0.2, from: pilot.jsonl, round: arcs}")
    work, votes = ("--work", tmp_path / "work"), tmp_path / "votes.jsonl"
    lines = _items(tmp_path, "dp").read_text("utf-8").splitlines()[:12]
    items = write_lines(tmp_path / "few.jsonl", [json.loads(line) for line in lines])
    before: tuple[object, ...] = ("--items", items)
    for round_ in ("pos", "pos_review", "arcs"):
        batch = good("export", "dp", *before, "--round", round_, "--batch", round_, *work,
                     "--annotators", "simulated", "--to", "jsonl", "--specs", specs)  # fmt: skip
        assert (batch["control_items"] > 0) == (round_ == "arcs")
        good(
            "simulate", "dp", "--batch", round_, "--out", votes, "--force", *work, "--specs", specs
        )
        good("import", votes, "--task", "dp", "--batch", round_, *work, "--specs", specs)
        before = ("--after", round_)
    text = (Path(batch["folder"]) / "export" / "items.jsonl").read_text("utf-8")
    rows = [*map(json.loads, text.splitlines())]
    assert len({json.dumps(_keys(row)) for row in rows}) == 1
    assert {tuple(row["shown"]) for row in rows} == {("lemmas", "pos")}
    assert all(len(row["shown"]["pos"]) == len(row["fields"]["words"]) for row in rows)
    [status] = [b for b in good("status", *work)["batches"] if b["batch"] == "arcs"]
    assert status["control_items"]["answered"] == batch["control_assignments"]


@pytest.mark.parametrize("task", ["mrc", "dst"])
def test_items_that_bring_their_question_or_dialogue_have_control_items(
    task: str, tmp_path: Path
) -> None:
    specs = _specs(tmp_path, task, "{share: 0.3}")
    pilot = [*map(json.loads, (SPECS / task / "pilot.jsonl").read_text("utf-8").splitlines())]
    half = len(pilot) // 2
    items = write_lines(tmp_path / "items.jsonl", [
        {"item": f"i{n}", "fields": row["fields"]} for n, row in enumerate(pilot[:half])
    ])  # fmt: skip
    gold = write_lines(tmp_path / "gold.jsonl", pilot[half:])
    options = ("--items", items, "--specs", specs, "--control-items", gold)
    batch, _, imported, status, _ = _story(tmp_path, task, *options)
    assert imported["control_votes"] == batch["control_assignments"] > 0
    assert status["batches"][0]["control_items"]["answered"] == batch["control_assignments"]


@pytest.mark.parametrize(
    ("section", "reason"),
    [
        ("{share: 0}", "greater than 0"),
        ("{share: 0.9}", "less than or equal to 0.5"),
        ("{share: 0.1, from: ../x.jsonl}", "the name of a file, without"),
        ("{share: 0.1, round: nowhere}", "unknown round"),
        ("{share: 0.1, round: inspect}", "asks for verdict"),
        ("{share: 0.1, source: x}", "unknown key"),
    ],
)
def test_a_wrong_section_is_an_error_with_its_place(
    section: str, reason: str, tmp_path: Path
) -> None:
    specs = _specs(tmp_path, "ner", section)
    told = bad("export", "ner", "--items", "no.jsonl", "--to", "jsonl", "--specs", specs)
    assert reason in told and "spec.yaml" in told


def test_a_spec_without_the_section_keeps_its_digest(tmp_path: Path) -> None:
    specs = _specs(tmp_path, "tc", "{share: 0.1}")
    plain = load_spec("tc")
    assert "control_items" not in plain.model_dump(mode="json")
    assert load_spec("tc", specs).digest != plain.digest


def test_simulated_experts_decide_beside_control_items(tmp_path: Path) -> None:
    specs = _specs(tmp_path, "ner", "{share: 0.1, from: pilot.jsonl}")
    (*_,) = _story(tmp_path, "ner", "--items", _items(tmp_path, "ner"), "--specs", specs)
    decisions, common = (
        tmp_path / "decisions.jsonl",
        ("--work", tmp_path / "work", "--specs", specs),
    )
    decided = good("simulate", "ner", "--experts", "--out", decisions, *common)
    assert decided["votes"] > 0  # reported items
    imported = good("import", decisions, "--task", "ner", *common)
    assert (imported["new"], imported["quarantined"]) == (decided["votes"], 0)
