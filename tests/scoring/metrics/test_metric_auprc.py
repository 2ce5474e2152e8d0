"""The area under the precision-recall curve: hand computation, scikit-learn, repetition."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from official_gold import plain
from sklearn.metrics import auc, precision_recall_curve

from pipeline.core.errors import InputError
from pipeline.scoring.measure import VARIANTS, Floats, Variant
from pipeline.scoring.metrics.classes import auprc_measure

auprc = plain(auprc_measure)
CLASSES = 3
#: Few distinct numbers, so that there are ties; they need not sum to 1.
SCORES = st.lists(st.integers(0, 4).map(lambda n: n / 4), min_size=CLASSES, max_size=CLASSES)
#: Gold class, scores and weight of each example.
ROWS = st.lists(
    st.tuples(st.integers(0, CLASSES - 1), SCORES, st.integers(0, 3)), min_size=1, max_size=20
)
Rows = list[tuple[int, list[float], int]]


def _published(golds: list[int], scores: Floats, weights: Floats | None = None) -> float:
    """The published computation as klue-facts tells it, with whatever scikit-learn warns of."""
    areas = []
    for place in range(scores.shape[1]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            precision, recall, _ = precision_recall_curve(
                [gold == place for gold in golds], scores[:, place], sample_weight=weights
            )
        areas.append(auc(recall, precision))
    return 100 * float(np.mean(areas))


def test_an_area_by_hand() -> None:
    # class 1, by falling score: miss, hit, hit. Precision 0, 1/2, 2/3 at recall 0, 1/2, 1.
    # trapezoids: (0 + 1/2)/2 x 1/2 + (1/2 + 2/3)/2 x 1/2 = 1/8 + 7/24
    # class 0 ranks its one example last of three: precision 0 at recall 0, then 1/3: 1/6
    scores = np.array([[0.1, 0.9], [0.4, 0.6], [0.8, 0.2]])
    wanted = 100 * (1 / 8 + 7 / 24 + 1 / 6) / 2
    for variant in VARIANTS:
        assert auprc([0, 1, 1], scores, variant=variant) == pytest.approx(wanted)


def test_a_perfect_ranking_is_100() -> None:
    golds = [0, 1, 2, 1]
    for variant in VARIANTS:
        assert auprc(golds, np.eye(3)[golds], variant=variant) == 100


def test_a_class_without_gold_is_one_half_in_klue_and_left_out_in_strict() -> None:
    scores = np.array([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0]])
    wanted: dict[Variant, float] = {"klue": 100 * 2.5 / 3, "strict": 100.0}
    for variant in VARIANTS:
        found = auprc([0, 1], scores, variant=variant)
        assert found == pytest.approx(wanted[variant])
    assert _published([0, 1], scores) == pytest.approx(100 * 2.5 / 3)


@given(ROWS)
def test_klue_is_the_published_computation(rows: Rows) -> None:
    golds, scores = [row[0] for row in rows], np.array([row[1] for row in rows])
    wanted = _published(golds, scores)
    assert auprc(golds, scores, variant="klue") == pytest.approx(wanted)


@given(ROWS, st.sampled_from(VARIANTS))
def test_weights_are_repetitions_of_rows(rows: Rows, variant: Variant) -> None:
    golds, scores = [row[0] for row in rows], np.array([row[1] for row in rows])
    weights = np.array([row[2] for row in rows])
    found = auprc_measure(golds, scores, variant=variant)(weights[None].astype(float))[0]
    wanted = math.nan
    if weights.sum():
        again = np.repeat(np.arange(len(rows)), weights)
        wanted = auprc(np.array(golds)[again], scores[again], variant=variant)
    assert found == pytest.approx(wanted, nan_ok=True)


def test_draws_of_any_number_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(5)
    golds = rng.integers(0, 6, 200).tolist()
    scores = np.round(rng.dirichlet(np.ones(6), 200), 2)
    weights = rng.multinomial(200, np.full(200, 1 / 200), size=150).astype(float)
    made = auprc_measure(golds, scores, variant="klue")(weights)
    assert made.shape == (150,)
    for draw in (0, 63, 64, 149):
        assert made[draw] == pytest.approx(_published(golds, scores, weights[draw]))


def test_no_example_is_nan_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [auprc([], np.empty((0, 3)), variant=variant) for variant in VARIANTS]
        for variant in VARIANTS:
            found += auprc_measure([0], np.eye(3)[:1], variant=variant)(np.zeros((2, 1))).tolist()
            nothing = auprc_measure([], np.empty((0, 3)), variant=variant)
            found += nothing(np.ones((1, 0))).tolist()
    assert all(map(math.isnan, found))


def test_other_shapes_are_refused() -> None:
    for function in (auprc_measure,):
        with pytest.raises(InputError, match="1 gold, 2 predictions"):
            function([0], np.eye(2), variant="klue")
        with pytest.raises(InputError, match="table of examples x classes"):
            function([0, 1], [0.5, 0.5], variant="klue")
        with pytest.raises(InputError, match="from 0 to 2; there are 2"):
            function([0, 2], np.eye(2), variant="klue")
