"""How well a hypothesis-only classifier is calibrated, and which words go with each label.

Expected calibration error after Guo et al., "On Calibration of Modern Neural Networks" (ICML 2017):
predictions are put into bins of equal width by the probability of the predicted class; the error is
the mean difference of accuracy and confidence, weighted by the size of the bins.

Pointwise mutual information, PMI(w, c) = log(p(w, c) / (p(w) p(c))), as in Section 3.3.1 and
Gururangan et al., "Annotation Artifacts in Natural Language Inference Data" (NAACL 2018), who add
100 to every count so that rare words do not lead. A word is a morpheme with its tag, counted once a
hypothesis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.report.quality.artefacts_words import pmi
from pipeline.tasks.nli.hypothesis_only import DECIMALS
from pipeline.tasks.nli.linear import Floats, Labels, words_of

Row = dict[str, Any]


def calibration(log_probabilities: Floats, labels: Labels, *, bins: int = 10) -> Row:
    """Return accuracy, log loss, expected calibration error and the bins that are not empty.

    A bin is ``{"low", "high", "pairs", "confidence", "accuracy"}``; its lower bound is exclusive.
    All shares are from 0 to 1, everything is rounded to 1e-6.
    """
    predicted = log_probabilities.argmax(axis=1)
    confidence = np.clip(np.exp(log_probabilities.max(axis=1)), 0.0, 1.0)
    correct = (predicted == labels).astype(np.float64)
    bin_of = np.clip(np.ceil(confidence * bins).astype(np.int64) - 1, 0, bins - 1)
    rows = [
        {
            "low": round(number / bins, DECIMALS),
            "high": round((number + 1) / bins, DECIMALS),
            "pairs": int((bin_of == number).sum()),
            "confidence": round(float(confidence[bin_of == number].mean()), DECIMALS),
            "accuracy": round(float(correct[bin_of == number].mean()), DECIMALS),
        }
        for number in np.unique(bin_of).tolist()
    ]
    gaps = (row["pairs"] * abs(row["accuracy"] - row["confidence"]) for row in rows)
    loss = -log_probabilities[np.arange(len(labels)), labels].mean()
    return {
        "accuracy": round(float(correct.mean()), DECIMALS),
        "log_loss": round(float(loss), DECIMALS),
        "ece": round(sum(gaps) / len(labels), DECIMALS),
        "bins": rows,
    }


def words_by_label(
    texts: Sequence[str],
    labels: Labels,
    classes: Sequence[str],
    *,
    top: int = 10,
    smoothing: float = 100,
) -> dict[str, list[Row]]:
    """Return for each class its `top` words by PMI, in natural logarithms, ties by word.

    This is for `klue hypothesis-only`: words are those of the classifier (`words_of`). The report
    leaves more words out and smooths less (`association` of report/quality/artefacts_words.py).

    A row is ``{"word", "pmi", "hypotheses", "share"}``: the number of hypotheses of the class with
    the word, and their share. `pmi` and `share` are rounded to 1e-6. Words of fewer than five
    hypotheses are left out.
    """
    pairs: dict[str, list[int]] = {}
    for text, label in zip(texts, labels.tolist(), strict=True):
        for word in set(words_of(text)):
            pairs.setdefault(word, [0] * len(classes))[label] += 1
    sizes = Counter(labels.tolist())
    top_words: dict[str, list[Row]] = {}
    for number, name in enumerate(classes):
        scores = pmi(pairs, number, smoothing, labels=len(classes)) if sizes[number] else {}
        top_words[name] = [
            {
                "word": word,
                "pmi": scores[word],
                "hypotheses": pairs[word][number],
                "share": round(pairs[word][number] / sizes[number], DECIMALS),
            }
            for word in sorted(scores, key=lambda word: (-scores[word], word))[:top]
        ]
    return top_words
