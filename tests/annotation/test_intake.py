"""Every bad vote is quarantined under its rule, the good ones stay, and twice changes nothing."""

from __future__ import annotations

import json
import math
import random
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voting import GOOD, SPAN, make_items, raws, take

from pipeline.annotation.batches.assignment import assign
from pipeline.annotation.intake.intake import VoteCounts, intake
from pipeline.annotation.intake.vote import RULES, RawVote, Refused, Within
from pipeline.annotation.intake.votefile import read_votes
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import ConservationError, InputError

SECRET = "김가상 010-1234-5678"
TREE = {"heads": [3, 3, 0], "deprels": ["NP_SBJ", "NP_OBJ", "VP"]}


def str_of(value: object) -> str:
    """Return a short name of a value for the ids of tests."""
    return f"{float(value):g}" if isinstance(value, float) else "a whole number"


BAD: list[tuple[str, str, dict[str, Any]]] = [
    ("tc", "vote.key@1", {"comment": SECRET}),
    ("tc", "vote.task@1", {"task": "sts"}),
    ("tc", "vote.task@1", {"spec": "sts@1.0.0"}),
    ("tc", "vote.spec@1", {"spec": "tc@2.0.0"}),
    ("tc", "vote.spec@1", {"spec": "tc@1.7.0"}),
    ("tc", "vote.spec@1", {"spec": 1}),
    ("tc", "vote.item@1", {"item": None}),
    ("tc", "vote.item@1", {"item": "  "}),
    ("tc", "vote.item@1", {"item": ["a"]}),
    ("tc", "vote.item@1", {"item": "\ud800"}),
    ("tc", "vote.unknown_item@1", {"item": SECRET}),
    ("tc", "vote.annotator@1", {"annotator": None}),
    ("tc", "vote.annotator@1", {"annotator": True}),
    ("tc", "vote.value@1", {"annotator": None, "seat": 2.5}),
    ("tc", "vote.role@1", {"role": "validator"}),
    ("tc", "vote.role@1", {"role": ["annotator"]}),
    ("tc", "vote.round@1", {"round": "second"}),
    ("tc", "vote.attempt@1", {"attempt": 0}),
    ("tc", "vote.attempt@1", {"attempt": 2}),
    ("tc", "vote.attempt@1", {"attempt": "1"}),
    ("tc", "vote.empty@1", {"label": None}),
    ("tc", "vote.label@1", {"label": ["날씨"]}),
    ("tc", "vote.form@1", {"label": []}),
    ("tc", "vote.form@1", {"label": ["사회", "사회"]}),
    ("tc", "vote.form@1", {"label": {"x": object()}}),
    ("tc", "vote.report@1", {"report": SECRET}),
    ("tc", "vote.report@1", {"report": "ungrammatical"}),
    ("tc", "vote.report@1", {"report": True}),
    ("tc", "vote.time@1", {"at": "gestern"}),
    ("tc", "vote.time@1", {"at": 1600000000}),
    ("tc", "vote.time@1", {"at": "0001-01-01T00:00:00+09:00"}),
    ("tc", "vote.seconds@1", {"seconds": -0.1}),
    ("tc", "vote.seconds@1", {"seconds": math.nan}),
    ("tc", "vote.seconds@1", {"seconds": 10**400}),
    ("tc", "vote.seconds@1", {"seconds": "4"}),
    ("tc", "vote.value@1", {"simulated": "yes"}),
    ("tc", "vote.value@1", {"source": 1.5}),
    ("sts", "vote.range@1", {"label": 6}),
    ("sts", "vote.range@1", {"label": 2.5}),
    ("sts", "vote.range@1", {"label": math.nan}),
    ("sts", "vote.range@1", {"label": math.inf}),
    ("sts", "vote.range@1", {"label": 10**400}),
    ("tc", "vote.annotator@1", {"annotator": 10**5000}),
    ("nli", "vote.label@1", {"label": "maybe", "round": "validate"}),
    ("ner", "vote.range@1", {"label": [SPAN | {"end": 99}]}),
    ("ner", "vote.range@1", {"label": [SPAN, SPAN | {"start": 2}]}),
    ("ner", "vote.label@1", {"label": [SPAN | {"label": "XX"}]}),
    ("dp", "vote.tree@1", {"label": TREE | {"heads": [2, 1, 0]}, "round": "arcs"}),
    ("dp", "vote.tree@1", {"label": TREE | {"heads": [3, 0, 0]}, "round": "arcs"}),
    ("dp", "vote.range@1", {"label": TREE | {"heads": [9, 3, 0]}, "round": "arcs"}),
    ("dp", "vote.form@1", {"label": TREE | {"heads": [3, 0]}, "round": "arcs"}),
]


