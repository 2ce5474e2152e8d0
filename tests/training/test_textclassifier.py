"""The shared step as a classifier of texts: what it learns, repeats, and saves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import tiny
import torch
import transformers
from checkpoints import bert

from pipeline.corpus.toxicity.transformer import load_transformer
from pipeline.training.recipe import Recipe
from pipeline.training.source import source
from pipeline.training.textclassifier import TextClassifier

RECIPE = Recipe(learning_rate=1e-2, batch_size=8, epochs=20, warmup=0.1)
#: Enough where a model need not learn anything.
SHORT = RECIPE.model_copy(update={"epochs": 2})
THINGS = ("산", "강", "나무", "바위", "구름", "바람")
#: The word that tells the class, at any place of a text.
SIGNS = ("봄", "여름", "겨울")
PLACES = ("{sign} {one} {other}", "{one} {sign} {other}", "{one} {other} {sign}")


@dataclass(frozen=True)
class Toy:
    """Texts whose label is the number of the sign that they hold."""

    texts: list[str]
    labels: np.ndarray  # type: ignore[type-arg]


def toy(things: tuple[str, ...], classes: int = 3) -> Toy:
    made = [
        (form.format(sign=SIGNS[label], one=one, other=other), label)
        for one in things
        for other in THINGS[:2]
        for form in PLACES
        for label in range(classes)
    ]
    return Toy([text for text, _ in made], np.array([label for _, label in made]))


TRAIN, NEW = toy(THINGS[:4]), toy(THINGS[4:])


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small model with random weights that knows all letters."""
    folder = tmp_path_factory.mktemp("models") / "base"
    tokens = tiny.tokens(TRAIN.texts + NEW.texts)
    tiny.body("MaskedLM", tokens).save_pretrained(folder)
    tokens.tokenizer.save_pretrained(folder)
    return folder


def fitted(
    folder: Path,
    given: Toy = TRAIN,
    *,
    recipe: Recipe = RECIPE,
    seed: int = 0,
    **more: tuple[str, ...],
) -> TextClassifier:
    made = TextClassifier(source(str(folder)), recipe, seed=seed, **more)
    made.fit(given.texts, given.labels)
    return made


@pytest.fixture(scope="module")
def learnt(base: Path) -> TextClassifier:
    return fitted(base)


def test_a_rule_is_learnt_and_holds_for_new_texts(learnt: TextClassifier) -> None:
    found = learnt.log_probabilities(NEW.texts)
    assert found.shape == (len(NEW.texts), 3)
    assert found.dtype == np.float64
    assert np.exp(found).sum(axis=1) == pytest.approx(1)
    assert (found.argmax(axis=1) == NEW.labels).mean() > 0.9


def test_the_same_texts_give_the_same_numbers(base: Path) -> None:
    """Whatever torch's generator held and however many threads there were."""
    want = fitted(base, recipe=SHORT).log_probabilities(NEW.texts)
    threads = torch.get_num_threads()
    torch.manual_seed(99)
    torch.set_num_threads(2)
    try:
        again = fitted(base, recipe=SHORT).log_probabilities(NEW.texts)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
    assert np.abs(again - want).max() < 1e-6
    other = fitted(base, recipe=SHORT, seed=1).log_probabilities(NEW.texts)
    assert np.abs(other - want).max() > 1e-3


def test_what_else_is_read_does_not_show(learnt: TextClassifier) -> None:
    texts = [*NEW.texts, "산 " * 90, ""]
    together = learnt.log_probabilities(texts)
    alone = np.concatenate([learnt.log_probabilities([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-6


def test_texts_longer_than_the_model_reads_are_cut(tmp_path: Path) -> None:
    """The recipe allows 128 tokens, the model has 32 positions, and nobody can set a recipe."""
    tokens = tiny.tokens(TRAIN.texts)
    config = transformers.BertConfig(
        vocab_size=len(tokens.tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    transformers.BertModel(config).save_pretrained(tmp_path)
    tokens.tokenizer.save_pretrained(tmp_path)
    given = Toy([f"{text}{' 산' * 60}" for text in TRAIN.texts], TRAIN.labels)
    made = fitted(tmp_path, given, recipe=RECIPE.model_copy(update={"epochs": 1}))
    assert made.recipe.max_length == 128
    short, long = made.log_probabilities(["강" + " 산" * 29, "강" + " 산" * 200])
    assert np.array_equal(short, long)


def test_what_is_saved_is_loaded_elsewhere(base: Path, tmp_path: Path) -> None:
    """By transformers, and by the toxicity filter, which knows its classes by their labels."""
    two = toy(THINGS[:4], 2)
    hate = fitted(base, recipe=SHORT, names=("none", "offensive", "hate"))
    bias = fitted(base, two, recipe=SHORT, names=("false", "true"))
    hate.save(tmp_path / "hate")
    bias.save(tmp_path / "bias")
    for name, labels in (("hate", ("none", "offensive", "hate")), ("bias", ("false", "true"))):
        plain = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / name)
        assert plain.config.id2label == dict(enumerate(labels))
    detector = load_transformer(f"{tmp_path / 'bias'},{tmp_path / 'hate'}", name="made")
    scores = detector.score(pa.array(NEW.texts))
    for column, made, number in (("gender_bias", bias, 1), ("hate", hate, 2)):
        want = np.exp(made.log_probabilities(NEW.texts))[:, number]
        assert scores[column].to_numpy() == pytest.approx(want, abs=2e-6)


def test_the_head_of_another_task_is_replaced(tmp_path: Path) -> None:
    folder = bert(tmp_path / "model", "SequenceClassification", ("yes", "no"))
    made = fitted(folder, recipe=RECIPE.model_copy(update={"epochs": 0}))
    made.save(tmp_path / "own")
    config = transformers.AutoConfig.from_pretrained(tmp_path / "own")
    assert config.id2label == {0: "0", 1: "1", 2: "2"}


def test_a_class_may_be_absent_where_names_are_given(base: Path) -> None:
    two = toy(THINGS[:2], 2)
    made = fitted(base, two, recipe=SHORT, names=("none", "offensive", "hate"))
    assert made.log_probabilities(NEW.texts).shape == (len(NEW.texts), 3)


def test_it_must_be_fitted_first(base: Path, tmp_path: Path) -> None:
    made = TextClassifier(source(str(base)), RECIPE)
    with pytest.raises(RuntimeError, match="not fitted"):
        made.log_probabilities(NEW.texts)
    with pytest.raises(RuntimeError, match="not fitted"):
        made.save(tmp_path / "model")
