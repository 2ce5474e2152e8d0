"""Every task has a scoring, under its own name."""

from __future__ import annotations

import pytest

from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError
from pipeline.scoring.scorer import SCORERS, scorer_of


def test_each_of_the_eight_tasks_is_scored() -> None:
    assert list(SCORERS) == list(TASKS)
    assert all(scorer.task == name for name, scorer in SCORERS.items())


def test_a_task_is_found_by_its_names() -> None:
    assert scorer_of("wos") is scorer_of("dst") is SCORERS["dst"]
    with pytest.raises(InputError, match="unknown task 'qa'"):
        scorer_of("qa")
