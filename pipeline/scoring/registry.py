"""The scoring of the eight tasks by their ids."""

from __future__ import annotations

from typing import Final

from pipeline.scoring.scorer import Scorer
from pipeline.scoring.tasks import (
    dependency,
    dialogue,
    entities,
    inference,
    reading,
    relation,
    similarity,
    topic,
)
from pipeline.tasks.registry import task_of

_MODULES: Final = (
    topic,
    similarity,
    inference,
    entities,
    relation,
    dependency,
    reading,
    dialogue,
)
SCORERS: Final[dict[str, Scorer]] = {module.SCORER.task: module.SCORER for module in _MODULES}


def scorer_of(name: str) -> Scorer:
    """Return the scoring of a task by its id (tc, dst) or config name (ynat, wos).

    Raises InputError that names the allowed ones.
    """
    return SCORERS[task_of(name).id]
