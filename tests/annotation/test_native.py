"""Vote files of every form give the same votes; what cannot be read is told with its line."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pipeline.annotation.intake.vote import KEYS, RawVote, Refused
from pipeline.annotation.intake.votefile import read_votes
from pipeline.core import schemas
from pipeline.core.errors import InputError

VOTES: list[dict[str, Any]] = [
    {"item": "a", "annotator": "07", "label": ["사회", "경제"], "seconds": 4.5, "round": "main"},
    {"item": "b", "annotator": "08", "label": 3, "attempt": 2, "simulated": True},
    {"item": "c", "seat": "label2", "label": "entailment", "at": "2020-09-01T10:30:00+09:00"},
    {"item": "d", "annotator": "09", "report": "hate", "spec": "tc@1.0.0"},
]
LINES = "".join(json.dumps(vote, ensure_ascii=False) + "\n" for vote in VOTES)


def _values(path: Path) -> list[dict[str, Any]]:
    records = list(read_votes(path))
    assert all(isinstance(record, RawVote) for record in records), records
    assert [record.line for record in records] == [*range(1, len(records) + 1)]
    return [record.value for record in records if isinstance(record, RawVote)]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("v.jsonl", LINES.encode()),
        ("v.json", LINES.encode()),
        ("v.jsonl", b"\xef\xbb\xbf" + LINES.encode()),
        ("v.ndjson.gz", gzip.compress(LINES.encode(), mtime=0)),
        ("v.jsonl.zst", zstandard.compress(LINES.encode())),
        ("v.json", json.dumps(VOTES, indent=2).encode()),
        ("v.jsonl", b"\xef\xbb\xbf" + json.dumps(VOTES).encode()),
        ("v.json.gz", gzip.compress(json.dumps(VOTES).encode(), mtime=0)),
    ],
    ids=["jsonl", "json", "bom", "gz", "zst", "list", "list-bom", "list-gz"],
)
def test_json_of_every_form_gives_the_votes(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert _values(tmp_path / name) == VOTES


def _cell(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def test_a_table_of_texts_gives_the_votes(tmp_path: Path) -> None:
    head = [key for key in KEYS if key not in ("source", "task")]
    rows = [[_cell(vote.get(key)) for key in head] for vote in VOTES]
    text = "".join("\t".join(row) + "\n" for row in (head, *rows))
    (tmp_path / "v.tsv").write_text(text, "utf-8")
    records = [r for r in read_votes(tmp_path / "v.tsv") if isinstance(r, RawVote)]
    assert [r.value for r in records] == VOTES
    assert [r.line for r in records] == [2, 3, 4, 5]


def test_a_label_in_csv_is_json_or_a_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    cells = ['"[""사회""]"', "사회", "3", "007", '"{""a"": 1}"', "NaN", ""]
    path.write_text("item,seat,label\n" + "".join(f"x,1,{cell}\n" for cell in cells), "utf-8")
    labels = [r.value.get("label") for r in read_votes(path) if isinstance(r, RawVote)]
    assert labels == [["사회"], "사회", 3, "007", {"a": 1}, "NaN", None]


def test_what_is_no_number_in_csv_is_left_for_the_intake_to_refuse(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(
        "item,seat,report,seconds,attempt,simulated\nx,1,,bald,zwei,vielleicht\n"
    )
    (record,) = read_votes(tmp_path / "v.csv")
    assert isinstance(record, RawVote)
    assert record.value == {
        "item": "x",
        "seat": "1",
        "seconds": "bald",
        "attempt": "zwei",
        "simulated": "vielleicht",
    }


def test_the_votes_table_itself_is_a_vote_file(tmp_path: Path) -> None:
    row = {
        "item": "a",
        "task": "tc",
        "role": "annotator",
        "round": "main",
        "attempt": 1,
        "simulated": False,
        "annotator": "07",
        "label": '["사회"]',
        "at": datetime(2020, 9, 1, 1, 30, tzinfo=UTC),
    }
    pq.write_table(schemas.build("votes", [row]), tmp_path / "v.parquet")
    (value,) = _values(tmp_path / "v.parquet")
    assert value["label"] == ["사회"]
    assert datetime.fromisoformat(value["at"]) == row["at"]
    assert set(value) == set(row)


def test_parquet_labels_may_be_lists(tmp_path: Path) -> None:
    table = pa.table({"item": ["a", "b"], "label": [["사회"], None], "annotator": ["07", "08"]})
    pq.write_table(table, tmp_path / "v.parquet")
    first, second = _values(tmp_path / "v.parquet")
    assert first["label"] == ["사회"]
    assert "label" not in second


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (b'{"item": "a", "label": 3', "file.malformed@1"),
        (b'["a", 3]', "file.malformed@1"),
        (b'{"item": "a", "label": NaN}', "file.malformed@1"),
        (b'{"item": "a", "label": 3, "label": 4}', "file.malformed@1"),
        (b'{"item" : "a", "label": {"x": 3, "x": 4}}', "file.malformed@1"),
        (b'{"item": "\\ud800", "label": 3}', "file.encoding@1"),
        (b'{"item": "\xff", "label": 3}', "file.encoding@1"),
        (b"", "file.blank@1"),
        (b'{"item": "a", "label": ' + b"[" * 2000 + b"]" * 2000 + b"}", "file.malformed@1"),
    ],
    ids=range(9),
)
def test_a_bad_line_is_told_and_the_others_are_read(tmp_path: Path, line: bytes, rule: str) -> None:
    path = tmp_path / "v.jsonl"
    path.write_bytes(b'{"item": "x"}\n' + line + b'\n{"item": "y"}\n')
    first, bad, last = read_votes(path)
    assert isinstance(first, RawVote) and isinstance(last, RawVote)
    assert last.line == 3
    assert isinstance(bad, Refused)
    assert (bad.file, bad.line, bad.rule) == ("v.jsonl", 2, rule)


def test_half_a_list_gives_the_votes_before_the_cut_and_names_the_line(tmp_path: Path) -> None:
    whole = json.dumps(VOTES, indent=1, ensure_ascii=False)
    cut = whole.index('"entailment"') + 4
    (tmp_path / "v.json").write_bytes(whole[:cut].encode())
    *votes, bad = read_votes(tmp_path / "v.json")
    assert [vote.value for vote in votes if isinstance(vote, RawVote)] == VOTES[:2]
    assert isinstance(bad, Refused)
    assert bad.line == 3
    begins = whole[: whole.index('"c"')].count("\n")  # the line of the brace before it
    assert f"line {begins} of the file" in bad.reason
    assert "entail" not in bad.reason


def _bytes(votes: list[dict[str, Any]], *, pretty: bool) -> bytes:
    return json.dumps(votes, indent=1 if pretty else None, ensure_ascii=False).encode()


@given(st.integers(0, 10_000), st.booleans())
def test_wherever_a_list_is_cut_every_whole_record_is_a_vote(
    tmp_path_factory: pytest.TempPathFactory, place: int, pretty: bool
) -> None:
    whole = _bytes(VOTES, pretty=pretty)
    place = 1 + place % (len(whole) - 1)
    path = tmp_path_factory.mktemp("cut") / "v.json"
    path.write_bytes(whole[:place])
    records = list(read_votes(path))
    votes = [r.value for r in records if isinstance(r, RawVote)]
    assert votes == VOTES[: len(votes)]
    ends = [_bytes(VOTES[: n + 1], pretty=pretty) for n in range(len(VOTES))]
    whole_ones = sum(len(data.rstrip(b"]\n")) <= place for data in ends)
    assert len(votes) == whole_ones
    assert len([r for r in records if isinstance(r, Refused)]) == 1


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (b'[{"item": "a"}, 7, {"item": "b"}]', ["is a JSON int"]),
        (b'[{"item": "a", "item": "c"}, {"item": "b"}]', ["more than once"]),
        (b'[{"item": "b"}] []', ["something follows"]),
        (b'[{"item": "b"} {"item": "c"}]', ["comma"]),
        (b'[{"item": "b"}]\xff', ["not UTF-8"]),
        (b'[{"item": "b"}, {"item": "\xff"}]', ["not UTF-8"]),
        (b"[]", []),
        (b"[", ["breaks off"]),
    ],
    ids=range(8),
)
def test_a_list_tells_its_faults(tmp_path: Path, data: bytes, faults: list[str]) -> None:
    (tmp_path / "v.json").write_bytes(data)
    records = list(read_votes(tmp_path / "v.json"))
    told = [r.reason for r in records if isinstance(r, Refused)]
    assert len(told) == len(faults)
    assert all(word in reason for word, reason in zip(faults, told, strict=True))
    votes = [r.value["item"] for r in records if isinstance(r, RawVote)]
    assert votes in ([], ["b"], ["a", "b"])
    assert len({r.line for r in records}) == len(records)


def test_a_table_with_a_strange_column_is_refused_without_its_name(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("item,annotator,label,김가상\nx,07,3,1\n", "utf-8")
    with pytest.raises(InputError, match=r"has 1 column .* number 4; allowed: item") as caught:
        list(read_votes(tmp_path / "v.csv"))
    assert "김가상" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("v.csv", "label,annotator\n3,07\n", "no column 'item'"),
        ("v.csv", "item,seat,label,label\nx,1,3,4\n", "column 'label' is there twice"),
        ("v.txt", "x 3\n", "allowed: .jsonl"),
        ("v.xlsx", "x", "allowed: .jsonl"),
        ("v.jsonl.gz", "plain", "is no .gz file"),
    ],
)
def test_a_file_that_is_no_vote_file_is_an_error(
    tmp_path: Path, name: str, text: str, words: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InputError, match=words):
        list(read_votes(tmp_path / name))


@pytest.mark.parametrize("name", ["v.csv", "v.parquet"])
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("item,annotator,answer", "no column 'label'; it has: 'item', 'annotator', 'answer'"),
        ("item,label", "no column 'annotator'; it has: 'item', 'label'"),
        ("doc,worker,answer", "no column 'item' and no column 'annotator' and no column 'label'"),
        ("doc,worker,answer", "--columns item=COLUMN,annotator=COLUMN,label=COLUMN; --wide"),
    ],
)
def test_a_missing_column_is_named_with_those_there_are(
    name: str, columns: str, message: str, tmp_path: Path
) -> None:
    names = columns.split(",")
    if name == "v.csv":
        (tmp_path / name).write_text(f"{columns}\n{'1,' * (len(names) - 1)}1\n", "utf-8")
    else:
        pq.write_table(pa.table({column: ["1"] for column in names}), tmp_path / name)
    with pytest.raises(InputError) as caught:
        list(read_votes(tmp_path / name))
    assert message in str(caught.value)


def test_spreadsheets_write_semicolons_and_a_mark(tmp_path: Path) -> None:
    text = '\ufeffitem;annotator;label\r\na;07;3\r\n"b;c";08;4\r\n'
    (tmp_path / "v.csv").write_text(text, "utf-8")
    votes = [r.value for r in read_votes(tmp_path / "v.csv") if isinstance(r, RawVote)]
    assert [vote["item"] for vote in votes] == ["a", "b;c"]
    assert [vote["label"] for vote in votes] == [3, 4]


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read_votes(tmp_path / "v.jsonl"))


def test_keys_are_the_columns_of_the_votes_table() -> None:
    assert sorted(KEYS) == sorted(schemas.VOTES.names)
