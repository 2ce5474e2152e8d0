"""Findings about annotators, and which of them are flagged at a promised rate of false ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import numpy as np

Test = Literal[
    "agreement", "constant", "habit", "unused", "shift", "scale", "drift", "speed", "copying"
]
#: The share of flags that may be false.
FALSE_DISCOVERY: Final = 0.05
#: Findings less probable than this by chance are worth a look, though nothing is promised.
WORTH_A_LOOK: Final = 0.05
#: The least effect that matters, in the unit of each test (see the module of the test).
LEAST_EFFECT: Final[Mapping[Test, float]] = MappingProxyType(
    {
        "agreement": 0.25,
        "constant": 0.5,
        "habit": 0.3,
        "unused": 0.8,
        "shift": 0.5,
        "scale": 0.25,
        "drift": 0.1,
        "speed": 0.6,
        "copying": 0.2,
    }
)
#: Items that a finding names at most.
MOST_ITEMS: Final = 10


@dataclass(frozen=True)
class Finding:
    """What one test says of one annotator, flagged or not.

    `p` is one-sided, from 0 to 1, and valid where the annotator is as the others are. `effect`
    grows with oddness. `items` are at most `MOST_ITEMS` that show it, the strongest first; `others`
    are the partners of a pair or group.
    """

    test: Test
    annotator: str
    p: float
    effect: float
    text: str
    items: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


class Judged(NamedTuple):
    """Findings in two levels, each with the smallest p first; the second excludes the first."""

    flagged: tuple[Finding, ...]
    to_look_at: tuple[Finding, ...]


def judge(findings: Iterable[Finding]) -> Judged:
    """Control the false discovery rate over all people and tests.

    Every finding tested must be given, odd or not. Flagged is what passes at `FALSE_DISCOVERY` and
    has the least effect that matters; to look at is the rest whose p is below `WORTH_A_LOOK` and
    whose effect matters.

    Source: Benjamini and Hochberg, Controlling the False Discovery Rate, JRSS B 57, 1995.
    """
    ranked = sorted(findings, key=lambda f: (f.p, -f.effect, f.annotator, f.test))
    n = len(ranked)
    p = np.array([finding.p for finding in ranked])
    passed = np.flatnonzero(p <= FALSE_DISCOVERY * np.arange(1, n + 1) / max(n, 1))
    last = int(passed[-1]) + 1 if len(passed) else 0
    matters = [finding.effect >= LEAST_EFFECT[finding.test] for finding in ranked]
    return Judged(
        tuple(f for f, is_odd in zip(ranked[:last], matters[:last], strict=True) if is_odd),
        tuple(
            f
            for f, is_odd in zip(ranked[last:], matters[last:], strict=True)
            if is_odd and f.p < WORTH_A_LOOK
        ),
    )
