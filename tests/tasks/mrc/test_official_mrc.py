from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from official_files import FLAT, MRC, as_text, changed, column, golds, saved

from pipeline.core.errors import InputError
from pipeline.tasks.mrc.official import read, write


def _nested(change: dict[str, Any]) -> str:
    made = copy.deepcopy(MRC)
    made["data"][0]["paragraphs"][0]["qas"][1] |= change
    return as_text(made)


def test_questions_come_out_of_their_passages(tmp_path: Path) -> None:
    found = read(saved(tmp_path, as_text(MRC)))
    assert [gold["type"] for gold in golds(found)] == [1, 3, 2, 1]
    assert golds(found)[0]["answers"] == [
        {"start": 5, "text": "1987년에"},
        {"start": 5, "text": "1987년"},
    ]
    assert golds(found)[1]["answers"] == []
    assert golds(found)[1]["plausible_answers"] == [{"start": 5, "text": "1987년"}]
    assert column(found, "items", "source") == ["wikipedia"] * 3 + ["acrofan"]
    assert column(found, "items", "fields")[2]["context"] == "장서는 삼만 권이다."


def test_flat_answers_of_impossible_questions_are_plausible_ones(tmp_path: Path) -> None:
    found = read(saved(tmp_path, as_text(FLAT)))
    possible, impossible = golds(found)
    assert (possible["type"], impossible["type"]) == (None, 3)
    assert [one["text"] for one in possible["answers"]] == ["삼만 권", "삼만"]
    assert possible["plausible_answers"] == impossible["answers"] == []
    assert impossible["plausible_answers"] == [{"start": 4, "text": "삼만"}]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"answers": [{"text": "1987년", "answer_start": 5}]}, "official.form@1"),
        ({"is_impossible": False}, "official.form@1"),
        ({"question_type": 4}, "official.range@1"),
        ({"plausible_answers": [{"text": "1987년"}]}, "official.form@1"),
        ({"guid": "klue-mrc-v1_train_00000"}, "official.twice@1"),
    ],
)
def test_faulty_questions_stand_in_problems(
    change: dict[str, Any], rule: str, tmp_path: Path
) -> None:
    found = read(saved(tmp_path, _nested(change)))
    assert [(p.line, p.rule) for p in found.problems] == [(2, rule)]
    assert found.items.num_rows == 3


def test_wrong_places_are_kept_and_told(tmp_path: Path) -> None:
    text = _nested({"plausible_answers": [{"text": "1987년", "answer_start": 6}] * 2})
    found = read(saved(tmp_path, text))
    assert [(p.line, p.rule) for p in found.problems] == [
        (2, "official.kept.offset@1"),
        (2, "official.kept.offset@1"),
        (2, "official.kept.double@1"),
    ]
    assert found.items.num_rows == 4


def test_passages_without_questions_are_told(tmp_path: Path) -> None:
    made = copy.deepcopy(MRC)
    made["data"][1]["paragraphs"][0]["qas"] = []
    made["data"].append({"title": "빈 글"})
    found = read(saved(tmp_path, as_text(made)))
    assert [p.line for p in found.problems] == [4, 5]


@pytest.mark.parametrize(
    "answers",
    [
        "{'answer_start': [4], 'text': ['삼만'",
        "__import__('os').getcwd()",
        "[4]",
        {"answer_start": [4], "text": []},
        {"answer_start": ["4"], "text": ["삼만"]},
        None,
    ],
)
def test_flat_answers_of_another_form_are_told(answers: Any, tmp_path: Path) -> None:
    found = read(saved(tmp_path, changed(FLAT, 1, answers=answers)))
    assert [(p.line, p.rule) for p in found.problems] == [(2, "official.form@1")]


def test_other_documents_are_refused(tmp_path: Path) -> None:
    for text in ('{"data": 3}', '"text"', '{"data": []}', "[]"):
        with pytest.raises(InputError, match="official"):
            read(saved(tmp_path, text))


def test_changed_gold_is_not_hidden_by_the_old_literal(tmp_path: Path) -> None:
    found = read(saved(tmp_path, as_text(FLAT)))
    items = found.items.to_pylist()
    items[1]["gold"] = items[1]["gold"].replace('"start":4', '"start":0')
    again = type(found)(
        "mrc", found.items.from_pylist(items, found.items.schema), found.votes, "flat"
    )
    write(again, tmp_path / "out.json")
    assert golds(read(tmp_path / "out.json"))[1]["plausible_answers"][0]["start"] == 0


def test_questions_of_the_release(data_dir: Path) -> None:
    found = read(data_dir / "klue" / "klue-mrc-v1.1_dev_first1350.json")
    gold = golds(found)
    assert sum(len(one["answers"]) for one in gold) == 1320
    assert sum(len(one["plausible_answers"]) for one in gold) == 620
    wrong = [p for p in found.problems if p.rule == "official.kept.offset@1"]
    assert len(wrong) == 155
    assert all("plausible_answers" in problem.reason for problem in wrong)
    assert all(not one["answers"] for one in gold if one["type"] == 3)
