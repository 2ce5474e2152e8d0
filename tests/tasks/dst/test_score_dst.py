from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.official.files import read_official
from pipeline.contracts.official.tables import rows_of
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import RecordError
from pipeline.scoring.measure import VARIANTS, value
from pipeline.tasks.dst.scorer import SCORER

SPEC = load_spec("dst")
AREA, NAME, FREE = "식당-지역-서울 중앙", "식당-이름-느린 국수-2호점", "숙소-주차 가능-dontcare"
STATES = [[AREA], [AREA, NAME, FREE]]
TURNS = [
    {"role": "user", "text": "서울 중앙에서 밥을 먹고 싶어요.", "state": STATES[0]},
    {"role": "sys", "text": "느린 국수-2호점이 있어요.", "state": []},
    {"role": "user", "text": "네, 거기요.", "state": STATES[1]},
]
EXAMPLE = Example("dst-1", "written", {"domains": ["식당"]}, {"turns": TURNS})
PARTLY = [[AREA], [AREA, "식당-이름-빠른 국수"]]


def _read(**row: Any) -> Prediction:
    return SCORER.read({"guid": "dst-1", **row}, EXAMPLE, SPEC)


def _scores(
    examples: list[Example], predictions: list[Prediction], variant: Any
) -> dict[str, float]:
    golds = [SCORER.gold(one) for one in examples]
    made = SCORER.measures(golds, predictions, SPEC, variant)
    return {name: value(made[name], len(golds)) for name in SCORER.names}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "row",
    [
        {"label": STATES},
        {"states": STATES},
        {"label": {"turns": TURNS}},
        {"dialogue": TURNS},
        {"label": [STATES[0], [*STATES[1][:2], f"{FREE} "]]},
        {"label": [[unicodedata.normalize("NFD", one) for one in state] for state in STATES]},
    ],
)
def test_every_form_is_the_same_prediction(row: dict[str, Any]) -> None:
    made = _read(**row)
    assert made == Prediction("dst-1", STATES)
    for variant in VARIANTS:
        assert _scores([EXAMPLE], [made], variant) == {"jga": 100.0, "slot_f1": 100.0}


@pytest.mark.parametrize("variant", VARIANTS)
def test_partly_right(variant: Any) -> None:
    found = _scores([EXAMPLE], [_read(label=PARTLY)], variant)
    assert found == pytest.approx({"jga": 50.0, "slot_f1": 100 * (1 + 2 / 5) / 2})


def test_a_label_goes_before_the_gold_of_its_row() -> None:
    assert _read(dialogue=TURNS, states=PARTLY).label == PARTLY
    assert _read(dialogue=TURNS, label=[[], []]).label == [[], []]


def test_values_are_free() -> None:
    assert _read(label=[["식당-지역-어디든"], []]).label == [["식당-지역-어디든"], []]


def test_gold_is_read_as_predictions_are() -> None:
    odd = {"turns": [{**TURNS[0], "state": [unicodedata.normalize("NFD", AREA) + " "]}]}
    assert SCORER.gold(Example("dst-2", "written", {}, odd)) == [[AREA]]


@pytest.mark.parametrize(
    ("row", "rule", "told"),
    [
        ({}, "form", "none of `label`, `states` and `dialogue`"),
        ({"label": 3}, "form", "`label` is 3; give a list of states"),
        ({"label": {"domains": []}}, "form", "`label` is an object with 1 key"),
        ({"states": [[AREA]]}, "length", "states in `states`: 1, user turns: 2"),
        ({"dialogue": TURNS[:2]}, "length", "states in `dialogue`: 1, user turns: 2"),
        ({"dialogue": [TURNS[0], []]}, "form", "every turn is an object with the role user or sys"),
        ({"dialogue": [{**TURNS[0], "role": 1}]}, "form", "every turn is an object with the role"),
        (
            {"dialogue": [{**TURNS[0], "state": None}, TURNS[2]]},
            "form",
            "turn 1: the state is null",
        ),
        ({"label": [[AREA], AREA]}, "form", "`label`, user turn 2: the state is a text of 11"),
        ({"label": [[], [7]]}, "form", "user turn 2: a slot-value is 7; give DOMAIN-SLOT-VALUE"),
        ({"label": [[], [float("nan")]]}, "form", "user turn 2: a slot-value is NaN"),
        (
            {"label": [["식당-지역"], []]},
            "form",
            "user turn 1: a slot-value is a text of 5 characters",
        ),
        ({"label": [["식당-지역- "], []]}, "form", "user turn 1: a slot-value is a text"),
        (
            {"label": [["식당-날씨-맑음"], []]},
            "label",
            "the slot is a text of 5 characters; allowed: 숙소-",
        ),
        ({"label": [["식당-주소-어딘가"], []]}, "label", "the slot is a text of 5 characters"),
        ({"label": [["식당-지역-none"], []]}, "label", "`none` is no value of '식당-지역'; leave"),
        ({"label": [[AREA, "식당-지역-x"], []]}, "form", "the slot '식당-지역' is there twice"),
    ],
)
def test_what_is_wrong_is_told(row: dict[str, Any], rule: str, told: str) -> None:
    with pytest.raises(RecordError) as caught:
        _read(**row)
    assert caught.value.rule == f"prediction.{rule}@1"
    assert told in caught.value.reason


def test_what_is_shown_by_label_and_length() -> None:
    assert SCORER.labels(EXAMPLE) == ("숙소", "식당")
    assert SCORER.length(EXAMPLE) == sum(len(turn["text"]) for turn in TURNS)


def test_a_dialogue_without_states_is_no_gold() -> None:
    bare = [{key: turn[key] for key in ("role", "text")} for turn in TURNS]
    with pytest.raises(RecordError, match="user turns without a state"):
        SCORER.gold(Example("dst-2", "written", {}, {"turns": bare}))
    read = SCORER.read({"label": STATES}, Example("dst-2", "written", {}, {"turns": bare}), SPEC)
    assert read.label == STATES


def test_official_dialogues(data_dir: Path) -> None:
    """The gold against itself; and with the state of the turn before, counted by hand."""
    rows = rows_of(read_official("dst", data_dir / "klue" / "wos-v1.1_dev_first700.json"))
    examples = [Example(row.item, row.source or "", row.fields, row.gold) for row in rows]
    itself = [SCORER.read({"dialogue": one.label["turns"]}, one, SPEC) for one in examples]
    late, same, f1 = [], 0, 0.0
    for one in itself:
        before = [[], *one.label[:-1]]
        late.append(Prediction(one.id, before))
        for ours, theirs in zip(one.label, before, strict=True):
            same += set(ours) == set(theirs)
            both = len(ours) + len(theirs)
            f1 += 2 * sum(each in theirs for each in ours) / both if both else 1.0
    turns = sum(len(one.label) for one in itself)
    for variant in VARIANTS:
        assert _scores(examples, itself, variant) == {"jga": 100.0, "slot_f1": 100.0}
        found = {"jga": 100 * same / turns, "slot_f1": 100 * f1 / turns}
        assert _scores(examples, late, variant) == pytest.approx(found)
    assert 0 < same < turns
