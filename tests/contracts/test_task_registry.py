from __future__ import annotations

from typing import get_args

import pytest
from small_specs import round_, spec

from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.task import Kind, answer_form, whole
from pipeline.core.errors import InputError, RecordError


def test_there_are_the_eight_tasks_in_order() -> None:
    assert tuple(TASKS) == ("tc", "sts", "nli", "ner", "re", "dp", "mrc", "dst")
    assert all(task.id == name for name, task in TASKS.items())
    assert {task.kind for task in TASKS.values()} <= set(get_args(Kind))
    configs = [task.config for task in TASKS.values()]
    assert configs == ["ynat", "sts", "nli", "ner", "re", "dp", "mrc", "wos"]


def test_ids_and_config_names_are_accepted() -> None:
    assert task_of("tc") is task_of("ynat") is TASKS["tc"]
    assert task_of("wos") is TASKS["dst"]
    with pytest.raises(InputError, match="unknown task 'qa'; known tasks: tc, sts, nli"):
        task_of("qa")


def test_verdicts_are_about_the_answers_that_they_judge() -> None:
    one = spec(
        "dp",
        [
            round_("morphemes", "pos"),
            round_("verdict", "review", after="pos"),
            round_("verdict", "second", after="review"),
            round_("verdict", "alone"),
        ],
    )
    assert [answer_form(one, r) for r in one.rounds] == ["morphemes"] * 3 + ["verdict"]


def test_whole_numbers() -> None:
    assert whole(3.0, "start") == whole(3, "start") == 3
    for given in (True, "3", 2.5, None):
        with pytest.raises(RecordError, match=r"vote.form@1: start is a whole number"):
            whole(given, "start")
