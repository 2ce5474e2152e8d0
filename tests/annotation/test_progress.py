"""Status counts what is answered, and names what is missing from whom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from voting import make_items, raws

from pipeline.annotation.batches.batch import Plan, receive
from pipeline.annotation.batches.making import make
from pipeline.annotation.batches.progress import progress
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec

SPEC, TASK = load_spec("tc"), TASKS["tc"]
PLAN = Plan("main", "main", seed=7, annotators=("07", "08", "09"), per_item=2)


def test_every_assignment_is_answered_or_missing(tmp_path: Path) -> None:
    batch = make(tmp_path, PLAN, make_items(["a", "b", "c"]), SPEC)
    assert progress(batch)["untouched"] == 3
    queues = {
        who: [r["item"] for r in batch.assignments.to_pylist() if r["annotator"] == who]
        for who in PLAN.annotators
    }
    # 07 answers all but reports the last; 08 answers the first; 09 answers nothing.
    votes: list[dict[str, Any]] = [
        {"item": item, "annotator": "07", "label": ["사회"]} for item in queues["07"][:-1]
    ]
    votes.append({"item": queues["07"][-1], "annotator": "07", "report": "hate"})
    votes.append({"item": queues["08"][0], "annotator": "08", "label": ["사회"]})
    votes.append({"item": queues["09"][0], "annotator": "09", "label": ["날씨"]})
    votes.append({"item": "a", "annotator": "lead", "role": "expert", "label": ["사회"]})
    batch, _ = receive(batch, raws(*votes), task=TASK, spec=SPEC)
    found = progress(batch)
    assert (found["assigned"], found["answered"], found["reported"], found["quarantined"]) == (
        6,
        3,
        1,
        1,
    )
    assert [(s["annotator"], s["answered"], s["reported"]) for s in found["annotators"]] == [
        ("07", 2, 1),
        ("08", 1, 0),
        ("09", 0, 0),
    ]
    assert [s["missing"] for s in found["annotators"]] == [
        [],
        queues["08"][1:],
        queues["09"],
    ]
    both = set(queues["07"]) & {queues["08"][0]}
    one = set(queues["07"]) ^ {queues["08"][0]}
    assert (found["complete"], found["partial"], found["untouched"]) == (
        len(both),
        len(one),
        3 - len(both) - len(one),
    )
    assert found["complete"] + found["partial"] + found["untouched"] == found["items"] == 3


def test_without_assignments_an_item_wants_answers_of_different_people(tmp_path: Path) -> None:
    batch = make(tmp_path, replace(PLAN, annotators=()), make_items(["a", "b", "c"]), SPEC)
    votes: list[dict[str, Any]] = [
        {"item": "a", "annotator": "07", "label": ["사회"]},
        {"item": "a", "seat": "2", "label": ["사회"]},
        {"item": "b", "annotator": "07", "label": ["사회"]},
        {"item": "b", "annotator": "07", "report": "hate"},
        {"item": "c", "annotator": "lead", "role": "expert", "label": ["사회"]},
    ]
    batch, _ = receive(batch, raws(*votes), task=TASK, spec=SPEC)
    found = progress(batch)
    assert (found["complete"], found["partial"], found["untouched"]) == (1, 1, 1)
    assert (found["assigned"], found["answered"], found["annotators"]) == (6, 3, [])
