"""Who is excluded: against reference implementations, on planted annotators, and exactly once."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import krippendorff
import numpy as np
import pytest
from small_votes import TC_RULE, count, ends, left_out, vote

from pipeline.agreement.aggregation.exclusion import _below
from pipeline.core.errors import SpecError

PAPER = {"pearson_below": 0.8, "alpha_below": 0.2}
Rows = list[dict[str, Any]]


def _pool(bad: dict[str, Any], items: int = 300, good: int = 12) -> Rows:
    """Return seven votes an item: good people err by one at times, bad ones as planted."""
    chance = random.Random(7)
    people = [f"good{i:02}" for i in range(good)] + sorted(bad)
    rows: Rows = []
    for n in range(items):
        truth = chance.randint(0, 5)
        for who in chance.sample(people, 7):
            near = min(5, max(0, truth + chance.choice([0, 0, 0, 0, 0, 0, 1, -1])))
            score = bad[who](chance, truth) if who in bad else near
            rows.append(vote(f"i{n:03}", who, score))
    return rows


BAD = {
    "random": lambda chance, _truth: chance.randint(0, 5),
    "always3": lambda _chance, _truth: 3,
    "shifted": lambda _chance, truth: min(5, truth + 1),
}


def _excluded(found: Any) -> set[str]:
    return {one["annotator"] for one in found.summary["excluded"]}


def test_planted_bad_annotators_go_and_the_good_ones_stay() -> None:
    assert _excluded(count("sts", _pool(BAD), exclusion=PAPER)) == set(BAD)


def test_a_shift_by_one_follows_the_others_but_does_not_agree_with_them() -> None:
    judged = {
        one["annotator"]: one for one in count("sts", _pool(BAD), exclusion=PAPER).summary["judged"]
    }
    assert judged["shifted"]["pearson"] > 0.8
    assert judged["shifted"]["alpha"] < 0.2
    assert judged["always3"]["pearson"] == 0
    assert "alpha" in judged["shifted"]["reason"]


def test_without_exclusion_or_thresholds_everybody_counts() -> None:
    rows = _pool(BAD)
    assert _excluded(count("sts", rows, exclusion=PAPER, exclude=False)) == set()
    assert count("sts", rows).summary["judged"] == []


def test_the_ledger_has_every_vote_of_the_excluded() -> None:
    rows = _pool(BAD)
    found = count("sts", rows, exclusion=PAPER)
    theirs = sorted(row["item"] for row in rows if row["annotator"] in BAD)
    out = [unit for unit, rule, _ in left_out(found) if rule == "vote.excluded@1"]
    assert out == theirs
    counted = sum(row["votes"] for row in ends(found).values())
    assert counted == len(rows) - len(theirs)
    assert sum(row["evidence"].get("excluded", 0) for row in ends(found).values()) == len(theirs)


def test_exclusion_is_decided_once_on_all_votes() -> None:
    """Without the bad ones' votes the good ones agree better; the numbers are of the full pool."""
    rows = _pool(BAD)
    full = count("sts", rows, exclusion=PAPER).summary["judged"]
    kept = [row for row in rows if row["annotator"] not in BAD]
    alone = count("sts", kept, exclusion=PAPER).summary["judged"]
    first = {one["annotator"]: one["alpha"] for one in full}
    second = {one["annotator"]: one["alpha"] for one in alone}
    assert all(second[who] > first[who] for who in second)


def _by_item(rows: Rows) -> Iterable[dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row["item"], {})[row["annotator"]] = int(row["label"])
    return found.values()


