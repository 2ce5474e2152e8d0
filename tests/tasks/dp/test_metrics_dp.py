from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score

from pipeline.core.errors import InputError
from pipeline.scoring.measure import VARIANTS, Measure, Variant, value
from pipeline.tasks.dp.scorer import (
    KEPT,
    OTHERS,
    Trees,
    las_accuracy_measure,
    las_class,
    las_measure,
    las_micro_measure,
    uas_accuracy_measure,
    uas_measure,
)


def _trees(heads: list[list[int]], relations: list[list[str]]) -> Trees:
    return [{"heads": h, "deprels": r} for h, r in zip(heads, relations, strict=True)]


def _metric(measure_of: Callable[..., Measure]) -> Callable[..., float]:
    def metric(gold: Trees, predicted: Trees, **options: Variant) -> float:
        return value(measure_of(gold, predicted, **options), len(gold))

    return metric


uas, uas_accuracy, las_accuracy, las_micro = map(
    _metric, (uas_measure, uas_accuracy_measure, las_accuracy_measure, las_micro_measure)
)


def las(gold: Trees, predicted: Trees, variant: Variant = "klue") -> float:
    return _metric(las_measure)(gold, predicted, variant=variant)


#: Train counts of Table 14, in its order, down to the first label of OTHERS.
TABLE_14 = {
    "NP": 23_902,
    "NP_AJT": 17_552,
    "VP": 16_786,
    "NP_SBJ": 13_412,
    "VP_MOD": 12_210,
    "NP_OBJ": 8_531,
    "AP": 6_638,
    "NP_CNJ": 3_945,
    "NP_MOD": 3_450,
    "VNP": 2_550,
    "DP": 1_994,
    "VP_AJT": 882,
    "VNP_MOD": 854,
    "NP_CMP": 408,
    "VP_SBJ": 338,
    "VP_CMP": 330,
}
TOTAL = 114_491
RELATIONS = ["NP", "VP", "NP_SBJ", "VP_SBJ", "VP_CMP", "X"]
Word = tuple[int, str, int, str]
WORD = st.tuples(
    st.integers(0, 5), st.sampled_from(RELATIONS), st.integers(0, 5), st.sampled_from(RELATIONS)
)
SENTENCE = st.one_of(
    st.lists(WORD, min_size=1, max_size=6),
    st.lists(WORD.map(lambda word: (*word[:2], *word[:2])), min_size=1, max_size=6),
)


def _both(sentences: list[list[Word]]) -> tuple[Trees, Trees]:
    columns = [[[word[at] for word in one] for one in sentences] for at in range(4)]
    return _trees(columns[0], columns[1]), _trees(columns[2], columns[3])


def _sixteen() -> tuple[Trees, Trees]:
    """Return a sentence with every kept relation and a rare one, five times each, all right."""
    relations = [*KEPT, "VP_CMP"] * 5
    heads = [*range(2, len(relations) + 1), 0]
    return _trees([heads], [relations]), _trees([list(heads)], [list(relations)])


def test_the_kept_relations_are_the_head_of_table_14() -> None:
    assert list(KEPT) == list(TABLE_14)[:15]
    left = TOTAL - sum(TABLE_14[name] for name in KEPT)
    assert left / TOTAL <= 0.01 < (left + TABLE_14[KEPT[-1]]) / TOTAL
    assert las_class("VP_SBJ") == "VP_SBJ"
    assert las_class("VP_CMP") == las_class("NP_SVJ") == OTHERS


def test_one_wrong_head_costs_a_seventeenth_in_klue() -> None:
    """The last word of one relation loses its head: its F1 is 2 x 4 / (5 + 4)."""
    gold, predicted = _sixteen()
    assert [las(gold, predicted, variant=one) for one in VARIANTS] == [100.0, 100.0]
    predicted[0]["heads"][0] = 7
    lost = 1 - 8 / 9
    assert las(gold, predicted, variant="strict") == pytest.approx(100 * (16 - lost) / 16)
    assert las(gold, predicted, variant="klue") == pytest.approx(100 * (16 - lost) / 17)
    assert las_accuracy(gold, predicted) == uas_accuracy(gold, predicted) == 100 * 79 / 80


