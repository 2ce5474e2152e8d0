"""Scoring of NLI: accuracy (Section 3.3.2), the same in both variants."""

from typing import Final

from pipeline.scoring import rows
from pipeline.scoring.scorer import Scorer
from pipeline.tasks.kinds.scorer import category_measures

SCORER: Final = Scorer(
    task="nli",
    names=("accuracy",),
    measures=category_measures("accuracy"),
    length=rows.characters("premise", "hypothesis"),
)
