"""Agreement on dependency trees: the share of words with the same head, and the same relation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.agreement.coefficients.estimate import Estimate
from pipeline.agreement.votes.ratings import Ratings
from pipeline.agreement.whole.answers import Pairs, compared, estimates

#: (head, relation), one a word; head 0 is the root.
Arc = tuple[int, str]


@dataclass(frozen=True)
class TreeAgreement:
    """UAS and LAS over words (micro over pairs of people), and F1 of each relation."""

    uas: Estimate
    las: Estimate
    per_deprel: dict[str, Estimate]
    words: dict[str, int]
    pairs: Pairs

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "uas": self.uas.record(),
            "las": self.las.record(),
            "per_deprel": {
                name: {"words": self.words[name], "f1": found.record()}
                for name, found in self.per_deprel.items()
            },
            "pairs": len(self.pairs),
        }


def tree_agreement(ratings: Ratings, *, bootstrap: int = 0, seed: int = 0) -> TreeAgreement:
    """Compare the trees that people gave to the same sentences, by plain token accuracy.

    `ratings.values` are lists of (head, relation). UAS is the share of words with the same head,
    LAS of those with the same relation as well. The F1 of a relation counts a word as agreeing
    where both give it this relation and the same head. Words that only one of two trees has agree
    with nothing.
    """
    words = Counter(name for code in ratings.value.tolist() for _, name in ratings.values[code])
    names = ("las", "uas", *(f"deprel.{name}" for name in sorted(words)))
    pairs = compared(ratings, compare, names)
    found = estimates(pairs, bootstrap=bootstrap, seed=seed)
    return TreeAgreement(
        found["uas"],
        found["las"],
        {name: found[f"deprel.{name}"] for name in sorted(words)},
        dict(sorted(words.items())),
        pairs,
    )


def compare(left: Sequence[Arc], right: Sequence[Arc]) -> dict[str, tuple[float, float]]:
    """Count the words on which two trees agree, all in all and by relation."""
    both = list(zip(left, right, strict=False))
    total = float(max(len(left), len(right)))
    made = {
        "las": (float(sum(a == b for a, b in both)), total),
        "uas": (float(sum(a[0] == b[0] for a, b in both)), total),
    }
    named = Counter(name for _, name in (*left, *right))
    same = Counter(a[1] for a, b in both if a == b)
    return made | {f"deprel.{name}": (2.0 * same[name], float(n)) for name, n in named.items()}
