"""Pre-annotations: shown in every tool to those who answer first, and no votes by themselves."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from exchange_samples import ANSWERS, FIELDS, ODD, SPECS, items, round_of
from exchange_tools import ANNOTATOR, USERS, fill

from pipeline.annotation.exchange import argilla, doccano, jsonl, label_studio
from pipeline.annotation.exchange.formats import FORMATS
from pipeline.annotation.exchange.offers import unusable
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.registry import TASKS
from pipeline.core.jsontext import canonical

#: Beyond the first plane, joined, and in conjoining jamo; the spans are found in the text itself.
JAMO = unicodedata.normalize("NFD", "한강")
TEXT = f"🍜 👩‍🌾 김도담은 {JAMO}에서 𠮷별빛시까지 걸었다."


def _spans(*named: tuple[str, str]) -> list[dict[str, Any]]:
    return [
        {"start": TEXT.index(word), "end": TEXT.index(word) + len(word), "label": label}
        for word, label in named
    ]


WORDS = ["그는", f"{JAMO}에서", "🍜𠮷를", "먹었다."]
FIELDS_OF = {"ner": {"text": TEXT}, "dp": {"text": " ".join(WORDS), "words": WORDS}}
ROUND_OF = {"ner": "tag", "dp": "pos"}
SUGGESTED: dict[str, Any] = {
    "ner": _spans(("김도담", "PS"), (JAMO, "LC"), ("𠮷별빛시", "LC")),
    "dp": {
        "lemmas": ["그 는", f"{JAMO} 에서", "🍜 𠮷 를", "먹 었 다 ."],
        "pos": ["NP+JX", "NNP+JKB", "SW+SH+JKO", "VV+EP+EF+SF"],
    },
}
CORRECTED: dict[str, Any] = {
    "ner": _spans(("김도담", "PS"), (JAMO, "LC"), ("별빛시", "LC")),
    "dp": SUGGESTED["dp"] | {"pos": ["NP+JX", "NNP+JKB", "SW+SH+JKO", "VV+EP+EF+SW"]},
}


def _items(task: str, suggestion: Any) -> Any:
    meta = canonical({"suggestion": suggestion, "tagger": "crf@1"})
    return items(task, FIELDS_OF[task], 2, meta=meta)


def _write(tool: str, task: str, folder: Path, suggestion: Any, **more: Any) -> None:
    round_ = round_of(task, more.pop("name", ROUND_OF[task]))
    table = _items(task, suggestion)
    FORMATS[tool].write(table, spec=SPECS[task], round_=round_, folder=folder, **more)


def _read(tool: str, task: str, path: Path) -> list[RawVote | Refused]:
    ids = {USERS[tool]: ANNOTATOR} if tool in USERS else None
    return list(FORMATS[tool].read(path, task=TASKS[task], spec=SPECS[task], annotators=ids))


def _held(tool: str, folder: Path) -> Any:
    """Return what a tool would show as a suggestion of the first item, in its own form."""
    if tool == "label-studio":
        predictions = json.loads((folder / label_studio.TASKS).read_text("utf-8"))[0]["predictions"]
        return predictions[0]["result"] if predictions else []
    if tool == "argilla":
        return json.loads((folder / argilla.RECORDS).read_text("utf-8"))[0]["suggestions"]
    name = doccano.EXAMPLES if tool == "doccano" else jsonl.ITEMS
    row = json.loads((folder / name).read_text("utf-8").splitlines()[0])
    return row.get("suggestion") if tool == "jsonl" else row.get("entities") or row.get("label")


@pytest.mark.parametrize("tool", FORMATS)
@pytest.mark.parametrize("task", SUGGESTED)
def test_taken_over_or_corrected_it_is_the_annotator_s_answer(
    tool: str, task: str, tmp_path: Path
) -> None:
    _write(tool, task, tmp_path, SUGGESTED[task])
    assert _held(tool, tmp_path)
    given = [{"label": SUGGESTED[task]}, {"label": CORRECTED[task]}]
    votes = _read(tool, task, fill(tool, task, round_of(task, ROUND_OF[task]), tmp_path, given))
    assert [vote.value["label"] for vote in votes if isinstance(vote, RawVote)] == [
        SUGGESTED[task],
        CORRECTED[task],
    ]


@pytest.mark.parametrize("task", SUGGESTED)
def test_what_label_studio_shows_is_the_suggestion(task: str, tmp_path: Path) -> None:
    from label_studio_sdk.label_interface import LabelInterface

    _write("label-studio", task, tmp_path, SUGGESTED[task])
    tasks = json.loads((tmp_path / label_studio.TASKS).read_text("utf-8"))
    interface = LabelInterface((tmp_path / label_studio.CONFIG).read_text("utf-8"))
    (prediction,) = tasks[0]["predictions"]
    assert interface.validate_prediction(prediction, return_errors=True) == []
    annotation = {"id": 1, "completed_by": 7, "result": prediction["result"]}
    export = tmp_path / "export.json"
    export.write_text(json.dumps([tasks[0] | {"annotations": [annotation]}]), "utf-8")
    (vote,) = _read("label-studio", task, export)
    assert isinstance(vote, RawVote)
    assert vote.value["label"] == SUGGESTED[task]


@pytest.mark.parametrize("task", SUGGESTED)
def test_nothing_counts_before_somebody_answers(task: str, tmp_path: Path) -> None:
    for tool in ("label-studio", "argilla"):
        _write(tool, task, tmp_path, SUGGESTED[task])
    tasks = json.loads((tmp_path / label_studio.TASKS).read_text("utf-8"))
    export = tmp_path / "export.json"
    export.write_text(json.dumps([one | {"annotations": []} for one in tasks]), "utf-8")
    assert _read("label-studio", task, export) == []
    assert _read("argilla", task, tmp_path / argilla.RECORDS) == []


@pytest.mark.parametrize("task", SUGGESTED)
def test_labels_of_doccano_that_nobody_confirmed_are_no_vote(task: str, tmp_path: Path) -> None:
    _write("doccano", task, tmp_path, SUGGESTED[task])
    rows = [json.loads(one) for one in (tmp_path / doccano.EXAMPLES).read_text().splitlines()]
    column = "cats" if task == "ner" else "label"

    def read(row: dict[str, Any]) -> RawVote | Refused:
        path = tmp_path / "user.jsonl"
        path.write_text(json.dumps(row), "utf-8")
        (found,) = _read("doccano", task, path)
        return found

    untouched = read(rows[0])
    assert isinstance(untouched, Refused)
    assert untouched.rule == "exchange.unconfirmed@1" and "done:yes" in untouched.reason
    confirmed = read(rows[0] | {column: [*rows[0][column], "done:yes"]})
    assert isinstance(confirmed, RawVote)
    assert confirmed.value["label"] == SUGGESTED[task]
    reported = read(rows[0] | {column: [*rows[0][column], "report:hate"]})
    assert isinstance(reported, RawVote)
    assert reported.value["report"] == "hate" and "label" not in reported.value


def test_a_changed_entity_of_doccano_needs_no_confirmation(tmp_path: Path) -> None:
    _write("doccano", "ner", tmp_path, SUGGESTED["ner"])
    row = json.loads((tmp_path / doccano.EXAMPLES).read_text("utf-8").splitlines()[0])
    path = tmp_path / "user.jsonl"
    path.write_text(json.dumps(row | {"entities": row["entities"][:2]}), "utf-8")
    (vote,) = _read("doccano", "ner", path)
    assert isinstance(vote, RawVote)
    assert vote.value["label"] == SUGGESTED["ner"][:2]
    path.write_text(json.dumps(row | {"entities": []}), "utf-8")
    assert _read("doccano", "ner", path) == [], "without any label nobody has answered"


def test_doccano_lists_the_confirmation_where_something_is_suggested(tmp_path: Path) -> None:
    table = items("tc", meta=canonical({"suggestion": ["사회"]}))
    for folder, given in (("with", table), ("without", items("tc"))):
        round_ = round_of("tc", "main")
        doccano.write(given, spec=SPECS["tc"], round_=round_, folder=tmp_path / folder)
    types = {
        folder: [
            t["text"] for t in json.loads((tmp_path / folder / doccano.CATEGORIES).read_text())
        ]
        for folder in ("with", "without")
    }
    assert set(types["with"]) - set(types["without"]) == {"done:yes"}


BAD: list[Any] = [
    [{"start": 0, "end": 10_000, "label": "PS"}],
    [{"start": 0, "end": 2, "label": "XX"}],
    [{"start": 0, "end": 4, "label": "PS"}, {"start": 2, "end": 6, "label": "PS"}],
    {"spans": []},
    "PS",
    7,
]


@pytest.mark.parametrize("tool", FORMATS)
@pytest.mark.parametrize("bad", BAD)
def test_a_suggestion_that_is_no_answer_is_left_out(tool: str, bad: Any, tmp_path: Path) -> None:
    _write(tool, "ner", tmp_path, bad)
    assert not _held(tool, tmp_path)
    found = unusable(_items("ner", bad), spec=SPECS["ner"], round_=round_of("ner", "tag"))
    assert set(found) == {"ner-1", "ner-2"} and all(found.values())


def test_only_the_first_round_is_shown_it(tmp_path: Path) -> None:
    later = {"ner": ("inspect", "tag"), "dp": ("arcs", "pos")}
    for task, (name, _before) in later.items():
        for tool in FORMATS:
            folder = tmp_path / task / tool
            _write(tool, task, folder, SUGGESTED[task], name=name)
            assert not _held(tool, folder) or tool == "label-studio"
        tasks = json.loads((tmp_path / task / "label-studio" / label_studio.TASKS).read_text())
        results = [r for p in tasks[0]["predictions"] for r in p["result"]]
        assert {r["from_name"] for r in results} <= {"word"}, "only the regions of words"
        assert unusable(_items(task, 7), spec=SPECS[task], round_=round_of(task, name)) == {}


def test_a_rejected_answer_is_shown_rather_than_the_suggestion(tmp_path: Path) -> None:
    _write("jsonl", "ner", tmp_path, SUGGESTED["ner"], shown={"ner-1": CORRECTED["ner"]})
    rows = [json.loads(line) for line in (tmp_path / jsonl.ITEMS).read_text().splitlines()]
    assert "suggestion" not in rows[0] and rows[0]["shown"] == CORRECTED["ner"]
    assert rows[1]["suggestion"] == SUGGESTED["ner"]
    table = _items("ner", BAD[0])
    told = unusable(table, spec=SPECS["ner"], round_=round_of("ner", "tag"), without={"ner-1"})
    assert list(told) == ["ner-2"]


@pytest.mark.parametrize("meta", ["null", "[]", '"x"', "3", "{}", '{"suggestion":null}'])
def test_meta_of_any_form_suggests_nothing(meta: str, tmp_path: Path) -> None:
    table = items("ner", {"text": ODD}, meta=meta)
    for tool in FORMATS:
        folder = tmp_path / tool
        round_ = round_of("ner", "tag")
        FORMATS[tool].write(table, spec=SPECS["ner"], round_=round_, folder=folder)
        assert not _held(tool, folder)
    assert unusable(table, spec=SPECS["ner"], round_=round_of("ner", "tag")) == {}


def test_every_first_round_takes_one(tmp_path: Path) -> None:
    """Nothing is peculiar to NER and DP: any task's suggestion is an answer of its first round."""
    for task, spec in SPECS.items():
        first = spec.rounds[0]
        answer = ANSWERS.get(first.answer, "per:origin")
        meta = canonical({"suggestion": answer})
        table = items(task, FIELDS[task], meta=meta)
        jsonl.write(table, spec=spec, round_=first, folder=tmp_path / task)
        row = json.loads((tmp_path / task / jsonl.ITEMS).read_text("utf-8"))
        assert row["suggestion"] == TASKS[task].parse(answer, FIELDS[task], spec, first)
