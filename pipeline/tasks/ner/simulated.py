"""Simulated annotators: 51 workers, 2 linguists and 6 researchers (Section 3.4.1).

Reports are few: the 5,354 of 36,515 sentences that workers dropped (Section 3.4.1) were unfit
texts, of which the sample has none.
"""

from __future__ import annotations

from typing import Final

from pipeline.annotation.simulated.profile import Plan, Simulated, Weighted
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Fields

_TYPES: Final = {"PS": "OG", "OG": "LC", "LC": "OG", "DT": "TI", "TI": "DT", "QT": "DT"}


def _confusions(spec: TaskSpec, label: str, _fields: Fields) -> Weighted:
    other = _TYPES.get(label)
    return ((other, 1.0),) if other in spec.ids() else ()


SIMULATED: Final = Simulated(
    plans={
        "tag": Plan(51, 0.8, 0.1, load=10),
        "inspect": Plan(2, 0.95, 0.02, first=52),
        "final_review": Plan(6, 0.98, 0.01, first=54),
    },
    rates={"not_one_sentence": 0.02, "hate": 0.003, "bias": 0.002},
    confusions=_confusions,
)
