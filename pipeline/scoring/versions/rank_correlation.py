"""Rank correlations of two lists of scores, with intervals over systems.

The systems are taken as drawn from a larger population of systems. The interval is that of the
jackknife on the scale of Fisher's z. With few systems its variance is itself mostly chance, so that
it is averaged with the variance under normal scores, which counts as some systems more (`prior`):
as many more for the weighted tau, whose jackknife hangs on the few systems at the top.

Source: M. Kendall, Biometrika 30 (1938) and 33 (1945) for tau-b; S. Vigna, A Weighted Correlation
Index for Rankings with Ties, WWW 2015 (hyperbolic weights: swaps at the top weigh more);
E. Fieller, H. Hartley and E. Pearson, Biometrika 44 (1957) for the variances under normal scores;
B. Efron and C. Stein, The Annals of Statistics 9 (1981) for the jackknife.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Any, Final, NamedTuple

import numpy as np

from pipeline.scoring.measure import Floats
from pipeline.scoring.resampling import Interval

#: A rank correlation needs as many systems, an interval over systems as many.
FEWEST: Final = 3
FEWEST_FOR_INTERVAL: Final = 6
Statistic = Callable[[Floats, Floats], float]


class Correlation(NamedTuple):
    """A statistic, and its variance on the z scale under normal scores: factor / (n - less).

    That variance counts as much as `prior` systems.
    """

    statistic: Statistic
    factor: float
    less: int
    prior: int = 10


def kendall_tau_b(old: Floats, new: Floats) -> float:
    """Return Kendall's tau-b, -1 to 1; NaN where scores never differ."""
    from scipy.stats import kendalltau

    return float(kendalltau(old, new).statistic)


def spearman(old: Floats, new: Floats) -> float:
    """Return Spearman's rank correlation, -1 to 1; NaN where scores never differ."""
    from scipy.stats import rankdata

    ranks = [rankdata(scores) for scores in (old, new)]
    if any(not np.ptp(of) for of in ranks):
        return float("nan")
    return float(np.corrcoef(*ranks)[0, 1])


def weighted_tau(old: Floats, new: Floats) -> float:
    """Return the weighted tau of Vigna, -1 to 1, the mean of both orders as the weighing one."""
    from scipy.stats import weightedtau

    if not np.ptp(old) or not np.ptp(new):
        return float("nan")
    return float(weightedtau(old, new).statistic)


#: By their names in records. The variance of the weighted tau is measured, not derived
#: (tests/benchmarks/version_intervals.py).
CORRELATIONS: Final[Mapping[str, Correlation]] = {
    "kendall_tau_b": Correlation(kendall_tau_b, 0.437, 4),
    "spearman": Correlation(spearman, 1.06, 3),
    "weighted_tau": Correlation(weighted_tau, 1.0, 0, 50),
}


def interval_over_systems(
    name: str, old: Floats, new: Floats, value: float, confidence: float
) -> Interval | None:
    """Return the interval of a correlation over systems; None for fewer than six."""
    n = len(old)
    if n < FEWEST_FOR_INTERVAL:
        return None
    correlation = CORRELATIONS[name]
    without = [
        correlation.statistic(np.delete(old, place), np.delete(new, place)) for place in range(n)
    ]
    drops = np.asarray([x for x in without if np.isfinite(x)])
    jackknife = (n - 1) * float(np.mean((drops - drops.mean()) ** 2)) if len(drops) else 0.0
    share = n / (n + correlation.prior)
    variance = share * jackknife / (1 - _inside(value, n) ** 2) ** 2
    variance += (1 - share) * correlation.factor / (n - correlation.less)
    return fisher_interval(value, n, float(np.sqrt(variance)), confidence)


def fisher_interval(value: float, n: int, error: float, confidence: float) -> Interval:
    """Return the interval of a correlation of n systems with a standard error on the z scale.

    A perfect correlation counts as one that is half a pair short of it, and ends its own interval.
    """
    reach = NormalDist().inv_cdf(0.5 + confidence / 2) * error
    center = np.arctanh(_inside(value, n))
    low, high = float(np.tanh(center - reach)), float(np.tanh(center + reach))
    return min(low, value), max(high, value)


def _inside(value: float, n: int) -> float:
    """Return a correlation that is at least half a pair away from 1 and -1."""
    most = 1 - 2 / (n * (n - 1))
    return float(np.clip(value, -most, most))


def reason_without(old: Floats, new: Floats, names: tuple[str, str]) -> str | None:
    """Return why two lists of scores have no rank correlation, None where they have one."""
    if len(old) < FEWEST:
        return f"a rank correlation needs {FEWEST} systems with a score in both; there: {len(old)}"
    for name, scores in zip(names, (old, new), strict=True):
        if not np.ptp(scores):
            return f"the scores of {name} never differ"
    return None


def rounded(value: Any) -> Any:
    """Return numbers of a record with six decimals, intervals as lists."""
    if isinstance(value, tuple):
        return [rounded(end) for end in value]
    return None if value is None or not np.isfinite(value) else round(float(value), 6)
