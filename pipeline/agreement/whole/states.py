"""Agreement on dialogue states: turns with equal states, and F1 of slot-values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.agreement.coefficients.estimate import Estimate
from pipeline.agreement.votes.ratings import Ratings
from pipeline.agreement.whole.answers import Pairs, compared, estimates
from pipeline.contracts.task import f1

#: The state after one user turn: DOMAIN-SLOT-VALUE texts.
State = frozenset[str]


@dataclass(frozen=True)
class StateAgreement:
    """Joint agreement and slot F1 over user turns (micro over pairs of people), and by slot."""

    joint: Estimate
    slot_f1: Estimate
    per_slot: dict[str, Estimate]
    turns: dict[str, int]
    pairs: Pairs

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "joint": self.joint.record(),
            "slot_f1": self.slot_f1.record(),
            "per_slot": {
                name: {"turns": self.turns[name], "f1": found.record()}
                for name, found in self.per_slot.items()
            },
            "pairs": len(self.pairs),
        }


def state_agreement(ratings: Ratings, *, bootstrap: int = 0, seed: int = 0) -> StateAgreement:
    """Compare the states that people tracked for the same dialogues.

    `ratings.values` are lists of states, one a user turn. `joint` is the share of turns with equal
    states, `slot_f1` the mean over turns of the F1 of slot-values (two empty states count 1), as
    in the paper's Section 3.8.2; the F1 of a slot pools its values over turns. Turns that only one
    of two dialogues has agree with nothing.
    """
    turns = Counter(
        slot_of(one)
        for code in ratings.value.tolist()
        for state in ratings.values[code]
        for one in state
    )
    names = ("joint", "slot_f1", *(f"slot.{name}" for name in sorted(turns)))
    pairs = compared(ratings, compare, names)
    found = estimates(pairs, bootstrap=bootstrap, seed=seed)
    return StateAgreement(
        found["joint"],
        found["slot_f1"],
        {name: found[f"slot.{name}"] for name in sorted(turns)},
        dict(sorted(turns.items())),
        pairs,
    )


def slot_of(one: str) -> str:
    """Return DOMAIN-SLOT of a slot-value: all before the second hyphen."""
    return "-".join(one.split("-", 2)[:2])


def compare(left: Sequence[State], right: Sequence[State]) -> dict[str, tuple[float, float]]:
    """Count the turns on which two people agree, and the slot-values by slot."""
    both = list(zip(left, right, strict=False))
    total = float(max(len(left), len(right)))
    made = {
        "joint": (float(sum(a == b for a, b in both)), total),
        "slot_f1": (float(sum(f1(set(a), set(b)) for a, b in both)), total),
    }
    named = Counter(slot_of(one) for state in (*left, *right) for one in state)
    same = Counter(slot_of(one) for a, b in both for one in a & b)
    return made | {f"slot.{name}": (2.0 * same[name], float(n)) for name, n in named.items()}
