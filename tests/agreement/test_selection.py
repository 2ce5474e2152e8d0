"""Which votes are compared: roles, rounds, attempts, verdicts, and the order of rows."""

from __future__ import annotations

import pytest
from vote_tables import table

from pipeline.agreement.votes.selection import select
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError

NER = [{"start": 0, "end": 2, "label": "PS"}]
OTHER = [{"start": 0, "end": 3, "label": "PS"}]


def _task(name: str) -> dict:
    return {"task": TASKS[name], "spec": load_spec(name)}


def test_author_and_validators_of_one_round_are_compared() -> None:
    author = {"role": "author", "round": "validate", "seat": "author"}
    write = {"role": "author", "round": "write"}
    validator = {"role": "validator", "round": "validate"}
    texts = {"entailment": "갑이다", "contradiction": "을이다", "neutral": "병이다"}
    votes = table(
        [
            ("p1", None, "neutral", author),
            ("p1", "v1", "neutral", validator),
            ("p1", "v2", "entailment", validator),
            ("p1", "w1", texts, write),
            ("p1", "x1", "neutral", {"role": "expert", "round": "validate"}),
        ],
        task="nli",
    )
    found = select(votes, **_task("nli"))
    assert [found.ratings.values[v] for v in found.ratings.value] == [
        "neutral",
        "entailment",
        "neutral",
    ]
    assert found.left_out == {"round write": 1, "role expert": 1}


def test_the_first_of_several_topics_counts_and_the_last_attempt() -> None:
    votes = table(
        [
            ("h1", "a", ["정치"], {"attempt": 1}),
            ("h1", "a", ["사회", "경제"], {"attempt": 2}),
            ("h1", "b", ["사회"]),
        ]
    )
    found = select(votes, **_task("tc"))
    assert [found.ratings.values[v] for v in found.ratings.value] == ["사회", "사회"]
    assert found.left_out == {"an earlier attempt": 1}


def test_a_later_round_about_the_same_answer_is_not_compared() -> None:
    votes = table(
        [("r1", "a", "per:title"), ("r1", "b", "no_relation", {"round": "resolve"})], task="re"
    )
    found = select(votes, **_task("re"))
    assert len(found.ratings) == 1
    assert found.left_out == {"round resolve": 1}


@pytest.mark.parametrize(
    ("verdict", "answers"),
    [
        ({"verdict": "revise", "answer": OTHER}, [((0, 2, "PS"),), ((0, 3, "PS"),)]),
        ({"verdict": "accept"}, [((0, 2, "PS"),), ((0, 2, "PS"),)]),
        ({"verdict": "reject", "feedback": "경계"}, [((0, 2, "PS"),)]),
    ],
)
def test_what_an_inspector_stands_for_is_an_answer(verdict: dict, answers: list) -> None:
    inspector = {"role": "inspector", "round": "inspect"}
    votes = table([("s1", "a", NER, {"round": "tag"}), ("s1", "i", verdict, inspector)], task="ner")
    found = select(votes, **_task("ner"))
    assert [found.ratings.values[v] for v in found.ratings.value] == answers
    assert found.verdicts == {verdict["verdict"]: 1}


def test_corrections_are_the_answers_that_others_gave() -> None:
    """A correction that stands in another vote is that answer, and two equal ones are one."""
    third = [{"start": 1, "end": 2, "label": "LC"}]
    corrections = {"s1": OTHER, "s2": third, "s3": third, "s4": NER}
    tag, inspect = {"round": "tag"}, {"role": "inspector", "round": "inspect"}
    given = [(item, "a", OTHER if item == "s4" else NER, tag) for item in corrections]
    revised = [
        (item, "i", {"verdict": "revise", "answer": answer}, inspect)
        for item, answer in corrections.items()
    ]
    found = select(table([*given, *revised], task="ner"), **_task("ner"))
    assert found.ratings.values == (((1, 2, "LC"),), ((0, 2, "PS"),), ((0, 3, "PS"),))
    assert found.ratings.value.tolist() == [1, 2, 1, 0, 1, 0, 2, 1]


def test_an_accepted_answer_is_unclear_where_two_people_answered_differently() -> None:
    votes = table(
        [
            ("s1", "a", NER, {"round": "tag"}),
            ("s1", "b", OTHER, {"round": "tag"}),
            ("s1", "i", {"verdict": "accept"}, {"role": "inspector", "round": "inspect"}),
        ],
        task="ner",
    )
    found = select(votes, **_task("ner"))
    assert len(found.ratings) == 2
    assert found.left_out == {"a verdict without an answer": 1}


