from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from seqeval.metrics import f1_score as seqeval_f1
from seqeval.scheme import IOB2
from sklearn.metrics import f1_score

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.official.files import read_official
from pipeline.contracts.official.tables import rows_of
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import RecordError
from pipeline.scoring.measure import VARIANTS, value
from pipeline.tasks.ner.official import TYPES, tags
from pipeline.tasks.ner.scorer import SCORER

SPEC = load_spec("ner")
TEXT = "민서가 부산에"
SPANS = [{"start": 0, "end": 2, "label": "PS"}, {"start": 4, "end": 6, "label": "LC"}]
TAGS = ["B-PS", "I-PS", "O", "O", "B-LC", "I-LC", "O"]
EXAMPLE = Example("ner-1", "wikitree", {"text": TEXT}, SPANS)


def _read(**row: Any) -> Prediction:
    return SCORER.read({"guid": "ner-1", **row}, EXAMPLE, SPEC)


def _scores(
    examples: list[Example], predictions: list[Prediction], variant: Any
) -> dict[str, float]:
    golds = [SCORER.gold(one) for one in examples]
    made = SCORER.measures(golds, predictions, SPEC, variant)
    return {name: value(made[name], len(golds)) for name in SCORER.names}  # type: ignore[arg-type]


@pytest.mark.parametrize("row", [{"label": SPANS[::-1]}, {"label": TAGS}, {"ner_tags": TAGS}])
def test_spans_and_tags_are_the_same_prediction(row: dict[str, Any]) -> None:
    made = _read(**row)
    assert made == Prediction("ner-1", SPANS)
    for variant in VARIANTS:
        assert _scores([EXAMPLE], [made], variant) == {"entity_f1": 100.0, "char_f1": 100.0}


def test_no_span_is_a_prediction() -> None:
    assert _read(label=[]).label == _read(ner_tags=["O"] * 7).label == []


def test_an_orphan_keeps_the_tags_as_given() -> None:
    given = ["B-PS", "I-PS", "I-LC", "O", "B-LC", "I-LC", "O"]
    made = _read(ner_tags=given)
    assert made.label == given
    assert SCORER.read(made.record(), EXAMPLE, SPEC) == made
    found = _scores([EXAMPLE], [made], "strict")
    assert found["entity_f1"] == 100.0
    assert found["char_f1"] == pytest.approx(100 * (1 + 1 + 1 + 2 / 3) / 4)


def test_an_orphan_at_the_start_leaves_the_sentence_before_alone() -> None:
    """The public code joins all sentences, with the tags of [SEP] and [CLS] between them."""
    first = Example("ner-0", "nsmc", {"text": "부산"}, [{"start": 0, "end": 2, "label": "LC"}])
    whole = SCORER.read({"ner_tags": ["B-LC", "I-LC"]}, first, SPEC)
    orphan = _read(ner_tags=["I-LC", "I-PS", "O", "O", "B-LC", "I-LC", "O"])
    both, made = [first, EXAMPLE], [whole, orphan]
    for variant in VARIANTS:
        assert _scores(both, made, variant)["entity_f1"] == pytest.approx(50.0)  # LC 1, PS 0


def test_an_orphan_after_a_blank_continues_the_entity_in_klue() -> None:
    one = Example("ner-3", "nsmc", {"text": "가 나"}, [{"start": 0, "end": 3, "label": "PS"}])
    made = [SCORER.read({"ner_tags": ["B-PS", "O", "I-PS"]}, one, SPEC)]
    assert _scores([one], made, "klue") == {"entity_f1": 100.0, "char_f1": 100.0}
    assert _scores([one], made, "strict")["entity_f1"] == 0.0
    assert _scores([one], made, "strict")["char_f1"] == pytest.approx(100 * (1 + 2 / 3) / 2)


