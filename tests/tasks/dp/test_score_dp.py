from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import f1_score

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.official.files import read_official
from pipeline.contracts.official.tables import rows_of
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import RecordError
from pipeline.scoring.measure import VARIANTS, value
from pipeline.tasks.dp.scorer import SCORER

SPEC = load_spec("dp")
TREE = {"heads": [3, 3, 0], "deprels": ["NP_SBJ", "NP_CMP", "VP_CMP"]}
WORDS = ["하늘은", "파랗게", "보였다."]
EXAMPLE = Example(
    "dp-1",
    "airbnb",
    {"text": " ".join(WORDS), "words": WORDS},
    {
        **TREE,
        "lemmas": ["하늘 은", "파랗 게", "보이 었 다 ."],
        "pos": ["NNG+JX", "VA+EC", "VV+EP+EF+SF"],
    },
)


def _read(**row: Any) -> Prediction:
    return SCORER.read({"guid": "dp-1", **row}, EXAMPLE, SPEC)


def _scores(examples: list[Example], trees: list[Any], variant: Any) -> dict[str, float]:
    golds = [SCORER.gold(one) for one in examples]
    predictions = [Prediction(one.id, tree) for one, tree in zip(examples, trees, strict=True)]
    made = SCORER.measures(golds, predictions, SPEC, variant)
    return {name: value(one, len(golds)) for name, one in made.items()}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "row",
    [
        {"label": TREE},
        {"label": EXAMPLE.label},
        {"head": [3.0, 3, 0], "deprel": TREE["deprels"]},
    ],
)
def test_label_and_columns_are_the_same_prediction(row: dict[str, Any]) -> None:
    assert _read(**row) == Prediction("dp-1", TREE)


def test_a_prediction_need_not_be_a_tree() -> None:
    odd = {"heads": [1, 0, 0], "deprels": ["L", "X_CNJ", "AP"]}
    assert _read(label=odd).label == odd


def test_shares_of_words_merge_rare_relations_in_klue_only() -> None:
    given = {"heads": [3, 3, 0], "deprels": ["NP_SBJ", "NP", "X"]}
    found = {"uas": 100, "las": 50, "las_micro": 200 / 3}
    assert _scores([EXAMPLE], [given], "klue") == pytest.approx(found)
    found = {"uas": 100, "las": 50, "uas_accuracy": 100, "las_accuracy": 100 / 3}
    assert _scores([EXAMPLE], [given], "strict") == pytest.approx(found)


@pytest.mark.parametrize(
    ("row", "rule", "told"),
    [
        ({}, "form", "neither `label` nor both `head` and `deprel`"),
        ({"head": [3, 3, 0]}, "form", "neither `label` nor both"),
        ({"label": [3, 3, 0]}, "form", "`label` is an object with heads and deprels"),
        ({"label": {**TREE, "more": 1}}, "form", "not an object with 3 keys"),
        ({"label": {**TREE, "heads": 3}}, "form", "`label.heads` is 3; give a list"),
        (
            {"head": [3, 0], "deprel": TREE["deprels"]},
            "length",
            "entries in `head`: 2, words: 3",
        ),
        (
            {"label": {**TREE, "deprels": ["NP"] * 4}},
            "length",
            "entries in `label.deprels`: 4, words: 3",
        ),
        ({"label": {**TREE, "heads": [3, 4, 0]}}, "label", "head of word 2 is 4; allowed: whole"),
        ({"label": {**TREE, "heads": [-1, 3, 0]}}, "label", "head of word 1 is -1"),
        ({"label": {**TREE, "heads": [3, 1.5, 0]}}, "label", "head of word 2 is 1.5"),
        ({"label": {**TREE, "heads": [3, float("nan"), 0]}}, "label", "head of word 2 is NaN"),
        ({"label": {**TREE, "heads": [3, True, 0]}}, "label", "head of word 2 is true"),
        ({"label": {**TREE, "heads": [3, "3", 0]}}, "label", "a text of 1 character"),
        (
            {"label": {**TREE, "deprels": ["NP", "NP_", "VP"]}},
            "label",
            "relation of word 2 is 'NP_'",
        ),
        (
            {"label": {**TREE, "deprels": ["NP", "NP_SVJ", "VP"]}},
            "label",
            "'NP_SVJ'; allowed: NP, VP",
        ),
        ({"label": {**TREE, "deprels": ["NP", "VP", 7]}}, "label", "relation of word 3 is 7"),
    ],
)
def test_what_is_wrong_is_told(row: dict[str, Any], rule: str, told: str) -> None:
    with pytest.raises(RecordError) as caught:
        _read(**row)
    assert caught.value.rule == f"prediction.{rule}@1"
    assert told in caught.value.reason


def test_what_is_shown_by_label_and_length() -> None:
    assert SCORER.labels(EXAMPLE) == ("NP_CMP", "NP_SBJ", "OTHERS")
    assert SCORER.length(EXAMPLE) == len("하늘은 파랗게 보였다.")
    with pytest.raises(RecordError, match="no heads and relations"):
        SCORER.gold(Example("dp-2", "airbnb", EXAMPLE.fields, {"lemmas": [], "pos": []}))


def _official(path: Path) -> list[Example]:
    return [
        Example(row.item, row.source or "", row.fields, row.gold, meta=row.meta)
        for row in rows_of(read_official("dp", path))
    ]


def test_official_sentences(data_dir: Path) -> None:
    """The gold against itself; and each word attached to the next, counted from the lines."""
    path = data_dir / "klue" / "klue-dp-v1.1_dev.tsv"
    examples = _official(path)
    for variant in VARIANTS:
        itself = _scores(examples, [one.label for one in examples], variant)
        assert set(itself.values()) == {100.0}
    heads = [[*range(2, len(one.fields["words"]) + 1), 0] for one in examples]
    trees = [{"heads": one, "deprels": ["NP"] * len(one)} for one in heads]
    found = _scores(examples, trees, "strict")

    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    cells = [row for row in rows if len(row) == 6 and row[0].isdigit()]
    after = [*cells[1:], ["1"]]
    given = [
        int(row[0]) + 1 if next_[0] != "1" else 0 for row, next_ in zip(cells, after, strict=True)
    ]
    gold = [int(row[4]) for row in cells]
    right = [a == b for a, b in zip(gold, given, strict=True)]
    assert found["uas_accuracy"] == pytest.approx(100 * sum(right) / len(cells))
    assert found["uas"] == pytest.approx(100 * f1_score(gold, given, average="macro"))
    labelled = [one and row[5] == "NP" for one, row in zip(right, cells, strict=True)]
    assert found["las_accuracy"] == pytest.approx(100 * sum(labelled) / len(cells))
    assert _scores(examples, trees, "klue")["las"] == pytest.approx(found["las"] * 16 / 17)
