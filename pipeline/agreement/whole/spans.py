"""Agreement on spans: entity F1 between people, and unitised alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pipeline.agreement.coefficients.estimate import Estimate, undefined
from pipeline.agreement.coefficients.unitised import Continuum, Unitised, alpha_u
from pipeline.agreement.votes.ratings import Ratings
from pipeline.agreement.whole.answers import Pairs, compared, crowded, estimates

#: (start, end, label): offsets in code points, the end exclusive.
Span = tuple[int, int, str]
_ALL = "entity_f1"


@dataclass(frozen=True)
class SpanAgreement:
    """F1 over all spans and by type (micro over pairs of people), and unitised alpha."""

    entity_f1: Estimate
    boundary_f1: Estimate
    alpha_u: Unitised
    per_type: dict[str, Estimate]
    spans: dict[str, int]
    pairs: Pairs

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "entity_f1": self.entity_f1.record(),
            "boundary_f1": self.boundary_f1.record(),
            "alpha_u": self.alpha_u.overall.record(),
            "per_type": {
                label: {
                    "spans": self.spans[label],
                    "f1": found.record(),
                    "alpha_u": self.alpha_u.per_category[label].record(),
                }
                for label, found in self.per_type.items()
            },
            "pairs": len(self.pairs),
        }


def span_agreement(
    ratings: Ratings,
    *,
    lengths: Mapping[str, int] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> SpanAgreement:
    """Compare the spans that people marked in the same items.

    `ratings.values` are lists of spans. A span agrees where start, end and type are equal; F1 is
    twice the agreeing spans over all spans of both, summed over pairs of people, so that nobody has
    to be the gold; `boundary_f1` leaves the types out. Two people who both mark nothing add
    nothing. `lengths` is how many code points the text of each item has (else the last span ends
    the continuum of unitised alpha).
    """
    spans = Counter(
        label for code in ratings.value.tolist() for _, _, label in ratings.values[code]
    )
    names = (_ALL, "boundary_f1", *(f"type.{label}" for label in sorted(spans)))
    pairs = compared(ratings, compare, names)
    found = estimates(pairs, bootstrap=bootstrap, seed=seed)
    return SpanAgreement(
        found[_ALL],
        found["boundary_f1"],
        _unitised(ratings, lengths or {}, sorted(spans), len(names)),
        {label: found[f"type.{label}"] for label in sorted(spans)},
        dict(sorted(spans.items())),
        pairs,
    )


def compare(left: Sequence[Span], right: Sequence[Span]) -> dict[str, tuple[float, float]]:
    """Count what two answers have in common, over all spans, without types, and by type."""
    ours, theirs = set(left), set(right)
    edges = {s[:2] for s in ours}, {s[:2] for s in theirs}
    made = {
        _ALL: (2.0 * len(ours & theirs), float(len(ours) + len(theirs))),
        "boundary_f1": (2.0 * len(edges[0] & edges[1]), float(len(edges[0]) + len(edges[1]))),
    }
    total = Counter(label for _, _, label in (*ours, *theirs))
    same = Counter(label for _, _, label in ours & theirs)
    return made | {f"type.{label}": (2.0 * same[label], float(n)) for label, n in total.items()}


def _unitised(
    ratings: Ratings, lengths: Mapping[str, int], labels: Sequence[str], measures: int
) -> Unitised:
    reason = crowded(ratings, measures)
    if reason is None:
        return alpha_u(_continua(ratings, lengths))
    nothing = undefined(reason)
    return Unitised(nothing, dict.fromkeys(labels, nothing))


def _continua(ratings: Ratings, lengths: Mapping[str, int]) -> list[Continuum]:
    """Return every item as the annotators cut it, in the order of the items."""
    ends = np.searchsorted(ratings.unit, np.arange(len(ratings.units) + 1)).tolist()
    made = []
    for unit, (start, stop) in enumerate(pairwise(ends)):
        answers = [ratings.values[code] for code in ratings.value[start:stop].tolist()]
        longest = max((end for answer in answers for _, end, _ in answer), default=1)
        spans = [
            (str(who), *span) for who, answer in enumerate(answers) for span in _joined(answer)
        ]
        length = max(lengths.get(ratings.units[unit], 0), longest)
        made.append(Continuum(length, tuple(map(str, range(len(answers)))), tuple(spans)))
    return made


def _joined(spans: Sequence[Span]) -> Iterator[Span]:
    """Join overlapping spans of one label, which unitising takes as one."""
    last: Span | None = None
    for start, end, label in sorted(spans, key=lambda s: (s[2], s[0], s[1])):
        if last is not None and last[2] == label and start < last[1]:
            last = (last[0], max(last[1], end), label)
            continue
        if last is not None:
            yield last
        last = (start, end, label)
    if last is not None:
        yield last
