"""Simulated annotators: 13, as passed the pilot of the paper (Section 3.1.1), alpha near .71.

Reports: .93 % personal data, .28 % toxic, 3.59 % unable to decide (Section 3.1.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.annotation.simulated.profile import Plan, Simulated, Weighted, bigram_dice
from pipeline.contracts.task import Fields
from pipeline.core.ids import draw

#: Topics that share their words: laws between politics, society and the economy, health between
#: culture and society, devices between IT and the economy.
_TOPICS: Final[Mapping[str, Weighted]] = {
    "정치": (("사회", 5), ("경제", 3), ("세계", 2)),
    "경제": (("사회", 4), ("IT과학", 2.5), ("정치", 1.5), ("생활문화", 1.5), ("세계", 0.5)),
    "사회": (("생활문화", 3.5), ("정치", 3), ("경제", 2.5), ("IT과학", 0.5), ("세계", 0.5)),
    "생활문화": (("사회", 6), ("경제", 1.5), ("IT과학", 1), ("스포츠", 0.8), ("세계", 0.7)),
    "세계": (("정치", 3), ("사회", 3), ("경제", 2), ("생활문화", 1.5), ("스포츠", 0.5)),
    "IT과학": (("경제", 4), ("사회", 3), ("생활문화", 2.5), ("세계", 0.5)),
    "스포츠": (("사회", 4), ("생활문화", 4), ("경제", 1), ("세계", 1)),
}
#: The least similarity of a known headline whose topic is taken over.
_NEAR: Final = 0.2


def _estimate(fields: Fields, known: Mapping[str, Any], _meta: Fields) -> list[str]:
    """Return the topic of the most similar known headline, or a keyed draw."""
    title = str(fields["title"])
    nearest = max(((bigram_dice(title, key), key) for key in known), default=(0.0, ""))
    if nearest[0] >= _NEAR:
        return list(known[nearest[1]])[:1]
    return [tuple(_TOPICS)[int(draw(0, "sim.estimate", title) * len(_TOPICS))]]


SIMULATED: Final = Simulated(
    plans={"main": Plan(13, 0.84, 0.06, bias=0.1)},
    rates={
        "personal_data": 0.0093,
        "hate": 0.001,
        "bias": 0.001,
        "sexual_or_violent": 0.0008,
        "unable_to_decide": 0.0359,
    },
    confusions=lambda _spec, label, _fields: _TOPICS.get(label, ()),
    estimate=_estimate,
)
