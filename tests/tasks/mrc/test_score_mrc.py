"""Scoring of MRC: rows, golds, and the part of the official dev file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from official_gold import official, scored

from pipeline.contracts.example import Example
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import RecordError
from pipeline.scoring.measure import VARIANTS
from pipeline.tasks.mrc.scorer import SCORER

SPEC = load_spec("mrc")
FIELDS = {"title": "가상의 섬", "context": "그 섬은 1919년에 처음 그려졌다."}


def _asked(kind: int | None, *answers: str, plausible: tuple[str, ...] = ()) -> Example:
    texts = [{"start": 0, "text": text} for text in answers]
    tempting = [{"start": 0, "text": text} for text in plausible]
    label = {"question": "언제?", "type": kind, "answers": texts, "plausible_answers": tempting}
    return Example("m1", "wikipedia", FIELDS, label)


ONE = _asked(1, "1919년", "1919")


def test_what_an_example_gives() -> None:
    assert SCORER.gold(ONE) == ("1919년", "1919")
    assert SCORER.length(ONE) == 20
    assert SCORER.labels(ONE) == ("paraphrase",)
    assert SCORER.labels(_asked(2, "섬")) == ("multi-sentence",)
    assert SCORER.labels(_asked(None, "섬")) == ()
    assert SCORER.labels(_asked(None)) == ("unanswerable",)


def test_plausible_answers_are_no_answers() -> None:
    tempting = _asked(3, plausible=("1919년",))
    assert SCORER.gold(tempting) == ()
    assert SCORER.labels(tempting) == ("unanswerable",)
    for variant in VARIANTS:
        wrong = scored(SCORER, [tempting], [{"label": "1919년"}], variant)
        right = scored(SCORER, [tempting], [{"label": ""}], variant)
        assert wrong == {"em": 0, "rouge_w": 0}
        assert right == {"em": 100, "rouge_w": 100}


@pytest.mark.parametrize("label", [None, {"question": "언제?"}, {"answers": None}])
def test_a_question_without_answers_is_no_gold(label: Any) -> None:
    with pytest.raises(RecordError, match=r"gold\.answer@1"):
        SCORER.gold(Example("m1", "wikipedia", FIELDS, label))


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ({"label": ""}, ""),
        ({"label": "섬", "answer": "산"}, "섬"),
        ({"answer": "섬"}, "섬"),
        ({"label": "\u1109\u1165\u11b7"}, "섬"),
        ({"answers": {"answer_start": [2], "text": ["섬", "산"]}}, "섬"),
        ({"answers": {"text": []}}, ""),
    ],
)
def test_a_row_gives_one_text(row: dict[str, Any], wanted: str) -> None:
    assert SCORER.read(row, ONE, SPEC).label == wanted


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({}, "give `label` or `answer` or `answers`"),
        ({"label": 1919}, "`label` is a text, not 1919"),
        ({"label": ["섬"]}, "`label` is a text, not a list of 1 value"),
        ({"answers": ["섬"]}, "`answers` is an object with a list `text`, not a list of 1 value"),
        ({"answers": {"answer_start": [2]}}, "not an object with 1 key"),
        ({"answers": {"text": [None]}}, "`answers.text` is a text, not null"),
    ],
)
def test_faults_of_rows(row: dict[str, Any], told: str) -> None:
    with pytest.raises(RecordError) as fault:
        SCORER.read(row, ONE, SPEC)
    assert fault.value.rule == "prediction.form@1"
    assert told in fault.value.reason


def test_gold_in_conjoining_letters_is_met() -> None:
    apart = _asked(1, "\u1109\u1165\u11b7")
    assert scored(SCORER, [apart], [{"label": "섬"}], "klue") == {"em": 100, "rouge_w": 100}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_official_file(data_dir: Path, variant: Any) -> None:
    examples = official("mrc", data_dir / "klue" / "klue-mrc-v1.1_dev_first1350.json")
    answers = [[one["text"] for one in example.label["answers"]] for example in examples]
    for place in (0, -1):  # any of the gold answers is right
        rows = [{"answers": {"text": texts[place:][:1]}} for texts in answers]
        assert scored(SCORER, examples, rows, variant) == {"em": 100.0, "rouge_w": 100.0}
    silent = scored(SCORER, examples, [{"label": ""}] * len(examples), variant)
    none = 100 * sum(SCORER.labels(one) == ("unanswerable",) for one in examples) / len(examples)
    assert silent == {"em": pytest.approx(none), "rouge_w": pytest.approx(none)}
    assert none == pytest.approx(100 * 420 / 1350)
    whole = [{"label": one.fields["context"]} for one in examples]
    found = scored(SCORER, examples, whole, variant)
    assert found["em"] == 0
    assert 0 < float(found["rouge_w"]) < 10
