"""Tables of votes: the same numbers as the commands, for rows of any shape."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import klue_rebuild
from klue_rebuild import InputError

Klue = Callable[..., dict[str, Any]]
#: Resamples of intervals: they are the same ones.
DRAWS = 50


@pytest.fixture
def file(votes: pd.DataFrame, tmp_path: Path) -> Path:
    path = tmp_path / "votes.jsonl"
    votes.to_json(path, orient="records", lines=True, force_ascii=False)
    return path


def test_audit_is_the_command(votes: pd.DataFrame, file: Path, klue: Klue) -> None:
    record = klue("audit", file, "--level", "nominal", "--bootstrap", DRAWS)
    audit = klue_rebuild.audit(votes, level="nominal", bootstrap=DRAWS)
    assert audit.as_json() == record
    assert klue_rebuild.audit(file, level="nominal", bootstrap=DRAWS).as_json() == record
    alpha = record["coefficients"]["krippendorff_alpha_nominal"]
    assert (audit.value, audit.low, audit.high) == (alpha["value"], alpha["low"], alpha["high"])
    assert audit.coefficients.set_index("coefficient").loc[str(audit.lead), "value"] == audit.value
    assert audit.per_annotator["annotator"].tolist() == sorted(votes["annotator"].unique())
    assert audit.per_item["item"].tolist() == [row["item"] for row in record["per_item"]]
    assert audit.per_label["votes"].sum() == len(votes)
    assert audit.confusion.to_numpy().tolist() == record["confusion"]["counts"]


def test_flags_are_those_who_stand_out_and_nobody_else(votes: pd.DataFrame) -> None:
    audit = klue_rebuild.audit(votes, level="nominal", bootstrap=0)
    people = audit.as_json()["per_annotator"]
    wanted = [(name, flag["code"]) for name, row in people.items() for flag in row["flags"]]
    assert list(zip(audit.flags["annotator"], audit.flags["code"], strict=True)) == wanted
    rng = np.random.default_rng(3)
    honest = pd.DataFrame(
        [
            {"item": n, "annotator": f"w{who}", "label": "abc"[int(label)]}
            for n in range(60)
            for who in range(8)
            for label in [n % 3 if rng.random() < 0.8 else rng.integers(3)]
        ]
    )
    assert (klue_rebuild.audit(honest, level="nominal", bootstrap=0).flags["q"] <= 0.05).all()


@pytest.mark.parametrize("form", ["csv", "frame"])
def test_names_that_look_like_numbers_stay_apart(form: str, tmp_path: Path) -> None:
    """1.10 and 1.1 are versions, not one number; on a scale they are."""
    pairs = [("1.1", "1.10"), ("1e3", "1000"), ("2.1", "2.1"), ("7", "7")]
    frame = pd.DataFrame(
        [
            {"item": n, "annotator": who, "label": label}
            for n, pair in enumerate(pairs)
            for who, label in zip("ab", pair, strict=True)
        ]
    )
    votes: Any = frame
    if form == "csv":
        votes = tmp_path / "votes.csv"
        frame.to_csv(votes, index=False)
    names = klue_rebuild.audit(votes, level="nominal", bootstrap=0)
    assert set(names.per_label["label"]) == {"1.1", "1.10", "1e3", "1000", "2.1", "7"}
    gold = klue_rebuild.aggregate(votes, level="nominal").gold
    assert gold.set_index("item")["status"].tolist() == ["unresolved"] * 2 + ["gold"] * 2
    assert klue_rebuild.audit(votes, level="interval", bootstrap=0).value == 1


def test_refused_votes_stand_in_the_ledger(votes: pd.DataFrame) -> None:
    bad = pd.concat([votes, votes.tail(1).assign(label=None)])
    gold = klue_rebuild.aggregate(bad, level="nominal")
    assert gold.refused == {"vote.empty@1": 1}
    assert gold.ledger["rule"].tolist() == ["vote.empty@1"]


def test_the_published_example_of_krippendorff() -> None:
    """Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, C: nominal alpha 0.691."""
    rows = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    wide = pd.DataFrame(dict(zip("abcd", rows, strict=True))).assign(item=range(12))
    audit = klue_rebuild.audit(wide, level="nominal", wide=True, bootstrap=0)
    assert audit.value == pytest.approx(0.743, abs=5e-4)
    audit = klue_rebuild.audit(wide, level="interval", wide=True, bootstrap=0)
    assert audit.value == pytest.approx(0.849, abs=5e-4)


@pytest.mark.parametrize("people", [None, ["kim", "lee", "han"]], ids=["all", "named"])
def test_a_wide_table_holds_the_same_votes(votes: pd.DataFrame, people: list[str] | None) -> None:
    wanted = klue_rebuild.audit(votes, level="nominal", bootstrap=0)
    wide = votes.pivot(index="item", columns="annotator", values="label")
    wide = wide.reset_index(names="doc")
    columns: dict[str, Any] = {"item": "doc"}
    if people is not None:
        wide["remark"], columns["annotator"] = "none", people
    audit = klue_rebuild.audit(wide, level="nominal", bootstrap=0, wide=True, columns=columns)
    assert (audit.value, audit.votes) == (wanted.value, len(votes))
    pd.testing.assert_frame_equal(audit.per_label, wanted.per_label)


def test_columns_are_named_and_others_not_read(votes: pd.DataFrame) -> None:
    wanted = klue_rebuild.audit(votes, level="nominal", bootstrap=0).value
    other = votes.rename(columns={"item": "doc", "label": "answer"}).assign(
        label=1, worker=[{}] * 120
    )
    columns = {"item": "doc", "label": "answer"}
    audit = klue_rebuild.audit(other, level="nominal", bootstrap=0, columns=columns)
    assert audit.value == wanted


def test_aggregate_is_the_command(
    votes: pd.DataFrame, file: Path, tmp_path: Path, klue: Klue
) -> None:
    options = ("--labels", "yes,no", "--rule", "plurality", "--margin", 2)
    record = klue("aggregate", file, *options, "--out", tmp_path / "gold")
    gold = klue_rebuild.aggregate(votes, labels=["yes", "no"], rule="plurality", margin=2)
    assert gold.as_json() == {name: value for name, value in record.items() if name != "out"}
    assert gold.items == gold.resolved + gold.unresolved + gold.removed
    assert gold.unresolved > 0
    lines = (tmp_path / "gold" / "gold.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    found = gold.gold.astype(object).where(gold.gold.notna(), None).to_dict("records")
    assert [{k: v for k, v in row.items() if v is not None} for row in found] == rows
    assert len(gold.queue) == gold.unresolved


@pytest.mark.parametrize("kind", [pa.string(), pa.string_view(), pa.large_string()], ids=str)
def test_categories_of_any_library_are_labels(votes: pd.DataFrame, kind: pa.DataType) -> None:
    """Labels of polars are dictionaries of views, those of pandas of strings."""
    wanted = klue_rebuild.aggregate(votes, level="nominal").gold
    names = pa.array(["no", "yes"]).cast(kind)
    codes = pa.array((votes["label"] == "yes").astype("int32"))
    table = pa.Table.from_pandas(votes[["item", "annotator"]], preserve_index=False)
    table = table.append_column("label", pa.DictionaryArray.from_arrays(codes, names))
    pd.testing.assert_frame_equal(klue_rebuild.aggregate(table, level="nominal").gold, wanted)
    frame = votes.astype({"label": "category"})
    pd.testing.assert_frame_equal(klue_rebuild.aggregate(frame, level="nominal").gold, wanted)


def test_scores_of_words(votes: pd.DataFrame) -> None:
    by_name = klue_rebuild.aggregate(votes, level="interval", labels={"no": 0, "yes": 1})
    assert by_name.rule == "mean"
    assert by_name.gold["label"].between(0, 1).all()


def test_items_are_tables_too() -> None:
    text = "김하나는 서울에 산다."
    label = [{"start": 0, "end": 3, "label": "PS"}]
    votes = [{"item": "n1", "annotator": who, "label": json.dumps(label)} for who in "abc"]
    items = pd.DataFrame({"item": ["n1"], "text": [text]})
    audit = klue_rebuild.audit(pd.DataFrame(votes), task="ner", items=items, bootstrap=0)
    assert (audit.votes, audit.refused) == (3, {})


#: What a caller does wrong, by what the error says.
WRONG: dict[str, Callable[[pd.DataFrame], object]] = {
    "give either `task` T, or `level` L": klue_rebuild.audit,
    "`level` 'x': is not known": lambda votes: klue_rebuild.audit(votes, level="x"),
    "`bootstrap` -1: is out of range": lambda votes: klue_rebuild.audit(
        votes, level="nominal", bootstrap=-1
    ),
    "table `votes`: has no column 'label'": lambda votes: klue_rebuild.audit(
        votes[["item", "annotator"]], level="nominal"
    ),
    "table `votes`: has no column 'answer'": lambda votes: klue_rebuild.audit(
        votes, level="nominal", columns={"label": "answer"}
    ),
    "table `votes`: has 1 column that votes do not have": lambda votes: klue_rebuild.audit(
        votes.assign(x=1), level="nominal"
    ),
    "column 'label' holds values of several or unknown types: int, str": lambda votes: (
        klue_rebuild.aggregate(votes.assign(label=[1, *votes["label"][1:]]), level="nominal")
    ),
    "`source`: says which tool wrote a file": lambda votes: klue_rebuild.audit(
        votes, source="label-studio"
    ),
    "`rule` mean: does not decide votes on the level nominal": lambda votes: klue_rebuild.aggregate(
        votes, level="nominal", rule="mean"
    ),
    "table `votes`: gives no vote; refused: vote.label@1 (120)": lambda votes: (
        klue_rebuild.aggregate(votes, labels=["maybe", "never"])
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_parameters_and_columns(votes: pd.DataFrame, message: str) -> None:
    with pytest.raises(InputError) as caught:
        WRONG[message](votes)
    assert message in str(caught.value)
    assert "--" not in str(caught.value)
    assert ".parquet" not in str(caught.value)


def test_what_is_refused_is_named_by_its_row(votes: pd.DataFrame) -> None:
    votes.loc[3, "label"] = "perhaps"
    audit = klue_rebuild.audit(votes, labels=["yes", "no"], bootstrap=0)
    assert audit.refused == {"vote.label@1": 1}
    (note,) = audit.notes
    assert note.startswith("table `votes` row 3: the label is ")
    assert "perhaps" not in repr(audit)


def test_no_annotator_or_label_shows_where_a_record_is_printed(votes: pd.DataFrame) -> None:
    audit = klue_rebuild.audit(votes, level="nominal", bootstrap=0)
    gold = klue_rebuild.aggregate(votes, level="nominal")
    for name in ("kim", "lee", "han", "yes"):
        assert name not in repr(audit) + repr(gold)