def test_verdicts_on_morphemes_say_nothing_of_trees() -> None:
    morphemes = {"lemmas": ["가 다"], "pos": ["VV+EF"]}
    tree = {"heads": [0], "deprels": ["VP"]}
    votes = table(
        [
            ("d1", "a", morphemes, {"round": "pos"}),
            ("d1", "b", {"verdict": "accept"}, {"round": "pos_review", "role": "inspector"}),
            ("d1", "a", tree, {"round": "arcs"}),
            ("d1", "b", {"verdict": "accept"}, {"round": "arcs_review", "role": "inspector"}),
        ],
        task="dp",
    )
    found = select(votes, **_task("dp"))
    assert found.ratings.values == (((0, "VP"),),)
    assert len(found.ratings) == 2
    assert found.verdicts == {"accept": 1}


def test_questions_that_mark_the_same_place_are_equal() -> None:
    def reading(question: str) -> dict:
        answer = {"start": 3, "text": "1919년"}
        return {"question": question, "type": 1, "answers": [answer], "plausible_answers": []}

    author = {"role": "author", "round": "write"}
    votes = table(
        [("m1", "a", reading("언제?"), author), ("m1", "b", reading("몇 년?"), author)], task="mrc"
    )
    assert select(votes, **_task("mrc")).ratings.values == (((3, 8, "answer"),),)


def test_rows_may_stand_in_any_order() -> None:
    votes = table(
        [
            ("b", "x", "1"),
            ("a", "y", "2"),
            ("a", "x", "1"),
            ("b", None, "2", {"seat": "label3"}),
            ("b", None, "1", {"seat": "label2"}),
        ]
    )
    turned = votes.take(list(range(len(votes)))[::-1])
    one, two = (select(t, level="nominal").ratings for t in (votes, turned))
    assert one.units == two.units == ("a", "b")
    assert one.value.tolist() == two.value.tolist() == [0, 1, 0, 0, 1]
    assert one.rater.tolist() == two.rater.tolist() == [0, 1, 0, -1, -1]


def test_anonymous_votes_without_a_seat_are_all_kept() -> None:
    votes = table([("a", None, "x"), ("a", None, "x"), ("a", None, "y")])
    assert len(select(votes, level="nominal").ratings) == 3


@pytest.mark.parametrize(
    ("label", "level", "told"),
    [
        ("갑", "interval", "is a number"),
        (True, "ordinal", "is a number"),
        (["갑"], "nominal", "text, number or truth value"),
        ("갑", None, "--task or --level"),
        ("갑", "metric", "no level"),
    ],
)
def test_labels_of_the_wrong_form_are_told(label: object, level: str | None, told: str) -> None:
    with pytest.raises(InputError, match=told):
        select(table([("a", "x", label)]), level=level)


def test_an_answer_of_another_task_is_told_without_showing_it() -> None:
    with pytest.raises(InputError, match="task ner") as caught:
        select(table([("a", "x", 987654321012, {"round": "tag"})], task="ner"), **_task("ner"))
    assert "987654321012" not in str(caught.value)


@pytest.mark.parametrize("role", [{}, {"attempt": 2}])
def test_two_answers_of_one_person_in_one_attempt_count_for_neither(role: dict) -> None:
    """As aggregation does it (vote.double@1): nothing says which of the two was meant."""
    rows = [
        ("h1", "a", "x", {"attempt": 1}),
        ("h1", "a", "x", role),
        ("h1", "a", "y", role),
        ("h1", "b", "x"),
        ("h2", "b", "y"),
        ("h2", "b", "y"),
        ("h3", None, "x"),
        ("h3", None, "y"),
    ]
    found = select(table(rows if role else rows[1:]), level="nominal")
    told = {"two different answers of one person in one attempt": 2, "the same answer twice": 1}
    assert found.left_out == told | ({"an earlier attempt": 1} if role else {})
    ratings = found.ratings
    counted = [
        (ratings.units[u], ratings.values[v])
        for u, v in zip(ratings.unit, ratings.value, strict=True)
    ]
    assert counted == [("h1", "x"), ("h2", "y"), ("h3", "x"), ("h3", "y")]


def test_a_seat_that_contradicts_itself_does_not_count_either() -> None:
    seat = {"seat": "label2"}
    votes = table(
        [("a", None, "x", seat), ("a", None, "y", seat), ("a", None, "z", {"seat": "label3"})]
    )
    assert len(select(votes, level="nominal").ratings) == 1
