"""Argilla 2: settings and records in the shape of its SDK, responses by user."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from exchange_samples import ANSWERS, FIELDS, ROUNDS, SPECS, answer, items, round_of

from pipeline.annotation.exchange import argilla
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError

USER = "2f1c7a5e-1f0b-4b0e-9d5b-0a1b2c3d4e5f"
OTHER = "7b1c7a5e-1f0b-4b0e-9d5b-0a1b2c3d4e5f"


def _written(folder: Path, task: str, name: str, **more: Any) -> tuple[Any, list[dict[str, Any]]]:
    round_ = round_of(task, name)
    fields = more.pop("fields", None)
    argilla.write(items(task, fields), spec=SPECS[task], round_=round_, folder=folder, **more)
    settings = json.loads((folder / argilla.SETTINGS).read_text("utf-8"))
    return settings, json.loads((folder / argilla.RECORDS).read_text("utf-8"))


def _read(folder: Path, task: str, records: Any) -> list[RawVote | Refused]:
    path = folder / "exported.json"
    path.write_text(json.dumps(records), "utf-8")
    ids = {USER: "ann-01", OTHER: "ann-02"}
    return list(argilla.read(path, task=TASKS[task], spec=SPECS[task], annotators=ids))


def _said(value: Any, user: str = USER, **more: Any) -> dict[str, Any]:
    return {"value": value, "user_id": user} | more


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_settings_keep_the_rules_of_argilla(tmp_path: Path, task: str, name: str) -> None:
    """Names, one required question and field, unique options: Argilla 2.8 refuses other ones."""
    settings, records = _written(tmp_path, task, name)
    named = [one["name"] for key in ("questions", "fields") for one in settings[key]]
    assert len(set(named)) == len(named)
    assert all(re.fullmatch(r"(?=.*[a-z0-9])[a-z0-9_-]+", one) for one in named)
    assert any(one["required"] for one in settings["questions"])
    assert any(one["required"] for one in settings["fields"])
    for question in settings["questions"]:
        values = [one["value"] for one in question["settings"].get("options", [])]
        assert len(set(values)) == len(values)
        if question["settings"]["type"] == "span":
            assert question["settings"]["field"] in named
    report = next(one for one in settings["questions"] if one["name"] == "report")
    asked = [one["value"] for one in report["settings"]["options"]]
    assert asked == ["none", *(r.id for r in SPECS[task].reports)]
    for record in records:
        assert set(record["fields"]) <= set(named)
        assert record["id"] == f"{task}-1"
        assert record["responses"] == {}


def test_several_users_answer_one_record(tmp_path: Path) -> None:
    _, records = _written(tmp_path, "sts", "main")
    records[0]["responses"] = {
        "score": [_said(4), _said(2, OTHER)],
        "report": [_said("none"), _said("hate", OTHER)],
    }
    first, second = _read(tmp_path, "sts", records)
    assert isinstance(first, RawVote)
    assert isinstance(second, RawVote)
    assert (first.value["annotator"], first.value["label"]) == ("ann-01", 4)
    assert "report" not in first.value
    assert (second.value["annotator"], second.value["label"]) == ("ann-02", 2)
    assert second.value["report"] == "hate"


def test_drafts_and_discarded_responses_give_nothing(tmp_path: Path) -> None:
    _, records = _written(tmp_path, "sts", "main")
    said = [_said(4, status="draft"), _said(3, OTHER, status="discarded")]
    records[0]["responses"] = {"score": said}
    assert _read(tmp_path, "sts", records) == []


def test_spans_count_utf16_code_units(tmp_path: Path) -> None:
    """Argilla issue 5729: the page counts as JavaScript does."""
    text = "Some text yeah 🚀 rocket!"
    _, records = _written(tmp_path, "ner", "tag", fields={"text": text})
    span = {"start": 18, "end": 24, "label": "OG"}
    records[0]["responses"] = {"spans": [_said([span])], "report": [_said("none")]}
    (vote,) = _read(tmp_path, "ner", records)
    assert isinstance(vote, RawVote)
    (got,) = vote.value["label"]
    assert text[got["start"] : got["end"]] == "rocket"


def test_a_suggestion_that_the_server_would_refuse_is_left_out(tmp_path: Path) -> None:
    text = "🚀 달빛"
    shown = {"ner-1": [{"start": 2, "end": 4, "label": "LC"}]}
    _, records = _written(tmp_path, "ner", "tag", fields={"text": text}, shown=shown)
    assert records[0]["suggestions"] == {}
    _, records = _written(tmp_path, "ner", "tag", fields={"text": text + "!"}, shown=shown)
    assert records[0]["suggestions"]["spans"]["value"] == [{"start": 3, "end": 5, "label": "LC"}]


def test_a_suggestion_taken_over_is_the_answer(tmp_path: Path) -> None:
    for task, name in ROUNDS:
        round_ = round_of(task, name)
        if round_.answer == "verdict" or round_.after:
            continue
        _, records = _written(tmp_path, task, name, shown={f"{task}-1": answer(task, round_)})
        taken = {k: [_said(v["value"])] for k, v in records[0]["suggestions"].items()}
        records[0]["responses"] = taken | {"report": [_said("none")]}
        (vote,) = _read(tmp_path, task, records)
        assert isinstance(vote, RawVote), (task, vote)
        assert vote.value["label"] == answer(task, round_)


def test_relations_offered_first_are_told(tmp_path: Path) -> None:
    settings, records = _written(tmp_path, "re", "main")
    assert "per:place_of_birth" in records[0]["fields"]["first"]
    assert "first" in [one["name"] for one in settings["fields"]]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"id": None}, "item"),
        ({"metadata": {"spec": "sts@1.0.0", "round": "main"}}, "spec"),
        ({"metadata": {"spec": "tc@1.0.0", "round": "other"}}, "round"),
        ({"metadata": None}, "form"),
        ({"responses": {"colour": [_said("red")]}}, "control"),
        ({"responses": {"topic_1": [_said(3)]}}, "form"),
        ({"responses": {"topic_1": [_said("사회"), _said("정치")]}}, "form"),
        ({"responses": {"topic_1": [_said("사회", "nobody")]}}, "annotator"),
        ({"responses": {"topic_1": ["사회"]}}, "form"),
        ({"responses": {"report": [_said("none")]}}, "unanswered"),
        ({"responses": None}, "form"),
    ],
)
def test_a_bad_record_of_argilla_is_refused(tmp_path: Path, change: Any, rule: str) -> None:
    _, (record,) = _written(tmp_path, "tc", "main")
    record["responses"] = {"topic_1": [_said("사회")]}
    good, bad = _read(tmp_path, "tc", [record, record | change])
    assert isinstance(good, RawVote)
    assert isinstance(bad, Refused)
    assert (bad.line, bad.rule) == (2, f"exchange.{rule}@1")


def test_a_map_of_users_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "exported.json"
    path.write_text("[]", "utf-8")
    with pytest.raises(InputError, match=r"annotators\.json"):
        list(argilla.read(path, task=TASKS["tc"], spec=SPECS["tc"]))


def test_texts_are_whole(tmp_path: Path) -> None:
    _, records = _written(tmp_path, "mrc", "write")
    assert records[0]["fields"]["context"] == FIELDS["mrc"]["context"]
    assert records[0]["suggestions"]["type"]["value"] == "1"
    assert ANSWERS["reading"]["answers"][0]["text"] in records[0]["fields"]["context"]
