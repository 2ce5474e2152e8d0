"""The stage `collect`: votes of files and of batches to one table, and what is refused told."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from voting import FIELDS, make_items

from pipeline.annotation.simulated.campaign import run
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import running, schemas, store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical
from pipeline.core.stage import Call, call

COLLECT = "pipeline.annotation.intake.collecting"


def _collect(folder: Path, items: pa.Table, *files: Path, task: str = "tc", **more: Any) -> Call:
    drawn = folder / "drawn"
    drawn.mkdir(parents=True, exist_ok=True)
    store.write_table(drawn, "items", "all", items)
    strays = more.pop("strays", True)
    planned = call(
        COLLECT,
        work=folder,
        source=task,
        raw=tuple(one.read_bytes().hex()[:64] for one in files),
        params={"task": task, "spec": load_spec(task).name, "strays": strays},
        arguments={"files": [str(one) for one in files], "batches": more.pop("batches", None)},
    )
    done = replace(planned, inputs=(drawn,))
    running.complete(done)
    return done


def _rows(done: Call, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read_all(done.folder, name).to_pylist()
    return rows


def _file(path: Path, *votes: dict[str, Any] | str) -> Path:
    lines = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in votes]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _vote(item: str, who: str, *topics: str, **more: Any) -> dict[str, Any]:
    return {"item": item, "annotator": who, "label": list(topics), **more}


def test_votes_of_several_files_come_together(tmp_path: Path) -> None:
    one = _file(tmp_path / "a.jsonl", _vote("tc-c1", "07", "사회"), _vote("tc-c2", "07", "경제"))
    two = tmp_path / "b.csv"
    two.write_text('item,annotator,label\ntc-c1,08,"[""정치""]"\n', "utf-8")
    done = _collect(tmp_path, make_items(["tc-c1", "tc-c2", "tc-c3"], source="yna"), one, two)
    said = {(row["item"], row["annotator"], row["label"]) for row in _rows(done, "votes")}
    assert said == {
        ("tc-c1", "07", '["사회"]'),
        ("tc-c2", "07", '["경제"]'),
        ("tc-c1", "08", '["정치"]'),
    }
    assert [row["item"] for row in _rows(done, "items")] == ["tc-c1", "tc-c2", "tc-c3"]
    assert _rows(done, "ledger") == []


def test_what_is_refused_is_told_with_file_and_line(tmp_path: Path) -> None:
    votes = _file(
        tmp_path / "votes.jsonl",
        _vote("tc-c1", "07", "사회"),
        "{broken",
        _vote("tc-c9", "07", "사회"),
        _vote("tc-c1", "08", "날씨"),
    )
    done = _collect(tmp_path, make_items(["tc-c1"], source="yna"), votes)
    found = [(row["file"], row["line"], row["rule"]) for row in _rows(done, "ledger")]
    assert sorted(found) == [
        ("votes.jsonl", 2, "file.malformed@1"),
        ("votes.jsonl", 3, "vote.unknown_item@1"),
        ("votes.jsonl", 4, "vote.label@1"),
    ]
    assert {row["action"] for row in _rows(done, "ledger")} == {"quarantine"}
    assert len(_rows(done, "votes")) == 1


def test_files_of_all_tasks_give_each_its_own(tmp_path: Path) -> None:
    """A stray record is told once, by the task that is asked for strays."""
    votes = _file(
        tmp_path / "votes.jsonl",
        _vote("tc-c1", "07", "사회"),
        {"item": "sts-c1", "annotator": "07", "label": 3},
        {"item": "mine", "annotator": "07", "label": 4, "task": "sts"},
        {"item": "nobody", "annotator": "07", "label": ["사회"]},
    )
    first = _collect(tmp_path / "tc", make_items(["tc-c1"], source="yna"), votes)
    other = _collect(
        tmp_path / "sts",
        make_items(["sts-c1", "mine"], "sts", source="airbnb"),
        votes,
        task="sts",
        strays=False,
    )
    assert [row["item"] for row in _rows(first, "votes")] == ["tc-c1"]
    assert [row["line"] for row in _rows(first, "ledger")] == [4]
    assert {row["item"] for row in _rows(other, "votes")} == {"sts-c1", "mine"}
    assert _rows(other, "ledger") == []


def test_no_vote_at_all_says_what_to_do(tmp_path: Path) -> None:
    votes = _file(tmp_path / "votes.jsonl", {"item": "sts-c1", "annotator": "07", "label": 3})
    with pytest.raises(InputError, match=r"tc: no vote about its 1 candidate.*klue import"):
        _collect(tmp_path, make_items(["tc-c1"]), votes)


def test_votes_that_were_all_refused_are_counted_by_rule(tmp_path: Path) -> None:
    votes = _file(
        tmp_path / "votes.jsonl",
        {**_vote("tc-c1", "07", "사회"), "labels": "사회"},
        {**_vote("tc-c1", "08", "사회"), "labels": "사회"},
        _vote("tc-c1", "09", "날씨 아님"),
    )
    with pytest.raises(InputError, match=r"3 were refused: vote.key@1 \(2\), vote.label@1 \(1\);"):
        _collect(tmp_path, make_items(["tc-c1"], source="yna"), votes)


def _as_file(votes: pa.Table, path: Path) -> Path:
    pq.write_table(votes, path)
    return path


def _made(task: str) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Return candidates, and the items and votes of people who were simulated over them."""
    if task == "nli":
        rows: list[dict[str, object]] = [
            {"item": f"nli-c{n:020x}", "task": "nli", "source": "policy",
             "fields": canonical({"premise": f"{n}번 창문이 활짝 열려 있다."})}
            for n in range(9)
        ]  # fmt: skip
        drawn = schemas.build("items", rows)
    else:
        drawn = make_items([f"{task}-c{n:020x}" for n in range(9)], task, source="yna")
    found = run(drawn, task=TASKS[task], spec=load_spec(task), seed=4)
    return drawn, found.items, found.votes


