"""Tasks without a part `head` are trained by their kind of answer."""

from __future__ import annotations

from typing import Any

import pytest
from training import tiny

from pipeline.contracts.example import Example
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError
from pipeline.tasks.kinds import head as kinds
from pipeline.training.recipe import recipe_of

TEXTS = {"premise": "비가 온다.", "hypothesis": "날이 궂다."}
PAIR = {"sentence1": "비가 온다.", "sentence2": "날이 궂다."}
CASES: list[tuple[Task, dict[str, Any], Any, str]] = [
    (TASKS["nli"], TEXTS, "neutral", "SequenceClassification"),
    (TASKS["sts"], PAIR, 3, "SequenceClassification"),
    (
        TASKS["ner"],
        {"text": "한별 씨"},
        [{"start": 0, "end": 2, "label": "PS"}],
        "TokenClassification",
    ),
]


@pytest.mark.parametrize(("task", "fields", "label", "auto"), CASES)
def test_examples_are_encoded_with_their_targets(
    task: Task, fields: dict[str, Any], label: Any, auto: str
) -> None:
    examples = [Example("e", "nsmc", fields, label)]
    made = kinds.head(load_spec(task.id), recipe_of(task.id), examples)
    made.check(examples, labels=True)
    features = made.encode(examples, tiny.tokens(list(map(str, fields.values()))), labels=True)
    assert (made.auto, len(features), len(features.columns)) == (auto, 1, 1)


def test_a_kind_without_a_default_is_refused() -> None:
    with pytest.raises(InputError, match="task dp has no part `head`, and there is no default"):
        kinds.head(load_spec("dp"), recipe_of("dp"), [])
