"""What holds for every aggregation: nothing is lost, and the order of rows means nothing."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_votes import RE_RULE, TC_RULE, count, end, ends, items, left_out, spec, vote

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.agreement.aggregation.outcome import (
    Note,
    Outcome,
    check_conservation,
    gold_table,
    ledger_table,
)
from pipeline.contracts.registry import TASKS
from pipeline.core import schemas
from pipeline.core.errors import ConservationError, InputError, SchemaError

PAPER = {"pearson_below": 0.8, "alpha_below": 0.2, "minimum_items": 3}
ITEMS = st.sampled_from(["a", "b", "c", "d"])
PEOPLE = st.sampled_from([None, "w1", "w2", "w3", "w4", "w5", "w6"])
MORE = {
    "attempt": st.sampled_from([1, 1, 1, 2]),
    "seat": st.sampled_from([None, None, "s1"]),
    "source": st.sampled_from([None, "wiki", "news"]),
    "simulated": st.booleans(),
}


def _drawn(labels: st.SearchStrategy[Any], rounds: list[tuple[str, str]]) -> Any:
    """Return a strategy of votes with some reports among them."""
    answers = st.builds(vote, ITEMS, PEOPLE, labels, **MORE)
    placed = st.tuples(answers, st.sampled_from(rounds)).map(
        lambda pair: pair[0] | {"round": pair[1][0], "role": pair[1][1]}
    )
    reports = st.builds(vote, ITEMS, PEOPLE, report=st.sampled_from(["hate", "bias"]))
    verdicts = st.builds(
        vote,
        ITEMS,
        PEOPLE,
        st.sampled_from([{"verdict": "uphold"}, {"verdict": "dismiss"}]),
        role=st.just("expert"),
        round=st.just("review"),
    )
    return st.lists(st.one_of(placed, placed, placed, reports, verdicts), max_size=40)


TOPICS = st.lists(st.sampled_from(["정치", "경제", "사회"]), min_size=1, max_size=3, unique=True)
MAIN = [("main", "annotator")] * 4
DRAWN = {
    "tc": _drawn(TOPICS, [*MAIN, ("adjudicate", "expert")]),
    "sts": _drawn(st.integers(0, 5), [*MAIN, ("adjudicate", "expert")]),
    "re": _drawn(
        st.sampled_from(["x", "y", "z"]),
        [*MAIN, ("resolve", "annotator"), ("adjudicate", "expert")],
    ),
    "ner": _drawn(
        st.sampled_from(
            [
                [],
                [{"start": 0, "end": 2, "label": "PS"}],
                [{"start": 0, "end": 2, "label": "OG"}],
            ]
        ),
        [("tag", "annotator")] * 3 + [("adjudicate", "expert")],
    ).flatmap(
        lambda rows: st.lists(
            st.builds(
                vote,
                ITEMS,
                PEOPLE,
                st.sampled_from([{"verdict": v} for v in ("accept", "reject")]),
                role=st.just("inspector"),
                round=st.just("inspect"),
                attempt=MORE["attempt"],
            ),
            max_size=10,
        ).map(lambda more: rows + more)
    ),
}


@pytest.mark.parametrize("task", sorted(DRAWN))
@given(data=st.data())
def test_any_votes_in_any_order(task: str, data: st.DataObject) -> None:
    """Every item of the votes has one end, and a shuffled table gives the same three results."""
    rows = data.draw(DRAWN[task])
    seed = data.draw(st.integers(0, 10))
    found = count(task, rows, exclusion=PAPER)
    assert found.gold["item"].to_pylist() == sorted({row["item"] for row in rows})
    total = found.summary["resolved"] + found.summary["unresolved"] + found.summary["removed"]
    assert total == found.summary["items"] == found.gold.num_rows
    mixed = list(rows)
    random.Random(seed).shuffle(mixed)
    again = count(task, mixed, exclusion=PAPER)
    assert again.gold.equals(found.gold)
    assert again.ledger.equals(found.ledger)
    assert again.summary == found.summary


def test_items_keep_their_order_and_those_without_votes_are_unresolved() -> None:
    rows = [vote("a", f"w{i}", ["정치"]) for i in range(3)]
    listed = items("tc", {name: {"title": "글"} for name in ("z", "a", "m")})
    found = count("tc", rows, items=listed)
    assert found.gold["item"].to_pylist() == ["z", "a", "m"]
    assert end(found, "z") == ("unresolved", None, "too_few_votes", "votes")
    assert found.summary["by_rule"] == {"gold.majority@1": {"gold": 1, "unresolved": 2}}


def test_votes_on_other_items_are_in_the_ledger() -> None:
    listed = items("tc", {"a": {"title": "글"}})
    found = count("tc", [vote("b", "w1", ["정치"])], items=listed)
    assert found.gold["item"].to_pylist() == ["a"]
    assert left_out(found) == [("b", "vote.unknown_item@1", "edit")]


def test_nothing_in_nothing_out() -> None:
    found = count("tc", [])
    assert (found.gold.num_rows, found.ledger.num_rows, found.summary["items"]) == (0, 0, 0)


def test_matches_official_counts_equal_rows_only() -> None:
    rows = [vote(name, f"w{i}", ["정치"]) for name in ("a", "b", "c") for i in range(3)]
    fields = {name: {"title": "글"} for name in ("a", "b", "c")}
    listed = items("tc", fields, a=["정치"], b="정치", c=["경제"])
    assert count("tc", rows, items=listed).summary["matches_official"] == 2
    assert count("tc", rows, items=items("tc", fields)).summary["matches_official"] is None


def test_source_and_simulation_are_carried() -> None:
    rows = [vote("a", f"w{i}", ["정치"], source="wiki") for i in range(3)]
    rows.append(vote("b", "sim-1", ["정치"], source="wiki", simulated=True))
    found = ends(count("tc", rows))
    assert (found["a"]["source"], found["a"]["simulated"]) == ("wiki", False)
    assert found["b"]["simulated"]
    sim = vote("a", "sim-boss", {"verdict": "dismiss"}, role="expert", round="review")
    assert ends(count("tc", [*rows, sim | {"simulated": True}]))["a"]["simulated"]


def test_the_summary_counts_what_left_and_what_waits() -> None:
    rows = [vote("a", f"w{i}", ["정치"]) for i in range(3)]
    rows += [vote("b", f"w{i}", [t]) for i, t in enumerate(["정치", "경제", "사회"])]
    rows += [vote("c", "w1", ["정치"]), vote("c", "w2", report="hate")]
    found = count("tc", rows).summary
    assert (found["resolved"], found["unresolved"], found["removed"]) == (1, 1, 1)
    assert found["by_queue"] == {"review": 1}
    assert found["by_reason"] == {"no_majority": 1, "reported": 1}
    assert found["by_rule"] == {
        "gold.majority@1": {"gold": 1, "removed": 1},
        "gold.review@1": {"unresolved": 1},
    }


def test_the_ledger_tells_no_label() -> None:
    rows = [vote("a", f"w{i}", x) for i, x in enumerate(["per:title", "per:origin", "x"])]
    rows += [
        vote("a", "w9", "per:title", round="resolve"),
        vote("a", "w1", "per:spouse", attempt=2),
    ]
    told = str(count("re", rows, rule=RE_RULE).ledger.to_pylist())
    assert "vote.not_top@1" in told
    assert "vote.superseded@1" in told
    assert "per:" not in told


def test_mixed_tasks_and_items_given_twice_are_refused() -> None:
    mixed = schemas.build("votes", [{**vote("a", "w1", 3), "task": "sts"}])
    with pytest.raises(InputError, match="votes hold task sts"):
        aggregate(mixed, task=TASKS["tc"], spec=spec("tc"))
    twice = pa.concat_tables([items("tc", {"a": {}})] * 2)
    with pytest.raises(InputError, match="twice"):
        count("tc", [], items=twice)


@pytest.mark.parametrize("label", ["정치", "{]", '"이름 010-1234-5678"x'])
def test_a_label_that_is_no_json_is_one_error_without_its_content(label: str) -> None:
    with pytest.raises(InputError) as caught:
        count("tc", [{**vote("a", "w1"), "label": label}])
    assert label not in str(caught.value)


@pytest.mark.parametrize(
    ("task", "label"),
    [("tc", 3), ("tc", [7]), ("tc", "정치"), ("sts", "three"), ("re", {"no": 1}), ("re", 4)],
)
def test_an_answer_of_another_form_is_one_error(task: str, label: Any) -> None:
    with pytest.raises(InputError, match="import the votes"):
        count(task, [vote("a", "w1", label)])
    decision = vote("a", "boss", label, role="expert", round="adjudicate")
    if task != "tc":
        with pytest.raises(InputError, match="have the task"):
            count(task, [vote("a", "w1", 3 if task == "sts" else "x"), decision])


def test_an_accepted_answer_of_another_form_is_one_error() -> None:
    for label in (7, [{"start": 0}], {"spans": []}):
        rows = [
            vote("a", "w1", label, round="tag"),
            vote("a", "boss", {"verdict": "accept"}, round="inspect", role="inspector"),
        ]
        with pytest.raises(InputError, match="have the task"):
            count("ner", rows)


def test_a_table_of_another_shape_is_refused() -> None:
    with pytest.raises(SchemaError):
        aggregate(pa.table({"item": ["a"]}), task=TASKS["tc"], spec=spec("tc", aggregation=TC_RULE))


GOLD = Outcome("gold", "gold.majority@1", 3, label='"x"')
GONE = Outcome("removed", "gold.majority@1", 3, reason="no_majority")


def _tables(*outcomes: Outcome) -> tuple[pa.Table, pa.Table]:
    names = [f"i{n}" for n in range(len(outcomes))]
    blank = [None] * len(names)
    gold = gold_table(names, outcomes, task="re", simulated=[False] * len(names), source=blank)
    return gold, ledger_table(gold, [Note("i0", "vote.own@1", "why")])


def test_conservation_holds_for_true_tables() -> None:
    gold, ledger = _tables(GOLD, GONE)
    assert (gold.num_rows, ledger.num_rows) == (2, 2)
    for names in (["i1", "i0"], ["i0", "i1"]):
        check_conservation(names, gold, ledger)  # raises where it does not hold
    with pytest.raises(ConservationError, match="i2"):
        check_conservation(["i0", "i1", "i2"], gold, ledger)


@pytest.mark.parametrize("fault", ["lost", "invented", "twice", "endless", "unwritten"])
def test_conservation_finds_each_planted_fault(fault: str) -> None:
    gold, ledger = _tables(GOLD, GONE)
    names = ["i0", "i1"]
    if fault == "lost":
        gold = gold.slice(0, 1)
    elif fault == "invented":
        names = ["i0"]
    elif fault == "twice":
        gold = pa.concat_tables([gold, gold.slice(0, 1)])
    elif fault == "endless":
        gold, ledger = _tables(GOLD, Outcome("unresolved", "gold.majority@1", 3, reason="x"))
    else:
        ledger = ledger.slice(0, 1)
    with pytest.raises(ConservationError):
        check_conservation(names, gold, ledger)
