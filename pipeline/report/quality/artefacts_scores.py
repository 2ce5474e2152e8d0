"""The scores of guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from math import sqrt


def accuracy(gold: Sequence[str], guessed: Sequence[str]) -> float:
    """Return the share of guesses that are right."""
    return sum(a == b for a, b in zip(gold, guessed, strict=True)) / len(gold)


def macro_f1(gold: Sequence[str], guessed: Sequence[str]) -> float:
    """Return the mean F1 of all labels that are in gold or were guessed."""
    labels = sorted({*gold, *guessed})
    return sum(micro_f1(gold, guessed, [label]) for label in labels) / len(labels)


def micro_f1(gold: Sequence[str], guessed: Sequence[str], labels: Collection[str]) -> float:
    """Return the F1 of some labels together; 0 where none of them is in gold or was guessed."""
    pairs = list(zip(gold, guessed, strict=True))
    right = sum(a == b and a in labels for a, b in pairs)
    wanted, given = (sum(pair[side] in labels for pair in pairs) for side in (0, 1))
    return f1(right, wanted, given)


def f1(right: int, wanted: int, given: int) -> float:
    """Return the F1 of `right` hits among `given` guesses for `wanted` answers."""
    return 2 * right / (wanted + given) if wanted + given else 0.0


def pearson(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None for fewer than two pairs and for a constant."""
    if len(left) < 2:
        return None
    means = [sum(side) / len(side) for side in (left, right)]
    a, b = ([x - mean for x in side] for side, mean in zip((left, right), means, strict=True))
    spread = sqrt(sum(x * x for x in a)) * sqrt(sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / spread if spread > 1e-12 else None


def commonest(labels: Counter[str]) -> str:
    """Return the most frequent label, of equals the first by name."""
    return min(labels, key=lambda label: (-labels[label], label))