@pytest.mark.parametrize(
    ("row", "rule", "told"),
    [
        ({}, "form", "holds no answer; give `label` or `ner_tags`"),
        ({"label": "PS"}, "form", "`label`: a list of spans is wanted, not 'PS'"),
        ({"label": [3]}, "form", "`label`: a span is an object with start, end and label, not 3"),
        ({"ner_tags": {"a": 1}}, "form", "`ner_tags`: a list of spans is wanted"),
        ({"ner_tags": TAGS[:-1]}, "length", "tags in `ner_tags`: 6, characters of the text: 7"),
        ({"label": [*TAGS, "O"]}, "length", "tags in `label`: 8, characters of the text: 7"),
        ({"ner_tags": [12] * 7}, "label", "the tag of character 1 is 12; allowed: O, and B- or I-"),
        ({"label": ["O"] * 6 + ["B-PER"]}, "label", "the tag of character 7 is 'B-PER'"),
        ({"label": ["O"] * 6 + [float("nan")]}, "label", "the tag of character 7 is NaN"),
        ({"label": [{**SPANS[0], "end": float("nan")}]}, "form", "end is a whole number, not NaN"),
        ({"label": [{**SPANS[0], "end": 9}]}, "range", "outside the text of 7 characters"),
        (
            {"label": [{**SPANS[0], "label": "PER"}]},
            "label",
            "the entity type is 'PER', which is not in the spec",
        ),
        ({"label": [SPANS[0], SPANS[0]]}, "range", "marked twice"),
    ],
)
def test_what_is_wrong_is_told(row: dict[str, Any], rule: str, told: str) -> None:
    with pytest.raises(RecordError) as caught:
        _read(**row)
    assert caught.value.rule == f"prediction.{rule}@1"
    assert told in caught.value.reason


def test_what_is_shown_by_label_and_length() -> None:
    assert SCORER.labels(EXAMPLE) == ("LC", "PS")
    assert SCORER.length(EXAMPLE) == 7
    with pytest.raises(RecordError, match="no `label`"):
        SCORER.gold(Example("ner-2", "nsmc", {"text": TEXT}))


def _official(data_dir: Path) -> list[Example]:
    rows = rows_of(read_official("ner", data_dir / "klue" / "klue-ner-v1.1_dev.tsv"))
    return [Example(row.item, row.source or "", row.fields, row.gold) for row in rows]


def _sequences(
    examples: list[Example], predictions: list[Prediction], *, blanks: bool
) -> tuple[list[list[str]], list[list[str]]]:
    """Return gold and predicted tags of each sentence; without blanks as the public code has them.

    It joins sentences, but for the O of [CLS] and [SEP] between any two that changes nothing; and
    seqeval takes minutes for one long sequence.
    """
    gold, given = [], []
    for example, prediction in zip(examples, predictions, strict=True):
        text = example.fields["text"]
        for side, spans in ((gold, example.label), (given, prediction.label)):
            kept = [
                tag
                for char, tag in zip(text, tags(len(text), spans), strict=True)
                if blanks or char != " "
            ]
            side.append(kept if blanks else ["O", *kept, "O"])
    return gold, given


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.full)])
def test_official_sentences(step: int, data_dir: Path) -> None:
    """Gold against itself is perfect; without its last spans seqeval and scikit-learn agree."""
    examples = _official(data_dir)[::step]
    itself = [Prediction(one.id, one.label) for one in examples]
    for variant in VARIANTS:
        assert _scores(examples, itself, variant) == {"entity_f1": 100.0, "char_f1": 100.0}
    fewer = [Prediction(one.id, one.label[:-1]) for one in examples]
    names = [f"{mark}-{one}" for one in TYPES for mark in "BI"]
    for variant, blanks, labels in (("klue", False, [*names, "O"]), ("strict", True, names)):
        gold, given = _sequences(examples, fewer, blanks=blanks)
        found = _scores(examples, fewer, variant)
        flat = [list(chain.from_iterable(side)) for side in (gold, given)]
        wanted = f1_score(*flat, labels=labels, average="macro", zero_division=1)
        assert found["char_f1"] == pytest.approx(100 * wanted, abs=1e-9)
        wanted = seqeval_f1(gold, given, average="macro", mode="strict", scheme=IOB2)
        assert found["entity_f1"] == pytest.approx(100 * wanted, abs=1e-9)
