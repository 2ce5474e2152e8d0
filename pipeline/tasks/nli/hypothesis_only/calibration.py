"""How good and how honest the probabilities of a classifier are.

Expected calibration error after Guo et al., "On Calibration of Modern Neural Networks" (ICML 2017):
predictions are put into bins of equal width by the probability of the class they name; the error is
the mean difference of accuracy and confidence, weighted by the size of the bins.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pipeline.tasks.nli.hypothesis_only.classifier import Floats, Labels

BINS: Final = 10
DECIMALS: Final = 6


def calibration(log_probabilities: Floats, labels: Labels, *, bins: int = BINS) -> dict[str, Any]:
    """Return accuracy, log loss, expected calibration error and the bins that are not empty.

    A bin is ``{"low", "high", "pairs", "confidence", "accuracy"}``; its lower bound is exclusive.
    All shares are from 0 to 1, everything is rounded to 1e-6.
    """
    named = log_probabilities.argmax(axis=1)
    sure = np.clip(np.exp(log_probabilities.max(axis=1)), 0.0, 1.0)
    right = (named == labels).astype(np.float64)
    place = np.clip(np.ceil(sure * bins).astype(np.int64) - 1, 0, bins - 1)
    rows = [_bin(number, bins, sure, right, place == number) for number in np.unique(place)]
    gaps = (row["pairs"] * abs(row["accuracy"] - row["confidence"]) for row in rows)
    loss = -log_probabilities[np.arange(len(labels)), labels].mean()
    return {
        "accuracy": round(float(right.mean()), DECIMALS),
        "log_loss": round(float(loss), DECIMALS),
        "ece": round(sum(gaps) / len(labels), DECIMALS),
        "bins": rows,
    }


def _bin(number: int, bins: int, sure: Floats, right: Floats, inside: Any) -> dict[str, Any]:
    return {
        "low": round(int(number) / bins, DECIMALS),
        "high": round((int(number) + 1) / bins, DECIMALS),
        "pairs": int(inside.sum()),
        "confidence": round(float(sure[inside].mean()), DECIMALS),
        "accuracy": round(float(right[inside].mean()), DECIMALS),
    }
