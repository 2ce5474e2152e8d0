"""Simulated annotators: 19, of whom 2 were excluded (Section 3.2.1), alpha near .85.

Reports: of 14,869 pairs 418 for their translation and 1,213 for ethics (Section 3.2.1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from pipeline.annotation.simulated.profile import Plan, Simulated, bigram_dice
from pipeline.contracts.task import Fields
from pipeline.core.ids import draw

#: The least that sentences of one meaning score, and how far a score may lie from the letters'.
_SAME_MEANING: Final = 2.5
_SPREAD: Final = 1.2


def _estimate(fields: Fields, _known: Mapping[str, Any], meta: Fields) -> float:
    """Return 5 times the share of common letter pairs, to the power of 0.7.

    It is nearer to 5 for a round trip and for two requests of one intent, and spread by a keyed
    draw, since people see more than letters.
    """
    first, second = str(fields["sentence1"]), str(fields["sentence2"])
    score = 5 * math.pow(bigram_dice(first, second), 0.7)
    if "back" in meta or len(set(meta.get("intents", ()))) == 1:
        score = _SAME_MEANING + score * (5 - _SAME_MEANING) / 5
    score += _SPREAD * (2 * draw(0, "sim.score", f"{first}\x1f{second}") - 1)
    return round(min(5.0, max(0.0, score)), 1)


SIMULATED: Final = Simulated(
    plans={"main": Plan(19, 0.873, 0.02, bias=0.15, bad=("random", "always_same"))},
    rates={
        "translation_error": 0.02,
        "misinformation": 0.008,
        "personal_data": 0.03,
        "hate": 0.022,
        "bias": 0.03,
    },
    samplers={"translation_error": "rtt", "misinformation": "rtt"},
    estimate=_estimate,
)
