"""A submission is checked as a whole: every fault with its file, line, guid and field."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gold_cases import gold, pairs, refused, rows_of, write
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.example import Example, Prediction
from pipeline.core.errors import InputError
from pipeline.scoring.scorer import questions_of
from pipeline.scoring.submission import SHOWN, bare_name, read_submission

GOLD = gold(pairs(6))
RIGHT = [Prediction(one.id, one.label) for one in GOLD.examples]
ROWS = rows_of(GOLD)
CUT_GZIP = gzip.compress(json.dumps(ROWS[0]).encode() * 99, mtime=0)[:-9]


def test_rows_of_any_order_are_put_in_that_of_the_gold(tmp_path: Path) -> None:
    assert read_submission(write(tmp_path / "p.jsonl", reversed(ROWS)), GOLD) == RIGHT


@pytest.mark.parametrize("key", ["guid", "id", "item"])
def test_the_names_of_guids(tmp_path: Path, key: str) -> None:
    rows = [{key: row["guid"], "label": row["label"]} for row in ROWS]
    assert read_submission(write(tmp_path / "p.jsonl", rows), GOLD) == RIGHT
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "p.parquet")
    assert read_submission(tmp_path / "p.parquet", GOLD) == RIGHT


@pytest.mark.parametrize("name", ["p.jsonl", "p.ndjson", "p.json", "p.jsonl.gz", "p"])
def test_files_as_other_tools_write_them(tmp_path: Path, name: str) -> None:
    """With a byte order mark, Windows line ends, blank lines and no last line end."""
    text = "\ufeff" + "\r\n\r\n".join(json.dumps(row) for row in ROWS)
    data = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert read_submission(tmp_path / name, GOLD) == RIGHT


def test_parquet_with_other_columns_nulls_and_dictionaries(tmp_path: Path) -> None:
    table = pa.table(
        {
            "label": pa.array([row["label"] for row in ROWS]).dictionary_encode(),
            "premise": [None] * len(ROWS),
            "guid": pa.array([row["guid"] for row in ROWS], pa.large_string()),
            "probabilities": pa.nulls(len(ROWS), pa.list_(pa.float64())),
        }
    )
    pq.write_table(table, tmp_path / "p.parquet")
    assert read_submission(tmp_path / "p.parquet", GOLD) == RIGHT


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    lines = [
        '{"guid": "pair-000", "label": "entailment"}',
        '{"guid": "pair-001", "label": "maybe"}',
        '{"guid": "pair-000", "label": "neutral"}',
        '{"guid": "pair-900", "label": "neutral"}',
        '{"guid": "pair-002", "label": NaN}',
        '{"guid": "pair-003", "label": true}',
        '{"guid": "pair-004", "label": ',
        "[1, 2]",
        '{"label": "neutral"}',
        '{"guid": 7, "label": "neutral"}',
        '{"guid": "pair-005", "guid": "pair-004", "label": "neutral"}',
        '{"guid": "pair-005"}',
        "true",
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    said = refused(path, GOLD).splitlines()
    assert said[0].startswith(f"{path}: nothing is scored; ")
    for told in ("4 wrong", "1 double", "1 unknown", "4 unreadable", "2 without guid", "1 missing"):
        assert told in said[0]
    wanted = [
        "mine.jsonl line 2: guid pair-001: `label` 'maybe' is not in nli@",
        "mine.jsonl line 3: guid pair-000 stands here again, first in line 1",
        "mine.jsonl line 4: guid pair-900 is not in the gold",
        "mine.jsonl line 5: guid pair-002: `label` is a text, not NaN",
        "mine.jsonl line 6: guid pair-003: `label` is a text, not true",
        "mine.jsonl line 7: is not one JSON object: Expecting value at character 31",
        "mine.jsonl line 8: is a list of 2 values, not an object",
        "mine.jsonl line 9: no `guid`",
        "mine.jsonl line 10: `guid` is a text, not 7",
        "mine.jsonl line 11: a key is given twice in one object",
        "mine.jsonl line 12: guid pair-005: holds no answer; give `label`",
        "mine.jsonl line 13: is true, not an object",
        "mine.jsonl: guid pair-004 has no prediction",
    ]
    assert [
        line[2 : 2 + len(start)] for line, start in zip(said[1:], wanted, strict=True)
    ] == wanted


def test_a_submission_is_checked_without_the_answers(tmp_path: Path) -> None:
    """Whoever lacks the labels reads the same predictions, and tells of the same faults."""
    bare = [replace(example, label=None) for example in GOLD.examples]
    questions = questions_of(bare, GOLD.scorer, GOLD.spec)
    assert read_submission(write(tmp_path / "p.jsonl", ROWS), questions) == RIGHT
    broken = write(tmp_path / "p.jsonl", [{**ROWS[0], "label": "maybe"}, ROWS[1], ROWS[1]])
    with pytest.raises(InputError) as error:
        read_submission(broken, questions)
    assert str(error.value) == refused(broken, GOLD)


@pytest.mark.parametrize("name", ["p.jsonl", "p.jsonl.gz", "p.parquet"])
def test_a_file_may_hold_so_many_bytes_unpacked(tmp_path: Path, name: str) -> None:
    rows = [{**row, "note": row["guid"] * 100} for row in ROWS]
    path = write(tmp_path / "p.jsonl", rows)
    size = path.stat().st_size
    if name.endswith(".gz"):
        path = tmp_path / name
        path.write_bytes(gzip.compress((tmp_path / "p.jsonl").read_bytes()))
        assert path.stat().st_size < size / 2
    elif name.endswith(".parquet"):
        path = tmp_path / name
        pq.write_table(pa.Table.from_pylist(rows), path, use_dictionary=False)
    assert read_submission(path, GOLD, most=2 * size) == RIGHT
    with pytest.raises(InputError, match=rf"{name}.*unpacks to more than 999 bytes"):
        read_submission(path, GOLD, most=999)


def test_the_first_faults_are_told_and_the_others_counted(tmp_path: Path) -> None:
    many = gold(pairs(100))
    said = refused(write(tmp_path / "p.jsonl", rows_of(many)[:1]), many).splitlines()
    assert len(said) == 1 + SHOWN + 1
    assert "99 missing; 100 guids are wanted" in said[0] and "another task" not in said[0]
    assert said[-1] == "  and 79 faults more"
    strange = [{"guid": f"other-{n}", "label": "neutral"} for n in range(3)]
    head = refused(write(tmp_path / "p.jsonl", strange), GOLD).splitlines()[0]
    assert "3 unknown, 6 missing" in head and "another task or split?" in head


def test_a_file_of_nothing_but_faults_is_not_kept_in_memory(tmp_path: Path) -> None:
    """However many rows there are: 20 faults are kept, the others counted."""
    peaks = []
    for many in (10_000, 50_000):
        path = tmp_path / f"{many}.parquet"
        pq.write_table(pa.table({"guid": ["other"] * many, "label": ["neutral"] * many}), path)
        tracemalloc.start()
        said = refused(path, GOLD)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert f"{many:,} unknown, 6 missing" in said
        assert f"and {many + 6 - SHOWN:,} faults more" in said
    assert peaks[1] < 1.2 * peaks[0]


def test_parquet_rows_have_numbers(tmp_path: Path) -> None:
    rows = [*ROWS, {"guid": "pair-001", "label": "neutral"}, {"guid": None, "label": "neutral"}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "p.parquet", row_group_size=2)
    said = refused(tmp_path / "p.parquet", GOLD)
    assert "p.parquet row 7: guid pair-001 stands here again, first in row 2" in said
    assert "p.parquet row 8: no `guid`" in said


def test_no_text_is_told_in_clear(tmp_path: Path) -> None:
    secret = "한도담 010-1234-5678"
    rows = [{"guid": secret, "label": secret}, {"guid": "pair-000", "label": secret}]
    rows.append({"guid": "010-1234-5678", "label": "neutral"})
    said = refused(write(tmp_path / "p.jsonl", rows), GOLD)
    assert "1234" not in said and "한도담" not in said
    assert "guid (a text of 17 characters) is not in the gold" in said
    (tmp_path / "cut.jsonl").write_text('{"guid": "pair-000", "label": "한도담', "utf-8")
    assert "한도담" not in refused(tmp_path / "cut.jsonl", GOLD)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("empty.jsonl", b"", "holds no prediction"),
        ("blank.jsonl", b"\n  \n", "holds no prediction"),
        ("p.csv", b"guid,label\n", "predictions are JSONL or Parquet"),
        ("p.txt", b"neutral\n", "predictions are JSONL or Parquet"),
        ("p.jsonl", b"PAR1" + bytes(100), "a Parquet file"),
        ("p.parquet", b"PAR1 but not really PAR1", "damaged or no Parquet file"),
        ("p.jsonl.gz", b"{}", "is no .gz file"),
        ("cut.jsonl.gz", CUT_GZIP, "cut off"),
        ("p.jsonl", '{"guid": "비"}'.encode("cp949"), "looks like CP949"),
        ("deep.jsonl", b"[" * 100_000, "line 1: is nested too deeply"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_of_another_kind(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(content)
    said = refused(tmp_path / name, GOLD)
    assert told in said and name in said


def test_what_is_no_file(tmp_path: Path) -> None:
    assert "is a folder" in refused(tmp_path, GOLD)
    (tmp_path / "p.parquet").mkdir()
    assert "is a folder" in refused(tmp_path / "p.parquet", GOLD)
    assert "no such file" in refused(tmp_path / "absent.jsonl", GOLD)
    assert "no such file" in refused(tmp_path / "absent.parquet", GOLD)


def test_a_parquet_file_damaged_inside(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    pq.write_table(pa.Table.from_pylist(ROWS), path, use_dictionary=False, compression="none")
    data = bytearray(path.read_bytes())
    data[8:40] = b"\xff" * 32
    path.write_bytes(bytes(data))
    assert "damaged or no Parquet file" in refused(path, GOLD)


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"name": ["pair-000"], "label": ["neutral"]}, "no column of guids (guid or id or item)"),
        (
            {"guid": ["pair-000"], "said": ["neutral"]},
            "no column of answers (label); it has: 'guid'",
        ),
        ({"guid": ["pair-000"], "010-1234": ["neutral"]}, "it has: 'guid'"),
    ],
)
def test_a_parquet_file_without_a_column(
    tmp_path: Path, columns: dict[str, list[str]], told: str
) -> None:
    pq.write_table(pa.table(columns), tmp_path / "p.parquet")
    said = refused(tmp_path / "p.parquet", GOLD)
    assert told in said and "1234" not in said


def test_a_parquet_column_that_is_there_twice(tmp_path: Path) -> None:
    table = pa.Table.from_arrays([pa.array(["x"])] * 3, ["guid", "label", "label"])
    pq.write_table(table, tmp_path / "p.parquet")
    assert "column 'label' is there twice" in refused(tmp_path / "p.parquet", GOLD)


def test_lengths_and_numbers_of_other_tasks_are_told_with_their_field(tmp_path: Path) -> None:
    words = {"text": "비가 온다.", "words": ["비가", "온다."]}
    tree = {"heads": [2, 0], "deprels": ["NP_SBJ", "VP"], "lemmas": [], "pos": []}
    trees = gold([Example("t1", "airbnb", words, tree)], "dp")
    row = {"guid": "t1", "head": [2], "deprel": ["NP_SBJ"]}
    said = refused(write(tmp_path / "p.jsonl", [row]), trees)
    assert "p.jsonl line 1: guid t1: entries in `head`: 1, words: 2" in said
    label = {"label": 2.6, "real-label": 2.6, "binary-label": 0}
    texts = {"sentence1": "비가 온다.", "sentence2": "눈이 온다."}
    numbers = gold([Example("s1", "airbnb", texts, label)], "sts")
    table = pa.table({"guid": ["s1"], "label": [float("nan")]})
    pq.write_table(table, tmp_path / "p.parquet")
    assert "p.parquet row 1: guid s1: `label` is NaN" in refused(tmp_path / "p.parquet", numbers)


@given(st.permutations(ROWS), st.sets(st.integers(0, 5)), st.data())
def test_what_is_missing_is_counted_whatever_the_order(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[dict[str, str]],
    out: set[int],
    data: st.DataObject,
) -> None:
    folder = tmp_path_factory.mktemp("drawn", numbered=True)
    absent = {ROWS[place]["guid"] for place in out}
    kept = [row for row in rows if row["guid"] not in absent]
    if not absent:
        assert read_submission(write(folder / "p.jsonl", kept), GOLD) == RIGHT
    elif kept:
        again = data.draw(st.sampled_from(kept))
        with pytest.raises(InputError) as error:
            read_submission(write(folder / "p.jsonl", [*kept, again]), GOLD)
        assert f"1 double, {len(absent)} missing" in str(error.value)
        assert all(f"guid {guid} has no prediction" in str(error.value) for guid in absent)


@pytest.mark.parametrize(
    ("name", "bare"),
    [("a.jsonl", "a"), ("a.v1.parquet", "a.v1"), ("a.jsonl.gz", "a"), ("a.json", "a"), ("a", "a")],
)
def test_the_name_of_a_system(name: str, bare: str) -> None:
    assert bare_name(Path("runs") / name) == bare
