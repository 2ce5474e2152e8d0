from __future__ import annotations

import math
import unicodedata
from typing import Any

import pytest
from small_specs import named, round_, rule_of, spec

from pipeline.contracts.spec import load_spec
from pipeline.core.errors import RecordError
from pipeline.tasks.sts.task import TASK

SPEC = spec("sts", [round_("score")], scale={"low": 0, "high": 5})
ITEM = {"sentence1": "방이 넓습니다.", "sentence2": "방이 큽니다."}


@pytest.mark.parametrize("given", [0, 5, 3.0])
def test_whole_numbers_on_the_scale_are_scores(given: float) -> None:
    found = TASK.parse(given, ITEM, SPEC, named(SPEC))
    assert found == given and isinstance(found, int)


@pytest.mark.parametrize("given", [-1, 6, 2.5, "3", True, None, [3]])
def test_all_else_is_refused(given: Any) -> None:
    assert rule_of(TASK, given, ITEM, SPEC) == "vote.range@1"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (math.inf, "not an infinite number"),
        (-math.inf, "not an infinite number"),
        (math.nan, "not NaN"),
        (10**400, "not a number of five digits or more"),
        (2.5, "not 2.5"),
    ],
    ids=["inf", "-inf", "nan", "long", "half"],
)
def test_a_number_that_is_no_score_is_called_so(given: float, told: str) -> None:
    with pytest.raises(RecordError) as caught:
        TASK.parse(given, ITEM, SPEC, named(SPEC))
    assert caught.value.rule == "vote.range@1"
    assert caught.value.reason == f"a score is a whole number from 0 to 5, {told}"


@pytest.mark.parametrize(
    ("word", "score"), [("관련 없음", 0), (" The Same ", 5), ("the topic only", 1)]
)
def test_words_of_the_spec_are_scores(word: str, score: int) -> None:
    shipped = load_spec("sts")
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, word)
        assert TASK.parse(text, ITEM, shipped, named(shipped)) == score


@pytest.mark.parametrize("word", ["3", "", "아주 비슷함"])
def test_another_word_is_refused_with_those_that_there_are(word: str) -> None:
    shipped = load_spec("sts")
    with pytest.raises(RecordError) as caught:
        TASK.parse(word, ITEM, shipped, named(shipped))
    assert caught.value.rule == "vote.range@1"
    assert "allowed: its numbers, 완전히 같음, The same" in caught.value.reason
    assert "비슷함" not in caught.value.reason.split("allowed")[0]


def test_closeness_falls_with_the_distance() -> None:
    assert TASK.compare(5.0, 5.0) == {"closeness": 1.0, "equal": 1.0}
    assert TASK.compare(0.0, 5.0) == {"closeness": 0.0, "equal": 0.0}
