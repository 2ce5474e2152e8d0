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

from pipeline.core import checkpoint
from pipeline.core.checkpoint import inference, load_model, most_tokens
from pipeline.core.errors import InputError
from pipeline.corpus.toxicity.scoring import as_table

#: Labels, in lower case, of the class that is asked for; a checkpoint has exactly one of them.
WANTED: Final[dict[str, tuple[str, ...]]] = {
    "gender_bias": ("true", "gender", "gender_bias"),
    "hate": ("hate",),
}
#: Texts of a batch, and the most tokens of a text; what is longer is cut off.
BATCH: Final = 64
MAX_TOKENS: Final = 256

Scores = np.ndarray[Any, np.dtype[np.float64]]


#: Pairs of models that have a name of their own: (gender bias, hate).
PAIRS: Final = {
    "koelectra": (
        "monologg/koelectra-base-v3-gender-bias",
        "monologg/koelectra-base-v3-hate-speech",
    )
}


def pair_of(models: str) -> tuple[str, str]:
    """Return the two models of ``BIAS_MODEL,HATE_MODEL`` or of a name in PAIRS.

    Raises InputError for any other number of them.
    """
    pair = PAIRS.get(models) or tuple(part.strip() for part in models.split(","))
    if len(pair) != 2 or not all(pair):
        raise InputError(
            f"transformers:{models}: needs two models, transformers:BIAS_MODEL,HATE_MODEL (each a"
            f" name or a folder), or one of: {', '.join(f'transformers:{p}' for p in PAIRS)}"
        )
    return pair[0], pair[1]


@dataclass(frozen=True, eq=False)
class Classifier:
    """A loaded checkpoint, and the number of the class whose probability is the score."""

    model: Any
    tokenizer: Any
    wanted: int

    def score(self, texts: list[str]) -> Scores:
        """Return the probability of the wanted class for every text, in order."""
        scores = np.zeros(len(texts))
        # Batches of similar length waste no work on padding.
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
        with inference():
            for begin in range(0, len(order), BATCH):
                rows = order[begin : begin + BATCH]
                tokens = self.tokenizer(
                    [texts[i] for i in rows],
                    padding=True,
                    truncation=True,
                    max_length=most_tokens(self.model, MAX_TOKENS),
                    return_tensors="pt",
                ).to(self.model.device)
                shares = self.model(**tokens).logits.softmax(dim=-1)
                scores[rows] = shares[:, self.wanted].cpu().numpy()
        return scores


@dataclass(frozen=True, eq=False)
class Transformer:
    """The two classifiers behind one detector."""

    gender_bias: Classifier
    hate: Classifier
    name: str
    digest: str

    def score(self, texts: pa.Array) -> pa.Table:
        """Score texts; see `Detector.score`."""
        values = [text or "" for text in texts.to_pylist()]
        return as_table(self.gender_bias.score(values), self.hate.score(values))


def digest_of(models: str) -> str:
    """Return the digest of the two checkpoints, of which only files are read."""
    return checkpoint.digest_of(*pair_of(models))


def load_transformer(models: str, *, name: str) -> Transformer:
    """Load the two checkpoints of ``BIAS_MODEL,HATE_MODEL`` or of a pair in PAIRS.

    A name that is no folder is looked up in the local cache of the model hub. Raises InputError
    when a checkpoint is missing, damaged or without the needed label, MissingDependencyError when
    a library is not installed.
    """
    pair = pair_of(models)
    bias, hate = (_load(model, score) for model, score in zip(pair, WANTED, strict=True))
    return Transformer(bias, hate, name, checkpoint.digest_of(*pair))


def _load(name: str, score: str) -> Classifier:
    tokenizer, model = load_model(
        name, head="SequenceClassification", purpose="sequence classification"
    )
    labels = model.config.id2label
    wanted = [number for number, label in labels.items() if str(label).lower() in WANTED[score]]
    if len(wanted) != 1:
        raise InputError(
            f"{name}: no label tells {score}: id2label of its config has"
            f" {', '.join(map(str, labels.values()))}; needed: one of {', '.join(WANTED[score])}"
        )
    return Classifier(model, tokenizer, int(wanted[0]))
