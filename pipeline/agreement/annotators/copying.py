"""Test of copying: two annotators who agree beyond what their skill and the units explain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.annotators.finding import EVIDENCE, Finding
from pipeline.agreement.annotators.judgements import Judgements
from pipeline.agreement.annotators.norms import norm_of, share_above
from pipeline.agreement.annotators.truth_model import PRIOR_VOTES, TruthModel, softmax
from pipeline.agreement.votes.ratings import MOST_CELLS, MOST_PAIRS, Real, Whole, lags

Bools = npt.NDArray[np.bool_]
#: Two people who share fewer items are not compared, nor anybody in a smaller pool: of three, two
#: may agree because the third is wrong.
FEWEST, POOL = 25, 4
#: Pairs that share fewer tell nothing of what is usual for a pair.
_ANY: Final = 2
#: Standard deviation between pairs of agreement, before their votes are seen.
_PRIOR: Final = 0.03
#: Of the disagreement that is usual at least this share is missing, where there is any.
_MISSING, _ALIKE = 0.6, 0.98
_QUARTILE, _SURE = 0.75, 0.05
_BLOCK: Final = 2_000_000


@dataclass(frozen=True)
class _Twins:
    """Pairs of annotators with the number of items they share, (pairs,), and the units in common.

    Arrays (units in common,): the code of the pair, and the places of both judgements.
    """

    left: Whole
    right: Whole
    shared: Whole
    pair: Whole
    first: Whole
    second: Whole

    def holds(self, rater: int) -> Bools:
        """Return which pairs an annotator is in."""
        return np.asarray((self.left == rater) | (self.right == rater))


@dataclass(frozen=True)
class _Compared:
    """Each pair's agreement, the expected one, its probability, and whether it matters, (pairs,).

    `right` is how likely the label that both give is right, (units in common,); NaN where they
    differ.
    """

    twins: _Twins
    tested: Bools
    agreement: Real
    expected: Real
    p: Real
    matters: Bools
    right: Real

    def of(self, rater: int) -> Whole:
        """Return the tested pairs of an annotator: those that matter first, by probability."""
        own = np.flatnonzero(self.tested & self.twins.holds(rater))
        return own[np.lexsort((self.p[own], ~self.matters[own]))]


def copying(
    judged: Judgements, model: TruthModel, raters: int, names: tuple[str, ...]
) -> Iterator[Finding]:
    """Yield for each annotator with a colleague on `FEWEST` items the pair that agrees oddest.

    Agreement of a pair is compared with the probability that two people of their confusions agree
    on units of such labels, by the votes of all others; the excess with that of the other pairs, so
    that what makes everybody agree (the same hard items) makes nobody suspicious. Units that none
    of the reference annotators judged besides the two tell nothing of it. It matters where most of
    the disagreement that is usual for the pair, and for both with others, is missing.
    """
    twins = _twins(judged, model.weight, raters) if model.weight[:raters].sum() >= POOL else None
    if twins is None:
        return
    compared = _compare(judged, model, twins)
    for rater in range(raters):
        own = compared.of(rater)
        if not len(own):
            continue
        best, many = int(own[0]), len(own)
        odd = [best, *own[1:][compared.matters[own[1:]] & (compared.p[own[1:]] * many <= _SURE)]]
        others = [names[int(twins.left[pair] + twins.right[pair]) - rater] for pair in odd]
        share, usual = float(compared.agreement[best]), float(compared.expected[best])
        also = f" (and nearly so as {', '.join(others[1:])})" if others[1:] else ""
        yield Finding(
            rater,
            "copying",
            min(float(compared.p[best]) * many, 1.0),
            share,
            share - usual,
            bool(compared.matters[best]),
            f"Gives the same label as {others[0]} on {share:.0%} of what both judged{also}; two"
            f" people who agree with the others as they do would on {usual:.0%}.",
            _evidence(judged, compared, best),
            partner=int(twins.left[best] + twins.right[best]) - rater,
        )


def _compare(judged: Judgements, model: TruthModel, twins: _Twins) -> _Compared:
    same = judged.value[twins.first] == judged.value[twins.second]
    likely, right = _likely_agreement(judged, model, twins)
    pairs, tested = len(twins.left), twins.shared >= FEWEST
    n, agree, usual = (
        np.bincount(twins.pair, part, pairs).astype(np.float64)
        for part in (np.ones(len(same)), same, likely)
    )
    variance = np.bincount(twins.pair, likely * (1 - likely), pairs).astype(np.float64)
    sampling = (
        _inflation(judged, twins, np.where(same, 1.0, 0.0) - likely, variance) * variance / n**2
    )
    excess, share = (agree - usual) / n, agree / n
    usual_pair = (model.weight[twins.left] > 0) & (model.weight[twins.right] > 0)
    middle = norm_of(excess[usual_pair], sampling[usual_pair], prior=_PRIOR).middle
    known = usual_pair & tested
    spread = norm_of(excess[known], sampling[known], prior=_PRIOR).variance
    expected = np.clip(usual / n + middle, 0, 1)
    p = share_above(share - 0.5 / n, expected, sampling + spread)
    most = np.maximum(expected, _with_others(twins, tested, share))
    matters = (share - most >= _MISSING * (1 - most)) & (most < _ALIKE)
    return _Compared(twins, tested, share, expected, p, matters, np.where(same, right, np.nan))


def _with_others(twins: _Twins, tested: Bools, share: Real) -> Real:
    # how far either of a pair agrees with others: the upper quartile of their other pairs, (pairs,)
    out = np.zeros(len(share))
    for rater in np.unique(np.concatenate([twins.left[tested], twins.right[tested]])).tolist():
        own = np.flatnonzero(tested & twins.holds(rater))
        for pair in own.tolist():
            rest = share[own[own != pair]]
            out[pair] = max(out[pair], np.quantile(rest, _QUARTILE) if len(rest) else 0.0)
    return out


def _evidence(judged: Judgements, compared: _Compared, pair: int) -> tuple[int, ...]:
    # items on which both give the same unlikely label
    if compared.p[pair] > _SURE:
        return ()
    rows = np.flatnonzero((compared.twins.pair == pair) & ~np.isnan(compared.right))
    shown = compared.twins.first[rows[np.argsort(compared.right[rows], kind="stable")]]
    return tuple(dict.fromkeys(judged.item[judged.unit[shown]].tolist()))[:EVIDENCE]


def _twins(judged: Judgements, weight: Real, raters: int) -> _Twins | None:
    votes = np.bincount(judged.unit)
    if int((votes * (votes - 1) // 2).sum()) > MOST_PAIRS:
        return None
    places = [np.stack(part) for part in lags(judged.unit)]
    first, second = np.concatenate([np.zeros((2, 0), np.int64), *places], axis=1)
    named = (judged.rater[first] >= 0) & (judged.rater[second] >= 0)
    own = weight[judged.rater]
    others = np.bincount(judged.unit, own)[judged.unit[first]] - own[first] - own[second]
    keep = named & (others > 0)
    first, second = first[keep], second[keep]
    key = judged.rater[first] * raters + judged.rater[second]
    pairs, pair = np.unique(key, return_inverse=True)
    if not len(key):
        return None
    each = np.unique(_cases(judged, pair, first)) // _items(judged)
    shared = np.bincount(each, minlength=len(pairs))
    most = MOST_CELLS // len(judged.labels) ** 2
    chosen = np.sort(np.argsort(-shared, kind="stable")[:most])
    chosen = chosen[shared[chosen] >= _ANY]
    if not (shared[chosen] >= FEWEST).any():
        return None
    number = np.full(len(pairs), -1)
    number[chosen] = np.arange(len(chosen))
    keep = number[pair] >= 0
    left, right = np.divmod(pairs[chosen], raters)
    return _Twins(left, right, shared[chosen], number[pair[keep]], first[keep], second[keep])


def _likely_agreement(judged: Judgements, model: TruthModel, twins: _Twins) -> tuple[Real, Real]:
    """Return the probability that a pair gives one label, and that the first one's is right.

    Arrays (units in common,), by the votes of all others.

    Confusions are counted for each pair anew, on the units in common and without the colleague's
    vote: otherwise two who copy would prove each other right, and seem too skilled to differ.
    """
    pairs, labels = len(twins.left), len(model.usual)
    left, right = (np.tile(PRIOR_VOTES * model.usual, (pairs, 1, 1)) for _ in range(2))
    for counts, place, other in (
        (left, twins.first, twins.second),
        (right, twins.second, twins.first),
    ):
        for part, truth in _truth_without(judged, model, [other]):
            cell = twins.pair[part] * labels + judged.value[place[part]]
            for label in range(labels):
                sums = np.bincount(cell, truth[:, label], pairs * labels)
                counts[:, label] += sums.reshape(pairs, labels)
    left, right = (counts / counts.sum(axis=2, keepdims=True) for counts in (left, right))
    together = (left * right).sum(axis=2)
    likely, right = np.empty(len(twins.pair)), np.empty(len(twins.pair))
    for part, truth in _truth_without(judged, model, [twins.first, twins.second]):
        likely[part] = (truth * together[twins.pair[part]]).sum(axis=1)
        right[part] = truth[np.arange(len(truth)), judged.value[twins.first[part]]]
    return likely, right


def _truth_without(
    judged: Judgements, model: TruthModel, places: list[Whole]
) -> Iterator[tuple[slice, Real]]:
    # the posterior of the labels of the units in common without some judgements, in blocks
    step = max(_BLOCK // len(model.usual), 1)
    for start in range(0, len(places[0]), step):
        part = slice(start, start + step)
        odds = model.odds_of(judged.unit[places[0][part]])
        for place in (place[part] for place in places):
            rater = judged.rater[place]
            odds = odds - model.weight[rater, None] * model.own[rater, :, judged.value[place]]
        yield part, softmax(odds)


def _items(judged: Judgements) -> int:
    return int(judged.item.max()) + 1


def _cases(judged: Judgements, pair: Whole, place: Whole) -> Whole:
    # one number for each pair and item, from the pair of each unit and the place of a judgement
    return np.asarray(pair * _items(judged) + judged.item[judged.unit[place]])


def _inflation(judged: Judgements, twins: _Twins, residual: Real, variance: Real) -> float:
    # how far units of one item vary more than apart
    _, place = np.unique(_cases(judged, twins.pair, twins.first), return_inverse=True)
    sums = np.bincount(place, residual)
    return max(float((sums**2).sum() / max(variance.sum(), 1e-12)), 1.0)