@pytest.mark.parametrize(("task", "rule", "change"), BAD, ids=range(len(BAD)))
def test_a_bad_vote_is_quarantined_without_its_content(
    task: str, rule: str, change: dict[str, Any]
) -> None:
    good = {"tc": ["사회"], "sts": 3, "nli": "neutral", "ner": [SPAN], "dp": TREE}[task]
    vote = {"item": "a", "annotator": "07", "label": good}
    taken = take(vote | change, vote | {"item": "b"}, task=task)
    assert taken.counts.rules == {rule: 1}
    assert taken.votes.column("item").to_pylist() == ["b"]
    (row,) = taken.ledger.to_pylist()
    assert (row["action"], row["file"], row["line"]) == ("quarantine", "votes.jsonl", 1)
    assert "가상" not in row["reason"] and "1234" not in row["reason"]
    assert "가상" not in row["unit"]


def test_every_rule_is_tried_here() -> None:
    tried = {rule for _, rule, _ in BAD}
    elsewhere = {"vote.pilot@1", "vote.unassigned@1", "vote.own@1", "vote.double@1"}
    assert tried | elsewhere == set(RULES)


def test_a_good_vote_is_a_row_of_the_table() -> None:
    given_ = GOOD | {"label": "사회", "at": "2020-09-01T10:30:00+09:00", "seconds": 4}
    taken = take(given_ | {"spec": "tc@1.0.9", "report": "hate"}, items=None)
    (row,) = taken.votes.to_pylist()
    assert row.pop("at").isoformat() == "2020-09-01T01:30:00+00:00"
    assert row == {
        "item": "a",
        "task": "tc",
        "role": "annotator",
        "round": "main",
        "attempt": 1,
        "simulated": False,
        "annotator": "07",
        "seat": None,
        "label": '["사회"]',
        "report": "hate",
        "seconds": 4.0,
        "spec": "tc@1.0.9",
        "source": None,
    }


def test_refused_records_stay_refused() -> None:
    taken = intake(
        [Refused("v.jsonl", 7, "file.malformed@1", "is not JSON"), *raws(GOOD, file="v.jsonl")],
        task=TASKS["tc"],
        spec=load_spec("tc"),
    )
    assert taken.counts == VoteCounts(2, 1, 0, 0, 1, {"file.malformed@1": 1})
    assert taken.ledger.column("line").to_pylist() == [7]


def test_the_source_of_an_item_is_that_of_its_votes_and_of_its_ledger() -> None:
    items = make_items(["a", "b"], source="yna")
    taken = take(GOOD, GOOD | {"item": "b", "label": []}, items=items)
    assert taken.votes.column("source").to_pylist() == ["yna"]
    (row,) = taken.ledger.to_pylist()
    assert (row["unit"], row["source"]) == ("b", "yna")


OWN = f"nsmc-s{'0a' * 10}"


@pytest.mark.parametrize(
    ("item", "source"),
    [
        (OWN, "nsmc"),
        (f"{OWN}.e", "nsmc"),  # a pair made of a premise
        (f"news-2-w{'0a' * 10}", "news-2"),
        ("3f2504e0-4f89-41d3-9a0c-0305e82c3301", None),
        ("klue-sts-v1_dev_00001", None),
        ("kim-minsu-7", None),
        (f"nsmc-x{'0a' * 10}", None),
        (f"nsmc-s{'0a' * 9}", None),
    ],
)
def test_only_ids_of_this_project_name_their_source(item: str, source: str | None) -> None:
    (row,) = take(GOOD | {"item": item}, items=None).votes.to_pylist()
    assert row["source"] == source
    given_ = take(GOOD | {"item": item}, items=make_items([item], source="yna"))
    assert given_.votes.column("source").to_pylist() == ["yna"]


def _forms(text: str) -> list[str]:
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    assert forms[0] != forms[1]
    return [*forms, f" {text}", f"{forms[1]}\t"]


def test_a_name_is_one_in_all_its_spellings() -> None:
    people = [*_forms("민수"), "kim", "kim ", " kim"]
    taken = take(*(GOOD | {"annotator": one} for one in people))
    assert (taken.counts.new, taken.counts.unchanged) == (2, 5)
    assert taken.votes.column("annotator").to_pylist() == ["kim", "민수"]
    seats = [{"item": "a", "seat": one, "label": ["사회"]} for one in _forms("자리")]
    assert take(*seats).votes.column("seat").to_pylist() == ["자리"]
    assert take(GOOD | {"annotator": "kim "}, existing=taken.votes).counts.unchanged == 1


