"""Words and labels: pointwise mutual information by its definition."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from pipeline.tasks.nli.diagnostics import words_by_label
from pipeline.tasks.nli.linear import words_of

CLASSES = ("entailment", "contradiction", "neutral")
TEXTS = ["물이 있다.", "물이 없다.", "물이 많다."] * 20
LABELS = np.array([0, 1, 2] * 20, dtype=np.int64)


def test_words_are_morphemes_without_marks() -> None:
    assert words_of("물이 2개 없다!") == ("물/NNG", "이/JKS", "2/SN", "개/NNBC", "없/VA", "다/EF")


def test_the_word_of_a_label_leads_there() -> None:
    found = words_by_label(TEXTS, LABELS, CLASSES, top=1)
    assert [found[name][0]["word"][0] for name in CLASSES] == ["있", "없", "많"]
    assert found["contradiction"][0]["hypotheses"] == 20
    assert found["contradiction"][0]["share"] == 1.0


def test_without_smoothing_it_is_the_definition() -> None:
    # A word that stands with one of three equal labels alone: log(1 / (1/3)).
    found = words_by_label(TEXTS, LABELS, CLASSES, smoothing=0.000001)
    best = found["neutral"][0]
    assert best["word"].startswith("많")
    assert best["pmi"] == pytest.approx(log(3), abs=1e-3)
    water = next(row for row in found["neutral"] if row["word"] == "물/NNG")
    assert water["pmi"] == pytest.approx(0, abs=1e-3)


def test_smoothing_draws_rare_words_to_nothing() -> None:
    strong = words_by_label(TEXTS, LABELS, CLASSES, smoothing=0.001)["neutral"][0]["pmi"]
    weak = words_by_label(TEXTS, LABELS, CLASSES)["neutral"][0]["pmi"]
    assert 0 < weak < strong / 2


def test_rare_words_are_not_told() -> None:
    found = words_by_label([*TEXTS, "고래가 있다."], np.append(LABELS, 0), CLASSES, top=99)
    assert not any(row["word"].startswith("고래") for rows in found.values() for row in rows)
