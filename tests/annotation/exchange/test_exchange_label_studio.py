"""Label Studio: configs, tasks and predictions as its own library checks them, and real exports."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from exchange_answers import unordered
from exchange_real import EXPORTS, annotation, read, written
from exchange_samples import (
    ANSWERS,
    FIELDS,
    ODD,
    ROUNDS,
    SPECS,
    answer,
    full,
    items,
    round_of,
)

from pipeline.annotation.intake.vote import RawVote
from pipeline.contracts.registry import TASKS
from pipeline.contracts.task import answer_form
from pipeline.core.errors import InputError


def _shown(task: str, name: str) -> dict[str, Any]:
    round_ = round_of(task, name)
    earlier = SPECS[task].round(round_.after) if round_.after else None
    about = earlier if earlier and round_.answer != "verdict" else round_
    return {f"{task}-1": answer(task, about)}


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_the_library_accepts_config_tasks_and_predictions(
    tmp_path: Path, task: str, name: str
) -> None:
    from label_studio_sdk.label_interface import LabelInterface

    config, tasks = written(tmp_path, task, name, shown=_shown(task, name))
    interface = LabelInterface(config)
    interface.validate()
    for one in tasks:
        assert interface.validate_task({"data": one["data"]})
        for prediction in one["predictions"]:
            assert interface.validate_prediction(prediction, return_errors=True) == []
    # The library draws no samples for options that lie in the tasks (RE), nor for ParagraphLabels.
    if task not in ("re", "dst"):
        sample = interface.generate_sample_annotation()
        assert sample is not None
        assert interface.validate_annotation(sample)


#: Final reviews came after the recordings; their parts are those of the rounds recorded.
RECORDED = [(task, name) for task, name in ROUNDS if not round_of(task, name).final]


@pytest.mark.parametrize(("task", "name"), RECORDED)
def test_real_exports_give_the_answers(tmp_path: Path, task: str, name: str) -> None:
    from label_studio_sdk.label_interface import LabelInterface

    path = tmp_path / "export.json"
    path.write_text(json.dumps(EXPORTS[f"{task} {name}"]), "utf-8")
    config, _ = written(tmp_path, task, name)
    interface = LabelInterface(config)
    for one in EXPORTS[f"{task} {name}"]:
        assert all(interface.validate_annotation(a) for a in one["annotations"])
    (vote,) = read(path, task, round_=round_of(task, name))
    assert isinstance(vote, RawVote)
    round_ = round_of(task, name)
    parse = TASKS[task].parse
    got = parse(vote.value["label"], FIELDS[task], SPECS[task], round_)
    wanted = parse(full(task, round_), FIELDS[task], SPECS[task], round_)
    assert unordered(got) == unordered(wanted)
    assert vote.value["annotator"] == "ann-01"
    assert vote.value["seconds"] == 12.5
    assert vote.value["at"].startswith("2026-")


def test_a_selection_made_in_the_editor(tmp_path: Path) -> None:
    """Marked with the mouse in Label Studio 1.23.2: an emoji counts one, and so does a line end."""
    marked = [(2, 5, "김도담", "PS"), (19, 23, "한울전자", "OG")]
    control = {"from_name": "spans", "to_name": "text", "type": "labels", "origin": "manual"}
    export = json.loads(json.dumps(EXPORTS["ner tag"]))
    annotation(export)["result"] = [
        {"id": text, "value": {"start": start, "end": end, "text": text, "labels": [label]}}
        | control
        for start, end, text, label in marked
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export), "utf-8")
    (vote,) = read(path, "ner")
    assert isinstance(vote, RawVote)
    spans = TASKS["ner"].parse(
        vote.value["label"], FIELDS["ner"], SPECS["ner"], round_of("ner", "tag")
    )
    text = FIELDS["ner"]["text"]
    assert [text[one["start"] : one["end"]] for one in spans] == ["김도담", "한울전자"]


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_nothing_is_an_annotation_before_it_is_submitted(
    tmp_path: Path, task: str, name: str
) -> None:
    _, tasks = written(
        tmp_path, task, name, shown=_shown(task, name), assigned={f"{task}-1": ("a", "b")}
    )
    for one in tasks:
        assert "annotations" not in one
        assert one["meta"] == {"assigned": ["a", "b"]}
    assert "ground_truth" not in json.dumps(tasks)


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_every_config_asks_for_reports(tmp_path: Path, task: str, name: str) -> None:
    config, _ = written(tmp_path, task, name)
    (control,) = [
        one for one in ET.fromstring(config).iter("Choices") if one.get("name") == "report"
    ]
    asked = [one.get("alias") or one.get("value") for one in control]
    assert asked == [report.id for report in SPECS[task].reports]


def test_relations_that_fit_the_types_are_offered_first(tmp_path: Path) -> None:
    _, tasks = written(tmp_path, "re", "main")
    offered = [one["alias"] for one in tasks[0]["data"]["offered"]]
    assert offered[:5] == [
        "no_relation",
        "per:place_of_birth",
        "per:place_of_death",
        "per:place_of_residence",
        "per:origin",
    ]
    assert sorted(offered) == sorted(SPECS["re"].ids())
    _, tasks = written(tmp_path, "re", "resolve", shown={"re-1": ["per:origin", "no_relation"]})
    assert [one["alias"] for one in tasks[0]["data"]["offered"]] == ["no_relation", "per:origin"]


def test_the_entities_of_a_relation_are_marked(tmp_path: Path) -> None:
    _, tasks = written(tmp_path, "re", "main")
    marked = "😀 한울전자의 창업자 [주체: 김도담]은 [객체: 별빛시]에서 태어났다."
    assert tasks[0]["data"]["sentence"] == marked


def test_arcs_show_the_morphemes_of_the_round_before(tmp_path: Path) -> None:
    config, tasks = written(tmp_path, "dp", "arcs", shown={"dp-1": ANSWERS["morphemes"]})
    assert tasks[0]["data"]["told"].splitlines()[3] == "불렀다.: 부르 었 다 . [VV+EP+EF+SF]"
    assert 'value="$told"' in config


def test_markup_stays_text(tmp_path: Path) -> None:
    config, tasks = written(tmp_path, "tc", "main", items=items("tc", {"title": ODD}))
    assert tasks[0]["data"]["title"] == ODD
    assert "<script>" not in config


def test_something_to_show_that_is_no_answer_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="item tc-1: the answer to show"):
        written(tmp_path, "tc", "main", shown={"tc-1": ["바둑"]})
    with pytest.raises(InputError, match="of task 'tc'"):
        written(tmp_path, "sts", "main", items=items("tc"))


def test_what_a_human_baseline_reads_is_filled_in(tmp_path: Path) -> None:
    turns = [{"role": t["role"], "text": t["text"]} for t in ANSWERS["dialogue"]["turns"]]
    fields = FIELDS["dst"] | {"turns": turns}
    _, tasks = written(tmp_path, "dst", "dialogue", items=items("dst", fields))
    assert tasks[0]["data"]["dialogue"] == turns
    fields = FIELDS["mrc"] | {"question": "어디에 섰는가?"}
    _, tasks = written(tmp_path, "mrc", "write", items=items("mrc", fields))
    filled = {one["from_name"]: one["value"] for one in tasks[0]["predictions"][0]["result"]}
    assert filled["question"] == {"text": ["어디에 섰는가?"]}
    assert filled["type"] == {"choices": ["1"]}


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_a_form_asks_for_the_round_it_is_of(tmp_path: Path, task: str, name: str) -> None:
    config, _ = written(tmp_path, task, name)
    names = {one.get("name") for one in ET.fromstring(config).iter()}
    needed = {
        "topics": {"topic_1", "topic_2", "topic_3"},
        "score": {"score"},
        "label": {"label"},
        "hypotheses": {"hypothesis_entailment", "hypothesis_contradiction", "hypothesis_neutral"},
        "spans": {"spans"},
        "morphemes": {"word", "lemmas", "pos"},
        "tree": {"word"},
        "reading": {"question", "type", "marks"},
        "dialogue": {"turn", "turn_text", "state", "state_text"},
    }
    round_ = round_of(task, name)
    assert needed[answer_form(SPECS[task], round_)] <= names
    assert ({"verdict", "feedback"} <= names) == (round_.answer == "verdict")