@pytest.mark.parametrize("listed", _forms("가1"))
def test_an_item_is_found_in_all_its_spellings(listed: str) -> None:
    items = make_items([listed, "b"], source="yna")
    votes = [GOOD | {"item": one, "annotator": f"{n}"} for n, one in enumerate(_forms("가1"))]
    taken = take(*votes, GOOD | {"item": votes[1]["item"], "label": ["날씨"]}, items=items)
    assert taken.votes.column("item").to_pylist() == [listed] * 4  # the id that the items have
    assert taken.ledger.column("unit").to_pylist() == [listed]
    without = take(*votes, items=None)
    assert set(without.votes.column("item").to_pylist()) == {"가1"}


def test_names_of_a_batch_are_compared_in_one_spelling() -> None:
    composed, decomposed, *_ = _forms("민수")
    for given_, said in ((composed, decomposed), (decomposed, composed)):
        assigned = assign(["a"], [given_], per_item=1, seed=1)
        within = Within(round="main", assignments=assigned)
        assert take(GOOD | {"annotator": said}, within=within).counts.new == 1
        barred = Within(barred={"a": {given_}})
        assert take(GOOD | {"annotator": said}, within=barred).counts.rules == {"vote.own@1": 1}
        pilot = Within(pilot={given_})
        vote = GOOD | {"item": said}
        assert take(vote, within=pilot, items=None).counts.rules == {"vote.pilot@1": 1}
    with pytest.raises(InputError, match="named twice"):
        assign(["a"], [composed, decomposed], per_item=1, seed=1)


@pytest.mark.parametrize(
    ("vote", "expected"),
    [
        ({"label": "neutral"}, ("validate", "validator")),
        ({"label": "neutral", "role": "author"}, ("validate", "author")),
        (
            {"label": {"entailment": "가", "contradiction": "나", "neutral": "다"}},
            ("write", "author"),
        ),
        ({"label": "neutral", "role": "expert"}, ("validate", "expert")),
        ({"report": "hate", "role": "validator"}, ("validate", "validator")),
        ({"report": "hate"}, ("write", "author")),
    ],
)
def test_a_vote_without_a_round_belongs_where_its_answer_fits(
    vote: dict[str, Any], expected: tuple[str, str]
) -> None:
    (row,) = take({"item": "a", "annotator": "07"} | vote, task="nli").votes.to_pylist()
    assert (row["round"], row["role"]) == expected


def test_a_tree_and_morphemes_find_their_rounds() -> None:
    morphemes = {"lemmas": ["나 는", "밥 을", "먹 는다"], "pos": ["NP+JX", "NNG+JKO", "VV+EF"]}
    votes = [{"item": "a", "annotator": "07", "label": one} for one in (TREE, morphemes)]
    taken = take(*votes, task="dp")
    assert sorted(taken.votes.column("round").to_pylist()) == ["arcs", "pos"]


def test_the_same_answer_twice_is_unchanged_another_is_quarantined() -> None:
    other = GOOD | {"label": ["경제"]}
    taken = take(GOOD, GOOD | {"seconds": 9}, other, GOOD | {"annotator": "08", "label": ["경제"]})
    assert taken.counts == VoteCounts(4, 2, 1, 0, 1, {"vote.double@1": 1})
    assert taken.votes.column("label").to_pylist() == ['["사회"]', '["경제"]']
    (row,) = taken.ledger.to_pylist()
    assert (row["unit"], row["line"]) == ("a", 3)
    assert "line 1 of votes.jsonl" in row["reason"]


def test_reports_stand_beside_the_answer_one_for_a_reason() -> None:
    report = {"item": "a", "annotator": "07", "report": "hate"}
    taken = take(GOOD, report, report, report | {"report": "bias"})
    assert (taken.counts.new, taken.counts.unchanged) == (3, 1)


def test_anonymous_votes_are_told_apart_by_their_seat() -> None:
    seats = [{"item": "a", "seat": f"label{n}", "label": "neutral"} for n in (2, 3, 2)]
    seats.append(seats[0] | {"label": "entailment"})
    taken = take(*seats, task="nli")
    assert taken.counts == VoteCounts(4, 2, 1, 0, 1, {"vote.double@1": 1})


def test_a_reviewer_may_judge_several_answers_to_one_item() -> None:
    verdict = {
        "item": "a",
        "annotator": "lead",
        "role": "inspector",
        "label": {"verdict": "accept"},
    }
    votes = [verdict | {"seat": "07"}, verdict | {"seat": "08"}]
    assert take(*votes, task="mrc").counts.new == 2


