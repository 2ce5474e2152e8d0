"""The stages `answer` and `decide`: candidates to the votes of simulated people, none lost."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from voting import make_items

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.annotation.intake.items import read_items
from pipeline.annotation.simulated.truths import ANSWERS
from pipeline.annotation.stages import outcome
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import running, schemas, store
from pipeline.core.errors import ConservationError
from pipeline.core.stage import Call, call

ANSWER = "pipeline.annotation.simulated.campaign"
DECIDE = "pipeline.annotation.simulated.deciding"
NAMES = [f"tc-c{n:020x}" for n in range(40)]


def _stored(folder: Path, **tables: pa.Table) -> Path:
    folder.mkdir(parents=True)
    for name, table in tables.items():
        store.write_table(folder, name, "all", table)
    return folder


def _params(task: str, seed: int) -> dict[str, Any]:
    return {"task": task, "seed": seed, "spec": load_spec(task).name}


def _answer(folder: Path, items: pa.Table, task: str = "tc", seed: int = 1, **more: Any) -> Call:
    drawn = _stored(folder / "drawn", items=items)
    planned = call(ANSWER, work=folder, source=task, params=_params(task, seed), **more)
    done = replace(planned, inputs=(drawn,))
    running.complete(done)
    return done


def _decide(folder: Path, answered: Call, task: str = "tc", seed: int = 1) -> Call:
    """Run what experts decide after a first aggregation."""
    items, votes = (store.read_all(answered.folder, name) for name in ("items", "votes"))
    found = aggregate(votes, task=TASKS[task], spec=load_spec(task), items=items)
    gold = _stored(folder / "gold", gold=found.gold)
    planned = call(DECIDE, work=folder, source=task, params=_params(task, seed))
    done = replace(planned, inputs=(folder / "drawn", answered.folder, gold))
    running.complete(done)
    return done


def _rows(done: Call, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read_all(done.folder, name).to_pylist()
    return rows


def test_every_candidate_is_answered_as_often_as_the_spec_says(tmp_path: Path) -> None:
    done = _answer(tmp_path, make_items(NAMES, source="yna"))
    assert [row["item"] for row in _rows(done, "items")] == NAMES
    votes = _rows(done, "votes")
    assert Counter(row["item"] for row in votes) == dict.fromkeys(NAMES, 3)  # Section 3.1
    assert all(row["simulated"] and row["spec"] == load_spec("tc").name for row in votes)
    seen = {(row["item"], row["annotator"]) for row in votes}
    assert len(seen) == len(votes), "nobody answers an item twice"
    assert _rows(done, "ledger") == []


def test_another_seed_gives_other_answers_and_the_same_seed_the_same(tmp_path: Path) -> None:
    items = make_items(NAMES, source="yna")
    one, two, other = (
        store.read_all(_answer(tmp_path / name, items, seed=seed).folder, "votes")
        for name, seed in (("one", 1), ("two", 1), ("other", 2))
    )
    assert one.equals(two)
    assert not one.equals(other)


def test_truths_of_a_users_own_are_taken(tmp_path: Path) -> None:
    """Answers are drawn around the truth: where all headlines are sports, nearly all say so."""
    truths = tmp_path / "truths"
    truths.mkdir()
    lines = [
        {"item": name, "fields": {"title": f"{n}번째 경기에서 이겼다"}, "gold": ["스포츠"]}
        for n, name in enumerate(NAMES)
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (truths / "tc.jsonl").write_text(text, "utf-8")
    items = schemas.build(
        "items",
        [
            {"item": line["item"], "task": "tc", "source": "yna",
             "fields": json.dumps(line["fields"], ensure_ascii=False)}
            for line in lines
        ],
    )  # fmt: skip
    done = _answer(tmp_path, items, arguments={"truths": str(truths), "specs": None})
    said = Counter(row["label"] for row in _rows(done, "votes"))
    assert said['["스포츠"]'] > 0.7 * said.total()


def test_nli_answers_are_about_the_pairs_written(tmp_path: Path) -> None:
    names = [f"nli-c{n:020x}" for n in range(12)]
    fields = [json.dumps({"premise": f"{n}번 창문이 활짝 열려 있다."}) for n in range(12)]
    rows: list[dict[str, object]] = [
        {"item": name, "task": "nli", "fields": one, "source": "policy"}
        for name, one in zip(names, fields, strict=True)
    ]
    done = _answer(tmp_path, schemas.build("items", rows), "nli")
    pairs = [row["item"] for row in _rows(done, "items")]
    dropped = {row["unit"] for row in _rows(done, "ledger") if row["action"] == "drop"}
    written = Counter(pair.rpartition(".")[0] for pair in pairs)
    assert set(written) | dropped == set(names)
    assert not set(written) & dropped
    assert set(written.values()) == {3}  # a hypothesis a label (Section 3.3)
    given = Counter(row["item"] for row in _rows(done, "votes") if row["round"] == "validate")
    assert given == dict.fromkeys(pairs, 5)  # four validators and the author


def test_experts_settle_what_waits_for_them(tmp_path: Path) -> None:
    """RE has ties and reports: after `decide` no item waits for an expert's answer."""
    drawn, _ = read_items(ANSWERS / "re.jsonl", TASKS["re"])
    answered = _answer(tmp_path, drawn.slice(0, 150), "re", seed=3)
    decided = _decide(tmp_path, answered, "re", seed=3)
    before, after = (_queues(one, "re") for one in (answered, decided))
    assert before["expert"] + before["review"] + before["top_annotators"] > 0
    assert after["expert"] + after["top_annotators"] == 0
    assert after["review"] < before["review"]  # others may report what an expert had dismissed
    old, new = (Counter(map(_vote, _rows(one, "votes"))) for one in (answered, decided))
    assert old - new == Counter(), "what was said stays said"
    assert {role for (*_, role), n in (new - old).items() if n} <= {"expert", "annotator"}


def _vote(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["item"], row["annotator"], row["round"], row["label"], row["report"], row["role"]


def _queues(done: Call, task: str) -> Counter[str]:
    items, votes = (store.read_all(done.folder, name) for name in ("items", "votes"))
    gold = aggregate(votes, task=TASKS[task], spec=load_spec(task), items=items).gold
    return Counter(one for one in gold.column("queue").to_pylist() if one)


def test_an_item_that_is_there_twice_stops_the_stage() -> None:
    items, votes = make_items(["a", "b", "c"]), schemas.empty("votes")
    assert outcome(items, items, votes, stage="answer").rows_in == 3
    with pytest.raises(ConservationError, match="3 items are there more than once"):
        outcome(items, pa.concat_tables([items, items]), votes, stage="answer")


def test_a_premise_about_which_nobody_wrote_is_told() -> None:
    premises = make_items(["nli-ca", "nli-cb"], "nli", source="policy")
    pairs = make_items(["nli-ca.01", "nli-ca.02", "nli-ca.03"], "nli")
    found = outcome(premises, pairs, schemas.empty("votes"), stage="answer")
    assert found.rows_in == 2
    (row,) = found.tables["ledger"].to_pylist()
    assert (row["unit"], row["action"], row["source"]) == ("nli-cb", "drop", "policy")
