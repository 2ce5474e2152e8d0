"""`klue check`: planted faults are told by rule, item and annotator, and never by their text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from annotation_stories import good, items_file, write_lines
from typer.testing import CliRunner, Result

from flows.cli.agreement import check

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "data" / "sample" / "answers" / "mrc.jsonl"
APP = typer.Typer()
APP.command()(check)

CONTEXT = (
    "달무리시 도서관은 지난 3월 2일 문을 열었다. 관장 김도담은 개관식에서 시민이 고른 책 1,200권을"
    " 먼저 꽂았다고 말했다. 건물은 옛 역사를 고쳐 지었으며 옥상에는 누구나 쓰는 텃밭이 있다."
)
#: A text that stands in a faulty answer and must not be told.
SECRET = "건물은 옛 역사를 고쳐 지었으며 옥상에는 누구나 쓰는 텃밭이"


def _check(*arguments: object) -> Result:
    return CliRunner().invoke(APP, [str(one) for one in arguments])


def _found(*arguments: object) -> dict[str, Any]:
    result = _check(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def _bad(*arguments: object, code: int = 2) -> str:
    result = _check(*arguments, "--json")
    assert result.exit_code == code, result.output
    record = json.loads(result.stdout)
    assert set(record) == {"error", "code"} and "Traceback" not in result.stderr
    return str(record["error"])


def _reading(question: str, answer: str, kind: int = 1) -> dict[str, Any]:
    return {
        "question": question,
        "type": kind,
        "answers": [{"start": CONTEXT.index(answer), "text": answer}],
        "plausible_answers": [],
    }


GOOD = _reading("이 시설의 책임자로서 행사에서 연설한 사람은 누구인가?", "김도담")
COPIED = _reading(f"{SECRET} 있는 곳은?", "옥상")
FIELDS = {"title": "도서관", "context": CONTEXT, "question_type": 1}


def _files(folder: Path, answers: dict[str, tuple[str, Any]]) -> tuple[Path, Path]:
    """Write items and votes of them: {ITEM: (ANNOTATOR, ANSWER)}."""
    items = [{"item": item, "fields": FIELDS} for item in answers]
    votes = [
        {"item": item, "annotator": who, "round": "write", "role": "author", "label": answer}
        for item, (who, answer) in answers.items()
    ]
    return write_lines(folder / "items.jsonl", items), write_lines(folder / "votes.jsonl", votes)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return items and votes with known faults."""
    return _files(
        tmp_path,
        {
            "q-copied": ("ann-b", COPIED),
            "q-good": ("ann-a", GOOD),
            "q-title": ("ann-b", _reading("개관식이 열린 시설은 무엇인가?", "도서관")),
            "q-type": ("ann-a", GOOD | {"type": 2}),
        },
    )


def test_planted_faults_are_told_by_item_and_annotator(files: tuple[Path, Path]) -> None:
    items, votes = files
    found = _found("mrc", "--votes", votes, "--items", items)
    rules = {(one["item"], one["annotator"], one["rule"]) for one in found["findings"]}
    assert {
        ("q-copied", "ann-b", "mrc.returned.copied@1"),
        ("q-title", "ann-b", "mrc.returned.title@1"),
        ("q-type", "ann-a", "mrc.returned.type@1"),
    } <= rules
    faults = {one["item"] for one in found["findings"] if not one["hint"]}
    assert faults == {"q-copied", "q-title", "q-type"}
    assert (found["answers"], found["with_faults"]) == (4, 3)
    assert sum(found["by_rule"].values()) == len(found["findings"])
    people = {one["annotator"]: one for one in found["by_annotator"]}
    assert {who: one["answers"] for who, one in people.items()} == {"ann-a": 2, "ann-b": 2}
    for key, hint in (("faults", False), ("hints", True)):
        told = sum(one["hint"] is hint for one in found["findings"])
        assert sum(one[key] for one in people.values()) == told


def test_no_text_of_an_answer_is_told(files: tuple[Path, Path]) -> None:
    items, votes = files
    plain = _check("mrc", "--votes", votes, "--items", items)
    assert plain.exit_code == 0
    assert "q-copied ann-b: mrc.returned.copied@1: " in plain.output
    assert "4 answers of mrc@" in plain.output
    told = plain.output + _check("mrc", "--votes", votes, "--items", items, "--json").output
    for word in (*SECRET.split(), "김도담", "개관식", "옥상"):
        assert word not in told