def test_a_changed_answer_replaces_an_earlier_one_only_when_asked() -> None:
    before = take(GOOD).votes
    newer = GOOD | {"label": ["경제"]}
    kept = take(newer, existing=before)
    assert kept.counts == VoteCounts(1, 0, 0, 0, 1, {"vote.double@1": 1})
    assert kept.votes.equals(before)
    assert "--replace" in kept.ledger.column("reason")[0].as_py()

    changed = take(newer, existing=before, replace=True)
    assert changed.counts == VoteCounts(1, 0, 0, 1, 0)
    assert changed.votes.column("label").to_pylist() == ['["경제"]']
    assert changed.ledger.column("action").to_pylist() == ["edit"]

    again = take(newer, existing=changed.votes, replace=True)
    assert again.counts.unchanged == 1
    assert again.votes.equals(changed.votes)


def test_within_a_reading_the_first_stays_even_when_replacing() -> None:
    other = GOOD | {"label": ["경제"]}
    taken = take(GOOD, other, existing=take(other).votes, replace=True)
    assert (taken.counts.replaced, taken.counts.quarantined) == (1, 1)
    again = take(GOOD, other, existing=taken.votes, replace=True)
    assert (again.counts.unchanged, again.counts.quarantined) == (1, 1)
    assert again.votes.equals(taken.votes)


LABELS = st.sampled_from([["사회"], ["경제"], ["사회", "경제"], ["날씨"], None])
RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "item": st.sampled_from(["a", "b", "c", "x", None]),
            "annotator": st.sampled_from(["07", "08", "sim-1", None]),
            "label": LABELS,
        },
        optional={
            "report": st.sampled_from(["hate", "bias", "nothing"]),
            "seat": st.sampled_from(["1", "2"]),
            "seconds": st.sampled_from([1, -1, 2.5]),
        },
    ),
    max_size=25,
)


@given(RECORDS, st.randoms(use_true_random=False), st.booleans())
def test_order_does_not_matter_and_twice_changes_nothing(
    values: list[dict[str, Any]], chance: random.Random, replace: bool
) -> None:
    records = raws(*values)
    shuffled = chance.sample(records, len(records))
    options: dict[str, Any] = {
        "task": TASKS["tc"],
        "spec": load_spec("tc"),
        "items": make_items(["a", "b", "c"]),
        "replace": replace,
    }
    first, other = intake(records, **options), intake(shuffled, **options)
    assert first.votes.equals(other.votes)
    assert first.ledger.equals(other.ledger)
    again = intake(shuffled, existing=first.votes, **options)
    assert again.votes.equals(first.votes)
    assert again.ledger.equals(first.ledger)
    assert (again.counts.new, again.counts.replaced) == (0, 0)
    keys = zip(*(first.votes.column(n).to_pylist() for n in ("item", "annotator")), strict=True)
    labelled = [
        key
        for key, label in zip(keys, first.votes.column("label").to_pylist(), strict=True)
        if label is not None and key[1] is not None
    ]
    assert len(labelled) == len(set(labelled))


@given(RECORDS, RECORDS)
def test_two_readings_lose_nothing(one: list[dict[str, Any]], two: list[dict[str, Any]]) -> None:
    first = take(*one)
    second = take(*two, existing=first.votes, file="later.jsonl")
    assert second.votes.num_rows == first.votes.num_rows + second.counts.new
    assert second.counts.read == len(two)
    assert second.ledger.num_rows == second.counts.quarantined


def test_a_loss_would_be_an_error() -> None:
    with pytest.raises(ConservationError, match="3 records read"):
        VoteCounts(3, 1, 0, 0, 1)


def test_simulated_annotators_mark_their_votes() -> None:
    sim = GOOD | {"annotator": "sim-01"}
    assert take(GOOD, sim).votes.column("simulated").to_pylist() == [False, True]
    assert take(GOOD, simulated=True).votes.column("simulated").to_pylist() == [True]
    assert take(GOOD | {"simulated": True}).votes.column("simulated").to_pylist() == [True]


# Votes of no task.


