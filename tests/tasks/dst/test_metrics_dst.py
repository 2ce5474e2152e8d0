from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from official_gold import plain

from pipeline.core.errors import InputError
from pipeline.tasks.dst.scorer import jga_measure, slot_f1_measure

jga, slot_f1 = plain(jga_measure), plain(slot_f1_measure)
AREA, KIND, FREE = "식당-지역-서울 중앙", "식당-종류-주점", "식당-주차 가능-dontcare"
OTHER = "식당-지역-서울 남쪽"
STATE = st.lists(st.sampled_from([AREA, KIND, FREE, OTHER]), unique=True, max_size=4)
DIALOGUE = st.lists(st.tuples(STATE, STATE), min_size=1, max_size=4)
Dialogues = list[list[tuple[list[str], list[str]]]]


def _both(dialogues: Dialogues) -> tuple[list[list[list[str]]], list[list[list[str]]]]:
    return (
        [[gold for gold, _ in turns] for turns in dialogues],
        [[given for _, given in turns] for turns in dialogues],
    )


def test_by_hand() -> None:
    """Turns: order differs 1; one of two right: 2 x 1 / (2 + 2) = .5; both empty 1; 0; 0."""
    gold = [[[AREA, KIND], [AREA, KIND]], [[], [], [FREE]]]
    predicted = [[[KIND, AREA], [OTHER, KIND]], [[], [AREA], []]]
    assert jga(gold, predicted) == pytest.approx(100 * 2 / 5)
    assert slot_f1(gold, predicted) == pytest.approx(100 * 2.5 / 5)


def test_turns_count_the_same_not_dialogues() -> None:
    gold = [[[AREA]] * 3, [[KIND]]]
    predicted = [[[AREA]] * 3, [[FREE]]]
    assert jga(gold, predicted) == slot_f1(gold, predicted) == 75.0


def test_a_pair_for_a_slot_without_gold_value_counts_against_precision() -> None:
    assert slot_f1([[[AREA]]], [[[AREA, KIND]]]) == pytest.approx(100 * 2 / 3)


@given(st.lists(DIALOGUE, min_size=1, max_size=4))
def test_equals_precision_and_recall_turn_by_turn(dialogues: Dialogues) -> None:
    scores, exact = [], 0
    for turns in dialogues:
        for gold, predicted in turns:
            exact += sorted(gold) == sorted(predicted)
            hits = sum(one in predicted for one in gold)
            precision = hits / len(predicted) if predicted else float(not gold)
            recall = hits / len(gold) if gold else float(not predicted)
            both = precision + recall
            scores.append(2 * precision * recall / both if both else 0.0)
    assert slot_f1(*_both(dialogues)) == pytest.approx(100 * sum(scores) / len(scores))
    assert jga(*_both(dialogues)) == pytest.approx(100 * exact / len(scores))


@given(st.lists(DIALOGUE, min_size=1, max_size=4), st.data())
def test_weights_are_repetitions(dialogues: Dialogues, data: st.DataObject) -> None:
    numbers = st.lists(st.integers(0, 3), min_size=len(dialogues), max_size=len(dialogues))
    weights = data.draw(numbers)
    often = [one for one, many in zip(dialogues, weights, strict=True) for _ in range(many)]
    for measure, metric in ((jga_measure, jga), (slot_f1_measure, slot_f1)):
        found = measure(*_both(dialogues))(np.array([weights], float))
        np.testing.assert_allclose(found, [metric(*_both(often))])


def test_what_does_not_fit_is_told() -> None:
    assert np.isnan(jga([], []))
    with pytest.raises(InputError, match="dialogue 2: 2 gold states, 1 predicted"):
        jga([[[]], [[], []]], [[[]], [[]]])
