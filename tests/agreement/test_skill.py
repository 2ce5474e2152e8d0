"""Agreement beyond chance against reference implementations, and what guesses look like."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, pearsonr
from sklearn.metrics import cohen_kappa_score
from vote_tables import grid, table

from pipeline.agreement.annotators.measures import measures
from pipeline.agreement.annotators.skill import Skill
from pipeline.agreement.votes.selection import select

LABELS = np.array(["economy", "politics", "society", "sports"])


def skill_of(columns: dict[str, np.ndarray], level: str = "nominal") -> tuple[Skill, list[str]]:
    selection = select(grid({k: v.tolist() for k, v in columns.items()}), level=level)
    return Skill(selection, measures(selection)), list(selection.ratings.raters)


@pytest.mark.parametrize("seed", range(5))
def test_of_two_people_it_is_cohens_kappa(seed: int) -> None:
    chance = np.random.default_rng(seed)
    one = LABELS[chance.integers(4, size=80)]
    two = np.where(chance.random(80) < 0.6, one, LABELS[chance.integers(4, size=80)])
    found, _ = skill_of({"a": one, "b": two})
    assert found.value == pytest.approx([cohen_kappa_score(one, two)] * 2, abs=1e-12)


def test_of_scores_it_is_pearson_compared_on_fishers_scale() -> None:
    chance = np.random.default_rng(1)
    truth = chance.integers(6, size=60)
    columns = {n: np.clip(truth + chance.integers(-1, 2, 60), 0, 5) for n in "abc"}
    found, names = skill_of(columns, "interval")
    rest = (columns["b"] + columns["c"]) / 2
    r = pearsonr(columns["a"], rest).statistic
    assert found.value[names.index("a")] == pytest.approx(r)
    z = (np.arctanh(r) - np.arctanh(0.5)) * np.sqrt(60 - 3)
    assert found.below(names.index("a"), 0.5) == pytest.approx(norm.cdf(z))


def test_guesses_have_no_skill_however_their_labels_are_spread() -> None:
    """Mean skill of 200 who guess is 0, and their standard errors are those of the spread."""
    values, errors = [], []
    for seed in range(200):
        chance = np.random.default_rng(seed)
        truth = chance.choice(4, p=(0.6, 0.2, 0.1, 0.1), size=150)
        columns = {
            n: LABELS[np.where(chance.random(150) < 0.85, truth, chance.integers(4, size=150))]
            for n in "abc"
        }
        columns["guess"] = LABELS[chance.choice(4, p=(0.7, 0.1, 0.1, 0.1), size=150)]
        found, names = skill_of(columns)
        values.append(float(found.value[names.index("guess")]))
        errors.append(float(found.error[names.index("guess")]))
    assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(200)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.15)


@pytest.mark.parametrize("others", [1, 2, 4])
@pytest.mark.parametrize("labels", [3, 30])
def test_a_swapped_label_is_named_and_a_guess_has_no_habit(others: int, labels: int) -> None:
    """Over 40 pools at most one who guesses has a habit; who says 1 for 0 and 0 for 1 has it."""
    guessed = 0
    for seed in range(40):
        chance = np.random.default_rng(seed)
        prior = 1 / np.arange(1, labels + 1)
        truth = chance.choice(labels, p=prior / prior.sum(), size=200)
        right = chance.random((others, 200)) < 0.85
        columns = {
            f"good-{i}": np.where(right[i], truth, chance.integers(labels, size=200))
            for i in range(others)
        }
        swapped, guess = np.where(truth < 2, 1 - truth, truth), chance.integers(labels, size=200)
        found, names = skill_of({**columns, "guess": guess})
        guessed += found.habit(names.index("guess")) is not None
        found, names = skill_of({**columns, "swap": swapped})
        assert found.habit(names.index("swap")) in (("1", "0"), ("0", "1"))
    assert guessed <= 1


def test_who_says_the_same_always_has_no_habit_and_no_skill() -> None:
    rows = [(f"i{n:02d}", who, "ab"[n % 2]) for n in range(40) for who in ("p0", "p1")]
    rows += [(f"i{n:02d}", "same", "a") for n in range(40)]
    selection = select(table(rows), level="nominal")
    found = Skill(selection, measures(selection))
    place = selection.ratings.raters.index("same")
    assert found.heedless(place) and found.habit(place) is None
    assert found.value[place] == pytest.approx(0, abs=1e-12)
