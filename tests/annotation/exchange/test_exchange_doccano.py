"""doccano: what it is sent, and its exports as its own source writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exchange_samples import ANSWERS, FIELDS, ROUNDS, SPECS, answer, items, round_of

from pipeline.annotation.exchange import doccano
from pipeline.annotation.exchange.answer_parts import parts_of
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError


def _export(folder: Path, *rows: Any, name: str = "user.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def _read(path: Path, task: str, **more: Any) -> list[RawVote | Refused]:
    return list(doccano.read(path, task=TASKS[task], spec=SPECS[task], **more))


NER = {"item": "ner-1", "spec": "ner@1.0.0", "round": "tag", "text": FIELDS["ner"]["text"]}
TC = {"item": "tc-1", "spec": "tc@1.0.0", "round": "main", "text": "제목"}


def _label(found: list[RawVote | Refused]) -> Any:
    (vote,) = found
    assert isinstance(vote, RawVote), vote
    return vote.value["label"]


def test_offsets_are_utf16_code_units(tmp_path: Path) -> None:
    """Measured in doccano 1.8 by its users: an emoji counts two (doccano issue 2290)."""
    text = "👨🏻\u200d🚒 firemen drive firetrucks"
    row = NER | {"text": text, "cats": [], "entities": [[22, 32, "OG"]]}
    (span,) = _label(_read(_export(tmp_path, row), "ner"))
    assert text[span["start"] : span["end"]] == "firetrucks"
    row["entities"] = [[1, 32, "OG"]]
    (refused,) = _read(_export(tmp_path, row), "ner")
    assert isinstance(refused, Refused)
    assert refused.rule == "exchange.offset@1"


def test_labels_of_another_type_of_project_are_refused(tmp_path: Path) -> None:
    held = {"id": 1, "label": "PS", "start_offset": 3, "end_offset": 6}
    for row in (NER | {"cats": [[3, 6, "PS"]]}, NER | {"entities": [held]}):
        (refused,) = _read(_export(tmp_path, row), "ner")
        assert isinstance(refused, Refused)
        assert refused.rule in ("exchange.control@1", "exchange.form@1")


def test_ranks_survive_the_sorting_of_labels(tmp_path: Path) -> None:
    row = TC | {"label": sorted(["topic_2:정치", "topic_1:사회", "topic_3:경제"])}
    assert _label(_read(_export(tmp_path, row), "tc")) == ["사회", "정치", "경제"]


def test_a_sentence_without_names_is_told_from_one_not_looked_at(tmp_path: Path) -> None:
    empty = NER | {"cats": [], "entities": []}
    assert _read(_export(tmp_path, empty), "ner") == []
    assert _label(_read(_export(tmp_path, empty | {"cats": ["done:yes"]}), "ner")) == []


def test_whose_answers_they_are(tmp_path: Path) -> None:
    row = TC | {"label": ["topic_1:사회"]}
    (vote,) = _read(_export(tmp_path, row, name="ann-03.jsonl"), "tc")
    assert isinstance(vote, RawVote)
    assert vote.value["annotator"] == "ann-03"
    (vote,) = _read(_export(tmp_path, row, name="all.jsonl"), "tc", annotators={"all": "ann-09"})
    assert isinstance(vote, RawVote)
    assert vote.value["annotator"] == "ann-09"
    for name, ids in (("all.jsonl", None), ("x.jsonl", {"y": "ann-01"})):
        with pytest.raises(InputError, match="whose answers"):
            _read(_export(tmp_path, row, name=name), "tc", annotators=ids)


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_what_is_sent_has_the_columns_of_its_project(tmp_path: Path, task: str, name: str) -> None:
    round_ = round_of(task, name)
    doccano.write(items(task), spec=SPECS[task], round_=round_, folder=tmp_path)
    (line,) = (tmp_path / doccano.EXAMPLES).read_text("utf-8").splitlines()
    row = json.loads(line)
    project = doccano.project_of(parts_of(SPECS[task], round_))
    columns = {"cats", "entities"} if project == "IntentDetectionAndSlotFilling" else {"label"}
    assert columns <= set(row)
    assert all(row[column] == [] for column in columns)
    assert row["text"]
    types = [p for p in tmp_path.iterdir() if p.name.endswith("types.json")]
    allowed = {t["text"] for path in types for t in json.loads(path.read_text("utf-8"))}
    if project != "Seq2seq":
        assert {f"report:{r.id}" for r in SPECS[task].reports} <= allowed
    assert all(len(label) <= 100 for label in allowed), "doccano's limit of a label"


def test_the_text_of_spans_is_the_item_s_own(tmp_path: Path) -> None:
    round_ = round_of("ner", "tag")
    doccano.write(
        items("ner"),
        spec=SPECS["ner"],
        round_=round_,
        folder=tmp_path,
        shown={"ner-1": answer("ner", round_)},
    )
    row = json.loads((tmp_path / doccano.EXAMPLES).read_text("utf-8"))
    assert row["text"] == FIELDS["ner"]["text"]
    units = row["text"].encode("utf-16-le")
    cut = [units[2 * a : 2 * b].decode("utf-16-le") for a, b, _ in row["entities"]]
    assert cut == ["김도담", "3월 2일", "한울전자"]
    assert _label(_read(_export(tmp_path, row), "ner")) == ANSWERS["spans"]


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (TC | {"label": ["topic_1:사회", "topic_1:정치"]}, "form"),
        (TC | {"label": ["사회"]}, "control"),
        (TC | {"label": ["colour:red"]}, "control"),
        (TC | {"label": ["topic_2:사회"]}, "unanswered"),
        (TC | {"label": "topic_1:사회"}, "form"),
        (TC | {"item": None, "label": []}, "item"),
        (TC | {"spec": "sts@1.0.0", "label": ["topic_1:사회"]}, "spec"),
        (TC | {"round": 3, "label": ["topic_1:사회"]}, "round"),
        (TC | {"label": ["topic_1:\ud83c"]}, "encoding"),
        (["a list"], "malformed"),
    ],
)
def test_a_bad_line_is_refused(tmp_path: Path, row: Any, rule: str) -> None:
    path = _export(tmp_path, TC | {"label": ["topic_1:사회"]}, row)
    good, bad = _read(path, "tc")
    assert isinstance(good, RawVote)
    assert isinstance(bad, Refused)
    assert (bad.line, bad.rule) == (2, f"exchange.{rule}@1")


def test_half_a_file(tmp_path: Path) -> None:
    path = _export(tmp_path, TC | {"label": ["topic_1:사회"]})
    path.write_text(path.read_text("utf-8") + '{"item": "tc-2", "spec', "utf-8")
    good, bad = _read(path, "tc")
    assert isinstance(good, RawVote)
    assert isinstance(bad, Refused)
    assert bad.rule == "exchange.malformed@1"
    path.write_text('{"item": "tc-2", "spec', "utf-8")
    with pytest.raises(InputError, match="no line is a JSON object"):
        _read(path, "tc")


@pytest.mark.parametrize("value", ["{", '{"a": 1}', "[3]", '[{"head": 1}]', "NaN"])
def test_json_typed_by_hand_is_told_when_wrong(tmp_path: Path, value: str) -> None:
    row = {"item": "dp-1", "spec": "dp@1.0.0", "round": "arcs", "text": "문장"}
    (refused,) = _read(_export(tmp_path, row | {"label": [f"arcs:{value}"]}), "dp")
    assert isinstance(refused, Refused)
    assert refused.rule == "exchange.form@1"
    assert '"head": 2' in refused.reason
