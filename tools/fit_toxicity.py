"""Fits the weights of the `linear` detector: logistic regression over hashed n-grams.

Two models are fitted: one for gender bias, and one for the three classes of hate, these weighted so
that each counts the same. An n-gram's value in a text is its count, times a power of its inverse
document frequency, divided by the root of the number of n-grams of the text. How sure the models
may be of themselves is fitted on texts that they were not trained on: a slope and a shift for each
logit (Platt 1999, "Probabilistic Outputs for Support Vector Machines"; for classes, the vector
scaling of Guo et al. 2017, "On Calibration of Modern Neural Networks", with one slope). Then all of
this goes into the weights, and these are rounded to one byte.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.core.errors import InputError
from pipeline.corpus.toxicity import linear
from pipeline.corpus.toxicity.calibration import HATE_CLASSES, Labelled
from pipeline.corpus.toxicity.linear import OUTPUTS, Linear, batches, probabilities

Floats = np.ndarray[Any, np.dtype[np.float64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Recipe:
    """The settings of a training, chosen by cross-validation inside the training file.

    `bits`: the n-grams fall into 2**bits buckets. `min_texts`: buckets that fewer training texts
    fall into have no weight. `frequency_power`: the power that inverse document frequencies are
    raised to, since words that mark toxicity are rare ones. `inverse_penalty_*`: the C of the
    logistic regressions. `folds`: parts of the cross-validation that fits slopes and shifts.
    `iterations` and `tolerance`: when the fitting stops.
    """

    bits: int = 20
    min_texts: int = 3
    frequency_power: float = 2.5
    inverse_penalty_bias: float = 2.0
    inverse_penalty_hate: float = 0.4
    folds: int = 5
    iterations: int = 300
    tolerance: float = 1e-5

    def record(self) -> dict[str, Any]:
        """Return the settings, and those of the features."""
        orders = {"syllables": list(linear.SYLLABLES), "jamo": list(linear.JAMO)}
        return asdict(self) | orders


@dataclass(frozen=True)
class Trained:
    """A model, the slopes and shifts of its logits, and what it says of texts held out from it.

    `held_out` are probabilities as those of `Linear.probabilities`, each by a model of the
    cross-validation that was not trained on the text.
    """

    model: Linear
    slopes: Floats
    shifts: Floats
    held_out: Floats


@dataclass(frozen=True)
class _Fitted:
    """Weights before rounding, of shape (columns, outputs), and the bias of each output."""

    weights: Floats
    biases: Floats

    def logits(self, matrix: Any) -> Floats:
        """Return the logits of the rows of a matrix of n-gram values."""
        logits: Floats = matrix @ self.weights + self.biases
        return logits


def train(labelled: Labelled, unlabelled: pa.Array | None = None, *, recipe: Recipe) -> Trained:
    """Train a `linear` detector; the same data and libraries give the same weights.

    `unlabelled` texts, if any, add to the document frequencies. Raises InputError when a label has
    fewer texts than the cross-validation has parts.
    """
    from scipy import sparse

    _check_labels(labelled, recipe.folds)
    counts = sparse.vstack(
        [_batch_counts(batch, recipe.bits) for batch in batches(labelled.texts)]
    ).tocsr()
    columns = np.flatnonzero(_frequencies(counts) >= recipe.min_texts)
    factors = _inverse_frequencies(counts, unlabelled, recipe.bits)[columns]
    factors = factors**recipe.frequency_power
    values = (_by_length(counts)[:, columns] @ sparse.diags_array(factors)).tocsr()
    norm = float(np.sqrt(values.multiply(values).sum() / len(labelled)))
    values = values / norm
    logits = held_out(values, labelled, recipe)
    slopes, shifts = _calibration(logits, labelled)
    fitted = _fit(values, labelled, recipe)
    weights = np.zeros((1 << recipe.bits, len(OUTPUTS)))
    weights[columns] = fitted.weights * (factors / norm)[:, None] * slopes
    model = _quantise(weights, fitted.biases * slopes + shifts)
    return Trained(model, slopes, shifts, probabilities(logits * slopes + shifts))


def _check_labels(labelled: Labelled, folds: int) -> None:
    bias = np.bincount(labelled.gender_bias, minlength=2)
    hate = np.bincount(labelled.hate, minlength=len(HATE_CLASSES))
    least = int(min(bias.min(), hate.min()))
    if least < folds:
        raise InputError(
            f"the training data have {least} texts of a label; every value of contain_gender_bias"
            f" and of hate ({', '.join(HATE_CLASSES)}) needs at least {folds}"
        )


def _batch_counts(texts: pa.Array, bits: int) -> Any:
    """Return the sparse matrix of n-gram counts, a row a text."""
    from scipy import sparse

    rows, columns = [], []
    for stream, orders in linear.grams(texts, bits=bits):
        row = np.repeat(np.arange(len(texts)), np.diff(stream.starts))
        for buckets, valid in orders:
            rows.append(row[: len(buckets)][valid])
            columns.append(buckets[valid])
    at = np.concatenate(rows), np.concatenate(columns)
    return sparse.coo_array((np.ones(len(at[0])), at), shape=(len(texts), 1 << bits)).tocsr()


def _by_length(counts: Any) -> Any:
    """Divide every row by the root of its total, as the detector does."""
    from scipy import sparse

    totals = np.asarray(counts.sum(axis=1)).ravel()
    return (sparse.diags_array(1 / np.sqrt(totals)) @ counts).tocsc()


def _frequencies(counts: Any) -> Numbers:
    frequencies: Numbers = np.bincount(counts.indices, minlength=counts.shape[1])
    return frequencies


def _inverse_frequencies(counts: Any, unlabelled: pa.Array | None, bits: int) -> Floats:
    """Return log((1 + texts) / (1 + texts with the n-gram)) + 1 for every bucket."""
    frequencies, total = _frequencies(counts), counts.shape[0]
    for batch in batches(unlabelled) if unlabelled is not None else ():
        frequencies = frequencies + _frequencies(_batch_counts(batch, bits))
        total += len(batch)
    inverse: Floats = np.log((1 + total) / (1 + frequencies)) + 1
    return inverse


def _fit(values: Any, labelled: Labelled, recipe: Recipe) -> _Fitted:
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    bias = _regression(recipe, recipe.inverse_penalty_bias, balanced=False)
    hate = _regression(recipe, recipe.inverse_penalty_hate, balanced=True)
    with threadpool_limits(1):  # more threads add up in another order, to other last digits
        bias.fit(values, labelled.gender_bias)
        hate.fit(values, labelled.hate)
    weights = np.vstack([bias.coef_, hate.coef_]).T
    return _Fitted(weights, np.concatenate([bias.intercept_, hate.intercept_]))


def _regression(recipe: Recipe, inverse_penalty: float, *, balanced: bool) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(
        C=inverse_penalty,
        class_weight="balanced" if balanced else None,
        max_iter=recipe.iterations,
        tol=recipe.tolerance,
    )


def held_out(values: Any, labelled: Labelled, recipe: Recipe) -> Floats:
    """Return the logits of every text by a model that was not trained on it."""
    logits = np.zeros((len(labelled), len(OUTPUTS)))
    parts = _assign_folds(labelled, recipe.folds)
    for part in range(recipe.folds):
        rest, own = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
        fitted = _fit(values[rest], _take(labelled, rest), recipe)
        logits[own] = fitted.logits(values[own])
    return logits


def _take(labelled: Labelled, rows: Numbers) -> Labelled:
    """Return the comments of these numbers, without their sources."""
    texts = labelled.texts.take(pa.array(rows))
    return Labelled(texts, labelled.gender_bias[rows], labelled.hate[rows])


def _assign_folds(labelled: Labelled, folds: int) -> Numbers:
    """Deal the texts of every pair of labels out to the parts in turn."""
    order = np.argsort(labelled.hate * 2 + labelled.gender_bias, kind="stable")
    parts = np.empty(len(labelled), dtype=np.int64)
    parts[order] = np.arange(len(labelled)) % folds
    return parts


def _calibration(logits: Floats, labelled: Labelled) -> tuple[Floats, Floats]:
    """Return slopes and shifts of the four logits, such that held-out labels are likely."""
    two = np.column_stack([np.zeros(len(labelled)), logits[:, 0]])
    slope, shifts = _most_likely(two, labelled.gender_bias.astype(np.int64), np.ones(len(labelled)))
    sizes = np.bincount(labelled.hate)
    slope_hate, shifts_hate = _most_likely(logits[:, 1:], labelled.hate, 1 / sizes[labelled.hate])
    slopes = np.array([slope, slope_hate, slope_hate, slope_hate])
    return slopes, np.concatenate([[shifts[1] - shifts[0]], shifts_hate])


def _most_likely(logits: Floats, labels: Numbers, weights: Floats) -> tuple[float, Floats]:
    """Return the slope and the shifts, of mean 0, with the smallest weighted log loss."""
    from scipy.optimize import minimize

    own, total = np.eye(logits.shape[1])[labels], weights.sum()

    def loss(parameters: Floats) -> tuple[float, Floats]:
        warm = logits * parameters[0] + parameters[1:]
        norm = np.logaddexp.reduce(warm, axis=1, keepdims=True)
        error = (np.exp(warm - norm) - own) * (weights / total)[:, None]
        value = float(weights @ (norm[:, 0] - (warm * own).sum(axis=1)) / total)
        return value, np.concatenate([[(error * logits).sum()], error.sum(axis=0)])

    start = np.concatenate([[1.0], np.zeros(logits.shape[1])])
    best = np.round(minimize(loss, start, jac=True, method="L-BFGS-B").x, 4)
    return float(best[0]), best[1:] - best[1:].mean()


def _quantise(weights: Floats, biases: Floats) -> Linear:
    """Round weights to a byte, each output with a scale of its own."""
    largest = np.abs(weights).max(axis=0)
    scales = np.where(largest > 0, largest, 1.0) / 127
    return Linear(np.rint(weights / scales).astype(np.int8), scales, biases)
