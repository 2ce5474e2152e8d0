"""Agreement on structured answers: ratios of sums over pairs of answers to one item, and alphas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.agreement.coefficients.alpha import krippendorff_alpha
from pipeline.agreement.coefficients.distances import jaccard, masi
from pipeline.agreement.coefficients.estimates import Estimate, no_estimate, ratio_estimates
from pipeline.agreement.coefficients.forms import FORMS, Compare, Form
from pipeline.agreement.coefficients.unitised import alpha_u, continua
from pipeline.agreement.votes.ratings import MOST_CELLS, Ratings, Real, Whole, lags, quotient

#: Beyond so many pairs, or pairs x measures of `MOST_CELLS`, structured answers are not compared.
MOST_PAIRS: Final = 1_000_000
NO_PAIR: Final = "no item has the answers of two people"


@dataclass(frozen=True)
class Pairs:
    """Every two answers to one item by different people; all arrays are parallel.

    `unit` is the item, `left` and `right` the raters (-1 anonymous), (pairs,); `agree` and `total`
    what each measure of `names` counts, (measures, pairs). `reason` says why there is no pair where
    there is none.
    """

    unit: Whole
    left: Whole
    right: Whole
    names: tuple[str, ...]
    agree: Real
    total: Real
    reason: str = NO_PAIR

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.unit)

    def only(self, keep: npt.NDArray[np.bool_], names: Sequence[str]) -> Pairs:
        """Return the pairs where `keep` is true, with the measures named."""
        rows = [self.names.index(name) for name in names]
        agree, total = self.agree[rows][:, keep], self.total[rows][:, keep]
        raters = self.left[keep], self.right[keep]
        return Pairs(self.unit[keep], *raters, tuple(names), agree, total, self.reason)

    def counts(self, name: str) -> tuple[Real, Real]:
        """Return what agrees and what it is out of, by one measure, (pairs,) each."""
        row = self.names.index(name)
        return self.agree[row], self.total[row]


def too_many_pairs(ratings: Ratings, measures: int = 1) -> str | None:
    """Return why there are too many pairs of answers to compare them, or None."""
    number = ratings.pair_count
    most = min(MOST_PAIRS, MOST_CELLS // max(measures, 1))
    if number <= most:
        return None
    return (
        f"{number} pairs of whole answers are too many to compare, at most {most} are: audit fewer"
        " answers an item, or fewer items at a time"
    )


def compare_answers(ratings: Ratings, compare: Compare, names: tuple[str, ...]) -> Pairs:
    """Compare all answers to each item; a measure that `compare` leaves out counts 0 of 0.

    Two answers are compared once, however many items they share. Where that would be too much
    (see `too_many_pairs`) there is no pair, and the reason.
    """
    reason = too_many_pairs(ratings, len(names))
    blocks = [] if reason else [np.stack(places) for places in lags(ratings.unit)]
    left, right = np.concatenate([np.zeros((2, 0), np.int64), *blocks], axis=1)
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    low, high = np.sort([ratings.value[left], ratings.value[right]], axis=0).astype(np.int64)
    size = max(len(ratings.values), 1)
    distinct, pair = np.unique(low * size + high, return_inverse=True)
    sums = np.zeros((2, len(names), len(distinct)))
    row_of = {name: row for row, name in enumerate(names)}
    for place, key in enumerate(distinct.tolist()):
        first, second = (ratings.values[code] for code in divmod(key, size))
        for name, counts in compare(first, second).items():
            sums[:, row_of[name], place] = counts
    agree, total = sums[:, :, pair]
    unit, rater = ratings.unit[left].astype(np.int64), ratings.rater.astype(np.int64)
    return Pairs(unit, rater[left], rater[right], names, agree, total, reason or NO_PAIR)


def estimates(pairs: Pairs, *, bootstrap: int, seed: int) -> dict[str, Estimate]:
    """Return, for every measure, the sum of what agrees over the sum it is out of.

    With `bootstrap` the interval holds the 2.5th to the 97.5th percentile over so many resamples of
    the items with two answers, the same ones for all measures.
    """
    unit, items = np.unique(pairs.unit, return_inverse=True)
    if not len(unit):
        return dict.fromkeys(pairs.names, no_estimate(pairs.reason))
    agree, total = (
        np.stack([np.bincount(items, weights=row) for row in part], axis=1)
        for part in (pairs.agree, pairs.total)
    )
    values = ratio_estimates(
        agree,
        total,
        np.ones(len(unit), np.int64),
        [len(unit)] * len(pairs.names),
        "there is nothing to agree on in these answers",
        bootstrap=bootstrap,
        seed=seed,
        purpose="answers",
    )
    return dict(zip(pairs.names, values, strict=True))


def agreement_matrix(pairs: Pairs, name: str, raters: int) -> tuple[Real, Whole]:
    """Return agreement and shared items of every two named raters, (raters, raters); NaN: none."""
    named = (pairs.left >= 0) & (pairs.right >= 0)
    cells = pairs.left[named] * raters + pairs.right[named]
    parts = [part[named] for part in pairs.counts(name)]
    agree, total, items = (
        np.bincount(cells, weights, raters**2).reshape(raters, raters)
        for weights in (*parts, np.ones(len(cells)))
    )
    return quotient(agree + agree.T, total + total.T), (items + items.T).astype(np.int64)


def per_unit(pairs: Pairs, name: str, units: int) -> Real:
    """Return 1 - agreement of every item, (units,); NaN without two answers."""
    agree, total = (np.bincount(pairs.unit, part, units) for part in pairs.counts(name))
    paired = np.bincount(pairs.unit, minlength=units) > 0
    share = np.divide(agree, total, out=np.ones(units), where=total > 0)
    return np.where(paired, 1 - share, np.nan)


def per_rater(pairs: Pairs, name: str, raters: int) -> tuple[Real, Whole]:
    """Return each rater's agreement with the others and the items shared, (raters,)."""
    side = np.concatenate([pairs.left, pairs.right])
    named = side >= 0
    agree, total = (
        np.bincount(side[named], np.tile(part, 2)[named], raters) for part in pairs.counts(name)
    )
    shared = np.unique(np.stack([side, np.tile(pairs.unit, 2)])[:, named], axis=1)
    return quotient(agree, total), np.bincount(shared[0], minlength=raters).astype(np.int64)


