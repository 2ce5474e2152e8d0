"""Exports of annotation tools without a task, in the form in which the tools wrote them.

Label Studio's is that of tests/label_studio/check_any_project.py, a real server; Potato's that of a
project annotated in Potato 2.12.1; doccano's and Argilla's follow the code of doccano 1.8.4 and
argilla 2.8.0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.annotation.exports.read import ToolVotes, read_tool
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.core.errors import InputError


def _read(source: str, path: Path, label: str | None = None, item: str = "item") -> ToolVotes:
    return read_tool(source, path, label=label, item=item)


def _votes(read: ToolVotes, level: str | None = None) -> list[tuple[Any, ...]]:
    raw = [vote for vote in read.votes(level) if isinstance(vote, RawVote)]
    return [(v.value["item"], v.value["annotator"], v.value["label"]) for v in raw]


def _refused(read: ToolVotes) -> list[tuple[int, str]]:
    return [(r.line, r.rule) for r in read.votes(None) if isinstance(r, Refused)]


def _json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def _lines(path: Path, *values: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(v, ensure_ascii=False) + "\n" for v in values), "utf-8")
    return path


def _result(name: str, type_: str, content: Any, **place: Any) -> dict[str, Any]:
    return {"from_name": name, "to_name": "text", "type": type_, "value": {type_: content, **place}}


def _annotation(user: Any, *results: Any, **more: Any) -> dict[str, Any]:
    times = {"created_at": "2026-11-20T10:00:00.5Z", "lead_time": 3.5}
    return {"id": 1, "completed_by": user, "result": [*results], **times, **more}


def test_label_studio(tmp_path: Path) -> None:
    good, bad = _result("mood", "choices", ["good"]), _result("mood", "choices", ["bad"])
    tasks = [
        {
            "id": 7,
            "data": {"text": "가"},
            "annotations": [
                _annotation(1, good),
                _annotation({"id": 2, "email": "b@example.com"}, bad),
                _annotation(3, good, was_cancelled=True),
                _annotation(4),
            ],
            "predictions": [{"result": [bad]}],
        },
        {"id": 8, "data": {"text": "나"}, "annotations": [_annotation(1, good)]},
        {"id": 9, "annotations": [_annotation(1, good, bad)], "data": {}},
        "nothing",
    ]
    read = _read("label-studio", _json(tmp_path / "e.json", tasks))
    assert (read.question.name, read.level) == ("mood", "nominal")
    assert _votes(read) == [(7, "1", "good"), (7, "2", "bad"), (8, "1", "good")]
    assert _refused(read) == [(3, "exchange.form@1"), (4, "exchange.form@1")]
    assert list(read.messages())[1:] == [
        "annotations that were cancelled: 1 skipped",
        "annotations without an answer: 1 skipped",
    ]
    first = next(vote for vote in read.votes(None) if isinstance(vote, RawVote))
    assert (first.value["at"], first.value["seconds"]) == ("2026-11-20T10:00:00.5Z", 3.5)


@pytest.mark.parametrize(
    ("result", "level", "label"),
    [
        (_result("q", "choices", ["3"]), "nominal", "3"),
        (_result("q", "choices", ["a", "b"]), "multilabel", ["a", "b"]),
        (_result("q", "rating", 4), "ordinal", 4),
        (_result("q", "number", 2.5), "interval", 2.5),
        (_result("q", "taxonomy", [["A", "B"], ["C"]]), "multilabel", ["A / B", "C"]),
        (
            {"from_name": "q", "type": "pairwise", "value": {"selected": "left"}},
            "nominal",
            "left",
        ),
    ],
)
def test_controls_of_label_studio(result: Any, level: str, label: Any, tmp_path: Path) -> None:
    tasks = [{"id": 1, "data": {}, "annotations": [_annotation(1, result)]}]
    read = _read("label-studio", _json(tmp_path / "e.json", tasks))
    assert read.level == level
    assert _votes(read) == [(1, "1", label)]


def test_digits_are_numbers_on_a_scale(tmp_path: Path) -> None:
    results = [_result("q", "choices", [text]) for text in ("3", "good")]
    tasks = [
        {"id": n, "data": {}, "annotations": [_annotation(1, result)]}
        for n, result in enumerate(results)
    ]
    read = _read("label-studio", _json(tmp_path / "e.json", tasks))
    assert [label for *_, label in _votes(read, "ordinal")] == [3, "good"]
    assert [label for *_, label in _votes(read, "multilabel")] == [["3"], ["good"]]


@pytest.mark.parametrize(
    ("tasks", "label", "message"),
    [
        ([_result("a", "rating", 1), _result("b", "rating", 1)], None, "asks several questions"),
        (
            [_result("a", "rating", 1)],
            "c",
            "asks no question 'c'; it has: 'a' (ordinal; 1 answer)",
        ),
        ([_result("a", "labels", ["PS"], start=0, end=1)], None, "no answer that can be compared"),
        ([_result("a", "labels", ["PS"], start=0, end=1)], "a", "spans, which need --task"),
        ([_result("a", "choices", ["x"], start=0, end=1)], "a", "of a kind that is not compared"),
        ([_result("a", "choices", ["x"], x=1, y=2, width=3)], "a", "of a kind that is not"),
        (
            [{"from_name": "a", "type": "textarea", "value": {"text": ["x"]}}],
            "a",
            "written text",
        ),
        ([], None, "no answer that can be compared; its questions: none; 1 annotations without"),
    ],
)
def test_a_question_must_be_one_that_is_compared(
    tasks: Any, label: str | None, message: str, tmp_path: Path
) -> None:
    path = _json(
        tmp_path / "e.json", [{"id": 1, "data": {}, "annotations": [_annotation(1, *tasks)]}]
    )
    with pytest.raises(InputError) as refused:
        _read("label-studio", path, label)
    assert message in str(refused.value)


def test_the_short_export_of_label_studio_is_named(tmp_path: Path) -> None:
    path = _json(tmp_path / "e.json", [{"id": 1, "annotation_id": 2, "mood": "good"}])
    with pytest.raises(InputError, match=r"JSON-MIN.*--columns item=id"):
        _read("label-studio", path)


def test_an_item_may_have_a_name_of_its_own(tmp_path: Path) -> None:
    result = _result("q", "rating", 1)
    tasks = [
        {"id": 1, "data": {"doc": "d1"}, "annotations": [_annotation(1, result)]},
        {"id": 2, "data": {"item": "d2"}, "annotations": [_annotation(1, result)]},
    ]
    path = _json(tmp_path / "e.json", tasks)
    assert [item for item, *_ in _votes(_read("label-studio", path))] == [1, "d2"]
    read = _read("label-studio", path, item="doc")
    assert [item for item, *_ in _votes(read)] == ["d1"]
    assert _refused(read) == [(2, "exchange.item@1")]
    with pytest.raises(InputError, match=r"no question .q.; .* 2 unreadable records.*no .no."):
        _read("label-studio", path, "q", item="no")


def test_doccano_has_a_file_an_annotator(tmp_path: Path) -> None:
    first = {"id": 1, "text": "가", "label": ["good"], "Comments": []}
    second = {"id": 2, "text": "나", "label": [], "Comments": []}
    _lines(tmp_path / "d" / "hana.jsonl", first, second)
    _lines(tmp_path / "d" / "duri.jsonl", first | {"label": ["bad"]}, ["no example"])
    read = _read("doccano", tmp_path / "d")
    assert read.level == "nominal"
    assert _votes(read) == [(1, "duri", "bad"), (1, "hana", "good")]
    assert _refused(read) == [(2, "exchange.malformed@1")]
    assert list(read.messages())[1:] == ["examples without a label: 1 skipped"]
    _json(tmp_path / "d" / "sam.json", [first | {"label": ["bad", "good"]}])
    assert _read("doccano", tmp_path / "d").level == "multilabel"


def test_shared_annotations_of_doccano_say_nobodys_name(tmp_path: Path) -> None:
    path = _lines(tmp_path / "all.jsonl", {"id": 1, "text": "가", "label": ["good"]})
    with pytest.raises(InputError, match="Share annotations"):
        _read("doccano", path)
    _json(tmp_path / "annotators.json", {"all": "hana"})
    assert _votes(_read("doccano", path)) == [(1, "hana", "good")]


@pytest.mark.parametrize(
    "record",
    [
        {"id": 1, "text": "가나", "label": [[0, 1, "PS"]]},
        {"id": 1, "text": "가나", "cats": [], "entities": [[0, 1, "PS"]]},
        {"id": 1, "text": "가나", "entities": [{"id": 2, "label": "PS"}], "relations": []},
    ],
)
def test_spans_of_doccano_are_no_labels(record: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="spans, which need --task"):
        _read("doccano", _lines(tmp_path / "hana.jsonl", record))


def test_argilla(tmp_path: Path) -> None:
    records = [
        {
            "id": "r1",
            "fields": {"text": "가"},
            "metadata": {"doc": "d1"},
            "responses": {
                "mood": [
                    {"value": "good", "user_id": "u1"},
                    {"value": "bad", "user_id": "u2", "status": "submitted"},
                    {"value": "bad", "user_id": "u3", "status": "draft"},
                    {"value": "bad", "user_id": "u4", "status": "discarded"},
                    {"value": None, "user_id": "u5"},
                ],
                "stars": [{"value": 4, "user_id": "u1"}],
                "topics": [{"value": ["a", "b"], "user_id": "u1"}],
                "rank": [{"value": [{"value": "a", "rank": 1}], "user_id": "u1"}],
                "names": [{"value": [{"start": 0, "end": 1, "label": "PS"}], "user_id": "u1"}],
            },
        },
        {"id": "r2"},
    ]
    path = _json(tmp_path / "records.json", records)
    levels = {"mood": "nominal", "stars": "ordinal", "topics": "multilabel"}
    assert {name: _read("argilla", path, name).level for name in levels} == levels
    read = _read("argilla", path, "mood", item="doc")
    assert _votes(read) == [("d1", "u1", "good"), ("d1", "u2", "bad")]
    assert _refused(read) == [(2, "exchange.form@1")]
    assert list(read.messages())[1:] == [
        "responses that are discarded: 1 skipped",
        "responses that are draft: 1 skipped",
        "responses without a value: 1 skipped",
    ]
    for name in ("rank", "names"):
        with pytest.raises(InputError, match=f"question '{name}'"):
            _read("argilla", path, name)


def _potato(item: str, user: str, **labels: Any) -> dict[str, Any]:
    return {"instance_id": item, "user_id": user, "labels": labels, "spans": {}, "links": {}}


def test_potato(tmp_path: Path) -> None:
    one = {"mood": {"good": "good"}, "topics": {"news": "true"}, "why": {"text_box": "because"}}
    two = {"mood": {"bad": "bad"}, "topics": {"news": "news", "sport": "sport"}}
    path = _lines(
        tmp_path / "out" / "exports" / "jsonl" / "annotations.jsonl",
        _potato("t1", "hana", **one, quality={"4": "4"}),
        _potato("t1", "duri", **two, quality={"5": "5"}) | {"spans": {"names": [{"start": 0}]}},
        {"instance_id": "t2", "user_id": "duri", "labels": []},
    )
    levels = {"mood": "nominal", "topics": "multilabel", "quality": "ordinal"}
    for place in (path, tmp_path / "out"):
        assert {name: _read("potato", place, name).level for name in levels} == levels
    assert _votes(_read("potato", path, "quality")) == [("t1", "hana", 4), ("t1", "duri", 5)]
    assert _votes(_read("potato", path, "topics"))[1][2] == ["news", "sport"]
    assert _refused(_read("potato", path, "mood")) == [(3, "exchange.form@1")]
    for name in ("why", "names"):
        with pytest.raises(InputError, match=f"question '{name}'"):
            _read("potato", path, name)
    with pytest.raises(InputError, match="output_annotation_format: jsonl"):
        _read("potato", tmp_path)


def test_a_slider_of_potato_at_one_is_no_box_that_is_ticked(tmp_path: Path) -> None:
    path = _lines(tmp_path / "a.jsonl", _potato("t1", "hana", sure={"slider": 1}))
    with pytest.raises(InputError, match="question 'sure'"):
        _read("potato", path, "sure")


@pytest.mark.parametrize("source", ["label-studio", "doccano", "argilla", "potato"])
@pytest.mark.parametrize("text", ["", "[]", "{}", "[1, null]", "\x00", "[[[", '{"a": NaN}'])
def test_files_of_no_use_are_refused(source: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"export\.json"):
        _read(source, path)
