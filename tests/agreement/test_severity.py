"""Effects of annotators: the dense least-squares solution, and pools too large for one."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating_matrix import ratings
from scored_votes import votes
from vote_tables import table

from pipeline.agreement.annotators import effects as module
from pipeline.agreement.annotators.effects import severity
from pipeline.agreement.audit import audit
from pipeline.agreement.votes.ratings import Ratings


def _direct(found: Ratings) -> np.ndarray:
    """Solve score = item + annotator with one column an item and one an annotator."""
    many = len(found.raters)
    company = np.bincount(found.unit)[found.unit] > 1
    unit, rater, score = found.unit[company], found.rater[company], found.numbers[company]
    design = np.zeros((len(unit), many + len(found.units)))
    design[np.arange(len(unit)), rater] = 1
    design[np.arange(len(unit)), many + unit] = 1
    effect = np.linalg.lstsq(design, score, rcond=1e-10)[0][:many]
    out = np.full(many, np.nan)
    for group in _groups(unit, rater):
        out[group] = effect[group] - effect[group].mean()
    return out


def _groups(unit: np.ndarray, rater: np.ndarray) -> list[list[int]]:
    """Return the annotators that items connect, by joining sets."""
    sets: list[set[int]] = [set(rater[unit == one].tolist()) for one in np.unique(unit)]
    joined: list[set[int]] = []
    for own in sets:
        apart = [other for other in joined if not own & other]
        joined = [*apart, own.union(*(other for other in joined if own & other))]
    return [sorted(group) for group in joined]


@given(st.integers(0, 10_000), st.sampled_from([3, 8, 20]))
def test_effects_are_those_of_the_direct_solution(seed: int, units: int) -> None:
    found = votes(seed, raters=7, units=units, top=6)
    assert severity(found) == pytest.approx(_direct(found), abs=1e-7, nan_ok=True)


def _pool(items: int, people: int, seed: int = 0) -> Ratings:
    """Return scores of `people` annotators, three on each item, who differ by their number."""
    chance = np.random.default_rng(seed)
    unit = np.repeat(np.arange(items), 3)
    rater = (chance.integers(0, people, items)[:, None] + np.array([0, 1, 7])).ravel() % people
    score = chance.integers(0, 4, items)[unit] + rater % 3
    return ratings(unit.tolist(), [f"{who:06d}" for who in rater], score.tolist())


def test_effects_of_thousands_of_annotators_are_found_in_little_memory() -> None:
    found = _pool(20_000, 3_000)
    tracemalloc.start()
    effect = severity(found)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6  # a matrix of annotators x annotators alone has 72 MB
    truth = np.array([int(name) % 3 for name in found.raters], float)
    assert effect == pytest.approx(truth - truth.mean(), abs=1e-6)


def test_each_stands_against_those_with_whom_items_connect_them() -> None:
    found = ratings([0, 0, 1, 1, 2], list("abcda"), [1, 3, 10, 4, 7])
    assert severity(found).tolist() == [-1.0, 1.0, 3.0, -3.0]


def test_effects_that_are_not_solved_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = [(f"i{n:04d}", f"p{n + who:04d}", n % 5 + who) for n in range(400) for who in (0, 1)]
    assert audit(table(chain), level="interval", bootstrap=0)["per_annotator"]["p0001"][
        "severity_points"
    ]
    monkeypatch.setattr(module, "MOST_WORK", 0)  # 100 steps, and 400 are needed
    person = audit(table(chain), level="interval", bootstrap=0)["per_annotator"]["p0001"]
    assert person["severity_points"] is None and person["severity"] is None
    assert "solved" in person["reasons"]["severity_points"]
    assert "solved" in person["reasons"]["severity"]
