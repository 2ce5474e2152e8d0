"""`klue decontaminate` as a user meets it: results, what it is compared with, and refusals."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from annotation_stories import bad, good
from official_files import MRC, NLI, STS, WOS, as_text

QUESTION = "도서관이 처음으로 문을 연 해는 언제인가?"
TURN = "가람시에서 묵을 만한 곳을 찾아 주세요."
LINES = [
    "도서관은 월요일에 쉰다",
    NLI[0]["premise"],
    f"제 생각에는 {NLI[0]['premise']} 그렇지 않나요",
    "배우의 연기가 참말 좋았다",
    "오늘은 아침부터 바람이 세게 불었다",
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("".join(f"{line}\n" for line in LINES), "utf-8")
    rows = ({"id": n, "text": line} for n, line in enumerate(LINES))
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "sub" / "b.jsonl").write_text(text, "utf-8")
    (folder / "notes.md").write_text("이것은 말뭉치가 아니다", "utf-8")
    return folder


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("official") / "files"
    folder.mkdir()
    reading, dialogues = deepcopy(MRC), deepcopy(WOS)
    reading["data"][0]["paragraphs"][0]["qas"][0]["question"] = QUESTION
    dialogues[0]["dialogue"][0]["text"] = TURN
    (folder / "klue-nli-v1.1_train.json").write_text(as_text(NLI), "utf-8")
    (folder / "klue-sts-v1.1_dev.json").write_text(as_text(STS), "utf-8")
    (folder / "klue-mrc-v1.1_train.json").write_text(as_text(reading), "utf-8")
    (folder / "wos-v1.1_dev.json").write_text(as_text(dialogues), "utf-8")
    return folder


@pytest.fixture(scope="module")
def release(official: Path) -> Path:
    out = official.parent / "klue" / "1.1.0"
    good("import-official", official, "--out", out)
    return out


def _written(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_release_its_files_and_both_remove_the_same_rows(
    corpus: Path, official: Path, release: Path, tmp_path: Path
) -> None:
    results = []
    orders = ([release], [official], [official, release], [release, official])
    for number, against in enumerate(orders):
        options = [word for place in against for word in ("--against", place)]
        record = good("decontaminate", corpus, *options, "--out", tmp_path / str(number))
        assert record.pop("out") == str(tmp_path / str(number))
        results.append((record, _written(tmp_path / str(number))))
    assert all(result == results[0] for result in results)
    record, written = results[0]
    assert (record["rows_in"], record["rows_out"], record["removed"]) == (10, 4, 6)
    assert record["benchmark"]["nli"]["matched"] >= 1
    assert record["benchmark"]["sts"] == {"examples": 1, "matched": 0, "unguarded": 1}
    assert set(record["benchmark"]) == {"dst", "mrc", "nli", "sts"}
    assert written["a.txt"].decode().splitlines() == [LINES[0], LINES[4]]
    assert set(written) == {
        "a.txt",
        "sub/b.jsonl",
        "removed.jsonl",
        "contaminated.jsonl",
        "report.json",
    }
    ledger = [json.loads(line) for line in written["removed.jsonl"].splitlines()]
    assert [(row["file"], row["row"]) for row in ledger] == [
        (file, row) for file in ("a.txt", "sub/b.jsonl") for row in (1, 2, 3)
    ]
    keys = ["file", "row", "task", "split", "example", "score", "rule"]
    assert all(list(row) == keys for row in ledger)


def test_questions_turns_and_passages_are_guarded(official: Path, tmp_path: Path) -> None:
    context = MRC["data"][0]["paragraphs"][0]["context"]
    texts = [TURN, QUESTION, " ".join(context.split())]
    (tmp_path / "a.txt").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    record = good(
        "decontaminate", tmp_path / "a.txt", "--against", official, "--out", tmp_path / "o"
    )
    assert record["removed"] == 3
    assert record["benchmark"]["dst"]["matched"] == 1
    assert record["benchmark"]["mrc"]["matched"] >= 1


def test_any_text_is_a_benchmark_and_rules_of_others_are_there(tmp_path: Path) -> None:
    (tmp_path / "guard.csv").write_text("id,title\n1,거실 조명을 모두 꺼 줄래요\n", "utf-8")
    (tmp_path / "a.csv").write_text(
        "title\n거실조명을 모두 꺼줄래요!\n거실 조명을 모두 켜 줄래요\n", "utf-8"
    )
    removed = {}
    for rule in ("alignment", "equal", "words-13"):
        options = ("--text-column", "title", "--rule", rule, "--out", tmp_path / rule)
        record = good(
            "decontaminate", tmp_path / "a.csv", "--against", tmp_path / "guard.csv", *options
        )
        removed[rule] = record["removed"]
        assert record["benchmark"]["guard.csv"]["examples"] == 1
    assert removed == {"alignment": 2, "equal": 1, "words-13": 0}


def test_a_release_that_was_changed_is_refused(corpus: Path, release: Path, tmp_path: Path) -> None:
    copy = tmp_path / "klue" / "1.1.0"
    shutil.copytree(release, copy)
    (copy / "README.md").write_text("changed", "utf-8")
    told = bad("decontaminate", corpus, "--against", copy, "--out", tmp_path / "o", code=1)
    assert "does not verify (files" in told
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"", "is empty"),
        ("a.txt", "끝".encode()[:-1], "ends within a character"),
        ("a.jsonl", b'{"title": "x"}\n', "has no column 'text'"),
        ("a.xls", b"x", "holds nothing that can be read"),
        ("removed.jsonl", b'{"text": "x"}\n', "is written by this command"),
    ],
    ids=["empty", "cut", "column", "form", "name"],
)
def test_files_that_cannot_be_used_are_refused_before_work(
    name: str, data: bytes, message: str, official: Path, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    told = bad("decontaminate", tmp_path / name, "--against", official, "--out", tmp_path / "o")
    assert message in told
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_other_refusals(corpus: Path, official: Path, tmp_path: Path) -> None:
    def refused(*arguments: object) -> str:
        return bad("decontaminate", *arguments, "--out", tmp_path / "o")

    assert "does not exist" in refused(corpus, "--against", tmp_path / "absent")
    assert "holds no official KLUE file" in refused(corpus, "--against", corpus)
    assert "allowed: alignment" in refused(corpus, "--against", official, "--rule", "x")
    assert "--workers 0" in refused(corpus, "--against", official, "--workers", 0)
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(corpus / "a.txt", other)
    assert "is named a.txt too" in refused(corpus / "a.txt", other / "a.txt", "--against", official)
    texts = ("--against", corpus / "a.txt", "--against", other / "a.txt")
    assert "a.txt: 2 files of texts have this name" in refused(corpus, *texts)
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "x").touch()
    assert "is there and not empty" in refused(corpus, "--against", official)


@pytest.mark.full
def test_a_killed_run_leaves_nothing_and_another_gives_the_same(
    corpus: Path, official: Path, tmp_path: Path
) -> None:
    lines = "".join(f"{n}번 {line}\n" for n in range(20_000) for line in LINES)
    (corpus / "a.txt").write_text(lines, "utf-8")
    command = [sys.executable, "-m", "flows.cli", "decontaminate", str(corpus)]
    command += ["--against", str(official), "--workers", "2", "--out"]
    whole: dict[str, Any] = {}
    for name, seconds in (("whole", None), ("killed", 6.0), ("killed", 9.0), ("killed", None)):
        process = subprocess.Popen([*command, str(tmp_path / name)], start_new_session=True)
        if seconds is not None:
            time.sleep(seconds)
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.returncode == -signal.SIGKILL:
            assert not (tmp_path / name).exists()
            continue
        whole[name] = _written(tmp_path / name)
    assert whole["whole"] == whole["killed"]
