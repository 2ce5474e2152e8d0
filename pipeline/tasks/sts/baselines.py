"""The trivial systems of STS, which answer with the mean of the votes, not rounded."""

from __future__ import annotations

from typing import Final

from pipeline.scoring.baselines import Baselines
from pipeline.tasks.kinds.baselines import numbers
from pipeline.tasks.sts.scorer import SCORER
from pipeline.tasks.sts.task import TASK

BASELINES: Final[Baselines] = numbers(TASK, lambda example: SCORER.gold(example).real)
