"""Simulated annotators: 11 authors (as in Section 3.3.1), 40 validators (the paper had 546)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pipeline.annotation.simulated.profile import Plan, Simulated, Weighted, letter_pairs
from pipeline.contracts.task import Fields

_NOT: Final = re.compile(r"(?:^|\s)(?:안|못)\s|않|없|아니")
_CONFUSIONS: Final[Mapping[str, Weighted]] = {
    "entailment": (("neutral", 8), ("contradiction", 2)),
    "contradiction": (("neutral", 8), ("entailment", 2)),
    "neutral": (("entailment", 5), ("contradiction", 5)),
}


def _estimate(fields: Fields, _known: Mapping[str, Any], _meta: Fields) -> str:
    """Return contradiction for a negation in one text only, else a label by shared letter pairs."""
    premise, hypothesis = str(fields["premise"]), str(fields.get("hypothesis", ""))
    if bool(_NOT.search(premise)) != bool(_NOT.search(hypothesis)):
        return "contradiction"
    pairs = letter_pairs(hypothesis)
    inside = len(pairs & letter_pairs(premise)) / len(pairs) if pairs else 0.0
    return "entailment" if inside >= 0.5 else "neutral"


SIMULATED: Final = Simulated(
    plans={
        "write": Plan(count=11, accuracy=0.97, spread=0.02),
        "validate": Plan(count=40, accuracy=0.92, spread=0.05, first=12, load=10),
    },
    rates={"ungrammatical": 0.005, "too_complex": 0.005, "bias": 0.002},
    confusions=lambda _spec, label, _fields: _CONFUSIONS.get(label, ()),
    estimate=_estimate,
    # three hypotheses that say little but fit their labels
    write=lambda premise: {
        "entailment": f"다음은 사실이다. {premise}",
        "contradiction": f"다음은 사실이 아니다. {premise}",
        "neutral": "이 이야기는 신문에 실린 적이 있다.",
    },
)
