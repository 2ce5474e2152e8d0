"""The rules that are models of annotators: the label that the model finds most probable is gold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from pipeline.agreement.aggregation.crowd_models import DIGITS, Probabilities
from pipeline.agreement.aggregation.outcome import Outcome, queue_outcome
from pipeline.agreement.aggregation.rules import LABELS, category_label
from pipeline.agreement.aggregation.tally import Pool, Tally
from pipeline.contracts.aggregation_rules import CrowdModel

#: Probabilities that differ by less are equal.
_SAME: Final = 10.0**-DIGITS / 2


def decide(pool: Pool, probabilities: Sequence[Probabilities]) -> list[Outcome]:
    """Return the outcome of every item under a rule that is a model, given its `probabilities`.

    Fewer than `minimum` votes, or none by anybody with a name: unresolved, queue votes. Two labels
    that are most probable alike, or of several labels one that is as probable as not: as the spec
    says of open items. Otherwise gold; its agreement is the share of votes that say the same.
    """
    return [
        _outcome(tally, item, pool) for tally, item in zip(pool.tallies, probabilities, strict=True)
    ]


def _outcome(tally: Tally, probabilities: Probabilities, pool: Pool) -> Outcome:
    rule = cast(CrowdModel, pool.spec.aggregation)
    name, several = f"gold.{rule.rule}@1", pool.task.kind == "labels"
    evidence = tally.evidence(**({"counts": tally.by_label} if several else {}))
    if tally.votes < rule.minimum or not probabilities:
        reason = "too_few_votes" if tally.votes < rule.minimum else "no_named_votes"
        return queue_outcome(name, tally.votes, reason, "votes", evidence)
    value = most_probable(probabilities, several=several)
    if value is None:
        return tally.open(name, rule.otherwise, evidence, reason="tie")
    label = LABELS.get(pool.task.kind, category_label)(value, pool.spec)
    share = dict(tally.counts).get(value, 0) / tally.votes
    return Outcome("gold", name, tally.votes, label, agreement=share, evidence=evidence)


def most_probable(probabilities: Probabilities, *, several: bool) -> Any:
    """Return the most probable label, or the set of those more probable than not; None at a tie."""
    if several:
        is_tie = any(abs(p - 0.5) < _SAME for p in probabilities.values())
        return None if is_tie else frozenset(x for x, p in probabilities.items() if p > 0.5)
    best, *others = sorted(probabilities, key=lambda label: (-probabilities[label], label))
    is_tie = bool(others) and probabilities[best] - probabilities[others[0]] < _SAME
    return None if is_tie else best
