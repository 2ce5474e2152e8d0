"""Systems with known true scores, drawn: right or wrong, classes, numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from pipeline.scoring.measure import Floats, Measure, Ratio, pearson_measure, value
from pipeline.scoring.metrics.classes import macro_f1_measure
from pipeline.scoring.resampling import Plan, weights

Chance = np.random.Generator
Make = Callable[[Chance, Sequence[float], int], list[Measure]]
_SHARES = (0.3, 0.3, 0.2, 0.15, 0.05)


def right_or_wrong(chance: Chance, skills: Sequence[float], n: int) -> list[Measure]:
    """Return accuracies; examples are hard or easy for all systems alike."""
    difficulty = chance.standard_normal(n)
    chances = 1 / (1 + np.exp(difficulty - np.asarray(skills)[:, None]))
    return [Ratio(row, np.ones(n)) for row in chance.random((len(skills), n)) < chances]


def classes(chance: Chance, skills: Sequence[float], n: int) -> list[Measure]:
    """Return macro F1 over five classes, of which one is rare."""
    gold = chance.choice(5, n, p=_SHARES)
    measures: list[Measure] = []
    for skill in skills:
        answers = np.where(chance.random(n) < skill, gold, chance.choice(5, n, p=_SHARES))
        measures.append(macro_f1_measure(*(["abcde"[code] for code in x] for x in (gold, answers))))
    return measures


def numbers(chance: Chance, skills: Sequence[float], n: int) -> list[Measure]:
    """Return Pearson's r of normal numbers with noise."""
    gold = chance.standard_normal(n)
    return [pearson_measure(gold, skill * gold + chance.standard_normal(n)) for skill in skills]


@cache
def drawn_weights(n: int, draws: int) -> Floats:
    """Return the weights of all draws."""
    return np.concatenate(list(weights(n, Plan(draws))))


def scored(measures: Sequence[Measure], n: int, draws: int) -> tuple[list[float], list[Floats]]:
    """Return the scores of systems, and their samples over the same draws."""
    drawn = drawn_weights(n, draws)
    return [value(measure, n) for measure in measures], [measure(drawn) for measure in measures]