@pytest.mark.parametrize(
    ("level", "label", "stored"),
    [
        ("nominal", "gut", '"gut"'),
        ("nominal", 3.0, "3"),
        ("ordinal", 2, "2"),
        ("interval", 2.5, "2.5"),
        ("interval", "gut", None),
        ("nominal", "  ", None),
        ("nominal", ["gut"], None),
        ("nominal", unicodedata.normalize("NFD", "좋음"), '"좋음"'),
        ("ratio", True, None),
        ("nominal", True, "true"),
        ("interval", 10**15, "1000000000000000"),
        ("interval", -1e15, "-1000000000000000"),
    ],
)
def test_labels_on_a_level(level: str, label: Any, stored: str | None) -> None:
    record = raws({"item": "a", "annotator": 7, "label": label})
    taken = intake(record, level=level)
    assert taken.votes.column("label").to_pylist() == ([stored] if stored else [])
    assert taken.votes.column("annotator").to_pylist() == (["7"] if stored else [])
    assert taken.counts.rules == ({} if stored else {"vote.label@1": 1})


def test_a_name_may_be_a_number_that_pandas_wrote_beside_gaps() -> None:
    taken = intake(raws({"item": 7.0, "annotator": 2.0, "label": 1}), level="ordinal")
    assert (taken.votes["item"][0].as_py(), taken.votes["annotator"][0].as_py()) == ("7", "2")
    taken = intake(raws({"item": 7.5, "annotator": "2", "label": 1}), level="ordinal")
    assert taken.counts.rules == {"vote.item@1": 1}


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize(
    "label", [math.inf, -math.inf, math.nan, 1e16, 10**400, 10**5000], ids=str_of
)
def test_numbers_that_nothing_can_be_computed_of_are_no_labels(level: str, label: Any) -> None:
    taken = intake(raws({"item": "a", "annotator": 7, "label": label}), level=level)
    assert taken.votes.num_rows == 0
    (row,) = taken.ledger.to_pylist()
    assert row["rule"] == "vote.label@1"
    assert row["reason"] == "the label is not a finite number from -1e15 to 1e15"


def test_long_whole_numbers_are_names_but_no_scores() -> None:
    for level, kept in (("nominal", 1), ("interval", 0)):
        taken = intake(raws({"item": "a", "annotator": 7, "label": 10**15 + 1}), level=level)
        assert taken.votes.num_rows == kept


def test_tasks_are_not_mixed_on_a_level_either() -> None:
    votes = [GOOD | {"label": 1, "task": task, "item": task} for task in ("sts", "tc", "sts")]
    taken = intake(raws(*votes, GOOD | {"label": 1}), level="interval")
    assert taken.counts.rules == {"vote.task@1": 1}
    assert taken.ledger.column("line").to_pylist() == [2]


def test_what_cannot_be_checked_is_an_error() -> None:
    with pytest.raises(InputError, match="give the items too"):
        take(GOOD, task="ner", items=None)
    with pytest.raises(ValueError, match="or a level"):
        intake([], level="metric")


# Real files.


def test_votes_of_sts_dev_give_the_agreement_that_the_file_states(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-sts-v1.1_dev.json"
    rows = json.loads(path.read_text("utf-8"))
    records = [
        RawVote(path.name, 10 * number + place, {"item": row["guid"], "annotator": who, "label": n})
        for number, row in enumerate(rows, start=1)
        for place, (who, n) in enumerate(
            zip(row["annotations"]["annotators"], row["annotations"]["annotations"], strict=True)
        )
    ]
    taken = intake(records, task=TASKS["sts"], spec=load_spec("sts"))
    assert taken.counts.quarantined == 0
    found: dict[str, Counter[str]] = {}
    for vote in taken.votes.to_pylist():
        found.setdefault(vote["item"], Counter())[vote["label"]] += 1
    for row in rows:
        stated = [int(n) for n in row["annotations"]["agreement"].split(":")]
        assert [found[row["guid"]][str(score)] for score in range(6)] == stated, row["guid"]


def test_a_file_read_and_taken_in_twice_gives_the_same_tables(tmp_path: Path) -> None:
    lines = [
        json.dumps(GOOD | {"item": item, "annotator": who}, ensure_ascii=False)
        for item in "abcx"
        for who in ("07", "08")
    ]
    path = tmp_path / "export.jsonl"
    path.write_text("\n".join([*lines, '{"item": "a", "lab']), "utf-8")
    options: dict[str, Any] = {
        "task": TASKS["tc"],
        "spec": load_spec("tc"),
        "items": make_items(["a", "b", "c"]),
    }
    first = intake(read_votes(path), **options)
    again = intake(read_votes(path), existing=first.votes, **options)
    assert first.counts.rules == {"file.malformed@1": 1, "vote.unknown_item@1": 2}
    assert first.ledger.column("line").to_pylist() == [7, 8, 9]
    assert again.votes.equals(first.votes) and again.ledger.equals(first.ledger)
    assert again.counts.unchanged == first.counts.new == 6
