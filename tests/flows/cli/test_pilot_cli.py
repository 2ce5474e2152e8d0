"""`klue export --pilot` and `klue qualify` with the pilot items of the specs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from annotation_stories import bad, good, klue, take

from pipeline.contracts.spec import SPECS, pilot_items


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "work"


#: What a form of answers looks like where it is wrong for every pilot item.
WRONG: dict[str, Any] = {
    "tc": lambda gold: ["세계" if gold[0] != "세계" else "정치"],
    "sts": lambda gold: 5 - round(gold["label"]),
    "nli": lambda gold: "neutral" if gold != "neutral" else "entailment",
    "ner": lambda gold: [] if gold else [{"start": 0, "end": 1, "label": "PS"}],
    "re": lambda gold: "per:religion" if gold != "per:religion" else "no_relation",
    "dp": lambda gold: gold | {"deprels": ["X"] * len(gold["deprels"])},
    "mrc": lambda gold: (
        gold | {"type": 3, "answers": [], "plausible_answers": []}
        if gold["answers"]
        else gold | {"type": 1, "answers": [{"start": 0, "text": "가"}], "plausible_answers": []}
    ),
    "dst": lambda gold: {"turns": [turn | {"state": []} for turn in gold["turns"]]},
}


@pytest.mark.parametrize("task", list(WRONG))
def test_pilots_and_qualification_work_out_of_the_box(task: str, work: Path) -> None:
    """Nobody brings a file: items, gold and explanations come with the spec."""
    rows = [json.loads(line) for line in pilot_items(task).read_text("utf-8").splitlines()]
    made = good("export", task, "--pilot", "--annotators", "ann-a,ann-b", "--to", "jsonl",
                "--batch", "pilot", "--work", work)  # fmt: skip
    assert (made["kind"], made["items"], made["per_item"]) == ("pilot", len(rows), 2)
    handed = (work / "annotation" / task / "pilot/export/items.jsonl").read_text("utf-8")
    assert '"gold"' not in handed and rows[0]["meta"]["explanation"] not in handed
    gold = {row["item"]: row["gold"] for row in rows}
    first = {row["item"]: row["fields"].get("context", " ")[0] for row in rows}

    def say(who: str, item: str) -> dict[str, Any]:
        if who == "ann-a":
            return {"label": round(gold[item]["label"]) if task == "sts" else gold[item]}
        label = WRONG[task](gold[item])
        if task == "mrc" and label["answers"]:  # the first letter of the passage
            label["answers"][0]["text"] = first[item]
        return {"label": label}

    take(work, task, "pilot", say)
    results = good("qualify", task, "--work", work)["annotators"]
    assert [result["status"] for result in results] == ["passed", "failed"]
    assert results[0]["missed"] == []
    about = {row["item"]: row["meta"] for row in rows}
    assert results[1]["missed"]
    for missed in results[1]["missed"]:
        assert missed == {"item": missed["item"], **about[missed["item"]]}
    told = klue("qualify", task, "--work", work).stdout
    first_missed = results[1]["missed"][0]
    assert f"ann-b missed {first_missed['item']}: {first_missed['explanation'][:12]}" in told


def test_a_pilot_without_items_says_where_they_are_missed(work: Path, tmp_path: Path) -> None:
    specs = tmp_path / "specs"
    shutil.copytree(SPECS / "tc", specs / "tc")
    (specs / "tc" / "pilot.jsonl").unlink()
    told = bad("export", "tc", "--pilot", "--to", "jsonl", "--specs", specs, "--work", work)
    assert "--items" in told and "pilot.jsonl" in told