def test_a_batch_is_checked_and_stays_as_it_is(tmp_path: Path) -> None:
    work = tmp_path / "work"
    rows = [{"item": f"mrc-{n}", "fields": FIELDS} for n in (1, 2)]
    good("export", "mrc", "--items", write_lines(tmp_path / "items.jsonl", rows), "--to", "jsonl",
         "--annotators", "ann-a", "--work", work)  # fmt: skip
    votes = [
        {"item": f"mrc-{n}", "annotator": "ann-a", "label": label}
        for n, label in ((1, GOOD), (2, COPIED))
    ]
    votes_file = write_lines(tmp_path / "votes.jsonl", votes)
    taken = good("import", votes_file, "--task", "mrc", "--work", work)
    assert taken["new"] == 2, "what is told later is valid to import"
    folder = work / "annotation" / "mrc" / "main"
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    found = _found("mrc", "--work", work)
    assert {one["item"] for one in found["findings"] if not one["hint"]} == {"mrc-2"}
    assert before == {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    good("export", "mrc", "--round", "inspect", "--after", "main", "--batch", "inspect", "--to",
         "jsonl", "--annotators", "ann-b", "--work", work)  # fmt: skip
    verdicts = [
        {"item": "mrc-1", "annotator": "ann-b", "label": {"verdict": "accept"}},
        {"item": "mrc-2", "annotator": "ann-b", "label": {"verdict": "revise", "answer": COPIED}},
    ]
    good("import", write_lines(tmp_path / "said.jsonl", verdicts), "--task", "mrc", "--batch",
         "inspect", "--work", work)  # fmt: skip
    corrected = _found("mrc", "--batch", "inspect", "--work", work)
    assert corrected["answers"] == 1, "a correction is an answer too, a bare verdict is none"
    assert {(one["item"], one["round"]) for one in corrected["findings"]} == {("mrc-2", "inspect")}


def test_the_faults_that_the_sample_tells_of_are_found(tmp_path: Path) -> None:
    """The sample keeps six first attempts with the fault that an inspector sent them back for."""
    rows = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
    faulty = [row for row in rows if (row.get("meta") or {}).get("fault")]
    assert len(faulty) == 6
    items = write_lines(
        tmp_path / "items.jsonl", [{k: row[k] for k in ("item", "fields")} for row in faulty]
    )
    rules = {}
    for name, answers in (
        ("first", [row["meta"]["first"] for row in faulty]),
        ("gold", [row["gold"] for row in faulty]),
    ):
        votes = [
            {"item": row["item"], "annotator": "a", "round": "write", "label": answer}
            for row, answer in zip(faulty, answers, strict=True)
        ]
        path = write_lines(tmp_path / f"{name}.jsonl", votes)
        findings = _found("mrc", "--votes", path, "--items", items)["findings"]
        rules[name] = {(one["item"], one["rule"]) for one in findings}
    by_fault = {row["meta"]["fault"]: row["item"] for row in faulty}
    copied = (by_fault["copied"], "mrc.returned.copied@1")
    assert copied in rules["first"] and copied not in rules["gold"]


def test_order_of_votes_changes_nothing(files: tuple[Path, Path], tmp_path: Path) -> None:
    items, votes = files
    lines = votes.read_text("utf-8").splitlines()
    backwards = tmp_path / "backwards.jsonl"
    backwards.write_text("\n".join(lines[::-1]), "utf-8")
    first, second = (
        _found("mrc", "--votes", path, "--items", items) for path in (votes, backwards)
    )
    for finding in [*first["findings"], *second["findings"]]:
        assert finding.pop("file") and finding.pop("line")  # where it stands, and that alone
    assert first == second


def test_what_it_cannot_check_is_said(tmp_path: Path, files: tuple[Path, Path]) -> None:
    items, votes = files
    for task in ("tc", "ner", "nothing"):
        assert "mrc, dst" in _bad(task)
    assert "--items FILE" in _bad("mrc", "--votes", votes)
    assert "--votes" in _bad("mrc", "--items", items)
    assert "no such file" in _bad("mrc", "--votes", tmp_path / "none.jsonl", "--items", items)
    work = tmp_path / "work"
    good("export", "mrc", "--items", items_file(tmp_path, "mrc", 2), "--to", "jsonl", "--work",
         work, "--batch", "first")  # fmt: skip
    told = _bad("mrc", "--batch", "other", "--work", work)
    assert "first" in told


@pytest.mark.parametrize(("task", "needed"), [("mrc", True), ("dst", False)])
def test_a_spec_without_sampling_is_told_where_its_numbers_are_needed(
    tmp_path: Path, task: str, needed: bool
) -> None:
    folder = tmp_path / "specs" / task
    folder.mkdir(parents=True)
    for name in ("spec.yaml", "guideline.ko.md", "guideline.en.md"):
        text = (ROOT / "annotation_specs" / task / name).read_text("utf-8")
        if name == "spec.yaml":
            text = re.sub(r"(?m)^sampling:\n(?:[ #].*\n)+", "", text)
        (folder / name).write_text(text, "utf-8")
    answers = {
        "mrc": ({"item": "x", "fields": FIELDS}, GOOD),
        "dst": ({"item": "x", "fields": GOAL, "meta": META}, DIALOGUES["d-good"]),
    }
    item, answer = answers[task]
    vote = {"item": "x", "annotator": "a", "label": answer}
    items = write_lines(tmp_path / "items.jsonl", [item])
    votes = write_lines(tmp_path / "votes.jsonl", [vote])
    given = (task, "--votes", votes, "--items", items, "--specs", tmp_path / "specs")
    if needed:
        said = _bad(*given)
        assert "has no section `sampling`" in said and "`returned`" in said
    else:
        assert _found(*given)["answers"] == 1


def test_a_batch_without_answers_has_no_findings(tmp_path: Path) -> None:
    work = tmp_path / "work"
    good(
        "export", "mrc", "--items", items_file(tmp_path, "mrc", 2), "--to", "jsonl", "--work", work
    )
    found = _found("mrc", "--work", work)
    assert (found["answers"], found["findings"], found["by_annotator"]) == (0, [], [])
    assert _check("mrc", "--work", work).exit_code == 0


GOAL = {
    "goal": "서울 중앙에서 금요일부터 묵을 호텔을 찾아 세 명으로 예약하세요.",
    "domains": ["숙소"],
    "candidates": {
        "숙소-이름": ["달무리호텔", "dontcare"],
        "숙소-예약 요일": ["금요일", "토요일"],
        "숙소-예약 명수": ["3", "4"],
    },
    "knowledge": [{"domain": "숙소", "name": "달무리호텔", "숙소-지역": "서울 중앙"}],
}
META = {"expected": {"숙소-예약 명수": ["3"], "숙소-예약 요일": ["금요일"]}}
DAY, PEOPLE = "숙소-예약 요일-금요일", "숙소-예약 명수-3"


def _turns(*states: list[str]) -> dict[str, Any]:
    said = [
        "금요일부터 묵을 호텔을 찾아요.",
        "몇 분이신가요?",
        "3명이요.",
        "예약했습니다.",
        "고맙습니다.",
        "즐거운 여행 되세요.",
    ]
    held = [states[0], [], states[1], [], states[2], []]
    return {
        "turns": [
            {"role": ("user", "sys")[n % 2], "text": text, "state": state}
            for n, (text, state) in enumerate(zip(said, held, strict=True))
        ]
    }


DIALOGUES = {
    "d-good": _turns([DAY], [DAY, PEOPLE], [DAY, PEOPLE]),
    "d-early": _turns([DAY, PEOPLE], [DAY, PEOPLE], [DAY, PEOPLE]),
    "d-late": _turns([], [PEOPLE], [DAY, PEOPLE]),
    "d-short": _turns([DAY], [DAY], [DAY]),
    "d-other": _turns([DAY], [DAY, PEOPLE], [DAY, PEOPLE, "숙소-이름-별빛여관"]),
}


def test_marks_of_dialogues_are_checked_against_turns_goal_and_offer(tmp_path: Path) -> None:
    """Early and delayed mark-up are the errors that Section 3.8.1 tells of."""
    work = tmp_path / "work"
    rows = [{"item": item, "fields": GOAL, "meta": META} for item in DIALOGUES]
    good("export", "dst", "--items", write_lines(tmp_path / "goals.jsonl", rows), "--to", "jsonl",
         "--work", work)  # fmt: skip
    assert "expected" not in (work / "annotation/dst/main/export/items.jsonl").read_text("utf-8")
    votes = [
        {"item": item, "annotator": "ann-a", "label": label} for item, label in DIALOGUES.items()
    ]
    good("import", write_lines(tmp_path / "votes.jsonl", votes), "--task", "dst", "--work", work)
    found = _found("dst", "--work", work)
    rules: dict[str, set[str]] = {item: set() for item in DIALOGUES}
    for one in found["findings"]:
        rules[one["item"]].add(one["rule"])
    assert rules["d-good"] == set()
    assert "dst.early@1" in rules["d-early"]
    assert "dst.delayed@1" in rules["d-late"]
    assert "dst.unreached@1" in rules["d-short"]
    assert "dst.not_offered@1" in rules["d-other"]
    told = _check("dst", "--work", work).output
    assert "d-early ann-a: dst.early@1: turn 0, 숙소-예약 명수: " in told
    assert "별빛여관" not in told and "찾아요" not in told


def test_goals_without_lists_are_checked_by_their_turns(tmp_path: Path) -> None:
    """Items of older batches have no candidates and no expected state; a broken `meta` is none."""
    for number, more in enumerate(
        ({}, {"meta": {"expected": "x"}}, {"meta": [1]}, {"meta": {"expected": {"a": [3]}}})
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        item = {"item": "d-1", "fields": {"goal": GOAL["goal"]}} | more
        vote = {"item": "d-1", "annotator": "a", "label": DIALOGUES["d-late"]}
        found = _found(
            "dst", "--votes", write_lines(folder / "votes.jsonl", [vote]), "--items",
            write_lines(folder / "items.jsonl", [item]),
        )  # fmt: skip
        assert set(found["by_rule"]) == {"dst.delayed@1"}
        assert {(f["file"], f["line"]) for f in found["findings"]} == {("votes.jsonl", 1)}


def test_requests_and_turns_are_watched_with_file_and_line(tmp_path: Path) -> None:
    """What is out of turn never becomes a vote; what stays unanswered is told by dialogue."""
    asks = {"role": "user", "text": "달무리호텔 전화번호를 알려 주세요.", "state": []}
    mute, thanks = {"role": "sys", "text": "네."}, {"role": "user", "text": "네.", "state": []}
    dialogues = {"d-order": [asks, asks], "d-mute": [asks, mute], "d-open": [asks, mute, thanks]}
    items = write_lines(
        tmp_path / "items.jsonl", [{"item": item, "fields": GOAL} for item in dialogues]
    )
    votes = write_lines(
        tmp_path / "votes.jsonl",
        [
            {"item": item, "annotator": "a", "label": {"turns": turns}}
            for item, turns in dialogues.items()
        ],
    )
    found = _found("dst", "--votes", votes, "--items", items)
    assert found["refused"] == {"vote.turns@1": 1}
    assert [(f["item"], f["rule"], f["line"]) for f in found["findings"]] == [
        ("d-mute", "dst.unanswered@1", 2),
        ("d-open", "dst.no_reply@1", 3),
        ("d-open", "dst.unanswered@1", 3),
    ]
    told = _check("dst", "--votes", votes, "--items", items).output
    assert "votes.jsonl line 1: turn 2 is by" in told and "(vote.turns@1)" in told
    assert "votes.jsonl line 2: d-mute a: dst.unanswered@1: turn 0, 전화 번호: " in told
    work = tmp_path / "work"
    good("export", "dst", "--items", items, "--to", "jsonl", "--work", work)
    taken = good("import", votes, "--task", "dst", "--work", work)
    assert taken["rules"] == {"vote.turns@1": 1}
    assert {f["file"] for f in _found("dst", "--work", work)["findings"]} == {None}
