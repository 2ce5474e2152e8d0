"""The metrics of dialogue state tracking: joint goal accuracy, and the F1 of slots by turn.

A state is a set of texts DOMAIN-SLOT-VALUE without regard to order. A slot without a value ("none")
never stands in it; `dontcare` is a value like any other. Only user turns have states. All turns of
all dialogues count the same: a long dialogue weighs more than a short one.

The variants do not differ. The paper says that slot F1 "ignores when value of the ground truth is
None": such a slot is no pair of the gold state. It does not say that a pair predicted for such a
slot is ignored: precision is of "predicted slot-value pairs", and without those a model that fills
every slot would lose nothing. Nor does it leave out the turns whose gold state is empty. The
system turns among "the total number of dialogue turns" have no state to compare.

Source: Section 3.8.2; the computation of the public baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pipeline.contracts.task import f1
from pipeline.core.errors import InputError
from pipeline.scoring.measure import Measure, value
from pipeline.scoring.metrics.counts import Ratio
from pipeline.scoring.metrics.numbers import check_aligned

#: The slot-values after each user turn of each dialogue.
States = Sequence[Sequence[Collection[str]]]


def jga(gold: States, predicted: States) -> float:
    """Return the share of user turns whose whole state is right, 0 to 100.

    Raises InputError for dialogues of unequal numbers of turns; NaN without any turn.
    """
    return value(jga_measure(gold, predicted), len(gold))


def slot_f1(gold: States, predicted: States) -> float:
    """Return the mean over user turns of the F1 of slot-values, 0 to 100.

    Two empty states are equal (100). Raises and is NaN as `jga`.
    """
    return value(slot_f1_measure(gold, predicted), len(gold))


def jga_measure(gold: States, predicted: States) -> Measure:
    """Return `jga` as a Measure over dialogues."""
    return _by_turn(gold, predicted, lambda ours, theirs: float(ours == theirs))


def slot_f1_measure(gold: States, predicted: States) -> Measure:
    """Return `slot_f1` as a Measure over dialogues."""
    return _by_turn(gold, predicted, f1)


def _by_turn(
    gold: States, predicted: States, likeness: Callable[[set[str], set[str]], float]
) -> Ratio:
    check_aligned(gold, predicted)
    turns = [len(states) for states in gold]
    for place, states in enumerate(predicted):
        if len(states) != turns[place]:
            raise InputError(
                f"dialogue {place + 1}: {turns[place]} gold states, {len(states)} predicted; give"
                " one a user turn"
            )
    sums = [
        sum(likeness(set(one), set(other)) for one, other in zip(ours, theirs, strict=True))
        for ours, theirs in zip(gold, predicted, strict=True)
    ]
    return Ratio(sums, turns)