def _said(votes: pa.Table) -> Counter[tuple[Any, ...]]:
    names = ("item", "annotator", "role", "round", "attempt", "label", "report")
    return Counter(tuple(row[name] for name in names) for row in votes.to_pylist())


@pytest.mark.parametrize("task", ["tc", "sts", "nli"])
def test_a_votes_table_read_again_says_the_same(tmp_path: Path, task: str) -> None:
    """Every vote that was written as Parquet is there again, the texts of authors included."""
    drawn, items, votes = _made(task)
    done = _collect(tmp_path, drawn, _as_file(votes, tmp_path / "votes.parquet"), task=task)
    again = store.read_all(done.folder, "items")
    assert set(again["item"].to_pylist()) == set(items["item"].to_pylist())
    assert _said(store.read_all(done.folder, "votes")) == _said(votes)


def test_pairs_come_from_what_authors_wrote(tmp_path: Path) -> None:
    """NLI: three hypotheses on one premise, and nothing on the other."""
    premises = make_items(["nli-ca", "nli-cb"], "nli", source="policy")
    written = {"entailment": "비다.", "contradiction": "맑다.", "neutral": "춥다."}
    wrote = {"item": "nli-ca", "annotator": "w", "label": written, "role": "author",
             "round": "write"}  # fmt: skip
    done = _collect(tmp_path, premises, _file(tmp_path / "v.jsonl", wrote), task="nli")
    items = _rows(done, "items")
    texts = {json.loads(row["fields"])["hypothesis"] for row in items}
    assert texts == set(written.values())
    assert {json.loads(row["meta"])["origin"] for row in items} == {"nli-ca"}
    own = [row for row in _rows(done, "votes") if row["round"] == "validate"]
    given = {json.loads(r["fields"])["hypothesis"]: r["item"] for r in items}
    assert {row["item"]: json.loads(row["label"]) for row in own} == {
        given[text]: label for label, text in written.items()
    }
    (row,) = _rows(done, "ledger")
    assert (row["unit"], row["rule"], row["action"]) == (
        "nli-cb", "annotation.unwritten@1", "drop")  # fmt: skip


def test_a_decision_on_a_whole_analysis_is_taken(tmp_path: Path) -> None:
    """DP has two kinds of answers: an expert who settles an item gives both, as its gold has them.

    So it is written by simulated experts, and so it stands in the private votes of a release.
    """
    item = make_items(["dp-c1"], "dp", source="wikitree")
    words = FIELDS["dp"]["words"]
    assert len(words) == 3
    whole = {
        "heads": [3, 3, 0],
        "deprels": ["NP_SBJ", "NP_OBJ", "VP"],
        "lemmas": ["나 는", "밥 을", "먹 는다"],
        "pos": ["NP+JX", "NNG+JKO", "VV+EF"],
    }
    said = {"item": "dp-c1", "annotator": "e", "role": "expert", "round": "adjudicate",
            "label": whole}  # fmt: skip
    done = _collect(tmp_path, item, _file(tmp_path / "v.jsonl", said), task="dp")
    assert _rows(done, "ledger") == []
    (row,) = _rows(done, "votes")
    assert json.loads(row["label"]) == whole
