"""What a round hands to the next: written pairs, answers that stand, answers to give again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.annotation.batches.assignment import find_bars
from pipeline.annotation.batches.rounds import current_answers, rejected_items, written_pairs
from pipeline.annotation.intake.intake import intake
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import Round, TaskSpec, load_spec
from pipeline.core import schemas
from pipeline.core.ids import pair_id
from pipeline.core.jsontext import canonical, parsed


def _round(spec: TaskSpec, name: str) -> Round:
    found = spec.round(name)
    assert found is not None
    return found


def _items(task: str, fields: dict[str, Any], *names: str) -> Any:
    rows = [{"item": n, "task": task, "fields": canonical(fields), "source": "nsmc"} for n in names]
    return schemas.build("items", rows)


def _votes(task: str, *rows: tuple[str, str, str, str, int, object]) -> Any:
    made = [
        {
            "item": item,
            "task": task,
            "role": role,
            "round": round_,
            "attempt": attempt,
            "simulated": False,
            "annotator": who,
            "label": canonical(label),
        }
        for item, who, role, round_, attempt, label in rows
    ]
    return schemas.build("votes", made)


WRITTEN = {
    "entailment": "오늘은 비가 왔다.",
    "contradiction": "오늘은 맑기만 했다.",
    "neutral": "내일도 비가 온다.",
}


def test_every_hypothesis_becomes_a_pair_with_its_authors_label() -> None:
    spec = load_spec("nli")
    validate = _round(spec, "validate")
    premises = _items("nli", {"premise": "오늘 비가 내렸다."}, "p1", "p2")
    votes = _votes(
        "nli",
        ("p1", "kim", "author", "write", 1, WRITTEN),
        ("p2", "lee", "author", "write", 1, WRITTEN),
    )
    made, authors = written_pairs(premises, votes, validate)
    name = {(p, label): pair_id(p, text) for p in ("p1", "p2") for label, text in WRITTEN.items()}
    assert made.column("item").to_pylist() == sorted(name.values())
    told = {row["item"]: row["fields"] for row in made.to_pylist()}
    assert parsed(told[name["p1", "entailment"]]) == {
        "premise": "오늘 비가 내렸다.",
        "hypothesis": WRITTEN["entailment"],
    }
    taken = intake(authors, task=TASKS["nli"], spec=spec, items=made)
    assert taken.counts.quarantined == 0
    rows = taken.votes.to_pylist()
    assert {(r["item"], r["annotator"], r["seat"], r["role"], r["label"]) for r in rows} >= {
        (name["p1", "contradiction"], "kim", "author", "author", '"contradiction"'),
        (name["p2", "neutral"], "lee", "author", "author", '"neutral"'),
    }
    # an author never validates their own pair (Section 3.3.1)
    barred = find_bars(validate, votes, made)
    assert barred[name["p1", "contradiction"]] == {"kim"}
    assert barred[name["p2", "entailment"]] == {"lee"}


def test_two_authors_of_one_premise_give_pairs_of_their_own() -> None:
    validate = _round(load_spec("nli"), "validate")
    premises = _items("nli", {"premise": "오늘 비가 내렸다."}, "p1")
    votes = _votes(
        "nli",
        ("p1", "lee", "author", "write", 1, WRITTEN),
        ("p1", "kim", "author", "write", 1, WRITTEN),
    )
    made, authors = written_pairs(premises, votes, validate)
    assert made.num_rows == 6
    assert len(set(made.column("item").to_pylist())) == 6
    assert Counter(a.value["annotator"] for a in authors) == {"kim": 3, "lee": 3}


def test_neither_name_nor_place_of_a_pair_tells_its_label() -> None:
    validate = _round(load_spec("nli"), "validate")
    turned = {"neutral": WRITTEN["entailment"], "entailment": WRITTEN["neutral"]} | {
        "contradiction": WRITTEN["contradiction"]
    }
    premises = _items("nli", {"premise": "오늘 비가 내렸다."}, "p1")
    plain, other = (
        written_pairs(
            premises, _votes("nli", ("p1", "kim", "author", "write", 1, written)), validate
        )
        for written in (WRITTEN, turned)
    )
    assert plain[0].equals(other[0])
    assert [a.value["label"] for a in plain[1]] != [a.value["label"] for a in other[1]]


SPAN = [{"start": 0, "end": 2, "label": "PS"}]
OTHER = [{"start": 0, "end": 2, "label": "OG"}]


def test_what_stands_after_an_inspection() -> None:
    spec = load_spec("ner")
    votes = _votes(
        "ner",
        *((item, "kim", "annotator", "tag", 1, SPAN) for item in "abcd"),
        ("a", "lee", "inspector", "inspect", 1, {"verdict": "accept"}),
        ("b", "lee", "inspector", "inspect", 1, {"verdict": "revise", "answer": OTHER}),
        ("c", "lee", "inspector", "inspect", 1, {"verdict": "reject"}),
        ("a", "oh", "inspector", "inspect", 1, {"verdict": "accept"}),
        ("b", "oh", "inspector", "inspect", 1, {"verdict": "revise", "answer": OTHER}),
        ("c", "oh", "inspector", "inspect", 1, {"verdict": "reject"}),
        ("d", "lee", "inspector", "inspect", 1, {"verdict": "accept"}),
    )
    assert current_answers(votes, spec, _round(spec, "inspect")) == {"a": SPAN, "b": OTHER}
    assert current_answers(votes, spec, _round(spec, "tag")) == dict.fromkeys("abcd", SPAN)


def test_rejected_answers_are_given_again_until_attempts_run_out() -> None:
    spec = load_spec("mrc")
    write = _round(spec, "write")
    question = {"question": "누가 왔나?", "type": 1, "answers": [{"start": 0, "text": "민서"}]}
    rows: list[tuple[str, str, str, str, int, object]] = []
    for attempt in range(1, write.attempts + 1):
        rows.append(("q", "kim", "author", "write", attempt, question))
        assert rejected_items(_votes("mrc", *rows), spec, write) == {}  # not inspected yet
        rows.append(("q", "lee", "inspector", "inspect", attempt, {"verdict": "reject"}))
        wanted = {"q": attempt + 1} if attempt < write.attempts else {}
        assert rejected_items(_votes("mrc", *rows), spec, write) == wanted
    rows[-1] = ("q", "lee", "inspector", "inspect", write.attempts, {"verdict": "accept"})
    assert rejected_items(_votes("mrc", *rows), spec, write) == {}
    assert list(current_answers(_votes("mrc", *rows), spec, _round(spec, "inspect"))) == ["q"]


NP = {"lemmas": ["나", "가 ㄴ다"], "pos": ["NP", "VV+EF"]}
NNG = {"lemmas": ["나", "가 ㄴ다"], "pos": ["NNG", "VV+EF"]}
ARCS = {"heads": [2, 0], "deprels": ["NP_SBJ", "VP"]}
REVISE = {"verdict": "revise", "answer": NNG}
ACCEPT = {"verdict": "accept"}
REJECT = {"verdict": "reject"}
_Row = tuple[str, str, str, str, int, object]


def _row(who: str, role: str, name: str, label: object) -> _Row:
    return "s", who, role, name, 1, label


TAGGED = _row("kim", "annotator", "pos", NP)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([TAGGED], None),
        ([TAGGED, _row("b", "inspector", "pos_review", ACCEPT)], NP),
        (
            [
                TAGGED,
                _row("b", "inspector", "pos_review", ACCEPT),
                _row("z", "expert", "pos_review", REVISE),
            ],
            NNG,
        ),
        (
            [
                TAGGED,
                _row("b", "inspector", "pos_review", ACCEPT),
                _row("c", "inspector", "pos_review", REVISE),
            ],
            None,
        ),
        (
            [
                TAGGED,
                _row("b", "inspector", "pos_review", REJECT),
                _row("z", "expert", "adjudicate", NNG),
            ],
            NNG,
        ),
        (
            [
                TAGGED,
                _row("b", "inspector", "pos_review", REJECT),
                _row("y", "expert", "adjudicate", NNG),
                _row("z", "expert", "adjudicate", NP),
            ],
            None,
        ),
        ([TAGGED, _row("kim", "inspector", "pos_review", ACCEPT)], None),
        ([TAGGED, _row("lee", "validator", "pos_review", ACCEPT)], None),
    ],
)
def test_arcs_are_drawn_on_the_gold_parts_of_speech(rows: list[_Row], expected: Any) -> None:
    spec = load_spec("dp")
    arcs = [
        _row("lee", "annotator", "arcs", ARCS),
        _row("oh", "inspector", "arcs_review", ACCEPT),
        _row("han", "expert", "final_review", ACCEPT),
    ]
    votes = _votes("dp", *rows, *arcs)
    found = current_answers(votes, spec, _round(spec, "pos_review"))
    assert found == ({} if expected is None else {"s": expected})
    (gold,) = aggregate(votes, task=TASKS["dp"], spec=spec).gold.to_pylist()
    assert gold["label"] == (None if expected is None else canonical({**expected, **ARCS}))


def test_an_adjudicated_answer_is_not_given_again() -> None:
    spec = load_spec("mrc")
    question = {"question": "누가 왔나?", "type": 1, "answers": [{"start": 0, "text": "민서"}]}
    rows: list[_Row] = [
        ("q", "kim", "author", "write", 1, question),
        ("q", "lee", "inspector", "inspect", 1, REJECT),
    ]
    write = _round(spec, "write")
    assert rejected_items(_votes("mrc", *rows), spec, write) == {"q": 2}
    settled = _votes("mrc", *rows, ("q", "lead", "expert", "adjudicate", 1, question))
    assert rejected_items(settled, spec, write) == {}
    assert current_answers(settled, spec, _round(spec, "inspect")) == {"q": question}


def test_answers_that_differ_stand_for_nothing() -> None:
    spec = load_spec("ner")
    votes = _votes(
        "ner",
        ("a", "kim", "annotator", "tag", 1, SPAN),
        ("a", "lee", "annotator", "tag", 1, OTHER),
    )
    assert current_answers(votes, spec, _round(spec, "tag")) == {}
    (gold,) = aggregate(votes, task=TASKS["ner"], spec=spec).gold.to_pylist()
    assert (gold["reason"], gold["queue"]) == ("answers_differ", "expert")


SAID = st.one_of(
    st.tuples(
        st.just("inspect"),
        st.sampled_from(["inspector", "expert", "annotator", "validator"]),
        st.sampled_from([ACCEPT, REJECT, {"verdict": "revise", "answer": OTHER}, {"verdict": "?"}]),
    ),
    st.tuples(
        st.just("tag"),
        st.sampled_from(["annotator", "expert", "author"]),
        st.sampled_from([SPAN, OTHER, []]),
    ),
    st.tuples(
        st.just("adjudicate"),
        st.sampled_from(["expert", "inspector"]),
        st.sampled_from([SPAN, OTHER]),
    ),
)
VOTES = st.lists(
    st.tuples(st.sampled_from(["kim", "lee", "oh"]), SAID, st.integers(1, 2)), max_size=7
)


@given(VOTES, st.integers(1, 3))
@example([("kim", ("tag", "annotator", SPAN), 1), ("oh", ("inspect", "inspector", ACCEPT), 1)], 1)
def test_what_stands_at_the_end_is_gold(given_: list[Any], attempts: int) -> None:
    """Whatever was said in whatever role: what stands is gold, and all that is gold stands."""
    spec = load_spec("ner")
    rounds = tuple(one.model_copy(update={"attempts": attempts}) for one in spec.rounds)
    aggregation = spec.aggregation.model_copy(update={"privacy_labels": ()})
    spec = spec.model_copy(update={"rounds": rounds, "aggregation": aggregation})
    rows = [("a", who, role, name, attempt, said) for who, (name, role, said), attempt in given_]
    votes = _votes("ner", *rows)
    found = current_answers(votes, spec, rounds[1])
    gold = aggregate(votes, task=TASKS["ner"], spec=spec).gold.to_pylist()
    wanted = {row["item"]: parsed(row["label"]) for row in gold if row["status"] == "gold"}
    wanted |= {row["item"]: [] for row in gold if row["reason"] == "no_entity"}
    assert found == wanted
    waiting = {row["item"] for row in gold if row["queue"] == "revision"}
    assert set(rejected_items(votes, spec, rounds[0])) == waiting