def test_pearson_is_numpys_against_the_mean_of_the_others() -> None:
    rows = _pool(BAD, items=80)
    judged = count("sts", rows, exclusion=PAPER).summary["judged"]
    assert len(judged) == 12 + len(BAD)
    for one in judged:
        who = one["annotator"]
        mine = [found for found in _by_item(rows) if who in found]
        own = [found[who] for found in mine]
        rest = [np.mean([s for other, s in found.items() if other != who]) for found in mine]
        if who != "always3":
            assert one["pearson"] == pytest.approx(np.corrcoef(own, rest)[0, 1], abs=1e-6)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_is_that_of_two_raters_one_person_and_another(level: str) -> None:
    """Reference: the krippendorff package on the pairs of a person's votes and the others'."""
    rows = _pool(BAD, items=60)
    exclusion = PAPER | {"level": level}
    judged = count("sts", rows, exclusion=exclusion).summary["judged"]
    assert len(judged) == 12 + len(BAD)
    for one in judged:
        who = one["annotator"]
        pairs = [
            (found[who], score)
            for found in _by_item(rows)
            if who in found
            for other, score in found.items()
            if other != who
        ]
        theirs = krippendorff.alpha(np.array(pairs).T, level_of_measurement=level)
        assert one["alpha"] == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize(
    ("threshold", "limit", "own", "other"),
    [
        ("pearson_below", 0.8, [1, 2, 3, 4, 5], [2, 1, 4, 3, 5]),
        ("alpha_below", 0.3, [1, 1, 1, *[2] * 4, *[1] * 4], [1, 1, 1, *[2] * 8]),
    ],
)
def test_a_number_at_its_threshold_is_not_below_it(
    threshold: str, limit: float, own: list[int], other: list[int]
) -> None:
    """A correlation of 4/5, or an alpha of 3/10, is not below it, whatever it is in binary."""
    rows = [vote(f"i{n}", "own", score) for n, score in enumerate(own)]
    rows += [vote(f"i{n}", "other", score) for n, score in enumerate(other)]
    rule = {"pearson_below": None, "alpha_below": None, "minimum_items": 2}
    at = count("sts", rows, exclusion=rule | {threshold: limit})
    assert _excluded(at) == set()
    above = count("sts", rows, exclusion=rule | {threshold: limit + 1e-11})
    assert _excluded(above) == {"own", "other"}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.79984, "0.7998 is below 0.8"),
        (0.799996, "0.799996 is below 0.8"),
        (0.31, "0.3100 is below 0.8"),
        (-0.5, "-0.5000 is below 0.8"),
    ],
)
def test_a_reason_shows_that_the_number_is_below_the_limit(value: float, told: str) -> None:
    assert _below(value, 0.8) == told


def test_whoever_shares_too_few_items_is_not_judged() -> None:
    rows = [row for row in _pool(BAD) if row["annotator"] != "random"]
    rows += [vote(f"i{n:03}", "random", 5 * (n % 2)) for n in range(9)]
    found = count("sts", rows, exclusion=PAPER | {"minimum_items": 10})
    judged = {one["annotator"]: one for one in found.summary["judged"]}
    assert not judged["random"]["excluded"]
    assert judged["random"]["reason"] == "not judged: 9 items shared with others, 10 are needed"
    assert "random" in _excluded(count("sts", rows, exclusion=PAPER | {"minimum_items": 9}))


def test_items_that_nobody_else_answered_tell_nothing() -> None:
    rows = _pool({})
    alone = [vote(f"x{n}", "good00", n % 6) for n in range(50)]
    before = count("sts", rows, exclusion=PAPER).summary["judged"]
    assert count("sts", rows + alone, exclusion=PAPER).summary["judged"] == before


def test_categories_have_an_alpha_and_no_correlation() -> None:
    chance = random.Random(3)
    topics = ["정치", "경제", "사회"]
    rows = []
    for n in range(60):
        truth = chance.choice(topics)
        rows += [vote(f"i{n:02}", who, [truth]) for who in ("a", "b")]
        rows.append(vote(f"i{n:02}", "guess", [chance.choice(topics)]))
    found = count("tc", rows, exclusion=PAPER)
    assert _excluded(found) == {"guess"}
    assert all(one["pearson"] is None for one in found.summary["judged"])
    with pytest.raises(SpecError, match="allowed: nominal"):
        count("tc", rows, rule=TC_RULE, exclusion=PAPER | {"level": "interval"})
