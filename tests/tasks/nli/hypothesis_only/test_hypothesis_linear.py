"""The linear classifier: it learns a planted trace, finds none in noise, and repeats itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import log

import numpy as np
import pytest
import sklearn.linear_model  # whose libraries the limits below must find loaded
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.core.ids import draw
from pipeline.core.pool import Workers
from pipeline.tasks.nli.diagnostics import calibration
from pipeline.tasks.nli.hypothesis_only import crossfit, distances, folds_of
from pipeline.tasks.nli.linear import Floats, Labels, linear_of, merge_equal

NOUNS = ("도서관", "시장", "학생", "바다", "기차", "나무", "음악", "강", "빵", "가게")
PLACES = ("서울", "산", "집", "마을", "섬", "학교", "공원", "들")
LABELS: Labels = np.array([n % 3 for n in range(600)], dtype=np.int64)
PREMISES = [f"p{n // 3}" for n in range(600)]


def _text(number: int, *, trace: bool) -> str:
    noun = NOUNS[int(draw(1, "noun", str(number)) * len(NOUNS))]
    place = PLACES[int(draw(1, "place", str(number)) * len(PLACES))]
    ends = ("있다", "전혀 없다", "가장 많다") if trace else ("있다",) * 3
    return f"{noun}은 {place}에 {ends[number % 3]}."


def _predicted(*, trace: bool) -> Floats:
    texts = [_text(n, trace=trace) for n in range(600)]
    return crossfit(texts, LABELS, folds_of(PREMISES, folds=3, seed=1), linear_of(texts))


def test_a_planted_trace_is_found() -> None:
    found = _predicted(trace=True)
    assert calibration(found, LABELS)["accuracy"] > 0.98
    assert distances(found).mean() > log(3) + 0.1


def test_without_a_trace_it_is_near_chance_and_near_the_ideal() -> None:
    found = _predicted(trace=False)
    assert calibration(found, LABELS)["accuracy"] < 0.45
    assert distances(found).mean() < log(3) + 0.05


def test_the_same_numbers_twice() -> None:
    assert np.array_equal(_predicted(trace=True), _predicted(trace=True))


def test_rows_are_probabilities() -> None:
    assert np.exp(_predicted(trace=True)).sum(axis=1) == pytest.approx(np.ones(600), abs=1e-5)


def _syllables(number: int) -> str:
    """Return ten syllables; texts like it have so many n-grams that threads share the work."""
    return "".join(chr(0xAC00 + int(draw(1, f"{number}", f"{n}") * 11_172)) for n in range(10))


def test_threads_make_no_difference() -> None:
    texts = [_syllables(number // 2) for number in range(3_000)]
    labels: Labels = np.array([number % 3 for number in range(3_000)], dtype=np.int64)

    def found(threads: int) -> Floats:
        with threadpool_limits(threads):
            model = linear_of(texts)()
            model.fit(texts, labels)
            return model.log_probabilities(texts)

    assert found(1).tobytes() == found(2).tobytes()


def test_folds_that_are_jobs_give_the_same_numbers() -> None:
    texts = [_text(n, trace=True) for n in range(600)]
    fold = folds_of(PREMISES, folds=3, seed=1)
    pool = ThreadPoolExecutor(2)
    with Workers(2, pool) as workers:
        apart = crossfit(texts, LABELS, fold, linear_of(texts), workers=workers)
    assert apart.tobytes() == _predicted(trace=True).tobytes()


def test_equal_columns_are_merged_without_a_change_of_the_model() -> None:
    """scikit-learn's own fit of all columns is the reference."""
    numbers = np.array([[draw(1, f"{row}", f"{n}") for n in range(6)] for row in range(90)])
    weights = csr_array(np.where(numbers > 0.5, numbers, 0)[:, [0, 1, 0, 2, 3, 1, 0, 4, 5]])
    merged, group, sizes = merge_equal(weights)
    assert group.tolist() == [0, 1, 0, 2, 3, 1, 0, 4, 5]
    assert sizes.tolist() == [3, 2, 1, 1, 1, 1]
    of_all, of_merged = (
        sklearn.linear_model.LogisticRegression(C=0.3, tol=1e-9, max_iter=999).fit(
            each, LABELS[:90]
        )
        for each in (weights, merged)
    )
    coefficients = (of_merged.coef_ / np.sqrt(sizes))[:, group]
    np.testing.assert_allclose(coefficients, of_all.coef_, atol=1e-6)
