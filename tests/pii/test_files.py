"""Files of texts: found, redacted, pseudonymised; nothing lost and no value told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.core.errors import InputError
from pipeline.core.io import batch, guess_source
from pipeline.pii import files
from pipeline.pii.files import Task
from pipeline.pii.key import Originals
from pipeline.pii.kinds import TYPES

KEY = b"a key of thirty-two bytes at most"
VALUES = ("hana.kim", "2345-6789", "900101-1234568", "23456789")
TEXTS = [
    "메일은 hana.kim@example.com으로",
    "아무것도 없다",
    "전화 010-2345-6789 또는 +82-10-2345-6789",
    "주민번호 900101-1234568",
]


def _task(path: Path, **options: object) -> Task:
    return Task(guess_source(path), TYPES, 0.5, **options)  # type: ignore[arg-type]


@pytest.fixture
def jsonl(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    rows = [json.dumps({"text": t, "source": "s" if i else None}) for i, t in enumerate(TEXTS)]
    path.write_text("\n".join([*rows[:2], "900101-1234568 no JSON", *rows[2:]]) + "\n", "utf-8")
    return path


def _all_of(folder: Path) -> str:
    return "".join(p.read_text("utf-8") for p in folder.iterdir() if p.is_file())


def test_scan_counts_by_source_type_and_rule_and_shows_shapes_only(jsonl: Path) -> None:
    found = files.search_file(_task(jsonl, source="source", hits=jsonl.with_name("hits.jsonl")))
    assert (found.rows, found.rows_with_hits) == (5, 3)
    assert found.hits == {
        ("", "email", "email.address@1"): 1,
        ("s", "phone", "phone.mobile@1"): 1,
        ("s", "phone", "phone.international@1"): 1,
        ("s", "rrn", "rrn.number@1"): 1,
    }
    assert found.examples["phone.mobile@1"] == ["***-****-****"]
    assert found.quarantined == {"file.malformed@1": 1}
    assert not [value for value in VALUES if value in repr(found)]


def test_hits_name_the_row_of_the_file_and_no_value(jsonl: Path) -> None:
    hits = jsonl.with_name("hits.jsonl")
    files.search_file(_task(jsonl, hits=hits))
    rows = [json.loads(line) for line in hits.read_text("utf-8").splitlines()]
    assert [(row["row"], row["type"]) for row in rows] == [
        (0, "email"),
        (3, "phone"),
        (3, "phone"),
        (4, "rrn"),
    ]
    keys = {"row", "line", "type", "start", "end", "confidence", "rule", "validated"}
    assert set(rows[0]) == keys
    assert rows[3]["validated"] == ["date", "checksum", "context"]
    assert [row["line"] for row in rows] == [1, 4, 4, 5]
    assert TEXTS[0][rows[0]["start"] : rows[0]["end"]] == "hana.kim@example.com"
    with pytest.raises(InputError, match="exists"):
        files.search_file(_task(jsonl, hits=hits))


def test_redaction_and_what_could_not_be_read(jsonl: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    files.search_file(_task(jsonl, out=folder / "b.jsonl"))
    texts = [json.loads(line)["text"] for line in (folder / "b.jsonl").read_text().splitlines()]
    assert texts == [
        "메일은 [email]으로",
        "아무것도 없다",
        "전화 [phone] 또는 [phone]",
        "주민번호 [rrn]",
    ]
    rejected = json.loads((folder / "b.jsonl.quarantine.jsonl").read_text("utf-8"))
    assert (rejected["file"], rejected["line"]) == ("a.jsonl", 3)
    assert not [value for value in VALUES if value in _all_of(folder)]


def _pseudonymised(task: Task, known: Originals | None = None) -> None:
    found = files.collect_originals(task, key=KEY)
    files.pseudonymise_file(
        task, key=KEY, known=Originals.merge([known or Originals.of(()), found])
    )
    task.notes.unlink(missing_ok=True)


def test_pseudonyms_are_the_same_in_every_file_form_and_order(jsonl: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    parquet = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": TEXTS[::-1], "n": range(4)}), parquet)
    _pseudonymised(_task(jsonl, out=folder / "b.jsonl"))
    _pseudonymised(_task(parquet, out=folder / "b.parquet"))
    lines = (folder / "b.jsonl").read_text("utf-8").splitlines()
    one = [json.loads(line)["text"] for line in lines]
    other = pq.read_table(folder / "b.parquet").column("text").to_pylist()
    assert one == other[::-1]
    assert one[1] == TEXTS[1]
    mobile, international = one[2].removeprefix("전화 ").split(" 또는 ")
    assert international == f"+82-{mobile[1:]}"
    assert not [value for value in VALUES if value in "".join(one)]
    assert sorted(p.name for p in folder.iterdir()) == [
        "b.jsonl",
        "b.jsonl.quarantine.jsonl",
        "b.parquet",
    ]


def test_a_file_that_changes_between_the_passes_is_refused(jsonl: Path, tmp_path: Path) -> None:
    task = _task(jsonl, out=tmp_path / "b.jsonl")
    known = files.collect_originals(task, key=KEY)
    jsonl.write_text(jsonl.read_text("utf-8") + '{"text": "010-9876-5432"}\n', "utf-8")
    with pytest.raises(InputError, match="changed while it was read"):
        files.pseudonymise_file(task, key=KEY, known=known)
    assert not (tmp_path / "b.jsonl").exists()


def test_results_are_the_same_for_any_batches(
    jsonl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    for rows in (50_000, 1):
        monkeypatch.setattr(batch, "ROWS", rows)
        task = _task(jsonl, out=tmp_path / f"{rows}.jsonl", hits=tmp_path / f"{rows}.hits")
        known = files.collect_originals(task, key=KEY)
        assert len(known) == 3
        files.pseudonymise_file(task, key=KEY, known=known)
        written.append([(tmp_path / f"{rows}.{end}").read_bytes() for end in ("jsonl", "hits")])
    assert written[0] == written[1]


def test_a_file_of_which_nothing_can_be_read_is_no_clean_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("900101-1234568\n" * 3, "utf-8")
    with pytest.raises(InputError, match=r"none of 3 rows can be read; line 1: .* UTF-8") as told:
        files.search_file(_task(path, out=tmp_path / "b.jsonl"))
    assert "900101" not in str(told.value)
    assert [p.name for p in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize("column", ["absent", "text"])
def test_a_source_column_that_is_none(jsonl: Path, column: str) -> None:
    with pytest.raises(InputError, match=r"has a column 'absent'|'text' is the column of"):
        files.search_file(_task(jsonl, source=column))


def test_nothing_that_must_stay_is_written_over(jsonl: Path, tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    key.write_bytes(KEY)
    for options in (
        {"out": jsonl},
        {"hits": jsonl},
        {"out": key},
        {"hits": key},
        {"out": tmp_path / "x.jsonl", "hits": tmp_path / "x.jsonl"},
        {"out": tmp_path / "x.jsonl", "hits": tmp_path / "x.jsonl.quarantine.jsonl"},
        {"out": tmp_path},
        {"hits": tmp_path},
    ):
        before = {p: p.read_bytes() for p in tmp_path.iterdir()}
        with pytest.raises(InputError):
            files.search_file(_task(jsonl, force=True, kept=(key,), **options))
        assert {p: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_a_device_is_not_replaced(jsonl: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    for options in ({"out": pipe}, {"hits": pipe}):
        with pytest.raises(InputError, match="device or pipe"):
            files.search_file(_task(jsonl, force=True, **options))
    assert pipe.is_fifo()


def test_output_that_cannot_be_written(jsonl: Path, tmp_path: Path) -> None:
    task = _task(jsonl, out=tmp_path / "absent" / "b.jsonl")
    with pytest.raises(InputError, match="no folder"):
        files.collect_originals(task, key=KEY)
    with pytest.raises(InputError, match="no folder"):
        files.search_file(task)
