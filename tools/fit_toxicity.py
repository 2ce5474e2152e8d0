"""Fits the weights of the `linear` detector: logistic regression over hashed n-grams.

Five yes-no models are fitted: gender bias, bias of another kind, hate of any strength, what is no
more than offensive, and hate. An n-gram's value in a text is its count, times a power of its
inverse document frequency, divided by the root of the number of n-grams of the text, and in each
model times a power of how much more often it stands in texts of one answer than in those of the
other (Wang and Manning 2012, "Baselines and Bigrams", https://aclanthology.org/P12-2018). Harmless
texts of other registers, with a small weight, teach what is ordinary there; of a large pool those
are taken that a first model, without them, holds most toxic, and as many others by a keyed draw.

Two further regressions, fitted on what the models say of texts that they were not trained on, mix
the five into the four logits of the detector and make them sure of themselves by as much as they
deserve (Platt 1999, "Probabilistic Outputs for Support Vector Machines"; for classes the matrix
scaling of Guo et al. 2017, "On Calibration of Modern Neural Networks"). Sums of sums: all of this
goes into one weight for each n-gram and logit, and these are rounded to one byte.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.corpus.toxicity import ngrams
from pipeline.corpus.toxicity.calibration import HATE_CLASSES, Labelled
from pipeline.corpus.toxicity.linear import OUTPUTS, Linear, probabilities
from pipeline.corpus.toxicity.ngrams import batches

Floats = np.ndarray[Any, np.dtype[np.float64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]
Answers = np.ndarray[Any, np.dtype[np.bool_]]

#: The C of the regressions that mix the models: a handful of numbers from thousands of texts.
_FREE: Final = 10.0


@dataclass(frozen=True)
class Recipe:
    """The settings of a training, chosen by cross-validation inside the training file.

    `bits`: the n-grams fall into 2**bits buckets. `min_texts`: buckets that fewer training texts
    fall into have no weight. `frequency_power`: the power that inverse document frequencies are
    raised to, since words that mark toxicity are rare ones. `ratio_power`: that of the ratio of an
    n-gram's shares. `inverse_penalty_*`: the C of the logistic regressions. `harmless_weight`: what
    a harmless text counts beside a labelled one; `harmless_weight_mild` in the two models that tell
    none and offensive apart, which it would blunt. `hard` and `drawn`: how many of a pool it takes.
    `folds`: parts of the cross-validation. `iterations` and `tolerance`: when the fitting stops.
    """

    bits: int = 20
    min_texts: int = 3
    frequency_power: float = 2.5
    ratio_power: float = 0.6
    inverse_penalty_bias: float = 1.0
    inverse_penalty_hate: float = 0.25
    harmless_weight: float = 0.2
    harmless_weight_mild: float = 0.02
    hard: int = 8000
    drawn: int = 5000
    folds: int = 5
    iterations: int = 100
    tolerance: float = 1e-5

    def record(self) -> dict[str, Any]:
        """Return the settings, and those of the features."""
        orders = {"syllables": list(ngrams.SYLLABLES), "jamo": list(ngrams.JAMO)}
        return asdict(self) | orders


class Material(NamedTuple):
    """Texts without labels: for document frequencies, and harmless ones with their pool."""

    unlabelled: pa.Array = pa.array([], pa.string())
    harmless: pa.Array = pa.array([], pa.string())
    pool: pa.Array = pa.array([], pa.string())


@dataclass(frozen=True)
class Trained:
    """A model, and what it says of texts held out from it.

    `held_out` are probabilities as those of `Linear.probabilities`, each by a model of the
    cross-validation that was not trained on the text.
    """

    model: Linear
    held_out: Floats


@dataclass(frozen=True)
class _Fitted:
    """Weights before rounding, of shape (columns, models), and the bias of each model."""

    weights: Floats
    biases: Floats

    def logits(self, matrix: Any) -> Floats:
        """Return the logits of the rows of a matrix of n-gram values."""
        logits: Floats = matrix @ self.weights + self.biases
        return logits


class _Values(NamedTuple):
    """Texts as rows of n-gram values, the labelled ones first, and how to make more of them."""

    matrix: Any
    columns: Numbers
    factors: Floats

    def of(self, counts: Any) -> Any:
        """Return the rows of other texts."""
        from scipy import sparse

        return (_by_length(counts)[:, self.columns] @ sparse.diags_array(self.factors)).tocsr()


def train(labelled: Labelled, material: Material | None = None, *, recipe: Recipe) -> Trained:
    """Train a `linear` detector; the same data and libraries give the same weights.

    Raises InputError when a label has fewer texts than the cross-validation has parts.
    """
    from scipy import sparse

    _check_labels(labelled, recipe.folds)
    material = material or Material()
    counts = _counts(labelled.texts, recipe.bits)
    frequencies = _frequencies(counts), len(labelled)
    for batch in batches(material.unlabelled):
        more = _frequencies(_batch_counts(batch, recipe.bits))
        frequencies = frequencies[0] + more, frequencies[1] + len(batch)
    harmless = material.harmless
    if len(material.pool):
        values = _value(counts, counts, frequencies, recipe)
        chosen = _choose(material.pool, values, labelled, recipe)
        harmless = pa.concat_arrays([harmless, chosen])
    everything = sparse.vstack([counts, _counts(harmless, recipe.bits)]).tocsr()
    values = _value(everything, counts, frequencies, recipe)
    logits = held_out(values.matrix, labelled, recipe)
    mixing, shifts = _mix(logits, labelled)
    fitted = _fit(values.matrix, labelled, recipe)
    weights = np.zeros((1 << recipe.bits, len(OUTPUTS)))
    weights[values.columns] = (fitted.weights * values.factors[:, None]) @ mixing
    model = _quantise(weights, fitted.biases @ mixing + shifts)
    return Trained(model, probabilities(logits @ mixing + shifts))


def _value(
    everything: Any, counts: Any, frequencies: tuple[Numbers, int], recipe: Recipe
) -> _Values:
    """Return the values of the texts of `everything`; those of `counts` have length 1 on average.

    Document frequencies leave harmless texts out: a word is rare where it is rare in comments.
    """
    columns = np.flatnonzero(_frequencies(everything) >= recipe.min_texts)
    with_gram, texts = frequencies
    inverse = np.log((1 + texts) / (1 + with_gram[columns])) + 1
    plain = _Values(None, columns, inverse**recipe.frequency_power)
    labelled = plain.of(counts)
    norm = float(np.sqrt(labelled.multiply(labelled).sum() / counts.shape[0]))
    scaled = plain._replace(factors=plain.factors / norm)
    return scaled._replace(matrix=scaled.of(everything))


def _choose(pool: pa.Array, values: _Values, labelled: Labelled, recipe: Recipe) -> pa.Array:
    """Return the texts of a pool that a model without them holds most toxic, and others."""
    fitted = _fit(values.matrix, labelled, recipe)
    counts = (_batch_counts(batch, recipe.bits) for batch in batches(pool))
    logits = np.concatenate([fitted.logits(values.of(one)) for one in counts])
    ranks = np.maximum(*(logits[:, i].argsort().argsort() for i in (0, 4)))
    order = np.argsort(-ranks, kind="stable")
    hard, rest = order[: recipe.hard], order[recipe.hard :]
    texts = pool.take(pa.array(rest)).to_pylist()
    drawn = sorted(range(len(rest)), key=lambda i: draw(1, "harmless", texts[i]))[: recipe.drawn]
    return pool.take(pa.array(np.concatenate([hard, rest[drawn]])))


def _check_labels(labelled: Labelled, folds: int) -> None:
    bias = np.bincount(labelled.gender_bias, minlength=2)
    hate = np.bincount(labelled.hate, minlength=len(HATE_CLASSES))
    least = int(min(bias.min(), hate.min()))
    if least < folds:
        raise InputError(
            f"the training data have {least} texts of a label; every value of contain_gender_bias"
            f" and of hate ({', '.join(HATE_CLASSES)}) needs at least {folds}"
        )


def _counts(texts: pa.Array, bits: int) -> Any:
    from scipy import sparse

    empty = sparse.csr_array((0, 1 << bits))
    return sparse.vstack([empty, *(_batch_counts(batch, bits) for batch in batches(texts))]).tocsr()


def _batch_counts(texts: pa.Array, bits: int) -> Any:
    """Return the sparse matrix of n-gram counts, a row a text."""
    from scipy import sparse

    rows, columns = [], []
    for stream, orders in ngrams.grams(texts, bits=bits):
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


def _answers(labelled: Labelled) -> list[Answers]:
    """Return what the five models are asked."""
    hate = labelled.hate
    return [labelled.gender_bias, labelled.other_bias, hate > 0, hate == 1, hate == 2]


def _fit(values: Any, labelled: Labelled, recipe: Recipe) -> _Fitted:
    """Fit the models; rows of `values` behind the labelled texts are harmless ones."""
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    more = values.shape[0] - len(labelled)
    strong, mild = recipe.harmless_weight, recipe.harmless_weight_mild
    penalties = [recipe.inverse_penalty_bias] * 2 + [recipe.inverse_penalty_hate] * 3
    settings = zip(_answers(labelled), penalties, [strong, strong, mild, mild, strong], strict=True)
    columns, biases = [], []
    with threadpool_limits(1):  # more threads add up in another order, to other last digits
        for answers, penalty, weight in settings:
            weights = np.concatenate([np.ones(len(labelled)), np.full(more, weight)])
            truth = np.concatenate([answers, np.zeros(more, dtype=bool)])
            if not truth.any():  # nothing to tell apart: labels of other bias may be missing
                columns.append(np.zeros(values.shape[1]))
                biases.append(0.0)
                continue
            ratios = _ratios(values, truth, weights) ** recipe.ratio_power
            ratios = ratios / np.sqrt((ratios**2).mean())
            model = LogisticRegression(C=penalty, max_iter=recipe.iterations, tol=recipe.tolerance)
            model.fit((values @ sparse.diags_array(ratios)).tocsr(), truth, sample_weight=weights)
            columns.append(model.coef_[0] * ratios)
            biases.append(float(model.intercept_[0]))
    return _Fitted(np.column_stack(columns), np.array(biases))


def _ratios(values: Any, truth: Answers, weights: Floats) -> Floats:
    """Return for every n-gram the absolute log ratio of its shares in texts of either answer."""
    present = values.astype(bool).astype(np.float64)
    shares = [
        ((weights * own) @ present + 1) / ((weights * own).sum() + 2) for own in (truth, ~truth)
    ]
    ratios: Floats = np.abs(np.log(shares[0] / shares[1]))
    return ratios


def held_out(values: Any, labelled: Labelled, recipe: Recipe) -> Floats:
    """Return the logits of every labelled text by models that were not trained on it."""
    parts = _assign_folds(labelled, recipe.folds)
    harmless = np.arange(len(labelled), values.shape[0])
    logits = np.zeros((len(labelled), len(_answers(labelled))))
    for part in range(recipe.folds):
        rest, own = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
        fitted = _fit(values[np.concatenate([rest, harmless])], _take(labelled, rest), recipe)
        logits[own] = fitted.logits(values[own])
    return logits


def _take(labelled: Labelled, rows: Numbers) -> Labelled:
    """Return the comments of these numbers, without their sources."""
    texts = labelled.texts.take(pa.array(rows))
    bias, other = labelled.gender_bias[rows], labelled.other_bias[rows]
    return Labelled(texts, bias, labelled.hate[rows], other)


def _assign_folds(labelled: Labelled, folds: int) -> Numbers:
    """Deal the texts of every pair of labels out to the parts in turn."""
    order = np.argsort(labelled.hate * 2 + labelled.gender_bias, kind="stable")
    parts = np.empty(len(labelled), dtype=np.int64)
    parts[order] = np.arange(len(labelled)) % folds
    return parts


def _mix(logits: Floats, labelled: Labelled) -> tuple[Floats, Floats]:
    """Return the matrix and the shifts that make the detector's logits of those of the models."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    bias = LogisticRegression(C=_FREE, max_iter=1000)
    hate = LogisticRegression(C=_FREE, max_iter=1000, class_weight="balanced")
    with threadpool_limits(1):
        bias.fit(logits, labelled.gender_bias)
        hate.fit(logits, labelled.hate)
    mixing = np.round(np.vstack([bias.coef_, hate.coef_]).T, 4)
    return mixing, np.round(np.concatenate([bias.intercept_, hate.intercept_]), 4)


def _quantise(weights: Floats, biases: Floats) -> Linear:
    """Round weights to a byte, each output with a scale of its own."""
    largest = np.abs(weights).max(axis=0)
    scales = np.where(largest > 0, largest, 1.0) / 127
    return Linear(np.rint(weights / scales).astype(np.int8), scales, biases)