@dataclass(frozen=True)
class Agreement:
    """Agreement on structured answers, micro over pairs of people.

    `overall` holds the measures by name, `per_label` the F1 of each label, `counts` how often the
    labels occur in all answers. `alphas` are Krippendorff's, by coefficient: unitised for spans,
    with distances of sets for sets of labels, none for trees and states. `label_alphas` are those
    of each label; in sets of labels a label is given or not.
    """

    form: Form
    overall: dict[str, Estimate]
    per_label: dict[str, Estimate]
    counts: dict[str, int]
    pairs: Pairs
    alphas: dict[str, Estimate]
    label_alphas: dict[str, Estimate]

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        labels = {
            label: {self.form.unit: self.counts[label], "f1": value.record()}
            for label, value in self.per_label.items()
        }
        record: dict[str, Any] = {name: value.record() for name, value in self.overall.items()}
        for name, value in self.alphas.items():
            record[name.removeprefix("krippendorff_")] = value.record()
        for label, value in self.label_alphas.items():
            labels[label]["alpha_u" if "alpha_u" in record else "alpha"] = value.record()
        return record | {f"per_{self.form.prefix}": labels, "pairs": len(self.pairs)}


def structured_agreement(
    kind: str,
    ratings: Ratings,
    *,
    lengths: Mapping[str, int] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Agreement:
    """Compare the spans, trees, states or labels that people gave to the same items.

    `ratings.values` are views of the kind (see `Kind` in contracts/task.py). Nobody has to be the
    gold: what agrees is summed over pairs of people. `lengths` is how many code points the text of
    each item has (else the last span ends the continuum of unitised alpha).
    """
    form = FORMS[kind]
    counts = Counter(
        label for code in ratings.value.tolist() for label in form.labels(ratings.values[code])
    )
    labels = {f"{form.prefix}.{label}": label for label in sorted(counts)}
    pairs = compare_answers(ratings, form.compare, (*form.measures.values(), *labels))
    values = estimates(pairs, bootstrap=bootstrap, seed=seed)
    alphas: dict[str, Estimate] = {}
    label_alphas: dict[str, Estimate] = {}
    if kind == "spans":
        overall = no_estimate(pairs.reason)
        label_alphas = dict.fromkeys(counts, overall)
        if too_many_pairs(ratings, len(pairs.names)) is None:
            overall, label_alphas = alpha_u(continua(ratings, lengths or {}))
        alphas["krippendorff_alpha_u"] = overall
    elif kind == "labels":
        alphas = set_alphas(ratings, bootstrap=bootstrap, seed=seed)
        for label in sorted(counts):
            has_label = np.array([label in value for value in ratings.values], np.int32)
            votes = replace(ratings, value=has_label[ratings.value], values=(False, True))
            label_alphas[label] = krippendorff_alpha(votes, bootstrap=bootstrap, seed=seed)
    return Agreement(
        form,
        {name: values[name] for name in form.measures.values()},
        {label: values[name] for name, label in labels.items()},
        dict(sorted(counts.items())),
        pairs,
        alphas,
        label_alphas,
    )


def set_alphas(ratings: Ratings, *, bootstrap: int, seed: int) -> dict[str, Estimate]:
    """Return Krippendorff's alpha of sets of labels, with MASI and with Jaccard distance."""
    return {
        f"krippendorff_alpha_{name}": krippendorff_alpha(
            ratings, distance=distance, bootstrap=bootstrap, seed=seed
        )
        for name, distance in (("masi", masi), ("jaccard", jaccard))
    }
