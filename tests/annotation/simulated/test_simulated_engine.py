"""Simulated votes: in form, marked, the same in any order, and refused where they cannot be."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest
from simulating import SEED, WRITTEN, blind, first_round, premises, sample, table, with_habits

from pipeline.annotation.batches.assignment import assign
from pipeline.annotation.intake.intake import intake
from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.simulated.campaign import Campaign, run
from pipeline.annotation.simulated.engine import Earlier, simulate
from pipeline.annotation.simulated.profile import default_pool
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.core.jsontext import parsed


def _campaign(task: str) -> tuple[Campaign, pa.Table]:
    items = premises() if task == "nli" else blind(sample(task))
    return run(items, task=TASKS[task], spec=load_spec(task), seed=SEED), items


@pytest.mark.thin(2)
@pytest.mark.parametrize("task", WRITTEN)
def test_intake_refuses_none_of_them(task: str) -> None:
    done, items = _campaign(task)
    if task == "nli":
        items = pa.concat_tables([items, done.items])
    raws = []
    for line, row in enumerate(done.votes.to_pylist(), start=1):
        value = {key: cell for key, cell in row.items() if cell is not None}
        if "label" in value:
            value["label"] = parsed(value["label"])
        raws.append(RawVote("votes", line, value))
    taken = intake(raws, task=TASKS[task], spec=load_spec(task), items=items)
    assert taken.counts.quarantined == 0, taken.counts.rules
    assert taken.counts.new == done.votes.num_rows
    assert all(taken.votes.column("simulated").to_pylist())


@pytest.mark.parametrize("task", WRITTEN)
def test_every_vote_is_marked_and_dated(task: str) -> None:
    items = premises() if task == "nli" else blind(sample(task))
    raws = first_round(items, task)
    spec = load_spec(task)
    assert len(raws) == items.num_rows * spec.rounds[0].per_item
    last: dict[str, str] = {}
    for raw in raws:
        value = raw.value
        assert value["simulated"] is True and value["annotator"].startswith("sim-")
        assert value["spec"] == spec.name and value["seconds"] > 0
        assert ("label" in value) != ("report" in value)
        assert value["at"].endswith("Z") and value["at"] >= last.get(value["annotator"], "")
        last[value["annotator"]] = value["at"]


def test_neither_order_nor_company_changes_an_answer() -> None:
    items = sample("tc")
    spec, round_ = load_spec("tc"), load_spec("tc").rounds[0]
    pool = default_pool(spec, round_)
    given = assign(items.column("item").to_pylist(), pool, per_item=3, seed=SEED)
    mixed = list(range(given.num_rows))
    random.Random(1).shuffle(mixed)
    back = items.take(list(reversed(range(items.num_rows))))

    def votes(things: pa.Table, pairs: pa.Table) -> list[RawVote]:
        return list(
            simulate(
                things, pairs, task=TASKS["tc"], spec=spec, round_=round_, pool=pool, seed=SEED
            )
        )

    assert votes(items, given) == votes(back, given.take(mixed))
    few = {(v.value["item"], v.value["annotator"]): v.value for v in votes(items, given)}
    part = given.filter([i % 3 == 0 for i in range(given.num_rows)])
    for raw in votes(items, part):
        full = few[raw.value["item"], raw.value["annotator"]]
        if "label" in raw.value and "label" in full:
            assert raw.value["label"] == full["label"]


def test_another_seed_gives_other_answers() -> None:
    one, other = (first_round(sample("sts"), "sts", seed=seed) for seed in (1, 2))
    pairs = {(r.value["item"], r.value["annotator"]): r.value.get("label") for r in one}
    same = [
        pairs[key] == r.value.get("label")
        for r in other
        if (key := (r.value["item"], r.value["annotator"])) in pairs
    ]
    assert 0.3 < sum(same) / len(same) < 0.9


def test_a_rejected_question_is_written_and_inspected_again() -> None:
    done, _ = _campaign("mrc")
    rows = done.votes.to_pylist()
    again = [row for row in rows if row["attempt"] > 1]
    assert {row["round"] for row in again} == {"write", "inspect"}
    author = {r["item"]: r["annotator"] for r in rows if r["round"] == "write"}
    for row in again:
        if row["round"] == "write":
            assert row["annotator"] == author[row["item"]]
            before = [
                r for r in rows if r["item"] == row["item"] and r["attempt"] == row["attempt"] - 1
            ]
            assert any(
                r["round"] == "inspect" and parsed(r["label"])["verdict"] == "reject"
                for r in before
            )


def test_bad_questions_of_the_sample_are_sent_back_with_their_feedback() -> None:
    """Their authors write the first attempt, and the answer once the inspector has told why."""
    done, items = _campaign("mrc")
    told = {row["item"]: parsed(row["meta"]) for row in sample("mrc").to_pylist()}
    gold = {row["item"]: parsed(row["gold"]) for row in sample("mrc").to_pylist()}
    said = {
        (row["item"], row["round"], row["attempt"]): parsed(row["label"])
        for row in done.votes.to_pylist()
        if row["label"] is not None
    }
    faulty = [name for name in items.column("item").to_pylist() if "first" in told[name]]
    seen = [name for name in faulty if (name, "write", 1) in said]  # the others were reported
    assert len(seen) >= 5
    for name in seen:
        assert said[name, "write", 1] == told[name]["first"]
        sent_back = {"verdict": "reject", "feedback": told[name]["feedback"]}
        assert said[name, "inspect", 1] == sent_back
        assert said[name, "write", 2] == gold[name]


def test_nobody_judges_their_own_work() -> None:
    for task in WRITTEN:
        done, _ = _campaign(task)
        seen: dict[tuple[str, str], set[str]] = {}
        for row in done.votes.to_pylist():
            seen.setdefault((row["item"], row["round"]), set()).add(row["annotator"])
        for round_ in load_spec(task).rounds:
            for other in round_.not_by:
                for (item, name), people in seen.items():
                    if name == round_.id and task != "nli":
                        assert not people & seen.get((item, other), set()), (task, item)


def test_an_unknown_item_or_annotator_is_refused() -> None:
    items, spec = sample("tc"), load_spec("tc")
    pool = default_pool(spec, spec.rounds[0])
    names = items.column("item").to_pylist()
    options = {"task": TASKS["tc"], "spec": spec, "round_": spec.rounds[0], "seed": 1}
    strangers = assign(names, ["kim", "lee", "park"], per_item=3, seed=1)
    with pytest.raises(InputError, match="'kim' is not in the pool"):
        list(simulate(items, strangers, pool=pool, **options))
    given = assign([*names, "item-x"], pool, per_item=3, seed=1)
    with pytest.raises(InputError, match="'item-x' was assigned"):
        list(simulate(items, given, pool=pool, **options))


def test_a_verdict_needs_what_it_is_about() -> None:
    items, spec = sample("ner"), load_spec("ner")
    round_ = spec.rounds[1]
    pool = default_pool(spec, round_)
    given = assign(items.column("item").to_pylist(), pool, per_item=1, seed=1)
    options = {"task": TASKS["ner"], "spec": spec, "round_": round_, "pool": pool, "seed": 1}
    with pytest.raises(InputError, match="earlier answers"):
        list(simulate(items, given, **options))
    assert list(simulate(items, given, earlier=Earlier(shown={}), **options)) == []


def test_top_annotators_choose_among_the_labels_given() -> None:
    items, spec = sample("re"), load_spec("re")
    round_ = spec.rounds[1]
    pool = default_pool(spec, round_, items=items.num_rows)
    names = items.column("item").to_pylist()[:40]
    shown = {name: ["per:title", "no_relation", "per:spouse"] for name in names}
    given = assign(names, pool, per_item=3, seed=1)
    raws = simulate(
        items,
        given,
        task=TASKS["re"],
        spec=spec,
        round_=round_,
        pool=pool,
        seed=1,
        earlier=Earlier(shown=shown),
    )
    assert {raw.value["label"] for raw in raws} <= {"per:title", "no_relation", "per:spouse"}


def test_seconds_tell_the_fast_from_the_others() -> None:
    spec = load_spec("tc")
    pool = with_habits(default_pool(spec, spec.rounds[0]), "fast")
    votes = table(first_round(sample("tc"), "tc", pool=pool), "tc").to_pylist()
    taken: dict[str, list[float]] = {}
    for row in votes:
        taken.setdefault(row["annotator"], []).append(row["seconds"])
    mean = {who: sum(given) / len(given) for who, given in taken.items()}
    assert mean["sim-14"] < 0.5 * min(m for who, m in mean.items() if who != "sim-14")
