"""Which items are reported, for what reason and by whom.

Rates are shares of the items, from the paper: TC .93 % personal data, .28 % toxic, 3.59 % unable to
decide (Section 3.1.1); STS 418 pairs for their translation and 1,213 for ethics of 14,869 (3.2.1).
Elsewhere they are small: the 5,354 of 36,515 sentences that NER workers dropped (3.4.1) were unfit
texts, of which the sample has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pipeline.annotation.simulated.chance import Chance, answering
from pipeline.annotation.simulated.truth import Truth
from pipeline.contracts.spec import TaskSpec

RATES: Final[Mapping[str, Mapping[str, float]]] = {
    "tc": {
        "personal_data": 0.0093,
        "hate": 0.001,
        "bias": 0.001,
        "sexual_or_violent": 0.0008,
        "unable_to_decide": 0.0359,
    },
    "sts": {
        "translation_error": 0.02,
        "misinformation": 0.008,
        "personal_data": 0.03,
        "hate": 0.022,
        "bias": 0.03,
    },
    "nli": {"ungrammatical": 0.005, "too_complex": 0.005, "bias": 0.002},
    "ner": {"not_one_sentence": 0.02, "hate": 0.003, "bias": 0.002},
    "re": {"wrong_entity_boundary": 0.02, "personal_data": 0.005, "hate": 0.002, "bias": 0.003},
    "dp": {"personal_data": 0.003, "bias": 0.002},
    "mrc": {"unusable_passage": 0.01, "bias": 0.003},
    "dst": {"impossible_goal": 0.01},
}
#: Reasons that only a pair made by translation can give.
_TRANSLATED: Final = ("translation_error", "misinformation")
#: How likely another annotator of a reported item reports it too.
_AGREES: Final = 0.5


def reason(truth: Truth, sampler: str | None, spec: TaskSpec, item: Chance) -> str | None:
    """Return why an item is reported, if it is: what its truth says, else by the task's rates."""
    if truth.report is not None:
        return truth.report
    known = {one.id for one in spec.reports}
    left = item.at("report")
    for name, rate in RATES.get(spec.task, {}).items():
        if name not in known or (name in _TRANSLATED and "rtt" not in (sampler or "rtt")):
            continue
        left -= rate
        if left < 0:
            return name
    return None


def reporters(item: str, truth: Truth, assigned: Sequence[str], seed: int) -> set[str]:
    """Return who of those that see an item reports it: one, and more if there is a reason."""
    drawn = sorted((answering(seed, item, who).at("reports"), who) for who in assigned)
    agrees = _AGREES if truth.report is not None or truth.estimated else 0.0
    return {who for place, (number, who) in enumerate(drawn) if not place or number < agrees}
