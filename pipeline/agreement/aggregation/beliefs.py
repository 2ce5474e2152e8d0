"""What the votes on an item make likely: a soft label, and how sure its gold label is.

The soft label is what the votes say, for learning with disagreement (Uma et al. 2021, Learning from
Disagreement: A Survey): the share of votes for each label; of several labels the share that names
each; of scores their mean, population standard deviation and number. Where the rule is a model of
annotators, its probabilities take the place of the shares.

`confidence` is the probability that the gold label is the true one: by the rule's model, or, where
the rule counts, by the model in which all annotators err alike (pooled_model.py). Several labels
are taken for independent. Scores have a standard error instead (score_errors.py). Labels that
experts decided have neither.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.agreement.aggregation.crowd_models import Probabilities, model_probabilities
from pipeline.agreement.aggregation.outcome import Outcome
from pipeline.agreement.aggregation.pooled_model import fit_pooled
from pipeline.agreement.aggregation.score_errors import shrunk_variances, standard_errors
from pipeline.agreement.aggregation.tally import Pool, Tally, value_of
from pipeline.contracts.aggregation_rules import CrowdModel, Inspected
from pipeline.core.jsontext import parsed

Real = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Belief:
    """What the votes on one item make likely; nothing where it has none.

    `probabilities` are those of labels, `standard_error` is that of the mean of scores.
    """

    soft_label: Mapping[str, float] | None = None
    probabilities: Probabilities | None = None
    standard_error: float | None = None


def beliefs(pool: Pool) -> list[Belief]:
    """Return what the votes make likely of every item; raises as `model_probabilities` does."""
    if isinstance(pool.spec.aggregation, Inspected):
        return [Belief()] * len(pool.counted.names.items)
    if isinstance(pool.spec.aggregation, CrowdModel):
        zeros = dict.fromkeys(label_names(pool), 0.0)
        rows = [{**zeros, **row} if row else None for row in model_probabilities(pool)]
        return [Belief(row, row) for row in rows]
    if pool.task.kind == "number":
        return _of_scores(pool)
    names = label_names(pool)
    if not names:
        return [Belief()] * len(pool.tallies)
    counts = label_counts(pool, names)
    known: dict[int, Belief] = {}
    posterior = _posterior(pool, counts)
    for tally, votes, probabilities in zip(pool.tallies, counts, posterior, strict=True):
        if id(tally) not in known:
            shares = dict(zip(names, (votes / max(tally.votes, 1)).tolist(), strict=True))
            row = dict(zip(names, map(float, probabilities), strict=True))
            known[id(tally)] = Belief(shares, row) if tally.votes else Belief()
    return [known[id(tally)] for tally in pool.tallies]


def label_names(pool: Pool) -> tuple[str, ...]:
    """Return the labels of the spec, in its order, and behind them others that votes name."""
    ids, values = pool.spec.ids(), pool.coded[1]
    used = set(values) if pool.task.kind == "category" else set[str]().union(*values)
    return (*ids, *sorted(used - set(ids)))


def label_counts(pool: Pool, names: Sequence[str]) -> Real:
    """Return how many votes on every item name each label, (items, labels)."""
    place = {name: i for i, name in enumerate(names)}
    counts = np.zeros((len(pool.tallies), len(names)))

    def row(tally: Tally) -> Real:
        cells = np.zeros(len(names))
        pairs = tally.counts if pool.task.kind == "category" else tally.by_label.items()
        for label, n in pairs:
            cells[place[label]] = n
        return cells

    for item, cells in enumerate(pool.each(row)):
        counts[item] = cells
    return counts


def binary_counts(pool: Pool, counts: Real) -> list[Real]:
    """Return for each of several labels how many votes do not name it and name it, (items, 2)."""
    votes = np.array([tally.votes for tally in pool.tallies], np.float64)
    return [np.stack([votes - column, column], axis=1) for column in counts.T]


def _posterior(pool: Pool, counts: Real) -> Real:
    """Return the probability of each label of every item by the pooled model, (items, labels)."""
    if pool.task.kind == "category":
        return fit_pooled(counts).posterior(counts)
    columns = [fit_pooled(c).posterior(c)[:, 1] for c in binary_counts(pool, counts)]
    return np.stack(columns, axis=1) if columns else counts


def score_moments(pool: Pool) -> tuple[Real, Real]:
    """Return the number of scores of every item, and their variance drawn towards that of all."""
    rows = np.array(pool.each(_moments) or [(0.0, 0.0)])[: len(pool.tallies)]
    return rows[:, 0], shrunk_variances(rows[:, 0], rows[:, 1])


def _moments(tally: Tally) -> tuple[float, float]:
    n, variance = tally.votes, float(tally.moments[1])
    return float(n), variance * n / (n - 1) if n > 1 else 0.0


def _of_scores(pool: Pool) -> list[Belief]:
    votes, variances = score_moments(pool)
    errors = standard_errors(votes, variances).tolist()
    soft = pool.each(_soft_score)
    return [
        Belief(label, None, None if np.isnan(error) else round(error, 6))
        for label, error in zip(soft, errors, strict=True)
    ]


def _soft_score(tally: Tally) -> dict[str, float] | None:
    if not tally.votes:
        return None
    mean, variance = map(float, tally.moments)
    return {"mean": mean, "standard_deviation": variance**0.5, "n": tally.votes}


def confidences(
    outcomes: Sequence[Outcome], found: Sequence[Belief], pool: Pool
) -> list[float | None]:
    """Return the confidence of every item whose label its votes decided; None for the others."""
    rule = f"gold.{pool.spec.aggregation.rule}@1"
    known: dict[tuple[int, str], float] = {}
    result: list[float | None] = []
    for outcome, belief in zip(outcomes, found, strict=True):
        if outcome.label is None or outcome.rule != rule or belief.probabilities is None:
            result.append(None)
            continue
        key = id(belief), outcome.label
        if key not in known:
            value = value_of(parsed(outcome.label), pool.task)
            known[key] = round(_probability(value, belief.probabilities), 6)
        result.append(known[key])
    return result


def _probability(value: Any, probabilities: Probabilities) -> float:
    """Return the probability of a label, or of just these of several labels."""
    if not isinstance(value, frozenset):
        return probabilities.get(value, 0.0)
    return math.prod(p if label in value else 1 - p for label, p in probabilities.items())
