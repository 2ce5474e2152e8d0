"""Arguments of a wrong kind: each is an InputError that names the parameter and what is allowed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

import klue_rebuild
from klue_rebuild import InputError

TEXTS = pd.DataFrame({"text": ["배송이 빨라서 좋았습니다."]})
VOTES = pd.DataFrame({"item": [1, 1], "annotator": ["a", "b"], "label": ["yes", "no"]})
#: The functions with arguments that they take.
CALLS: Mapping[Callable[..., Any], Mapping[str, Any]] = {
    klue_rebuild.clean: {"data": TEXTS},
    klue_rebuild.find_personal_data: {"data": TEXTS},
    klue_rebuild.pseudonymise: {"data": TEXTS},
    klue_rebuild.audit: {"votes": VOTES, "level": "nominal"},
    klue_rebuild.aggregate: {"votes": VOTES, "level": "nominal"},
    klue_rebuild.split: {"items": TEXTS, "task": "nli"},
    klue_rebuild.verify: {"release": "nowhere"},
    klue_rebuild.diff: {"before": "nowhere", "after": "nowhere"},
    klue_rebuild.load_release: {"release": "nowhere"},
    klue_rebuild.score: {"gold": TEXTS, "predictions": TEXTS, "task": "nli"},
    klue_rebuild.train: {"examples": TEXTS, "task": "nli", "model": "scratch:tiny", "out": "runs"},
}


@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.__name__)
def test_no_argument_is_of_no_kind(function: Callable[..., Any]) -> None:
    for name in inspect.signature(function).parameters:
        with pytest.raises(InputError, match=f"`{name}`: is object; give ") as caught:
            function(**{**CALLS[function], name: object()})
        assert str(caught.value).count("; give ") == 1


@pytest.mark.parametrize(
    ("function", "wrong", "message"),
    [
        (klue_rebuild.clean, {"data": 3}, "`data`: is 3; give a pandas DataFrame"),
        (klue_rebuild.clean, {"data": []}, "`data`: is list; give"),
        (klue_rebuild.clean, {"data": ["a.txt", 3]}, "`data`: is list of int, str; give"),
        (klue_rebuild.clean, {"data": ""}, "`data`: is an empty text; give"),
        (
            klue_rebuild.clean,
            {"personal": {"phone": None}},
            "`personal`: is dict of str; give a",
        ),
        (klue_rebuild.audit, {"labels": "ab"}, "`labels`: is a text; give a list of texts or a"),
        (klue_rebuild.audit, {"bootstrap": True}, "`bootstrap`: is True; give a whole number"),
        (klue_rebuild.audit, {"columns": {"item": 3}}, "`columns`: is dict of str; give a mapping"),
        (klue_rebuild.aggregate, {"margin": 1.5}, "`margin`: is 1.5; give a whole number or None"),
        (klue_rebuild.find_personal_data, {"text": None}, "`text`: is None; give a text"),
        (klue_rebuild.find_personal_data, {"min_confidence": 10**400}, "give a number or None"),
        (klue_rebuild.split, {"seed": "x"}, "`seed`: is a text; give a whole number"),
        (klue_rebuild.score, {"predictions": None}, "`predictions`: is None; give a pandas"),
        (klue_rebuild.score, {"confidence": float("nan")}, "`confidence`: is nan; give a number"),
        (klue_rebuild.verify, {"release": TEXTS}, "`release`: is DataFrame; give a path"),
        (klue_rebuild.load_release, {"release": "a\0b"}, "`release`: is a text; give a path"),
        (klue_rebuild.diff, {"after": "\ud800"}, "`after`: is a text; give a path"),
    ],
)
def test_a_wrong_argument_is_told_with_what_is_allowed(
    function: Callable[..., Any], wrong: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        function(**{**CALLS[function], **wrong})
    assert message in str(caught.value)


def test_numbers_of_numpy_are_numbers() -> None:
    numbers: dict[str, Any] = {"bootstrap": np.int64(0), "seed": np.int32(1)}
    assert klue_rebuild.audit(VOTES, level="nominal", **numbers).votes == 2


def test_no_crowd_model_has_an_empty_name() -> None:
    with pytest.raises(InputError, match="there is no ''; allowed: dawid"):
        klue_rebuild.aggregate(VOTES, level="nominal", crowd="")
