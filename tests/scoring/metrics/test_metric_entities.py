from __future__ import annotations

import random
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from official_gold import plain
from seqeval.metrics import f1_score as seqeval_f1
from seqeval.scheme import IOB2
from sklearn.metrics import f1_score

from pipeline.core.errors import InputError
from pipeline.scoring.measure import VARIANTS
from pipeline.scoring.metrics.entities import (
    bio_tags,
    char_measure,
    entity_measure,
    published_tags,
)

TYPES = ("PS", "LC", "OG", "DT", "TI", "QT")
entity_f1, char_f1 = (plain(one, types=TYPES) for one in (entity_measure, char_measure))
TAGS = ["O", *(f"{mark}-{one}" for one in TYPES for mark in "BI")]
#: Few types and long runs of O, so that entities meet, continue and break off often.
TAG = st.sampled_from(["O", "O", "O", "B-PS", "I-PS", "I-PS", "B-LC", "I-LC", "I-QT"])
Pairs = list[tuple[list[str], list[str]]]


@st.composite
def pairs(draw: st.DrawFn) -> Pairs:
    """Sentences as gold and predicted tags; one that repeats the gold is likely."""
    made: Pairs = []
    for _ in range(draw(st.integers(1, 5))):
        gold = draw(st.lists(TAG, min_size=1, max_size=9))
        other = st.lists(TAG, min_size=len(gold), max_size=len(gold))
        made.append((gold, draw(st.one_of(st.just(gold), other))))
    return made


def _seqeval(gold: list[list[str]], predicted: list[list[str]]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return 100 * float(seqeval_f1(gold, predicted, average="macro", mode="strict", scheme=IOB2))


def _sides(made: Pairs) -> tuple[list[list[str]], list[list[str]]]:
    return [gold for gold, _ in made], [predicted for _, predicted in made]


def _flat(tagged: list[list[str]]) -> list[str]:
    return [tag for tags in tagged for tag in tags]


def test_the_example_of_the_paper() -> None:
    gold = [["B-PS", "I-PS", "O", "O", "B-OG", "I-OG"]]
    predicted = [["B-PS", "I-PS", "I-PS", "O", "B-OG", "I-OG"]]
    assert entity_f1(gold, predicted) == 50.0


def test_characters_by_hand() -> None:
    """O: 2 x 2 / (2 + 3) = .8; B-PS 1; I-PS 2 x 1 / (2 + 1) = 2/3; ten tags occur nowhere."""
    gold = [["B-PS", "I-PS", "I-PS", "O", "O"]]
    predicted = [["B-PS", "I-PS", "O", "O", "O"]]
    assert char_f1(gold, predicted, variant="strict") == pytest.approx(100 * (1 + 2 / 3) / 2)
    assert char_f1(gold, predicted, variant="klue") == pytest.approx(
        100 * (0.8 + 1 + 2 / 3 + 10) / 13
    )


def test_an_orphan_is_no_entity() -> None:
    gold = [["B-PS", "I-PS", "O"], ["B-LC", "O", "O"]]
    predicted = [["B-PS", "I-PS", "O"], ["B-LC", "O", "I-QT"]]
    assert entity_f1(gold, predicted) == 100.0
    for variant in VARIANTS:
        assert char_f1(gold, predicted, variant=variant) < 100.0


def test_an_orphan_continues_no_entity_of_the_sentence_before() -> None:
    gold = [["O", "B-PS", "I-PS"], ["O", "B-LC"]]
    predicted = [["O", "B-PS", "I-PS"], ["I-PS", "B-LC"]]
    assert entity_f1(gold, predicted) == 100.0


@given(pairs())
def test_entities_equal_seqeval(made: Pairs) -> None:
    gold, predicted = [one for one, _ in made], [one for _, one in made]
    np.testing.assert_allclose(entity_f1(gold, predicted), _seqeval(gold, predicted))


@given(pairs())
def test_characters_equal_scikit_learn(made: Pairs) -> None:
    gold, predicted = [one for one, _ in made], [one for _, one in made]
    ours, theirs = _flat(gold), _flat(predicted)
    all_tags = f1_score(ours, theirs, labels=TAGS, average="macro", zero_division=1.0)
    assert char_f1(gold, predicted, variant="klue") == pytest.approx(100 * all_tags)
    occurring = sorted({*ours, *theirs} - {"O"})
    if occurring:
        real = f1_score(ours, theirs, labels=occurring, average="macro")
        assert char_f1(gold, predicted, variant="strict") == pytest.approx(100 * real)
    else:
        assert np.isnan(char_f1(gold, predicted, variant="strict"))


@given(pairs(), st.data())
def test_weights_are_repetitions(made: Pairs, data: st.DataObject) -> None:
    numbers = st.lists(st.integers(0, 3), min_size=len(made), max_size=len(made))
    weights = data.draw(numbers)
    often = [pair for pair, many in zip(made, weights, strict=True) for _ in range(many)]
    variants = [partial(char_measure, variant=variant) for variant in VARIANTS]
    for measure in (entity_measure, *variants):
        found = measure(*_sides(made), types=TYPES)(np.array([weights], float))
        wanted = plain(measure, types=TYPES)(*_sides(often))
        np.testing.assert_allclose(found, [wanted])


def test_no_entity_at_all_has_no_score() -> None:
    assert np.isnan(entity_f1([["O", "O"]], [["O", "I-PS"]]))
    assert np.isnan(entity_f1([], []))
    assert all(np.isnan(char_f1([], [], variant=variant)) for variant in VARIANTS)


def test_a_class_absent_from_a_draw_is_left_out_there() -> None:
    gold = [["B-PS"], ["B-LC"]]
    predicted = [["B-PS"], ["O"]]
    weights = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    found = entity_measure(gold, predicted, types=TYPES)(weights)
    np.testing.assert_allclose(found, [50.0, 100.0, 0.0, np.nan])


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(InputError, match="sentence 2: 2 gold tags, 1 predicted"):
        entity_f1([["O"], ["O", "O"]], [["O"], ["O"]])
    with pytest.raises(InputError, match="sentence 1: an unknown tag; allowed: O, B-PS"):
        char_f1([["O", "O"]], [["O", "S-PS"]], variant="klue")
    with pytest.raises(InputError, match="2 golds, 1 prediction;"):
        char_f1([["O"], ["O"]], [["O"]], variant="klue")


def test_many_tags_equal_seqeval() -> None:
    chance = random.Random(7)
    gold = [chance.choices(TAGS, [20, *[1, 4] * 6], k=5) for _ in range(800)]
    predicted = [
        [tag if chance.random() < 0.8 else chance.choice(TAGS) for tag in tags] for tags in gold
    ]
    assert 5 < entity_f1(gold, predicted) < 95
    assert entity_f1(gold, predicted) == pytest.approx(_seqeval(gold, predicted))


def test_what_the_public_code_counts() -> None:
    """A blank of one sort is left out; the O of [CLS] and [SEP] comes before and after."""
    assert published_tags("a b\t", ["B-PS", "I-PS", "I-PS", "O"]) == [
        *("O", "B-PS", "I-PS", "O", "O")
    ]


def test_spans_become_tags() -> None:
    assert bio_tags(4, [(0, 2, "PS"), (2, 3, "LC")]) == ["B-PS", "I-PS", "B-LC", "O"]
