"""Columns of nli: those of any category for two texts (kinds/columns.py)."""

from dataclasses import replace
from typing import Final

from pipeline.release.tables import Card
from pipeline.tasks.kinds.columns import columns
from pipeline.tasks.nli.task import TASK

COLUMNS: Final = replace(
    columns(TASK), classes=lambda _spec: {"label": ("entailment", "neutral", "contradiction")}
)
CARD: Final = Card(
    "text-classification",
    "natural-language-inference",
    written=True,
    split="By set: validation and test take whole sets of hypotheses on one premise.",
    promises=(
        "Every set in validation and test has one hypothesis of each label.",
        "These sets are among those whose hypotheses alone give the label away least.",
        "A premise is in one split only.",
    ),
)
