"""The project's own form: everything that is asked about an item, and votes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exchange_samples import FIELDS, SPECS, items, round_of

from pipeline.annotation.exchange import jsonl
from pipeline.annotation.intake.columns import parse_columns
from pipeline.annotation.intake.vote import RawVote, Refused
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError

VOTE = {"item": "tc-1", "annotator": "ann-01", "label": ["사회"]}


def _read(folder: Path, *rows: Any, **more: Any) -> list[RawVote | Refused]:
    path = folder / "votes.jsonl"
    texts = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(texts), "utf-8")
    return list(jsonl.read(path, task=TASKS["tc"], spec=SPECS["tc"], **more))


def test_an_item_says_all_that_is_asked(tmp_path: Path) -> None:
    (path,) = jsonl.write(
        items("re"),
        spec=SPECS["re"],
        round_=round_of("re", "main"),
        folder=tmp_path,
        assigned={"re-1": ("ann-01", "ann-02")},
        shown={"re-1": "per:origin"},
    )
    row = json.loads(path.read_text("utf-8"))
    assert row["fields"] == FIELDS["re"]
    assert (row["spec"], row["round"], row["role"]) == ("re@1.0.1", "main", "annotator")
    assert row["options"]["label"][1] == "per:place_of_birth"
    assert len(row["options"]["label"]) == 30
    assert row["assigned"] == ["ann-01", "ann-02"]
    assert row["shown"] == "per:origin"
    assert "wrong_entity_boundary" in row["reports"]


def test_a_scale_is_told(tmp_path: Path) -> None:
    (path,) = jsonl.write(
        items("sts"), spec=SPECS["sts"], round_=round_of("sts", "main"), folder=tmp_path
    )
    assert json.loads(path.read_text("utf-8"))["scale"] == [0, 5]


def test_votes_keep_their_keys(tmp_path: Path) -> None:
    whole = VOTE | {
        "role": "annotator",
        "round": "main",
        "at": "2026-11-20T10:00:00Z",
        "seconds": 4.2,
        "spec": "tc@1.0.0",
        "attempt": 2,
        "seat": "first",
        "simulated": True,
    }
    (vote,) = _read(tmp_path, whole)
    assert isinstance(vote, RawVote)
    assert vote.value == whole
    assert (vote.file, vote.line) == ("votes.jsonl", 1)


def test_the_round_fills_in_what_a_vote_leaves_out(tmp_path: Path) -> None:
    (vote,) = _read(tmp_path, VOTE, round_=round_of("tc", "main"), annotators={"ann-01": "A"})
    assert isinstance(vote, RawVote)
    assert vote.value == VOTE | {"annotator": "A", "round": "main", "role": "annotator"}


def test_nobody_is_a_name_too(tmp_path: Path) -> None:
    (vote,) = _read(tmp_path, VOTE | {"annotator": None, "seat": "label2"})
    assert isinstance(vote, RawVote)
    assert vote.value["annotator"] is None


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (VOTE | {"item": ""}, "item"),
        (VOTE | {"mood": "good"}, "control"),
        (VOTE | {"label": None}, "unanswered"),
        (VOTE | {"annotator": 3}, "annotator"),
        (VOTE | {"round": "other"}, "round"),
        (VOTE | {"annotator": "ann-77"}, "annotator"),
        ('{"item": "tc-1", "annota', "malformed"),
        ('{"item": "a", "item": "b"}', "malformed"),
        ('{"item": "a", "label": 1e999}', "encoding"),
        ("[" * 100_000, "malformed"),
        ("3", "malformed"),
    ],
)
def test_a_bad_vote_is_refused(tmp_path: Path, row: Any, rule: str) -> None:
    ids = {"ann-01": "A"}
    good, bad = _read(tmp_path, VOTE, row, round_=round_of("tc", "main"), annotators=ids)
    assert isinstance(good, RawVote)
    assert isinstance(bad, Refused)
    assert (bad.line, bad.rule) == (2, f"exchange.{rule}@1")


def test_tables_are_read_as_by_an_audit(tmp_path: Path) -> None:
    texts = {
        "v.csv": 'item,annotator,label,seconds\ntc-1,ann-01,"[""사회""]",4.2\n,ann-01,세계,\n',
        "v.tsv": 'item\tannotator\tlabel\tseconds\ntc-1\tann-01\t["사회"]\t4.2\n\tann-01\t세계\t\n',
        "v.json": json.dumps([VOTE | {"seconds": 4.2}, {"annotator": "ann-01", "label": "세계"}]),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
        good, bad = jsonl.read(tmp_path / name, task=TASKS["tc"], spec=SPECS["tc"])
        assert isinstance(good, RawVote) and good.value == VOTE | {"seconds": 4.2}
        assert isinstance(bad, Refused) and (bad.line - good.line, bad.rule[-6:]) == (1, "item@1")
    with pytest.raises(InputError, match=r"allowed: \.jsonl, \.json, \.csv"):
        list(jsonl.read(tmp_path / "v.xlsx", task=TASKS["tc"], spec=SPECS["tc"]))


def test_columns_say_where_votes_stand(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("doc,kim,lee,memo\ntc-1,사회,,x\ntc-2,세계,경제,\n", "utf-8")
    columns = parse_columns("item=doc,annotator=kim|lee", wide=True)
    votes = list(jsonl.read(path, task=TASKS["tc"], spec=SPECS["tc"], columns=columns))
    found = [tuple(vote.value.values()) for vote in votes if isinstance(vote, RawVote)]
    assert found == [("tc-1", "kim", "사회"), ("tc-2", "kim", "세계"), ("tc-2", "lee", "경제")]


def test_files_that_are_none(tmp_path: Path) -> None:
    spec, task = SPECS["tc"], TASKS["tc"]
    with pytest.raises(InputError, match="no such file"):
        list(jsonl.read(tmp_path / "none.jsonl", task=task, spec=spec))
    with pytest.raises(InputError, match="is a folder"):
        list(jsonl.read(tmp_path, task=task, spec=spec))
    path = tmp_path / "other.jsonl"
    path.write_bytes(b"\xff\xfe{")
    with pytest.raises(InputError, match="not UTF-8"):
        list(jsonl.read(path, task=task, spec=spec))
    with pytest.raises(InputError, match="not of task"):
        list(jsonl.read(path, task=task, spec=SPECS["sts"]))


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be written"):
        jsonl.write(
            items("tc"),
            spec=SPECS["tc"],
            round_=round_of("tc", "main"),
            folder=tmp_path / "file" / "below",
        )
