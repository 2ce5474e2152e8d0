"""How metrics are headed on pages and in tables."""

from __future__ import annotations

from typing import Final

#: How the metrics are headed, as in Table 32, and in their order there: a task's first one decides.
METRIC_TITLES: Final = {
    "macro_f1": "macro F1",
    "pearson": "Pearson r",
    "f1": "F1",
    "accuracy": "accuracy",
    "entity_f1": "entity F1",
    "char_f1": "char F1",
    "micro_f1": "micro F1",
    "auprc": "AUPRC",
    "uas": "UAS",
    "las": "LAS",
    "las_micro": "LAS micro",
    "em": "EM",
    "rouge_w": "ROUGE-W",
    "jga": "JGA",
    "slot_f1": "slot F1",
}
