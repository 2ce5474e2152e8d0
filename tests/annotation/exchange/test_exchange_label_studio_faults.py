"""Label Studio exports with faults, old ones, and annotations that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from exchange_real import EXPORTS, annotation, read
from exchange_samples import ANSWERS

from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.core.errors import InputError


def _value(export: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = annotation(export)["result"][0]["value"]
    return found


_INFINITE = 987654321


#: What may be wrong with a task of an export: the rule, and how it comes about.
_BREAKS: dict[str, tuple[str, Callable[[list[dict[str, Any]]], Any]]] = {
    "no item": ("item", lambda e: e[0]["data"].pop("item")),
    "other spec": ("spec", lambda e: e[0]["data"].update(spec="tc@1.0.0")),
    "later spec": ("spec", lambda e: e[0]["data"].update(spec="ner@9.0.0")),
    "other round": ("round", lambda e: e[0]["data"].update(round="nowhere")),
    "unknown control": ("control", lambda e: annotation(e)["result"][0].update(from_name="x")),
    "unknown user": ("annotator", lambda e: annotation(e).update(completed_by=99)),
    "no user": ("annotator", lambda e: annotation(e).update(completed_by=None)),
    "no offsets": ("offset", lambda e: _value(e).pop("start")),
    "outside": ("offset", lambda e: _value(e).update(start=900, end=903)),
    "no result": ("form", lambda e: annotation(e).update(result=None)),
    "no data": ("form", lambda e: e[0].update(data="x")),
    "two labels": ("form", lambda e: _value(e).update(labels=["PS", "OG"])),
    "half a pair": ("encoding", lambda e: _value(e).update(labels=["\ud83c"])),
    "infinite": ("encoding", lambda e: annotation(e).update(lead_time=_INFINITE)),
    "no annotation": ("form", lambda e: e[0].update(annotations=[3])),
}


def test_offsets_in_utf16_code_units_are_refused(tmp_path: Path) -> None:
    export = json.loads(json.dumps(EXPORTS["ner tag"]))
    for result in export[0]["annotations"][0]["result"]:
        result["value"]["start"] += 1  # one emoji stands before each span
        result["value"]["end"] += 1
    path = tmp_path / "old.json"
    path.write_text(json.dumps(export), "utf-8")
    (refused,) = read(path, "ner")
    assert isinstance(refused, Refused)
    assert refused.rule == "exchange.offset@1"


@pytest.mark.parametrize("change", _BREAKS)
def test_a_bad_record_is_refused_with_its_line(tmp_path: Path, change: str) -> None:
    rule, spoil = _BREAKS[change]
    export: list[dict[str, Any]] = json.loads(json.dumps(EXPORTS["ner tag"]))
    spoil(export)
    path = tmp_path / "export.json"
    text = json.dumps([*EXPORTS["ner tag"], *export]).replace(str(_INFINITE), "1e999")
    path.write_text(text, "utf-8")
    good, bad = read(path, "ner")
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
        read(path, "ner")


def test_the_map_of_annotators_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(EXPORTS["tc main"]), "utf-8")
    with pytest.raises(InputError, match=r"annotators\.json"):
        read(path, "tc", annotators=None)
    (tmp_path / "annotators.json").write_text('{"1": "ann-05"}', "utf-8")
    (vote,) = read(path, "tc", annotators=None)
    assert isinstance(vote, RawVote)
    assert vote.value["annotator"] == "ann-05"
    (tmp_path / "annotators.json").write_text('["ann-05"]', "utf-8")
    with pytest.raises(InputError, match=r"annotators\.json"):
        read(path, "tc", annotators=None)


def test_skipped_annotations_give_nothing_or_their_report(tmp_path: Path) -> None:
    export = json.loads(json.dumps(EXPORTS["tc main"]))
    annotation(export)["was_cancelled"] = True
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export), "utf-8")
    assert read(path, "tc") == []
    report = {"from_name": "report", "to_name": "title", "type": "choices"}
    annotation(export)["result"].append(report | {"value": {"choices": ["hate"]}})
    path.write_text(json.dumps(export), "utf-8")
    (vote,) = read(path, "tc")
    assert isinstance(vote, RawVote)
    assert vote.value["report"] == "hate"
    assert "label" not in vote.value


def test_a_task_nobody_has_done_gives_nothing(tmp_path: Path) -> None:
    export = json.loads(json.dumps(EXPORTS["tc main"]))
    export[0]["annotations"] = []
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export), "utf-8")
    assert read(path, "tc") == []


def test_arcs_that_are_no_tree_of_words_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    for change, rule in (("missing", "unanswered"), ("twice", "tree"), ("both", "tree")):
        export = json.loads(json.dumps(EXPORTS["dp arcs"]))
        results = annotation(export)["result"]
        arcs = [one for one in results if one["type"] == "relation"]
        if change == "missing":
            results.remove(arcs[0])
        elif change == "twice":
            results.append(arcs[0])
        else:
            arcs[0]["direction"] = "bi"
        path.write_text(json.dumps(export), "utf-8")
        (refused,) = read(path, "dp")
        assert isinstance(refused, Refused)
        assert refused.rule == f"exchange.{rule}@1"


def test_an_arc_drawn_backwards_is_read_by_its_direction(tmp_path: Path) -> None:
    export = json.loads(json.dumps(EXPORTS["dp arcs"]))
    for one in annotation(export)["result"]:
        if one["type"] == "relation":
            one["from_id"], one["to_id"] = one["to_id"], one["from_id"]
            one["direction"] = "left"
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export), "utf-8")
    (vote,) = read(path, "dp")
    assert isinstance(vote, RawVote)
    assert vote.value["label"] == ANSWERS["tree"]
