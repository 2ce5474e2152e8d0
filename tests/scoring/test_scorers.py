"""Every task has a scoring, under its own name."""

from __future__ import annotations

import pytest

from pipeline.contracts.example import Example
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.scoring.scorer import SCORERS, scorer_of


def test_each_of_the_eight_tasks_is_scored() -> None:
    assert list(SCORERS) == list(TASKS)
    assert all(scorer.task == name for name, scorer in SCORERS.items())


def test_a_task_is_found_by_its_names() -> None:
    assert scorer_of("wos") is scorer_of("dst") is SCORERS["dst"]
    with pytest.raises(InputError, match="unknown task 'qa'"):
        scorer_of("qa")


@pytest.mark.parametrize("task", TASKS)
def test_the_sample_of_an_answer_is_read_as_one(task: str) -> None:
    """A board shows it to those who write files of predictions."""
    scorer, spec = SCORERS[task], load_spec(task)
    fields = {"text": "가람 씨는 잔다", "words": ["가람은", "잔다"]}
    example = Example("e", "toy", fields, {"turns": [{"role": "user", "text": "방 주세요"}]})
    sample = scorer.sample(spec)
    assert scorer.read({"guid": "e", "label": sample}, example, spec).label == sample
