"""Planted bad annotators are found, good ones are left alone: rates over seeded pools."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from simulated_pool import CATEGORIES, RELATIONS, SCORES, Pool, votes
from vote_tables import table

from pipeline.agreement.annotators.flags import ENOUGH, Flag, judge_annotators
from pipeline.agreement.votes.selection import select
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec

#: Pools of a rate; a few are enough to see that nothing broke.
POOLS = pytest.mark.parametrize("pools", [4, pytest.param(40, marks=pytest.mark.full)])
#: What each fault may be called; with several codes one of them must be there.
CODES = {
    "random": {"random", "low_agreement", "reversed"},
    "constant": {"constant"},
    "off_by_one": {"biased"},
    "drifting": {"drift"},
}


def found_in(pool: Pool, seed: int, *, timed: bool = True) -> dict[str, list[Flag]]:
    selection = select(
        votes(pool, seed, timed=timed), level="nominal" if pool.labels else "interval"
    )
    return judge_annotators(selection).flags


@POOLS
@pytest.mark.parametrize("pool", [CATEGORIES, RELATIONS, SCORES], ids=["7", "30", "scores"])
def test_bad_annotators_are_found_and_good_ones_are_not(pool: Pool, pools: int) -> None:
    """Over the pools at most 2 % of the bad are missed, and 1 % of the good are flagged.

    Good people have skill from 0.75 to 0.98 (scores: a bias of deviation 0.15, noise from 0.4 to
    0.9), items a difficulty of their own. Bad ones: random answers, always one label, a step beside
    their own score, and skill falling to nothing (scores: moving by two) over 270 to 375 votes each
    (scores: 220).
    """
    missed: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    for seed in range(pools):
        made = found_in(pool, seed)
        for bad in pool.bad:
            missed[bad] += not CODES[bad] & {flag.code for flag in made.get(f"sim-{bad}", [])}
        for name, own in made.items():
            if name.startswith("sim-good"):
                alarms.update(flag.code for flag in own)
    misses = missed.total() / (pools * len(pool.bad))
    false = alarms.total() / (pools * pool.good)
    told = f"missed {misses:.1%} {dict(missed)}, false alarms {false:.1%} {dict(alarms)}"
    assert misses <= 0.02, told
    assert false <= 0.01, told


@POOLS
@pytest.mark.parametrize("pool", [CATEGORIES, SCORES], ids=["7", "scores"])
def test_a_pool_of_good_annotators_has_hardly_a_flag(pool: Pool, pools: int) -> None:
    good = replace(pool, bad=())
    alarms = [name for seed in range(pools) for name in found_in(good, seed)]
    assert len(alarms) / (pools * good.good) <= 0.01, alarms


@pytest.mark.parametrize("pools", [5, pytest.param(20, marks=pytest.mark.full)])
def test_bad_company_hides_nobody_and_blames_nobody(pools: int) -> None:
    """Four of ten answer badly: they are found, and who drifts is judged by the good ones alone."""
    pool = replace(CATEGORIES, good=6, bad=("random", "random-2", "constant", "drifting"))
    missed = alarms = 0
    for seed in range(pools):
        made = found_in(pool, seed)
        codes = {name: {flag.code for flag in own} for name, own in made.items()}
        missed += sum(
            not CODES[bad.removesuffix("-2")] & codes.get(f"sim-{bad}", set()) for bad in pool.bad
        )
        alarms += sum(name.startswith("sim-good") for name in made)
    assert missed <= 0.02 * pools * 4 and alarms <= 0.01 * pools * 6


def test_without_times_drift_follows_the_rows_and_says_so() -> None:
    own = found_in(CATEGORIES, 1, timed=False)["sim-drifting"]
    flag = next(flag for flag in own if flag.code == "drift")
    assert "the order of the file" in flag.text


def test_the_order_of_rows_does_not_matter_where_votes_have_times() -> None:
    given = votes(SCORES, 2)
    mixed = given.take(np.random.default_rng(0).permutation(len(given)))
    one, two = (select(t, level="interval") for t in (given, mixed))
    assert judge_annotators(one) == judge_annotators(two)


def test_a_label_that_is_common_for_everybody_makes_nobody_constant() -> None:
    chance = np.random.default_rng(3)
    rows = []
    for item in range(300):
        truth = "no" if chance.random() < 0.95 else "yes"
        for who in range(5):
            other = chance.random() < 0.02
            rows.append((f"i{item:03d}", f"p{who}", "yes" if (truth == "yes") ^ other else "no"))
    selection = select(table(rows), level="nominal")
    assert judge_annotators(selection).flags == {}


def test_somebody_always_against_the_others_is_reversed() -> None:
    chance = np.random.default_rng(4)
    rows = []
    for item, truth in enumerate(chance.integers(0, 6, 200)):
        for who in range(5):
            score = int(np.clip(truth + chance.integers(-1, 2), 0, 5))
            rows.append((f"i{item:03d}", f"p{who}", score))
        rows.append((f"i{item:03d}", "upside", 5 - int(truth)))
    selection = select(table(rows), level="interval")
    assert [f.code for f in judge_annotators(selection).flags["upside"]] == ["reversed"]


def test_somebody_far_faster_than_the_others_is_flagged() -> None:
    chance = np.random.default_rng(5)
    rows = [
        (
            f"i{item:02d}",
            f"p{who}",
            "a",
            {"seconds": float(chance.lognormal(3 - 2 * (who == 6), 0.4))},
        )
        for item in range(40)
        for who in range(7)
    ]
    selection = select(table(rows), level="nominal")
    made = judge_annotators(selection).flags
    assert {name: [f.code for f in own] for name, own in made.items()} == {"p6": ["fast"]}
    assert "seconds" in made["p6"][0].text


def test_few_votes_or_few_people_judge_nobody() -> None:
    few = [
        (f"i{item}", f"p{who}", "a" if who else str(item))
        for item in range(ENOUGH - 1)
        for who in range(6)
    ]
    two = [(f"i{item}", f"p{who}", str(item * who)) for item in range(200) for who in range(2)]
    for rows in (few, two):
        selection = select(table(rows), level="nominal")
        assert judge_annotators(selection).flags == {}


def test_sets_of_labels_and_spans_are_tested_too() -> None:
    """Somebody who marks at random, and one who never gives a label, in a pool of six."""
    chance = np.random.default_rng(11)
    names = ["joy", "anger", "fear", "shame"]
    rows = []
    for item in range(120):
        truth = {name for name in names if chance.random() < 0.4}
        for who in range(6):
            own = {name for name in names if (name in truth) ^ (chance.random() < 0.1)}
            if who == 4:
                own = {name for name in names if chance.random() < 0.4}
            if who == 5:
                own -= {"fear"}
            rows.append((f"i{item:03d}", f"p{who}", sorted(own)))
    made = judge_annotators(select(table(rows), level="multilabel")).flags
    assert set(made) == {"p4", "p5"}
    assert {flag.code for flag in made["p4"]} & {"random", "low_agreement"}
    assert {flag.code for flag in made["p5"]} & {"unused_label", "habit"}
    assert "fear" in " ".join(flag.text for flag in made["p5"])


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_who_marks_spans_without_a_look_is_random_and_not_against_the_others(share: float) -> None:
    chance = np.random.default_rng(13)
    rows = []
    for item in range(150):
        truth = chance.random(8) < 0.3
        for who in range(8):
            own = truth ^ (chance.random(8) < 0.04)
            if who == 0:
                own = chance.random(8) < share
            spans = [
                {"start": 3 * n, "end": 3 * n + 2, "label": "PS"}
                for n in np.flatnonzero(own).tolist()
            ]
            rows.append((f"i{item:03d}", f"p{who}", spans, {"round": "tag"}))
    ner = {"task": TASKS["ner"], "spec": load_spec("ner")}
    made = judge_annotators(select(table(rows, task="ner"), **ner)).flags
    assert set(made) == {"p0"}
    codes = {flag.code for flag in made["p0"]}
    assert "reversed" not in codes
    assert codes & {"random", "low_agreement", "constant"}


def test_who_has_few_shared_items_is_named_as_untested() -> None:
    chance = np.random.default_rng(12)
    rows = [
        (f"i{item:02d}", f"p{who}", "ab"[int(chance.random() < 0.5)])
        for item in range(40)
        for who in range(5)
        if who < 4 or item < 10
    ]
    verdicts = judge_annotators(select(table(rows), level="nominal"))
    assert set(verdicts.untested) == {"p4"} and "10 shared items" in verdicts.untested["p4"]


@pytest.mark.parametrize("share", [0.9, 1.0])
def test_teams_that_judge_other_topics_are_not_odd(share: float) -> None:
    """Each of five teams has items of its own, nearly all of which have the team's label.

    Somebody of the first team answers at random: what is usual is learnt from the team all the
    same.
    """
    chance = np.random.default_rng(13)
    odd = 0
    for pool in range(3):
        rows = []
        for team in range(5):
            for item in range(120):
                usual = chance.random() < share
                truth = (team if usual else int(chance.integers(3))) % 3
                for who in chance.permutation(8)[:4].tolist():
                    right = chance.random() < (1 / 3 if team == who == 0 else 0.85)
                    label = truth if right else (truth + int(chance.integers(1, 3))) % 3
                    rows.append((f"t{team}-{item:03d}", f"p{team}{who}", f"L{label}"))
        flags = judge_annotators(select(table(rows), level="nominal")).flags
        assert "p00" in flags, pool
        odd += len(flags.keys() - {"p00"})
    assert odd <= 1  # of 117