def test_relations_by_hand() -> None:
    """NP: right 1, gold 2, given 2 (one of them was AP): .5; AP and the phantom 0; VP 0."""
    gold = _trees([[2, 3, 4, 0]], [["NP", "NP", "AP", "VP"]])
    predicted = _trees([[2, 4, 4, 1]], [["NP", "NP", "NP", "VP"]])
    assert las(gold, predicted, variant="klue") == pytest.approx(100 * 0.5 / 4)
    assert las(gold, predicted, variant="strict") == pytest.approx(100 * 0.5 / 3)
    assert las_accuracy(gold, predicted) == 25.0
    assert uas_accuracy(gold, predicted) == 50.0


def test_heads_by_hand() -> None:
    """Head 2: 1; 3: 0; 4: right 1, gold 1, given 2: 2/3; 0: 0; 1: 0 (predicted only)."""
    gold = _trees([[2, 3, 4, 0]], [["NP"] * 4])
    predicted = _trees([[2, 4, 4, 1]], [["NP"] * 4])
    assert uas(gold, predicted) == pytest.approx(100 * (1 + 2 / 3) / 5)


def test_rare_relations_are_one_class_but_for_accuracy() -> None:
    gold = _trees([[2, 0]], [["VP_CMP", "X"]])
    predicted = _trees([[2, 0]], [["X", "AP_MOD"]])
    assert las(gold, predicted) == las(gold, predicted, variant="strict") == 100.0
    assert las_accuracy(gold, predicted) == 0.0
    assert las_micro(gold, predicted) == 100.0


@given(st.lists(SENTENCE, min_size=1, max_size=4))
def test_equals_scikit_learn(sentences: list[list[Word]]) -> None:
    gold, predicted = _both(sentences)
    words = [word for one in sentences for word in one]
    heads, given_heads = [word[0] for word in words], [word[2] for word in words]
    assert uas(gold, predicted) == pytest.approx(
        100 * f1_score(heads, given_heads, average="macro")
    )
    assert uas_accuracy(gold, predicted) == pytest.approx(100 * accuracy_score(heads, given_heads))
    relations = [name if name in KEPT else "rest" for _, name, _, _ in words]
    masked = [
        "wrong" if head != other else name if name in KEPT else "rest"
        for head, _, other, name in words
    ]
    assert las(gold, predicted) == pytest.approx(100 * f1_score(relations, masked, average="macro"))
    assert las_micro(gold, predicted) == pytest.approx(
        100 * f1_score(relations, masked, average="micro")
    )
    real = sorted({*relations, *masked} - {"wrong"})
    assert las(gold, predicted, variant="strict") == pytest.approx(
        100 * f1_score(relations, masked, labels=real, average="macro")
    )
    pairs = [word[:2] == word[2:] for word in words]
    assert las_accuracy(gold, predicted) == pytest.approx(100 * sum(pairs) / len(pairs))


@given(st.lists(SENTENCE, min_size=1, max_size=4), st.data())
def test_weights_are_repetitions(sentences: list[list[Word]], data: st.DataObject) -> None:
    numbers = st.lists(st.integers(0, 3), min_size=len(sentences), max_size=len(sentences))
    weights = data.draw(numbers)
    often = [one for one, many in zip(sentences, weights, strict=True) for _ in range(many)]
    both, repeated = _both(sentences), _both(often)
    found = [
        uas_measure(*both),
        uas_accuracy_measure(*both),
        las_accuracy_measure(*both),
        las_micro_measure(*both),
        *(las_measure(*both, variant=variant) for variant in VARIANTS),
    ]
    wanted = [
        uas(*repeated),
        uas_accuracy(*repeated),
        las_accuracy(*repeated),
        las_micro(*repeated),
        *(las(*repeated, variant=variant) for variant in VARIANTS),
    ]
    given_weights = np.array([weights], float)
    np.testing.assert_allclose([float(one(given_weights)[0]) for one in found], wanted)


def test_no_word_has_no_score() -> None:
    nothing = _trees([], [])
    assert all(np.isnan(one(nothing, nothing)) for one in (uas, las, uas_accuracy, las_accuracy))


def test_what_does_not_fit_is_told() -> None:
    gold = _trees([[2, 0]], [["NP", "VP"]])
    with pytest.raises(InputError, match="the predicted heads are not of the sentences and words"):
        uas(gold, _trees([[2]], [["NP", "VP"]]))
    with pytest.raises(InputError, match="the predicted relations are not"):
        las(gold, _trees([[2, 0]], [["NP"]]))
