"""Where numbers fall: the place of a change, steady falls, what falls for everybody."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.agreement.annotators.course import Change, Course, falls

N = 200


def course(numbers: np.ndarray) -> Course:
    """Return a course of several raters, (raters, answers), of variance 1."""
    raters, answers = numbers.shape
    rater = np.repeat(np.arange(raters), answers)
    item = np.tile(np.arange(answers), raters)
    return Course(rater, item, numbers.ravel(), np.ones(numbers.size))


def first(numbers: np.ndarray) -> Change:
    return next(falls(course(numbers[None]), 1))


def test_a_fall_is_placed_where_it_happens() -> None:
    numbers = np.random.default_rng(1).normal(size=N)
    numbers[120:] -= 1.5
    change = first(numbers)
    assert change.p < 1e-6
    assert change.place == pytest.approx(120, abs=8)
    assert change.before - change.after == pytest.approx(1.5, abs=0.4)
    assert set(change.items.tolist()) == set(range(change.place, N))
    assert numbers[change.items[0]] == numbers[change.place :].min()


def test_a_steady_fall_is_found_and_a_rise_is_not() -> None:
    line = np.linspace(1, -1, N)
    noise = np.random.default_rng(2).normal(size=N)
    assert first(noise + line).p < 1e-4
    assert first(noise - line).p > 0.2


def test_without_a_change_the_probability_is_hardly_ever_small() -> None:
    """It is twice the smaller of two, so at most the share that it says."""
    chance = np.random.default_rng(3)
    p = np.array([first(chance.normal(size=N)).p for _ in range(400)])
    assert (p < 0.05).mean() < 0.08 and (p < 0.01).mean() < 0.03


def test_what_falls_for_everybody_is_nobodys_fault() -> None:
    chance = np.random.default_rng(4)
    numbers = chance.normal(size=(6, N)) + np.linspace(1, -1, N)
    numbers[0] += np.linspace(1, -1, N)
    changes = {change.rater: change.p for change in falls(course(numbers), 6)}
    assert changes[0] < 1e-4
    assert min(p for rater, p in changes.items() if rater) > 1e-3


def test_few_answers_are_not_judged() -> None:
    assert list(falls(course(np.zeros((3, 20))), 3)) == []
