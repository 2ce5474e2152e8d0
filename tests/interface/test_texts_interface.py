"""Tables of texts: the same as the commands on the same rows, no column or row lost on the way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import klue_rebuild
from klue_rebuild import InputError

ROOT = Path(__file__).resolve().parents[2]
KEY = ROOT / "data" / "sample" / "pseudonym.key"
Klue = Callable[..., dict[str, Any]]
COUNTS = ("rows_in", "rows_out", "dropped", "edited", "personal")


@pytest.fixture
def file(reviews: pd.DataFrame, tmp_path: Path) -> Path:
    """Write the texts as the file `data.parquet`, so that ids are those of a table."""
    path = tmp_path / "data.parquet"
    pq.write_table(
        pa.table({"review": pa.Array.from_pandas(reviews["review"]).cast(pa.string())}), path
    )
    return path


@pytest.mark.parametrize("unit", ["whole", "sentence"])
def test_clean_is_the_command(
    reviews: pd.DataFrame, file: Path, tmp_path: Path, klue: Klue, unit: str
) -> None:
    out = tmp_path / "out"
    record = klue("clean", file, "--out", out, "--unit", unit, "--format", "parquet")
    cleaned = klue_rebuild.clean(reviews, "review", unit=unit)
    assert cleaned.as_json() == {name: record[name] for name in COUNTS}
    written = pd.read_parquet(record["out"])
    assert cleaned.rows["review"].tolist() == written["text"].tolist()
    assert (cleaned.units["row"] + 1).tolist() == written["line"].tolist()
    facts = [name for name in cleaned.units.columns if name != "row"]
    pd.testing.assert_frame_equal(cleaned.units[facts], written[facts])
    decisions = pd.read_parquet(out / "ledger.parquet")
    same = ["unit", "stage", "rule", "action", "reason", "score"]
    pd.testing.assert_frame_equal(cleaned.ledger[same], decisions[same])
    files = klue_rebuild.clean(file, unit=unit)
    pd.testing.assert_frame_equal(files.rows, written)


def test_clean_keeps_index_and_columns(reviews: pd.DataFrame) -> None:
    cleaned = klue_rebuild.clean(reviews, "review", toxicity="off")
    assert cleaned.rows.index.tolist() == ["a", "g"]
    assert cleaned.rows.columns.tolist() == reviews.columns.tolist()
    assert cleaned.rows["other"].tolist() == [1, True]
    assert sorted({*cleaned.units["row"], *cleaned.ledger["row"]}) == list(range(7))
    assert cleaned.rows_in == cleaned.rows_out + sum(cleaned.dropped.values())


def test_a_row_of_several_sentences_is_there_for_each(reviews: pd.DataFrame) -> None:
    cleaned = klue_rebuild.clean(reviews, "review", unit="sentence", personal={"phone": "mask"})
    assert cleaned.rows.index.tolist() == ["a", "a", "b", "b", "g"]
    (start, end), text = cleaned.units.loc[1, ["start", "end"]], reviews.loc["a", "review"]
    assert str(text)[int(start) : int(end)] == cleaned.rows["review"].iloc[1]
    assert "010-2345-6789" not in "".join(cleaned.rows["review"])


class _Stream:
    """A table that only streams, once, as those of other libraries do."""

    def __init__(self, table: pa.Table) -> None:
        self._reader = table.to_reader()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._reader.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_every_table_with_a_stream_is_taken(reviews: pd.DataFrame, kind: pa.DataType) -> None:
    texts = pa.Array.from_pandas(reviews["review"]).cast(kind)
    table = pa.table({"text": texts, "n": pa.array(range(7))})
    wanted = klue_rebuild.find_personal_data(reviews, "review")
    found = klue_rebuild.find_personal_data(_Stream(table))
    pd.testing.assert_frame_equal(found.hits, wanted.hits)
    changed = klue_rebuild.pseudonymise(_Stream(table), key_file=KEY)
    assert changed.rows["n"].tolist() == list(range(7))


def test_pandas_may_be_imported_last_and_prefect_never() -> None:
    """Arrow looks for pandas at its first array, and finds none then (core/light_arrow.py)."""
    code = (
        "import pipeline.core.schemas, sys, pandas as pd, klue_rebuild\n"
        "texts = pd.DataFrame({'text': ['전화 010-2345-6789']}, index=['a'])\n"
        "assert klue_rebuild.clean(texts, toxicity='off').dropped == {'pii.phone@1': 1}\n"
        "assert 'prefect' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_stream_is_cleaned_with_all_its_columns(reviews: pd.DataFrame) -> None:
    table = pa.table({"text": reviews["review"].tolist()[:2], "n": [7, 8]})
    assert klue_rebuild.clean(_Stream(table), toxicity="off").rows["n"].tolist() == [7]


def test_a_relation_of_duckdb_is_a_table() -> None:
    relation = duckdb.sql("select '전화 010-2345-6789' as text union all select '좋은 날입니다'")
    assert klue_rebuild.find_personal_data(relation).by_type == {"phone": 1}


def test_find_personal_data_is_the_command(
    reviews: pd.DataFrame, tmp_path: Path, klue: Klue
) -> None:
    reviews = reviews.assign(site=list("xxyyxxy")).drop(columns="other")
    file, hits = tmp_path / "data.parquet", tmp_path / "hits.jsonl"
    reviews.to_parquet(file, index=False)
    options = ("--text-column", "review", "--source-column", "site", "--hits", hits)
    record = klue("pii", "scan", file, *options)
    found = klue_rebuild.find_personal_data(reviews, "review", source="site")
    assert found.as_json() == record
    assert (found.by_type, found.rows_with_hits) == (record["hits"], record["rows_with_hits"])
    rows = [json.loads(line) for line in hits.read_text("utf-8").splitlines()]
    assert found.hits.to_dict("records") == [
        {name: value for name, value in row.items() if name != "line"} for row in rows
    ]


def test_pseudonymise_is_the_command(
    reviews: pd.DataFrame, file: Path, tmp_path: Path, klue: Klue
) -> None:
    out = tmp_path / "out.parquet"
    options = ("--text-column", "review", "--key-file", KEY)
    record = klue("pii", "pseudonymise", file, "--out", out, *options)
    changed = klue_rebuild.pseudonymise(reviews, "review", key_file=KEY)
    assert changed.rows.index.tolist() == reviews.index.tolist()
    assert changed.rows["review"].dropna().tolist() == pd.read_parquet(out)["review"].tolist()
    assert changed.rows["other"].tolist()[:4] == reviews["other"].tolist()[:4]
    assert changed.rows["review"].isna().tolist() == reviews["review"].isna().tolist()
    assert (changed.key, changed.originals) == (record["key"], record["originals"])
    again = klue_rebuild.pseudonymise(file, "review", key_file=KEY)
    assert again.rows["review"].tolist() == pd.read_parquet(out)["review"].tolist()


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".txt"])
def test_files_of_every_form_come_back_as_frames(tmp_path: Path, ending: str) -> None:
    path, text = tmp_path / f"rows{ending}", "전화 010-2345-6789 입니다"
    rows = {".jsonl": json.dumps({"id": 7, "text": text}), ".csv": f"id,text\n7,{text}"}
    path.write_text(rows.get(ending, text) + "\n", "utf-8")
    changed = klue_rebuild.pseudonymise(path, key_file=KEY)
    assert changed.by_type == {"phone": 1}
    assert changed.rows["text"].str.startswith("전화 010-").tolist() == [True]
    if ending != ".txt":
        assert changed.rows["id"].astype(int).tolist() == [7]


#: What a caller does wrong, by what the error says.
WRONG: dict[str, Callable[[pd.DataFrame], object]] = {
    "does not tell which column has the texts": lambda rows: klue_rebuild.clean(
        rows[["stars", "other"]]
    ),
    "table `data`: has no column 'text'": lambda rows: klue_rebuild.clean(rows, "text"),
    "column 'other' holds values of several or unknown types: int, str, list": lambda rows: (
        klue_rebuild.clean(rows, "other")
    ),
    "`unit`: 'x' is unknown": lambda rows: klue_rebuild.clean(rows, "review", unit="x"),
    "table `data`: has no row": lambda rows: klue_rebuild.clean(rows.head(0), "review"),
    "no-file.csv: does not exist": lambda _: klue_rebuild.clean("no-file.csv"),
    "`data`: is 3; give a pandas": lambda _: klue_rebuild.find_personal_data(3),  # type: ignore[arg-type]
    "table `data`: is Series; give a pandas": lambda rows: klue_rebuild.clean(rows["review"]),
    "`min_confidence` 2 is out of range": lambda rows: klue_rebuild.find_personal_data(
        rows, "review", min_confidence=2
    ),
    "`types` 'soul': soul is no type": lambda rows: klue_rebuild.find_personal_data(
        rows, "review", types=["soul"]
    ),
    "key file no-key": lambda rows: klue_rebuild.pseudonymise(rows, "review", key_file="no-key"),
}


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_parameters_and_columns(reviews: pd.DataFrame, message: str) -> None:
    with pytest.raises(InputError) as caught:
        WRONG[message](reviews)
    assert message in str(caught.value)
    assert "--" not in str(caught.value)
    assert "010" not in str(caught.value)


def test_nothing_stays_and_nothing_is_printed(
    reviews: pd.DataFrame,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    klue_rebuild.clean(reviews, "review")
    changed = klue_rebuild.pseudonymise(reviews, "review")
    assert any("a random key was used" in note for note in changed.notes)
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_no_text_of_a_person_shows_where_a_record_is_printed(reviews: pd.DataFrame) -> None:
    for result in (
        klue_rebuild.clean(reviews, "review", personal="keep"),
        klue_rebuild.find_personal_data(reviews, "review"),
        klue_rebuild.pseudonymise(reviews, "review", key_file=KEY),
    ):
        assert "010" not in repr(result)
        assert "010" not in json.dumps(result.as_json())
        assert "배송" not in repr(result)
