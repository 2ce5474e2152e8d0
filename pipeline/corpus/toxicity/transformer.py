"""The `transformers` detector: two sequence classifiers, such as the two models of the paper.

The score is the probability of the class that says so; which one that is, the checkpoint's own
`id2label` tells. Texts are taken in batches of similar length, on the GPU when there is one.

The models run in double precision, on one thread where there is no GPU. In single precision a text
among others differs from the same text alone by up to 1e-5 (sums are added in another order), which
shows at 1e-6. In double precision it differs by some 1e-14: batches, threads and kinds of processor
do not show, but for one text in some ten million that lies that near to where rounding turns.

Source: Section 2.3, footnotes 15 and 16 of the KLUE paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.core.checkpoint import digest_of, inference, load_model
from pipeline.core.errors import InputError
from pipeline.corpus.toxicity.detector import as_table
from pipeline.corpus.toxicity.pairs import pair_of

#: Labels, in lower case, of the class that is asked for; a checkpoint has exactly one of them.
WANTED: Final[dict[str, tuple[str, ...]]] = {
    "gender_bias": ("true", "gender", "gender_bias"),
    "hate": ("hate",),
}
#: Texts of a batch, and the most tokens of a text; what is longer is cut off.
BATCH: Final = 64
MAX_TOKENS: Final = 256

Scores = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Classifier:
    """A loaded checkpoint, and the number of the class whose probability is the score."""

    model: Any
    tokenizer: Any
    wanted: int

    def score(self, texts: list[str]) -> Scores:
        """Return the probability of the wanted class for every text, in order."""
        found = np.zeros(len(texts))
        # Batches of similar length waste no work on padding.
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
        with inference():
            for begin in range(0, len(order), BATCH):
                rows = order[begin : begin + BATCH]
                tokens = self.tokenizer(
                    [texts[i] for i in rows],
                    padding=True,
                    truncation=True,
                    max_length=self.max_tokens,
                    return_tensors="pt",
                ).to(self.model.device)
                shares = self.model(**tokens).logits.softmax(dim=-1)
                found[rows] = shares[:, self.wanted].cpu().numpy()
        return found

    @property
    def max_tokens(self) -> int:
        """The most tokens that are read of a text."""
        allowed = getattr(self.model.config, "max_position_embeddings", MAX_TOKENS)
        return min(MAX_TOKENS, int(allowed))


@dataclass(frozen=True, eq=False)
class Transformer:
    """The two classifiers behind one detector."""

    gender_bias: Classifier
    hate: Classifier
    name: str
    digest: str

    def score(self, texts: pa.Array) -> pa.Table:
        """Score texts; see `Detector.score`."""
        given = [text or "" for text in texts.to_pylist()]
        return as_table(self.gender_bias.score(given), self.hate.score(given))


def load_transformer(models: str, *, name: str) -> Transformer:
    """Load the two checkpoints of ``BIAS_MODEL,HATE_MODEL`` or of a pair in PAIRS.

    A name that is no folder is looked up in the local cache of the model hub. Raises InputError
    when a checkpoint is missing, damaged or without the needed label, MissingDependencyError when
    a library is not installed.
    """
    pair = pair_of(models)
    bias, hate = (_load(model, score) for model, score in zip(pair, WANTED, strict=True))
    return Transformer(bias, hate, name, digest_of(*pair))


def _load(name: str, score: str) -> Classifier:
    tokenizer, model = load_model(
        name, head="SequenceClassification", purpose="sequence classification"
    )
    return Classifier(model, tokenizer, _wanted(name, model.config.id2label, score))


def _wanted(name: str, labels: dict[int, str], score: str) -> int:
    """Return the number of the class whose label is the one asked for."""
    found = [number for number, label in labels.items() if str(label).lower() in WANTED[score]]
    if len(found) != 1:
        given = ", ".join(str(label) for label in labels.values())
        raise InputError(
            f"{name}: no label tells {score}: id2label of its config has {given}; needed: one of"
            f" {', '.join(WANTED[score])}"
        )
    return int(found[0])
