"""How far scores are chance of the examples: reliability, its ceiling, and intervals.

Other examples of the same number would give other scores and so another rank correlation. The
interval over examples is that of the value that such draws give on average, of these very systems.
A plain bootstrap adds the chance of its draw to that of the data, and so sees systems further apart
than they are; here systems are first moved together by as much as chance has moved them apart.

Two versions that rank systems alike in truth still agree imperfectly: the correlation of two
measures is at most the root of the product of their reliabilities. The latter is the correlation of
the scores on random halves of the examples, stepped up to the whole (Spearman-Brown). For normal
scores, a correlation r is a tau of 2/pi asin(r) and a Spearman of 6/pi asin(r/2).

Source: C. Spearman, The American Journal of Psychology 15 (1904) and British Journal of Psychology
3 (1910); W. Brown, ibid.; R. Greiner, Zeitschrift für Mathematik und Physik 57 (1909) for tau.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from pipeline.scoring.measure import Floats
from pipeline.scoring.resampling import Interval, Plan, keyed_generator, weights
from pipeline.scoring.versions.rank_correlation import CORRELATIONS, fisher_interval
from pipeline.scoring.versions.scores import Examples

#: Random halves that a reliability is the mean of.
HALVES: Final = 100
#: Above this, a correlation is taken as this for the step from errors to the z scale.
_MOST: Final = 0.97
#: The correlation of normal scores as other coefficients.
_OF_NORMAL: Final[Mapping[str, Callable[[float], float]]] = {
    "kendall_tau_b": lambda r: float(2 / np.pi * np.arcsin(r)),
    "spearman": lambda r: float(6 / np.pi * np.arcsin(r / 2)),
}


def reliability(examples: Examples, seed: int) -> float | None:
    """Return how well scores on other examples would agree with these, 0 to 1 (Pearson's r).

    None with fewer than three systems, two examples, or where halves do not tell systems apart.
    """
    systems, count = examples.cells.shape
    if systems < 3 or count < 2:
        return None
    chance = keyed_generator(seed, "versions.halves")
    correlations = []
    for _ in range(HALVES):
        order = chance.permutation(count)
        means = [
            examples.cells[:, half].mean(axis=1)
            for half in (order[: count // 2], order[count // 2 :])
        ]
        if all(np.ptp(mean) for mean in means):
            correlations.append(float(np.corrcoef(*means)[0, 1]))
    if not correlations:
        return None
    half = float(np.mean(correlations))
    return max(0.0, 2 * half / (1 + half))


def ceiling(name: str, old: float | None, new: float | None) -> float | None:
    """Return the correlation that two reliabilities allow; None where it is not known."""
    if old is None or new is None or name not in _OF_NORMAL:
        return None
    return _OF_NORMAL[name](min(1.0, float(np.sqrt(old * new))))


def intervals_over_examples(
    old: Examples, new: Examples, values: Mapping[str, float], plan: Plan
) -> dict[str, Interval]:
    """Return the interval of each correlation over the examples of both versions.

    Examples of one id in both are drawn together.
    """
    drawn = [_moved_together(examples) for examples in (old, new)]
    samples = _samples(drawn[0], drawn[1], tuple(values), plan)
    systems = len(old.cells)
    found = {}
    for name, value in values.items():
        finite = samples[name][np.isfinite(samples[name])]
        error = float(finite.std()) / (1 - min(abs(value), _MOST) ** 2) if len(finite) else 0.0
        found[name] = fisher_interval(value, systems, error, plan.confidence)
    return found


def _samples(old: Examples, new: Examples, names: tuple[str, ...], plan: Plan) -> dict[str, Floats]:
    ids = {name: place for place, name in enumerate(dict.fromkeys((*old.ids, *new.ids)))}
    places = [np.asarray([ids[name] for name in examples.ids]) for examples in (old, new)]
    samples: dict[str, list[float]] = {name: [] for name in names}
    for block in weights(len(ids), plan):
        scores = [
            _weighted_means(examples.cells, block[:, at])
            for examples, at in zip((old, new), places, strict=True)
        ]
        for first, second in zip(*scores, strict=True):
            for name in names:
                samples[name].append(CORRELATIONS[name].statistic(first, second))
    return {name: np.asarray(numbers) for name, numbers in samples.items()}


def _weighted_means(cells: Floats, drawn: Floats) -> Floats:
    totals = drawn.sum(axis=1, keepdims=True)
    return np.asarray((drawn @ cells.T) / np.where(totals > 0, totals, 1))


def _moved_together(examples: Examples) -> Examples:
    """Return the examples with the systems' means as close as chance has moved them apart."""
    means = examples.cells.mean(axis=1, keepdims=True)
    factor = float(np.sqrt(true_share(examples.cells)))
    center = means.mean()
    return Examples(examples.ids, examples.cells + (factor - 1) * (means - center))


def true_share(cells: Floats) -> float:
    """Return the share of the variance between systems' means that is not chance, 0 to 1."""
    systems, count = cells.shape
    means = cells.mean(axis=1)
    total = float(means.var(ddof=1)) if systems > 1 else 0.0
    if not total or count < 2:
        return 0.0
    within = cells - means[:, None]
    within = within - within.mean(axis=0)  # what is common to all systems moves no rank
    noise = float((within**2).sum()) / ((systems - 1) * (count - 1) * count)
    return float(np.clip(1 - noise / total, 0, 1))
