"""Where a report is dismissed, others answer in the place of those who reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from simulating import SEED, WRITTEN, blind, premises, sample

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.annotation.intake.intake import intake
from pipeline.annotation.intake.vote import RawVote
from pipeline.annotation.simulated.campaign import Campaign, as_votes, fill, run
from pipeline.annotation.simulated.deciding import EXPERT_ID
from pipeline.annotation.simulated.truths import Truths, load_truths
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas
from pipeline.core.jsontext import canonical, parsed


def _reported(task: str) -> pa.Table:
    """Return the items of the sample's answers; every tenth is one that careful readers report."""
    reason = load_spec(task).reports[0].id
    rows = sample(task).to_pylist()
    for row in rows[::10]:
        row["meta"] = canonical({**(parsed(row["meta"]) if row["meta"] else {}), "report": reason})
    return schemas.build("items", rows)


@cache
def _campaigns(task: str) -> tuple[pa.Table, Campaign, pa.Table, Campaign]:
    """Return items, a campaign, decisions that dismiss every report, and the campaign filled."""
    items = premises() if task == "nli" else blind(sample(task))
    truths = load_truths(TASKS["nli"]) if task == "nli" else Truths(task, _reported(task))
    options = {"task": TASKS[task], "spec": load_spec(task), "seed": SEED, "truths": truths}
    done = run(items, **options)
    reported = done.votes.filter(pc.is_valid(done.votes.column("report")))
    decisions = _dismissed(reported.column("item").to_pylist(), task)
    return items, done, decisions, fill(done, decisions, items=items, **options)


def _dismissed(names: Iterable[str], task: str) -> pa.Table:
    value = {
        "annotator": EXPERT_ID,
        "role": "expert",
        "round": "review",
        "label": {"verdict": "dismiss"},
        "spec": load_spec(task).name,
        "simulated": True,
    }
    raws = [RawVote("x", n, {**value, "item": name}) for n, name in enumerate(sorted(set(names)))]
    return as_votes(raws, TASKS[task])


def _lacking(votes: pa.Table, items: set[str], task: str) -> dict[str, int]:
    """Return how many answers of the first round each item lacks."""
    round_ = load_spec(task).rounds[0]
    given = Counter(
        row["item"]
        for row in votes.to_pylist()
        if row["round"] == round_.id and row["label"] is not None and row["attempt"] == 1
    )
    return {item: round_.per_item - given[item] for item in items if given[item] < round_.per_item}


@pytest.mark.thin(3)
@pytest.mark.parametrize("task", WRITTEN)
def test_dismissed_items_get_all_their_answers(task: str) -> None:
    items, done, decisions, filled = _campaigns(task)
    dismissed = set(decisions.column("item").to_pylist())
    assert set(_lacking(done.votes, dismissed, task)) == dismissed != set()
    assert _lacking(filled.votes, dismissed, task) == {}
    old, new = done.votes.to_pylist(), filled.votes.to_pylist()
    assert new[: len(old)] == old
    assert all(row["simulated"] and row["report"] is None for row in new[len(old) :])
    first = load_spec(task).rounds[0].id
    seen = Counter(
        (r["item"], r["annotator"]) for r in new if r["round"] == first and r["attempt"] == 1
    )
    assert set(seen.values()) == {1}  # nobody sees an item twice
    assert {item for item, _ in seen} == set(items.column("item").to_pylist())


@pytest.mark.parametrize("task", WRITTEN)
def test_what_stopped_goes_through_the_later_rounds(task: str) -> None:
    items, done, decisions, filled = _campaigns(task)
    spec = load_spec(task)
    rounds = {one.id for one in spec.rounds if one.id != "resolve"}
    votes = filled.votes.to_pylist()
    if task == "nli":
        taken = set(filled.items.column("item").to_pylist())
        assert len(taken) > done.items.num_rows and len(taken) % 3 == 0
    else:
        for item in decisions.column("item").to_pylist():
            missing = rounds - {vote["round"] for vote in votes if vote["item"] == item}
            assert missing <= {"final_review"}, item  # it waits where inspectors differ
    known = pa.concat_tables([items, filled.items]) if task == "nli" else items
    raws = []
    for line, vote in enumerate(votes, start=1):
        value = {key: cell for key, cell in vote.items() if cell is not None}
        if "label" in value:
            value["label"] = parsed(value["label"])
        raws.append(RawVote("votes", line, value))
    taken_in = intake(raws, task=TASKS[task], spec=spec, items=known)
    assert taken_in.counts.quarantined == 0, taken_in.counts.rules


def test_no_headline_waits_for_votes_any_more() -> None:
    """Without replacements 2 of 3 votes leave a dismissed headline unresolved."""
    items, done, decisions, filled = _campaigns("tc")

    def waiting(votes: pa.Table) -> int:
        every = pa.concat_tables([votes, decisions])
        found = aggregate(every, task=TASKS["tc"], spec=load_spec("tc"), items=items)
        return found.gold.column("queue").to_pylist().count("votes")

    assert waiting(filled.votes) == 0 < waiting(done.votes)


def test_replacements_answer_after_all_others_and_in_any_order_alike() -> None:
    items, done, decisions, filled = _campaigns("tc")
    last = max(done.votes.column("at").to_pylist())
    new = filled.votes.slice(done.votes.num_rows)
    assert min(new.column("at").to_pylist()) > last
    mixed = Campaign(done.items, done.votes.take(list(range(done.votes.num_rows - 1, -1, -1))))
    again = fill(
        mixed,
        decisions.take(list(range(decisions.num_rows - 1, -1, -1))),
        items=items,
        task=TASKS["tc"],
        spec=load_spec("tc"),
        seed=SEED,
        truths=Truths("tc", _reported("tc")),
    )
    assert again.votes.slice(done.votes.num_rows).to_pylist() == new.to_pylist()


def test_without_a_dismissed_report_nothing_is_added() -> None:
    items, done, decisions, _ = _campaigns("tc")
    same = fill(
        done, decisions.slice(0, 0), items=items, task=TASKS["tc"], spec=load_spec("tc"), seed=SEED
    )
    assert same.votes.equals(done.votes)
