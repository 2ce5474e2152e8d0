"""Fitting the ranking of possible spans: what teaches what, on made-up spans."""

from __future__ import annotations

from fit_ranking import FOLDS, Row, fit_weights, fold_of, is_held

from pipeline.sampling.tagging.labelled import Labelled
from pipeline.tasks.re.entities import Entity

TAGGER = ("tagger",)


def _rows(prefix: str, kind: str, *, likely: bool) -> list[Row]:
    features = {"bias": 1.0, "chance": 2.0 if likely else -2.0}
    return [Row(f"{prefix}{n}", Entity(0, 3, kind, TAGGER), features) for n in range(40)]


def test_each_regression_learns_from_its_corpus() -> None:
    held = [*_rows("가", "PER", likely=True), *_rows("나", "PER", likely=False)]
    works = _rows("다", "POH", likely=True)
    own = [*_rows("라", "PER", likely=True), *_rows("마", "PER", likely=False)]
    entities = [Labelled(f"{n}", "", f"가{n}", ((0, 3, "PER"),)) for n in range(40)]
    marked = {(f"마{n}", 0, 3) for n in range(40)}
    weights = fit_weights(entities, [([*held, *works], own)], marked)
    assert weights["entity"]["chance"] > 0.5
    assert weights["marked"]["chance"] < -0.5
    assert weights == fit_weights(entities, [([*held, *works], own)], marked)


def test_sentences_are_shared_out_by_their_text() -> None:
    texts = [f"문장 {n}" for n in range(600)]
    assert {fold_of(text) for text in texts} == set(range(FOLDS))
    assert 30 < sum(map(is_held, texts)) < 90
