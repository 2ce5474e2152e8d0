"""Votes in tables made elsewhere: other columns, a column an annotator, words as scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pipeline.annotation.intake.columns import Columns, parse_columns
from pipeline.annotation.intake.label_names import parse_labels
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.annotation.intake.votefile import read_votes
from pipeline.core.errors import InputError

#: The votes of a wide table with gaps: (item, annotator, label).
VOTES = [("a", "kim", 3), ("a", "lee", 4), ("b", "lee", 2), ("c", "kim", 5), ("c", "park", 1)]


def _columns(text: str | None, *, wide: bool = False) -> Columns:
    columns = parse_columns(text, wide=wide)
    assert columns is not None
    return columns


def _wide() -> pd.DataFrame:
    table = pd.DataFrame(VOTES, columns=["doc", "who", "score"])
    return table.pivot_table(index="doc", columns="who", values="score").reset_index()


def _write(table: pd.DataFrame, path: Path) -> Path:
    match path.suffix:
        case ".parquet":
            table.to_parquet(path)
        case ".jsonl":
            table.to_json(path, orient="records", lines=True)
        case _:
            table.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


def _read(path: Path, columns: Columns) -> list[tuple[Any, ...]]:
    raw = list(read_votes(path, columns))
    assert all(isinstance(vote, RawVote) for vote in raw), raw
    keys = ("item", "annotator", "label")
    return sorted(tuple(vote.value[key] for key in keys) for vote in raw)


@pytest.mark.parametrize("name", ["v.csv", "v.tsv", "v.parquet", "v.jsonl"])
def test_pandas_writes_and_we_read(name: str, tmp_path: Path) -> None:
    """A gap makes pandas write numbers as floats, and itself as nothing, null or NaN."""
    wide = _write(_wide(), tmp_path / name)
    assert _read(wide, _columns("item=doc", wide=True)) == VOTES
    some = [vote for vote in VOTES if vote[1] != "park"]
    assert _read(wide, _columns("item=doc,annotator=kim|lee", wide=True)) == some
    long = _write(pd.DataFrame(VOTES, columns=["doc", "who", "score"]), tmp_path / f"long-{name}")
    assert _read(long, _columns("item=doc,annotator=who,label=score")) == VOTES


def test_columns_of_no_key_are_not_read(tmp_path: Path) -> None:
    table = _wide().assign(text="본문", gold=3)
    path = _write(table, tmp_path / "v.csv")
    assert _read(path, _columns("item=doc,annotator=kim|lee|park", wide=True)) == VOTES


def test_seats_are_nobody_in_particular(tmp_path: Path) -> None:
    path = _write(_wide(), tmp_path / "v.csv")
    raw = list(read_votes(path, _columns("item=doc,seat=kim|lee|park", wide=True)))
    assert {vote.value["seat"] for vote in raw if isinstance(vote, RawVote)} == {
        "kim",
        "lee",
        "park",
    }
    assert not any("annotator" in vote.value for vote in raw if isinstance(vote, RawVote))


def test_a_row_without_a_vote_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("doc,kim,lee\na,1,\nb,,\nc,2,3\n", "utf-8")
    raw = list(read_votes(path, _columns("item=doc", wide=True)))
    refused = [(vote.line, vote.rule) for vote in raw if isinstance(vote, Refused)]
    assert refused == [(3, "vote.empty@1")]
    assert sum(isinstance(vote, RawVote) for vote in raw) == 3


@pytest.mark.parametrize(
    ("text", "wide", "message"),
    [
        ("item=id", False, "has no column 'id' of the item; it has: 'doc', 'kim', 'lee'"),
        ("item=doc,annotator=kim|choi", True, "has no column 'choi' of the annotator"),
        ("item=doc", False, "has no column 'label' of the label"),
        ("item=doc,annotator=who", False, "has no column"),
    ],
)
def test_a_missing_column_is_named(text: str, wide: bool, message: str, tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("doc,kim,lee\na,1,2\n", "utf-8")
    with pytest.raises(InputError) as refused:
        list(read_votes(path, _columns(text, wide=wide)))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("text", "wide", "message"),
    [
        ("item", False, "is not KEY=COLUMN"),
        ("item=", False, "is not KEY=COLUMN"),
        ("worker=who", False, "votes have no key 'worker'; allowed: item, "),
        ("item=a,item=b", False, "is named twice"),
        ("item=a,label=a", False, "column 'a' is named twice"),
        ("annotator=a|b", False, "names several columns"),
        ("label=a", True, "the labels of a wide table are its cells"),
        ("annotator=a,seat=b", True, "not both"),
    ],
)
def test_what_columns_cannot_say(text: str, wide: bool, message: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_columns(text, wide=wide)
    assert message in str(refused.value)


def _labels(text: str | None, level: str | None, *given: Any) -> list[Any]:
    measured = parse_labels(text, level)
    assert measured is not None
    raw = [RawVote("f", n, {"item": "a", "label": label}) for n, label in enumerate(given, 1)]
    return [v.rule if isinstance(v, Refused) else v.value["label"] for v in measured.read(raw)]


def test_words_stand_for_scores() -> None:
    assert _labels("bad=1,fair=2.5", None, "bad", " fair ", 2.5, "good") == [
        1,
        2.5,
        2.5,
        "vote.label@1",
    ]
    assert _labels("bad,fair", "interval", "fair", 1) == [2, 1]
    assert _labels("yes,no", None, "no", "maybe") == ["no", "vote.label@1"]
    assert _labels("a,b", "multilabel", ["b", "a"], ["c"]) == [["a", "b"], "vote.label@1"]
    assert _labels(None, "nominal", "anything") == ["anything"]
    for text, level in (("bad=1,bad=2", None), ("a=1,b", None), ("a=x", None), ("a=1", "nominal")):
        with pytest.raises(InputError, match="--labels"):
            parse_labels(text, level)
