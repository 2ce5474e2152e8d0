"""Tasks without a part `scorer` are scored by their kind of answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from official_gold import scored
from sklearn.metrics import f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError, RecordError
from pipeline.tasks.kinds.scorer import scorer

CASES: dict[str, tuple[dict[str, Any], Any, Any, dict[str, float]]] = {
    "nli": (
        {"premise": "비가 온다.", "hypothesis": "날이 궂다."},
        "entailment",
        "neutral",
        {"accuracy": 50.0, "macro_f1": 100 / 3},
    ),
    "ner": (
        {"text": "한별 가람"},
        [{"start": 0, "end": 2, "label": "PS"}],
        [],
        {"entity_f1": 100 * 2 / 3},
    ),
}


@pytest.mark.parametrize("task", CASES)
def test_answers_are_scored_by_their_kind(task: str) -> None:
    fields, gold, other, wanted = CASES[task]
    examples = [Example(f"e{n}", "nsmc", fields, gold) for n in range(2)]
    made = scored(scorer(TASKS[task]), examples, [{"label": gold}, {"label": other}], "klue")
    assert {name: made[name] for name in wanted} == pytest.approx(wanted)


def test_the_form_of_answers_is_that_of_the_task_and_of_the_model() -> None:
    fields, gold, _, _ = CASES["ner"]
    one, made, spec = Example("e", "nsmc", fields, gold), scorer(TASKS["ner"]), load_spec("ner")
    assert made.read({"label": gold}, one, spec) == Prediction("e", gold)
    assert made.labels(one) == ("PS",)
    assert made.length(one) == 5
    with pytest.raises(RecordError, match="is not in the spec") as error:
        made.read({"label": [{"start": 0, "end": 2, "label": "XX"}]}, one, spec)
    assert error.value.rule == "prediction.label@1"


def test_numbers_are_correlated() -> None:
    task = replace(TASKS["sts"], view=float)
    made, spec = scorer(task), load_spec("sts")
    fields = {"sentence1": "비", "sentence2": "눈"}
    examples = [Example(f"e{n}", "nsmc", fields, n) for n in range(3)]
    said = [made.read({"label": n + 0.5}, one, spec) for n, one in enumerate(examples)]
    measures = made.measures([made.gold(one) for one in examples], said, spec, "klue")
    assert measures.keys() == {"pearson"}
    assert made.labels(examples[0]) == ()


@pytest.mark.parametrize(
    ("task", "kind"), [("nli", "category"), ("tc", "labels"), ("sts", "number"), ("ner", "spans")]
)
def test_the_sample_of_an_answer_is_read_as_one(task: str, kind: str) -> None:
    values: Any = {"kind": kind, "view": tuple} if kind == "labels" else {"kind": kind}
    made, spec = scorer(replace(TASKS[task], **values)), load_spec(task)
    sample = made.sample(spec)
    one = Example("e", "nsmc", {"text": "한별 가람"})
    assert made.read({"label": sample}, one, spec).label == sample


def test_sets_of_labels_equal_scikit_learn() -> None:
    values: Any = {"kind": "labels", "view": frozenset}
    task = replace(TASKS["tc"], **values)
    golds = [["정치", "경제"], ["정치"], ["사회", "세계"], ["경제"]]
    predicted = [["경제", "정치"], ["경제"], ["세계"], ["경제", "정치"]]
    headlines = [Example(f"h{n}", "yna", {"title": "제목"}, gold) for n, gold in enumerate(golds)]
    result = scored(scorer(task), headlines, [{"label": labels} for labels in predicted], "klue")
    table = MultiLabelBinarizer().fit([*golds, *predicted])
    left, right = table.transform(golds), table.transform(predicted)
    expected = {
        f"{kind}_f1": 100 * f1_score(left, right, average=kind) for kind in ("micro", "macro")
    }
    assert result == pytest.approx({**expected, "exact_match": 25.0})
    assert scorer(task).labels(headlines[0]) == ("경제", "정치")


def test_a_kind_without_a_default_is_refused() -> None:
    with pytest.raises(InputError, match=r"has no part `scorer`.*kinds with a default"):
        scorer(TASKS["dp"])
