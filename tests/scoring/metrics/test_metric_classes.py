"""Class metrics: hand computation, scikit-learn, and weights as repetition."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from official_gold import plain
from sklearn.metrics import accuracy_score, f1_score

from pipeline.core.errors import InputError
from pipeline.scoring.metrics.classes import (
    accuracy_measure,
    macro_f1_measure,
    micro_f1_measure,
)

accuracy, macro_f1, micro_f1 = map(plain, (accuracy_measure, macro_f1_measure, micro_f1_measure))
REAL = ["per:title", "per:origin"]
NAMES = [*REAL, "no_relation", "org:founded"]
#: Gold, prediction and weight of each example.
ROWS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(0, 3)),
    min_size=1,
    max_size=25,
)


def _repeated(rows: list[tuple[str, str, int]]) -> tuple[list[str], list[str]]:
    golds = [gold for gold, _, many in rows for _ in range(many)]
    return golds, [said for _, said, many in rows for _ in range(many)]


def test_accuracy_by_hand() -> None:
    assert accuracy(["a", "b", "b", "c"], ["a", "b", "c", "c"]) == 75.0


def test_macro_f1_by_hand() -> None:
    # a: 2 x 1 / (2 + 1); b: 2 x 1 / (1 + 2); c is predicted and never gold: 0
    golds, said = ["a", "a", "b"], ["a", "b", "b"]
    assert macro_f1(golds, said) == pytest.approx(100 * (2 / 3 + 2 / 3) / 2)
    assert macro_f1([*golds, "b"], [*said, "c"]) == pytest.approx(100 * (2 / 3 + 1 / 2 + 0) / 3)


def test_a_false_relation_costs_precision() -> None:
    golds = ["per:title", "no_relation", "no_relation", "per:title"]
    said = ["per:title", "per:title", "no_relation", "no_relation"]
    # one hit; two golds and two predictions that are real relations
    assert micro_f1(golds, said, REAL) == pytest.approx(100 * 2 * 1 / (2 + 2))
    assert micro_f1(golds, ["per:title"] * 4, REAL) == pytest.approx(100 * 2 * 2 / (2 + 4))


@given(ROWS)
def test_metrics_are_those_of_scikit_learn(rows: list[tuple[str, str, int]]) -> None:
    golds, said = [row[0] for row in rows], [row[1] for row in rows]
    assert accuracy(golds, said) == pytest.approx(100 * accuracy_score(golds, said))
    macro = 100 * f1_score(golds, said, average="macro")
    assert macro_f1(golds, said) == pytest.approx(macro)
    wanted = 100 * f1_score(golds, said, average="micro", labels=REAL, zero_division=np.nan)
    assert micro_f1(golds, said, REAL) == pytest.approx(wanted, nan_ok=True)


@given(ROWS)
def test_weights_are_repetitions(rows: list[tuple[str, str, int]]) -> None:
    golds, said = [row[0] for row in rows], [row[1] for row in rows]
    weights = np.array([[row[2] for row in rows]], dtype=float)
    again = _repeated(rows)
    for measure, wanted in (
        (accuracy_measure(golds, said), accuracy(*again)),
        (macro_f1_measure(golds, said), macro_f1(*again)),
        (micro_f1_measure(golds, said, REAL), micro_f1(*again, REAL)),
    ):
        assert measure(weights)[0] == pytest.approx(wanted, nan_ok=True)


def test_many_draws_are_as_many_single_ones() -> None:
    rng = np.random.default_rng(3)
    golds, said = rng.choice(NAMES, 40).tolist(), rng.choice(NAMES, 40).tolist()
    weights = rng.random((300, 40))
    made = macro_f1_measure(golds, said)(weights)
    assert made.shape == (300,)
    for draw in (0, 127, 128, 299):
        wanted = f1_score(golds, said, average="macro", sample_weight=weights[draw])
        assert made[draw] == pytest.approx(100 * wanted)


def test_nothing_to_count_is_nan_without_a_warning() -> None:
    none: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [accuracy(none, none), macro_f1(none, none), micro_f1(none, none, REAL)]
        found.append(micro_f1(["no_relation"], ["no_relation"], REAL))
        for measure in (accuracy_measure, macro_f1_measure):
            found += measure(none, none)(np.ones((1, 0))).tolist()
            found += measure(["a"], ["a"])(np.zeros((1, 1))).tolist()
        found += micro_f1_measure(["no_relation"], ["no_relation"], REAL)(np.ones((1, 1))).tolist()
    assert all(map(math.isnan, found))


def test_lists_of_two_lengths_are_refused() -> None:
    for function in (accuracy_measure, macro_f1_measure):
        with pytest.raises(InputError, match="2 golds, 1 prediction;"):
            function(["a", "b"], ["a"])
    with pytest.raises(InputError, match="1 gold, 2 predictions"):
        micro_f1_measure(["a"], ["a", "b"], ["a"])
