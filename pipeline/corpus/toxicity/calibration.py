"""Thresholds for a detector, proposed from labelled texts, with what they would drop.

A proposal is the lowest threshold, in steps of 0.01, at which the wanted share of what is dropped
deserves it (precision), if at least MIN_FLAGGED texts reach it: below that, precision is luck.

The default is 0.8, not 0.9 or more: sentences are plentiful and a harmless one that is dropped
costs nothing but itself, while each toxic one that stays reaches annotators and readers. Far below
0.8 the filter would begin to empty whole subjects, since it takes names of groups for toxicity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pipeline.core.errors import InputError
from pipeline.corpus.toxicity.data import HATE_CLASSES, Labelled
from pipeline.corpus.toxicity.registry import COLUMNS, Detector

PRECISION: Final = 0.8
MIN_FLAGGED: Final = 10
#: The thresholds of Section 2.3.
PAPER: Final = {"gender_bias": 0.5, "hate": 0.9}
#: Stands for the source of texts that name none.
UNNAMED: Final = "SOURCE"

Values = np.ndarray[Any, np.dtype[np.float64]]
Truth = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Figures:
    """What a threshold does: shares of texts; precision and recall are None where undefined."""

    threshold: float
    precision: float | None
    recall: float | None
    dropped: float


@dataclass(frozen=True)
class Proposal:
    """One score of one source: at the paper's threshold, and at a better one if there is any."""

    source: str
    score: str
    texts: int
    positives: int
    paper: Figures
    proposed: Figures | None

    @property
    def threshold(self) -> float:
        """The proposed threshold or, without one, the paper's."""
        return (self.proposed or self.paper).threshold


def measure(scores: Values, truth: Truth, threshold: float) -> Figures:
    """Return what a threshold does; a score at the threshold is over it."""
    flagged = scores >= threshold
    hits, n, positives = int((flagged & truth).sum()), int(flagged.sum()), int(truth.sum())
    return Figures(
        threshold=threshold,
        precision=round(hits / n, 4) if n else None,
        recall=round(hits / positives, 4) if positives else None,
        dropped=round(n / len(scores), 4),
    )


def propose(scores: Values, truth: Truth, *, precision: float = PRECISION) -> Figures | None:
    """Return the lowest threshold that reaches a precision, or None."""
    for threshold in (np.arange(1, 100) / 100).tolist():
        flagged = scores >= threshold
        n = int(flagged.sum())
        if n < MIN_FLAGGED:
            return None
        if int((flagged & truth).sum()) >= precision * n:
            return measure(scores, truth, threshold)
    return None


def calibrate(
    labelled: Labelled, detector: Detector, *, precision: float = PRECISION
) -> list[Proposal]:
    """Propose thresholds for every source of the labelled texts, in order of their names.

    Raises InputError for a precision outside (0, 1].
    """
    if not 0 < precision <= 1:
        raise InputError(f"precision {precision:g} must be above 0 and at most 1")
    scores, truths = detector.score(labelled.texts), truth_of(labelled)
    sources = np.array(labelled.sources or [UNNAMED] * len(labelled))
    proposals = []
    for source in sorted(set(sources.tolist())):
        rows = sources == source
        for name in COLUMNS:
            values, truth = scores.column(name).to_numpy()[rows], truths[name][rows]
            proposals.append(
                Proposal(
                    source=source,
                    score=name,
                    texts=int(rows.sum()),
                    positives=int(truth.sum()),
                    paper=measure(values, truth, PAPER[name]),
                    proposed=propose(values, truth, precision=precision),
                )
            )
    return proposals


def truth_of(labelled: Labelled) -> dict[str, Truth]:
    """Return for each score which texts it should find: of the classes of hate, `hate` alone."""
    return {
        "gender_bias": labelled.gender_bias,
        "hate": labelled.hate == HATE_CLASSES.index("hate"),
    }


def fragment(proposals: list[Proposal], detector: str, *, precision: float) -> str:
    """Return the part of a build file that applies the proposals."""
    lines = ["toxicity:", f"  detector: {detector}", "  thresholds:"]
    for source in sorted({proposal.source for proposal in proposals}):
        own = [proposal for proposal in proposals if proposal.source == source]
        pairs = ", ".join(f"{p.score}: {p.threshold:g}" for p in own)
        lacking = [p.score for p in own if p.proposed is None]
        note = (
            f"  # no threshold for {' and '.join(lacking)} reaches precision {precision:g};"
            " this is the paper's"
            if lacking
            else ""
        )
        lines.append(f"    {source}: {{{pairs}}}{note}")
    return "\n".join(lines)
