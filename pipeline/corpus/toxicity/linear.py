"""The `linear` detector: one sum of small whole numbers a text, turned into probabilities.

Every n-gram has four weights of one byte: one for gender bias, one for each class of hate. They are
added as integers, so that the sum is exact in whatever order it is made, and then

    logit = scale * sum / sqrt(number of n-grams) + bias

gender_bias is the logistic function of the first logit; hate is the share of `hate` in the softmax
of the other three.

A text longer than WINDOW is scored window by window, and has the highest score of each kind: a long
text is not more toxic for its length, nor is an insult diluted by what surrounds it. A window is a
sentence or line, or of a longer one what ends at a blank.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_file
from pipeline.core.resources import DATA
from pipeline.corpus.toxicity.ngrams import batches, grams, windows
from pipeline.corpus.toxicity.scoring import as_table

#: The weights that come with the project.
SHIPPED: Final = DATA / "models" / "toxicity-linear"
WEIGHTS: Final = "weights.safetensors"
#: Columns of the weights.
OUTPUTS: Final = ("gender_bias", "none", "offensive", "hate")
#: Raised when the meaning of the file changes, and with it every weight.
FORMAT: Final = "klue-toxicity-linear@2"

Logits = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Linear:
    """Fitted weights: int8 of shape (2**bits, 4), and the scale and bias of each output."""

    weights: np.ndarray[Any, np.dtype[np.int8]]
    scales: Logits
    biases: Logits
    name: str = "linear"
    digest: str = ""

    def __post_init__(self) -> None:
        # Four numbers of 16 bits side by side are one of 64: one look-up finds all of a bucket.
        lanes = np.ascontiguousarray(self.weights, dtype=np.int16).view(np.int64).reshape(-1)
        object.__setattr__(self, "_lanes", lanes)

    @property
    def bits(self) -> int:
        """The number of bits of a bucket."""
        return len(self.weights).bit_length() - 1

    def score(self, texts: pa.Array) -> pa.Table:
        """Score texts; see `Detector.score`."""
        shares = self.probabilities(texts)
        return as_table(shares[:, 0], shares[:, 3])

    def probabilities(self, texts: pa.Array) -> Logits:
        """Return for every text P(gender bias) and the shares of none, offensive and hate."""
        pieces, starts = windows(texts)
        parts = [self._logits(batch) for batch in batches(pieces)]
        shares = probabilities(np.concatenate([np.empty((0, len(OUTPUTS))), *parts]))
        if len(pieces) == len(texts):
            return shares
        # The window with the most hate has the last word on it, that with the most bias on bias.
        owner = np.repeat(np.arange(len(texts)), np.diff(starts, append=len(pieces)))
        worst = shares[np.lexsort((shares[:, 3], owner))[np.append(starts[1:], len(pieces)) - 1]]
        worst[:, 0] = np.maximum.reduceat(shares[:, 0], starts)
        return np.asarray(worst, np.float64)

    def _logits(self, texts: pa.Array) -> Logits:
        sums = np.zeros((len(texts), len(OUTPUTS)), dtype=np.int64)
        counts = np.zeros(len(texts), dtype=np.int64)
        for stream, orders in grams(texts, bits=self.bits):
            # At every position the weights of all orders that begin there; they fit 16 bits.
            at = np.zeros((len(stream.codes), len(OUTPUTS)), dtype=np.int16)
            covered = np.zeros(len(stream.codes), dtype=np.int16)
            for buckets, valid in orders:
                lanes = self._lanes[buckets] * valid  # type: ignore[attr-defined]
                at[: len(buckets)] += lanes.view(np.int16).reshape(-1, len(OUTPUTS))
                covered[: len(buckets)] += valid
            # Every text has at least its blank, so no piece is empty.
            sums += np.add.reduceat(at, stream.starts[:-1], axis=0, dtype=np.int64)
            counts += np.add.reduceat(covered, stream.starts[:-1], axis=0, dtype=np.int64)
        return self.scales * (sums / np.sqrt(counts)[:, None]) + self.biases


def probabilities(logits: Logits) -> Logits:
    """Return P(gender bias) and the shares of none, offensive and hate for rows of logits."""
    shares = np.exp(logits[:, 1:] - logits[:, 1:].max(axis=1, keepdims=True))
    # The larger of the logit and 0 is taken out first, so that no power overflows.
    top = np.maximum(logits[:, :1], 0)
    bias = np.exp(logits[:, :1] - top) / (np.exp(logits[:, :1] - top) + np.exp(-top))
    features: Logits = np.hstack([bias, shares / shares.sum(axis=1, keepdims=True)])
    return features


def load_linear(folder: str | Path = "", *, name: str = "linear") -> Linear:
    """Read the weights of a folder, by default the shipped ones.

    Raises InputError that says what is wrong with which file, and what to do.
    """
    path = Path(folder or SHIPPED) / WEIGHTS
    facts, tensors = read_weights(path)
    _check(path, facts, tensors)
    return Linear(**tensors, name=name, digest=of_file(path))


def read_weights(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the facts of the making that a file of weights holds, and its arrays, unchecked."""
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise InputError(
            f"{path}: no such file; give the folder that `tools/train_toxicity.py` wrote, or"
            " `linear` for the shipped weights"
        )
    try:
        with safe_open(path, framework="numpy") as stored:
            facts = json.loads((stored.metadata() or {}).get("klue", "{}"))
            tensors = {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise _damage_error(path, f"cannot be read ({type(error).__name__})") from None
    return facts, tensors


def _check(path: Path, facts: dict[str, Any], tensors: dict[str, Any]) -> None:
    if facts.get("format") != FORMAT:
        raise _damage_error(path, f"is of format {facts.get('format')!r}, needed: {FORMAT!r}")
    if tensors.keys() != {"weights", "scales", "biases"}:
        raise _damage_error(path, f"holds {sorted(tensors)}, needed: biases, scales, weights")
    n = len(OUTPUTS)
    rows = 2 ** max(1, (tensors["weights"].size // n).bit_length() - 1)
    wanted = {
        "weights": (np.int8, (rows, n), f"int8 (a power of 2, {n})"),
        "scales": (np.float64, (n,), f"float64 ({n},)"),
        "biases": (np.float64, (n,), f"float64 ({n},)"),
    }
    for key, (kind, shape, needed) in wanted.items():
        values = tensors[key]
        if values.dtype != kind or values.shape != shape:
            raise _damage_error(path, f"{key} are {values.dtype} {values.shape}, needed: {needed}")
        if not np.isfinite(values).all():
            raise _damage_error(path, f"{key} are not all finite numbers")
    if facts.get("content") != content_digest(tensors):
        raise _damage_error(path, "the numbers are not those that were written: a digest differs")


def content_digest(tensors: dict[str, Any]) -> str:
    """Return the SHA-256 of the numbers themselves, so that a flipped bit is seen."""
    content = sha256()
    for key in sorted(tensors):
        content.update(np.ascontiguousarray(tensors[key]).tobytes())
    return content.hexdigest()


def _damage_error(path: Path, problem: str) -> InputError:
    return InputError(
        f"{path}: {problem}; restore the file, or train again with `tools/train_toxicity.py`"
    )
