"""Label Studio: configs, tasks and predictions as its own library checks them, and real exports."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from exchange_answers import unordered
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
from label_studio_sdk.label_interface import LabelInterface

from pipeline.annotation.exchange import label_studio
from pipeline.annotation.raw import RawVote, Refused
from pipeline.core.errors import InputError
from pipeline.tasks.base import answered
from pipeline.tasks.registry import TASKS

#: What the editor and the server of Label Studio 1.23.2 made of the samples, round by round: the
#: predictions were opened in the editor, submitted, and exported as JSON.
REAL = Path(__file__).with_name("label_studio_1_23_2.jsonl")
EXPORTS = {one["round"]: one["export"] for one in map(json.loads, REAL.read_text().splitlines())}


def _written(folder: Path, task: str, name: str, **more: Any) -> tuple[str, list[dict[str, Any]]]:
    label_studio.write(
        more.pop("items", items(task)),
        spec=SPECS[task],
        round_=round_of(task, name),
        folder=folder,
        **more,
    )
    tasks = json.loads((folder / label_studio.TASKS).read_text("utf-8"))
    return (folder / label_studio.CONFIG).read_text("utf-8"), tasks


def _read(path: Path, task: str, **more: Any) -> list[RawVote | Refused]:
    more.setdefault("annotators", {"1": "ann-01", "7": "ann-07"})
    return list(label_studio.read(path, task=TASKS[task], spec=SPECS[task], **more))


def _shown(task: str, name: str) -> dict[str, Any]:
    round_ = round_of(task, name)
    earlier = SPECS[task].round(round_.after) if round_.after else None
    about = earlier if earlier and round_.answer != "verdict" else round_
    return {f"{task}-1": answer(task, about)}


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_the_library_accepts_config_tasks_and_predictions(
    tmp_path: Path, task: str, name: str
) -> None:
    config, tasks = _written(tmp_path, task, name, shown=_shown(task, name))
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


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_real_exports_give_the_answers(tmp_path: Path, task: str, name: str) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(EXPORTS[f"{task} {name}"]), "utf-8")
    config, _ = _written(tmp_path, task, name)
    interface = LabelInterface(config)
    for one in EXPORTS[f"{task} {name}"]:
        assert all(interface.validate_annotation(a) for a in one["annotations"])
    (vote,) = _read(path, task, round_=round_of(task, name))
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
    _annotation(export)["result"] = [
        {"id": text, "value": {"start": start, "end": end, "text": text, "labels": [label]}}
        | control
        for start, end, text, label in marked
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export), "utf-8")
    (vote,) = _read(path, "ner")
    assert isinstance(vote, RawVote)
    spans = TASKS["ner"].parse(
        vote.value["label"], FIELDS["ner"], SPECS["ner"], round_of("ner", "tag")
    )
    text = FIELDS["ner"]["text"]
    assert [text[one["start"] : one["end"]] for one in spans] == ["김도담", "한울전자"]


def test_offsets_in_utf16_code_units_are_told_apart(tmp_path: Path) -> None:
    export = json.loads(json.dumps(EXPORTS["ner tag"]))
    for result in export[0]["annotations"][0]["result"]:
        result["value"]["start"] += 1  # one emoji stands before each span
        result["value"]["end"] += 1
    path = tmp_path / "old.json"
    path.write_text(json.dumps(export), "utf-8")
    (vote,) = _read(path, "ner")
    assert isinstance(vote, RawVote)
    assert vote.value["label"] == ANSWERS["spans"]
    for result in export[0]["annotations"][0]["result"]:
        result["value"]["start"] += 1
    path.write_text(json.dumps(export), "utf-8")
    (refused,) = _read(path, "ner")
    assert isinstance(refused, Refused)
    assert refused.rule == "exchange.offset@1"


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_nothing_is_an_annotation_before_it_is_submitted(
    tmp_path: Path, task: str, name: str
) -> None:
    _, tasks = _written(
        tmp_path, task, name, shown=_shown(task, name), assigned={f"{task}-1": ("a", "b")}
    )
    for one in tasks:
        assert "annotations" not in one
        assert one["meta"] == {"assigned": ["a", "b"]}
    assert "ground_truth" not in json.dumps(tasks)


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_every_config_asks_for_reports(tmp_path: Path, task: str, name: str) -> None:
    config, _ = _written(tmp_path, task, name)
    (control,) = [
        one for one in ET.fromstring(config).iter("Choices") if one.get("name") == "report"
    ]
    asked = [one.get("alias") or one.get("value") for one in control]
    assert asked == [report.id for report in SPECS[task].reports]


def test_relations_that_fit_the_types_are_offered_first(tmp_path: Path) -> None:
    _, tasks = _written(tmp_path, "re", "main")
    offered = [one["alias"] for one in tasks[0]["data"]["offered"]]
    assert offered[:5] == [
        "no_relation",
        "per:place_of_birth",
        "per:place_of_death",
        "per:place_of_residence",
        "per:origin",
    ]
    assert sorted(offered) == sorted(SPECS["re"].ids())
    _, tasks = _written(tmp_path, "re", "resolve", shown={"re-1": ["per:origin", "no_relation"]})
    assert [one["alias"] for one in tasks[0]["data"]["offered"]] == ["no_relation", "per:origin"]


def test_the_entities_of_a_relation_are_marked(tmp_path: Path) -> None:
    _, tasks = _written(tmp_path, "re", "main")
    marked = "😀 한울전자의 창업자 [주체: 김도담]은 [객체: 별빛시]에서 태어났다."
    assert tasks[0]["data"]["sentence"] == marked


def test_arcs_show_the_morphemes_of_the_round_before(tmp_path: Path) -> None:
    config, tasks = _written(tmp_path, "dp", "arcs", shown={"dp-1": ANSWERS["morphemes"]})
    assert tasks[0]["data"]["told"].splitlines()[3] == "불렀다.: 부르 었 다 . [VV+EP+EF+SF]"
    assert 'value="$told"' in config


def test_markup_stays_text(tmp_path: Path) -> None:
    config, tasks = _written(tmp_path, "tc", "main", items=items("tc", {"title": ODD}))
    assert tasks[0]["data"]["title"] == ODD
    assert "<script>" not in config


def _annotation(export: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = export[0]["annotations"][0]
    return found


def _value(export: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = _annotation(export)["result"][0]["value"]
    return found


#: What may be wrong with a task of an export: the rule, and how it comes about.
_BREAKS: dict[str, tuple[str, Callable[[list[dict[str, Any]]], Any]]] = {
    "no item": ("item", lambda e: e[0]["data"].pop("item")),
    "other spec": ("spec", lambda e: e[0]["data"].update(spec="tc@1.0.0")),
    "later spec": ("spec", lambda e: e[0]["data"].update(spec="ner@9.0.0")),
    "other round": ("round", lambda e: e[0]["data"].update(round="nowhere")),
    "unknown control": ("control", lambda e: _annotation(e)["result"][0].update(from_name="x")),
    "unknown user": ("annotator", lambda e: _annotation(e).update(completed_by=99)),
    "no user": ("annotator", lambda e: _annotation(e).update(completed_by=None)),
    "no offsets": ("offset", lambda e: _value(e).pop("start")),
    "outside": ("offset", lambda e: _value(e).update(start=900, end=903)),
    "no result": ("form", lambda e: _annotation(e).update(result=None)),
    "no data": ("form", lambda e: e[0].update(data="x")),
    "two labels": ("form", lambda e: _value(e).update(labels=["PS", "OG"])),
    "half a pair": ("encoding", lambda e: _value(e).update(labels=["\ud83c"])),
    "infinite": ("encoding", lambda e: _annotation(e).update(lead_time=_INFINITE)),
    "no annotation": ("form", lambda e: e[0].update(annotations=[3])),
}
_INFINITE = 987654321


@pytest.mark.parametrize("change", _BREAKS)
def test_a_bad_record_is_refused_with_its_line(tmp_path: Path, change: str) -> None:
    rule, spoil = _BREAKS[change]
    export: list[dict[str, Any]] = json.loads(json.dumps(EXPORTS["ner tag"]))
    spoil(export)
    path = tmp_path / "export.json"
    text = json.dumps([*EXPORTS["ner tag"], *export]).replace(str(_INFINITE), "1e999")
    path.write_text(text, "utf-8")
    good, bad = _read(path, "ner")
    assert isinstance(good, RawVote)
    assert good.line == 1
    assert isinstance(bad, Refused)
    assert bad.line == 2
    assert bad.rule == f"exchange.{rule}@1"
    assert "김도담" not in bad.reason


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"id": 1, "data": {"item', "not JSON"),
        ('{"id": 1}', "a list of records"),
        ('[{"a": 1, "a": 2}]', "given twice"),
        ("[NaN]", "not a JSON number"),
        ("[" * 100_000, "not usable JSON"),
    ],
)
def test_a_bad_file_is_told_in_words(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "export.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=told):
        _read(path, "ner")


def test_the_map_of_annotators_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(EXPORTS["tc main"]), "utf-8")
    with pytest.raises(InputError, match=r"annotators\.json"):
        _read(path, "tc", annotators=None)
    (tmp_path / "annotators.json").write_text('{"1": "ann-05"}', "utf-8")
    (vote,) = _read(path, "tc", annotators=None)
    assert isinstance(vote, RawVote)
    assert vote.value["annotator"] == "ann-05"
    (tmp_path / "annotators.json").write_text('["ann-05"]', "utf-8")
    with pytest.raises(InputError, match=r"annotators\.json"):
        _read(path, "tc", annotators=None)


def test_skipped_annotations_give_nothing_or_their_report(tmp_path: Path) -> None:
    export = json.loads(json.dumps(EXPORTS["tc main"]))
    _annotation(export)["was_cancelled"] = True
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export), "utf-8")
    assert _read(path, "tc") == []
    report = {"from_name": "report", "to_name": "title", "type": "choices"}
    _annotation(export)["result"].append(report | {"value": {"choices": ["hate"]}})
    path.write_text(json.dumps(export), "utf-8")
    (vote,) = _read(path, "tc")
    assert isinstance(vote, RawVote)
    assert vote.value["report"] == "hate"
    assert "label" not in vote.value


def test_a_task_nobody_has_done_gives_nothing(tmp_path: Path) -> None:
    export = json.loads(json.dumps(EXPORTS["tc main"]))
    export[0]["annotations"] = []
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export), "utf-8")
    assert _read(path, "tc") == []


def test_arcs_that_are_no_tree_of_words_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    for change, rule in (("missing", "unanswered"), ("twice", "tree"), ("both", "tree")):
        export = json.loads(json.dumps(EXPORTS["dp arcs"]))
        results = _annotation(export)["result"]
        arcs = [one for one in results if one["type"] == "relation"]
        if change == "missing":
            results.remove(arcs[0])
        elif change == "twice":
            results.append(arcs[0])
        else:
            arcs[0]["direction"] = "bi"
        path.write_text(json.dumps(export), "utf-8")
        (refused,) = _read(path, "dp")
        assert isinstance(refused, Refused)
        assert refused.rule == f"exchange.{rule}@1"


def test_an_arc_drawn_backwards_is_read_by_its_direction(tmp_path: Path) -> None:
    export = json.loads(json.dumps(EXPORTS["dp arcs"]))
    for one in _annotation(export)["result"]:
        if one["type"] == "relation":
            one["from_id"], one["to_id"] = one["to_id"], one["from_id"]
            one["direction"] = "left"
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export), "utf-8")
    (vote,) = _read(path, "dp")
    assert isinstance(vote, RawVote)
    assert vote.value["label"] == ANSWERS["tree"]


def test_something_to_show_that_is_no_answer_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="item tc-1: the answer to show"):
        _written(tmp_path, "tc", "main", shown={"tc-1": ["바둑"]})
    with pytest.raises(InputError, match="of task 'tc'"):
        _written(tmp_path, "sts", "main", items=items("tc"))


def test_what_a_human_baseline_reads_is_filled_in(tmp_path: Path) -> None:
    turns = [{"role": t["role"], "text": t["text"]} for t in ANSWERS["dialogue"]["turns"]]
    fields = FIELDS["dst"] | {"turns": turns}
    _, tasks = _written(tmp_path, "dst", "dialogue", items=items("dst", fields))
    assert tasks[0]["data"]["dialogue"] == turns
    fields = FIELDS["mrc"] | {"question": "어디에 섰는가?"}
    _, tasks = _written(tmp_path, "mrc", "write", items=items("mrc", fields))
    filled = {one["from_name"]: one["value"] for one in tasks[0]["predictions"][0]["result"]}
    assert filled["question"] == {"text": ["어디에 섰는가?"]}
    assert filled["type"] == {"choices": ["1"]}


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_a_form_asks_for_the_round_it_is_of(tmp_path: Path, task: str, name: str) -> None:
    config, _ = _written(tmp_path, task, name)
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
    assert needed[answered(SPECS[task], round_)] <= names
    assert ({"verdict", "feedback"} <= names) == (round_.answer == "verdict")
