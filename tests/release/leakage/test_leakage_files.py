"""Evaluation texts in files of any form are found, with the line."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from planted import TITLES, example, table, title

from pipeline.core.errors import InputError
from pipeline.core.io import batch
from pipeline.release.leakage.check import check

EXAMPLES = table(
    [title("a", "train", TITLES[0]), title("b", "dev", TITLES[1]), title("c", "test", TITLES[2])]
)
LINES = (
    "아무 상관이 없는 첫 줄이다",
    TITLES[0],
    TITLES[2].replace("꺾고", "꺾고는"),
    "어제 소식에 따르면 " + TITLES[1] + " 많은 이가 찾았다고 한다",
    TITLES[2].upper().replace(" ", ""),
    TITLES[2],
)
FOUND = [("contained", "tc-b", "dev", 4, True), ("exact", "tc-c", "test", 5, True)]


def _write(folder: Path, name: str) -> Path:
    path = folder / name
    if name.endswith(".txt"):
        path.write_text("\n".join(LINES) + "\n", "utf-8")
    elif name.endswith(".jsonl"):
        path.write_text("".join(json.dumps({"text": one}) + "\n" for one in LINES), "utf-8")
    elif name.endswith(".csv"):
        path.write_text("title\n" + "".join(f'"{one}"\n' for one in LINES), "utf-8")
        path = path.with_name(f"{name}#title")
    else:
        pq.write_table(pa.table({"text": LINES}), path)
    return path


@pytest.mark.parametrize("name", ["corpus.txt", "corpus.jsonl", "corpus.csv", "corpus.parquet"])
def test_files_of_any_form(tmp_path: Path, name: str) -> None:
    checked = check(EXAMPLES, task="tc", against=[_write(tmp_path, name)])
    first = 1 if name.endswith(".csv") else 0  # its header is a line
    told = [
        (r["kind"], r["left"], r["left_split"], r["line"] - first, r["stops"])
        for r in checked["leaks"].to_pylist()
    ]
    assert told == FOUND
    assert {(r["file"], r["right_split"]) for r in checked["leaks"].to_pylist()} == {(name, None)}
    rows = {(r["left_split"], r["right"]): r for r in checked["overlaps"].to_pylist()}
    assert rows["dev", name]["mean"] == rows["test", name]["mean"] == 1.0
    assert str(tmp_path) not in str(checked)


def test_batches_of_a_file_are_looked_at_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _write(tmp_path, "corpus.jsonl")
    whole = check(EXAMPLES, task="tc", against=[path])
    monkeypatch.setattr(batch, "BYTES", 1)
    monkeypatch.setattr(batch, "ROWS", 1)
    assert check(EXAMPLES, task="tc", against=[path]) == whole


def test_a_near_duplicate_in_a_file_is_information(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text(TITLES[2].replace("올라서", "올라섰다") + "\n", "utf-8")
    (leak,) = check(EXAMPLES, task="tc", against=[path])["leaks"].to_pylist()
    assert (leak["kind"], leak["left"], leak["stops"]) == ("near", "tc-c", False)


def test_rows_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"text": "한 줄"}\n{"text": 3\n{"body": "없다"}\nkaputt\n', "utf-8")
    ledger = check(EXAMPLES, task="tc", against=[path])["ledger"].to_pylist()
    assert [(r["rule"], r["score"], r["line"], r["action"]) for r in ledger] == [
        ("file.malformed@1", 2.0, 2, "quarantine"),
        ("file.missing@1", 1.0, 3, "quarantine"),
    ]


def test_a_file_without_texts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_text("id,body\n1,글\n", "utf-8")
    with pytest.raises(InputError, match="no column 'text'"):
        check(EXAMPLES, task="tc", against=[path])
    with pytest.raises(InputError, match="no column 'title'"):
        check(EXAMPLES, task="tc", against=[path.with_name("corpus.csv#title")])
    with pytest.raises(InputError, match="no such file"):
        check(EXAMPLES, task="tc", against=[tmp_path / "none.txt"])


def test_a_passage_that_a_corpus_holds_a_sentence_a_line_is_contained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passages = {"dev": ". ".join(TITLES[:3]), "test": ". ".join(TITLES[3:])}
    examples = table(
        example("mrc", split, split, {"context": text}, {}) for split, text in passages.items()
    )
    path = tmp_path / "corpus.txt"
    path.write_text(
        "\n".join(["시작", *TITLES[0].split(), "　", *TITLES[1:3], TITLES[4]]) + "\n", "utf-8"
    )
    checked = check(examples, task="mrc", against=[path])
    (leak,) = checked["leaks"].to_pylist()
    assert (leak["kind"], leak["left"], leak["line"]) == ("contained", "mrc-dev", None)
    assert (leak["right"], leak["file"], leak["stops"]) == ("corpus.txt", "corpus.txt", True)
    monkeypatch.setattr(batch, "ROWS", 1)
    monkeypatch.setattr(batch, "BYTES", 1)
    assert check(examples, task="mrc", against=[path]) == checked
