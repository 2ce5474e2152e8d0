"""What a round hands to the next: written pairs, answers that stand, answers to give again."""

from __future__ import annotations

from typing import Any

from pipeline.annotation.assignment import barred_by
from pipeline.annotation.following import pairs, rejected, standing
from pipeline.annotation.intake import intake
from pipeline.core import schemas
from pipeline.core.jsontext import canonical, parsed
from pipeline.tasks.registry import TASKS
from pipeline.tasks.spec import Round, TaskSpec, load_spec


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
    made, authors = pairs(premises, votes, validate)
    assert made.column("item").to_pylist() == ["p1.c", "p1.e", "p1.n", "p2.c", "p2.e", "p2.n"]
    assert parsed(made.column("fields")[1].as_py()) == {
        "premise": "오늘 비가 내렸다.",
        "hypothesis": WRITTEN["entailment"],
    }
    taken = intake(authors, task=TASKS["nli"], spec=spec, items=made)
    assert taken.counts.quarantined == 0
    rows = taken.votes.to_pylist()
    assert {(r["item"], r["annotator"], r["seat"], r["role"], r["label"]) for r in rows} >= {
        ("p1.c", "kim", "author", "author", '"contradiction"'),
        ("p2.n", "lee", "author", "author", '"neutral"'),
    }
    # an author never validates their own pair (Section 3.3.1)
    barred = barred_by(validate, votes, made)
    assert barred["p1.c"] == {"kim"}
    assert barred["p2.e"] == {"lee"}


def test_two_authors_of_one_premise_give_pairs_of_their_own() -> None:
    validate = _round(load_spec("nli"), "validate")
    premises = _items("nli", {"premise": "오늘 비가 내렸다."}, "p1")
    votes = _votes(
        "nli",
        ("p1", "lee", "author", "write", 1, WRITTEN),
        ("p1", "kim", "author", "write", 1, WRITTEN),
    )
    made, authors = pairs(premises, votes, validate)
    assert made.num_rows == 6
    assert len(set(made.column("item").to_pylist())) == 6
    assert {a.value["annotator"] for a in authors if a.value["item"].startswith("p1.1")} == {"kim"}


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
    )
    assert standing(votes, spec, _round(spec, "inspect")) == {"a": SPAN, "b": OTHER}
    assert standing(votes, spec, _round(spec, "tag")) == dict.fromkeys("abcd", SPAN)


def test_rejected_answers_are_given_again_until_attempts_run_out() -> None:
    spec = load_spec("mrc")
    write = _round(spec, "write")
    question = {"question": "누가 왔나?", "type": 1, "answers": [{"start": 0, "text": "민서"}]}
    rows: list[tuple[str, str, str, str, int, object]] = []
    for attempt in range(1, write.attempts + 1):
        rows.append(("q", "kim", "author", "write", attempt, question))
        assert rejected(_votes("mrc", *rows), spec, write) == {}  # not inspected yet
        rows.append(("q", "lee", "inspector", "inspect", attempt, {"verdict": "reject"}))
        wanted = {"q": attempt + 1} if attempt < write.attempts else {}
        assert rejected(_votes("mrc", *rows), spec, write) == wanted
    rows[-1] = ("q", "lee", "inspector", "inspect", write.attempts, {"verdict": "accept"})
    assert rejected(_votes("mrc", *rows), spec, write) == {}
    assert list(standing(_votes("mrc", *rows), spec, _round(spec, "inspect"))) == ["q"]
