"""Cross-fitting: no premise is on both sides, and nothing is predicted by what it taught."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from pipeline.core.errors import InputError
from pipeline.tasks.nli.hypothesis_only import (
    CLASSIFIERS,
    classifier_factory,
    crossfit,
    folds_of,
)
from pipeline.tasks.nli.linear import Floats, Labels

PREMISES = [f"p{n // 3}" for n in range(300)]
TEXTS = [f"가설 {n}" for n in range(300)]
LABELS: Labels = np.array([n % 3 for n in range(300)], dtype=np.int64)


class _Memory:
    """Knows what it was taught, and is sure of it."""

    def fit(self, texts: Sequence[str], labels: npt.NDArray[np.int64]) -> None:
        self.known = dict(zip(texts, labels.tolist(), strict=True))

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        found = np.full((len(texts), 3), 1 / 3)
        for row, text in zip(found, texts, strict=True):
            if text in self.known:
                row[:] = 0.001
                row[self.known[text]] = 0.998
        logs: Floats = np.log(found)
        return logs


def test_a_premise_has_one_fold_and_folds_are_alike() -> None:
    fold = folds_of(PREMISES, folds=5, seed=1)
    assert all(len(set(fold[n : n + 3])) == 1 for n in range(0, 300, 3))
    assert set(fold) == set(range(5))
    assert max(np.bincount(fold)) < 3 * min(np.bincount(fold))
    assert not np.array_equal(fold, folds_of(PREMISES, folds=5, seed=2))


def test_other_premises_do_not_move_a_premise() -> None:
    few = folds_of(PREMISES[:30], folds=5, seed=1)
    assert np.array_equal(few, folds_of(PREMISES, folds=5, seed=1)[:30])


def test_nobody_predicts_what_it_was_taught() -> None:
    fold = folds_of(PREMISES, folds=5, seed=1)
    found = crossfit(TEXTS, LABELS, fold, _Memory)
    assert found == pytest.approx(np.log(np.full((300, 3), 1 / 3)), abs=1e-6)


def test_a_set_that_shares_a_text_with_its_own_fold_is_not_seen() -> None:
    # Every hypothesis of a premise is the same text: only a leak could know its label.
    texts = [f"가설 {n // 3}" for n in range(300)]
    found = crossfit(texts, LABELS, folds_of(PREMISES, folds=4, seed=3), _Memory)
    assert np.ptp(found) < 1e-6


def test_too_few_pairs_are_an_error() -> None:
    fold = np.array([0, 0, 1, 1], dtype=np.int64)
    labels = np.array([0, 1, 2, 2], dtype=np.int64)
    with pytest.raises(InputError, match="too few: without fold 1 of 2 a label is missing"):
        crossfit(["가", "나", "다", "라"], labels, fold, _Memory)


def test_folds_are_told_from_one_and_empty_ones_do_not_count() -> None:
    told: list[str] = []
    fold = np.array([4, 4, 4, 0, 0, 0], dtype=np.int64)
    labels = np.array([0, 1, 2, 0, 1, 2], dtype=np.int64)
    crossfit(list("가나다라마바"), labels, fold, _Memory, tell=told.append)
    assert told == ["fold 1 of 2", "fold 2 of 2"]


def test_classifiers_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, int, Sequence[str]]] = []

    def make(path: str, seed: int, texts: Sequence[str]) -> Callable[[], _Memory]:
        given.append((path, seed, texts))
        return _Memory

    monkeypatch.setitem(CLASSIFIERS, "memory:", make)
    assert isinstance(classifier_factory("memory:a/b:c", ["가"], 7)(), _Memory)
    assert given == [("a/b:c", 7, ["가"])]
    for name in ("memory", "memory:", "linear:x", ""):
        with pytest.raises(InputError, match="allowed: linear"):
            classifier_factory(name, [])
