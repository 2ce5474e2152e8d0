from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from official_files import WOS, as_text, changed, column, golds, saved

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.tasks.dst.official import read


def test_a_dialogue_is_the_gold_answer(tmp_path: Path) -> None:
    found = read(saved(tmp_path, as_text(WOS)))
    state = ["숙소-이름-달-빛-집"]
    assert TASKS["dst"].view(golds(found)[0]) == [frozenset(state)] * 2
    assert golds(found)[0]["turns"][1] == {"role": "sys", "text": "네. ", "state": []}
    assert golds(found)[0]["turns"][3]["state"] == []
    assert column(found, "items", "fields") == [{"goal": None, "domains": ["숙소"]}]


@pytest.mark.parametrize(
    "dialogue",
    [
        [],
        [{"role": "user", "text": "네."}],
        [{"role": "agent", "text": "네.", "state": []}],
        [{"role": "user", "text": "네.", "state": ["숙소-이름"]}],
        [{"role": "user", "text": "네.", "state": [3]}],
        [{"role": "user", "text": "네.", "state": [], "mood": "good"}],
        ["네."],
    ],
)
def test_faulty_turns_leave_the_dialogue_out(dialogue: list[Any], tmp_path: Path) -> None:
    two = [WOS[0], WOS[0] | {"guid": "wos-v1_dev_00001"}]
    found = read(saved(tmp_path, changed(two, 1, dialogue=dialogue)))
    assert [(p.line, p.rule) for p in found.problems] == [(2, "official.form@1")]


def test_slots_of_the_release_are_those_of_the_ontology(data_dir: Path) -> None:
    found = read(data_dir / "klue" / "wos-v1.1_dev_first700.json")
    ontology = json.loads((data_dir / "klue" / "wos-ontology.json").read_text("utf-8"))
    informable = {slot.id for slot in load_spec("dst").slots if slot.informable}
    assert informable == set(ontology)
    values = [value for gold in golds(found) for turn in gold["turns"] for value in turn["state"]]
    assert len(values) == 46465
    assert {"-".join(value.split("-", 2)[:2]) for value in values} <= informable
