"""Scores of a part of a board, whether a gain is shown, and ranks: numbers alone, no database.

The samples of what a board shows are kept (draws.py), since every rank needs those of all entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from flows.leaderboard.draws import DrawCache, Sampled
from flows.leaderboard.halves import half
from pipeline.contracts.example import Prediction
from pipeline.core.fingerprint import of_file, of_value
from pipeline.leaderboard.records import Part
from pipeline.scoring.measure import Variant
from pipeline.scoring.ranking.ladder import System, gain
from pipeline.scoring.ranking.ranks import rank_ranges
from pipeline.scoring.resampling import Plan, interval, samples
from pipeline.scoring.scorer import Gold, round_score, scores
from pipeline.scoring.submission import read_submission

#: The draws by which gains and ranks are decided; all submissions see the same.
PLAN: Final = Plan(draws=1_000, confidence=0.95, seed=0)
_EMPTY: Final = "no test example is in this half"


@dataclass(frozen=True)
class Scale:
    """What a part of a task is scored by: the gold of all its examples, and how it is read.

    `scorer` is the digest of the code, `release` that of the release; `most` bounds the bytes that
    a file unpacks to. Files may have predictions for `withdrawn` guids, which nothing counts.
    """

    gold: Gold
    part: Part
    key: bytes
    variant: Variant
    release: str
    scorer: str
    most: int | None = None
    withdrawn: frozenset[str] = frozenset()

    @property
    def metric(self) -> str:
        """Return the metric that decides a gain: the first of the task."""
        return self.gold.scorer.names[0]

    def name_of(self, file: Path) -> str:
        """Return what the sample of a file is kept under."""
        plan = [PLAN.draws, PLAN.seed]
        task = [self.gold.scorer.task, self.part, self.variant]
        return of_value([of_file(file), self.release, self.scorer, task, plan])

    def read(self, file: Path) -> list[Prediction]:
        """Return the predictions of a file; raises InputError as `read_submission`."""
        return read_submission(file, self.gold, most=self.most, withdrawn=self.withdrawn)


def score_file(scale: Scale, file: Path) -> Sampled:
    """Return the scores of a file on the examples of a part, without a sample."""
    return _scored(scale, scale.read(file), draw=False)


def sample_file(scale: Scale, file: Path, cache: DrawCache) -> Sampled:
    """Return the scores of a file and their sample, from the cache if they are there."""
    kept = cache.load(scale.name_of(file))
    return kept or _scored(scale, scale.read(file), draw=True)


def is_gain(scale: Scale, new: Sampled, best: Sampled, *, before: int, improvements: int) -> bool:
    """Tell whether a submission is shown after the best of its ladder."""
    systems = [
        System(of.scores.get(scale.metric), of.draws.get(scale.metric, np.zeros(PLAN.draws)))
        for of in (new, best)
    ]
    return gain(
        systems[0],
        systems[1],
        new.examples,
        submissions_before=before,
        improvements_before=improvements,
    ).is_shown


def standings(sampled: Sequence[Sampled], metrics: Sequence[str]) -> dict[str, list[Any]]:
    """Return, by metric, the ranks and the interval of each system that has a score.

    Each is ``[place of the system, lowest rank, highest rank, low, high]``.
    """
    found: dict[str, list[Any]] = {}
    for metric in metrics:
        there = [place for place, of in enumerate(sampled) if of.scores.get(metric) is not None]
        ranks = rank_ranges(
            [sampled[place].scores[metric] for place in there],
            [sampled[place].draws[metric] for place in there],
            examples=sampled[there[0]].examples if there else 0,
            confidence=PLAN.confidence,
        )
        found[metric] = [
            [place, rank.low, rank.high, *_interval(sampled[place], metric)]
            for place, rank in zip(there, ranks, strict=True)
            if rank is not None
        ]
    return found


def _interval(sampled: Sampled, metric: str) -> tuple[float | None, float | None]:
    low, high = interval(sampled.draws[metric], PLAN.confidence) or (None, None)
    return round_score(low), round_score(high)


def _scored(scale: Scale, predictions: Sequence[Prediction], *, draw: bool) -> Sampled:
    gold, places = half(scale.gold, scale.key, scale.part)
    if not places:
        names = scale.gold.scorer.names
        return Sampled(0, dict.fromkeys(names), dict.fromkeys(names, _EMPTY), {})
    measures = gold.measures([predictions[place] for place in places], scale.variant)
    found = scores(measures, len(gold))
    there = {
        name: measure
        for name, measure in measures.items()
        if not isinstance(measure, str) and found.values[name] is not None
    }
    draws: Mapping[str, Any] = samples({"": there}, len(gold), PLAN)[""] if draw else {}
    return Sampled(len(gold), found.values, found.reasons, draws)
