"""How weights are made: the same every time, better than guessing, honest about what they know."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from comments import SMALL, rows, write_tsv
from fit_toxicity import Material, Recipe, train
from sklearn.metrics import average_precision_score
from train_toxicity import CARD, Release, train_release

from pipeline.core.errors import InputError
from pipeline.corpus.toxicity.calibration import Labelled, read_labelled
from pipeline.corpus.toxicity.linear import WEIGHTS


def test_training_twice_gives_the_same_bytes(
    weights: tuple[Path, Release], train_file: Path, dev_file: Path, tmp_path: Path
) -> None:
    folder, _ = weights
    train_release(train_file, dev_file, tmp_path / "again", recipe=SMALL)
    for name in (WEIGHTS, CARD):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


def test_it_learns(weights: tuple[Path, Release], dev_file: Path) -> None:
    dev = read_labelled(dev_file)
    scores = weights[1].model.score(dev.texts).column("gender_bias").to_numpy()
    assert average_precision_score(dev.gender_bias, scores) > 0.9
    assert weights[1].quality.macro_f1 > 0.9


def test_labels_of_noise_are_not_learned(train_file: Path) -> None:
    """Held-out figures of shuffled labels stay at chance: nothing leaks between the parts."""
    given = read_labelled(train_file)
    order = np.random.default_rng(3).permutation(len(given))
    shuffled = Labelled(
        given.texts, given.gender_bias[order], given.hate[order], given.other_bias[order]
    )
    trained = train(shuffled, recipe=SMALL)
    base = float(given.gender_bias.mean())
    found = average_precision_score(shuffled.gender_bias, trained.held_out[:, 0])
    assert found < base + 0.15


def test_rounding_moves_scores_little(train_file: Path) -> None:
    given = read_labelled(train_file)
    trained = train(given, recipe=SMALL)
    fine = trained.model.probabilities(given.texts)
    assert trained.model.weights.dtype == np.int8
    assert np.abs(trained.model.weights).max(axis=0).tolist() == [127] * 4
    assert np.isfinite(fine).all()


def test_unlabelled_texts_change_weights_alone(train_file: Path) -> None:
    given = read_labelled(train_file)
    more = pa.array([f"솔마을 노래 {i}" for i in range(100)])
    without = train(given, recipe=SMALL)
    with_more = train(given, Material(unlabelled=more), recipe=SMALL)
    assert (with_more.model.weights != without.model.weights).any()
    assert with_more.model.bits == without.model.bits == SMALL.bits


def test_harmless_texts_lower_their_own_words(train_file: Path) -> None:
    """Words that the labelled texts have in insults alone are forgiven where they are harmless."""
    given, harmless = read_labelled(train_file), pa.array([f"쓰레기 봉투 {i}" for i in range(60)])
    told = pa.array(["쓰레기 봉투를 샀다"])
    recipe = replace(SMALL, harmless_weight=1.0, harmless_weight_mild=1.0, hard=20, drawn=20)
    plain, *others = (
        train(given, material, recipe=recipe).model.score(told)["hate"][0].as_py()
        for material in (None, Material(harmless=harmless), Material(pool=harmless))
    )
    assert max(others) < plain / 2


def test_a_rare_label_is_refused(tmp_path: Path) -> None:
    few = [row for row in rows(60) if row["hate"] != "offensive"]
    labelled = read_labelled(write_tsv(tmp_path / "few.tsv", few))
    with pytest.raises(InputError, match=r"have 0 texts of a label.*needs at least 5"):
        train(labelled, recipe=Recipe(bits=10))
