"""The `transformers` detector: two sequence classifiers, such as the two models of the paper.

The score is the probability of the class that says so; which one that is, the checkpoint's own
`id2label` tells. Texts are taken in batches of similar length, on the GPU when there is one.

Source: Section 2.3, footnotes 15 and 16 of the KLUE paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.fingerprint import of_path, of_value
from pipeline.filters.toxicity.detector import as_table

#: Pairs of models that have a name of their own: (gender bias, hate).
PAIRS: Final = {
    "koelectra": (
        "monologg/koelectra-base-v3-gender-bias",
        "monologg/koelectra-base-v3-hate-speech",
    )
}
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
        torch = _library("torch")
        found = np.zeros(len(texts))
        # Batches of similar length waste no work on padding.
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
        with torch.inference_mode():
            for begin in range(0, len(order), BATCH):
                rows = order[begin : begin + BATCH]
                tokens = self.tokenizer(
                    [texts[i] for i in rows],
                    padding=True,
                    truncation=True,
                    max_length=self.max_tokens,
                    return_tensors="pt",
                ).to(self.model.device)
                shares = self.model(**tokens).logits.double().softmax(dim=-1)
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

    A name that is no folder is looked up by transformers, in its cache and then on the model hub.
    Raises InputError when a checkpoint is missing, damaged or without the needed label,
    MissingDependencyError when torch or transformers is not installed.
    """
    pair = PAIRS.get(models) or tuple(part.strip() for part in models.split(","))
    if len(pair) != 2 or not all(pair):
        raise InputError(
            f"transformers:{models}: needs two models, transformers:BIAS_MODEL,HATE_MODEL (each a"
            f" name or a folder), or one of: {', '.join(f'transformers:{p}' for p in PAIRS)}"
        )
    loaded = [_load(model, score) for model, score in zip(pair, WANTED, strict=True)]
    versions = [version(library) for library in ("torch", "transformers")]
    digest = of_value([versions, [digest for _, digest in loaded]])
    return Transformer(loaded[0][0], loaded[1][0], name, digest)


def _load(name: str, score: str) -> tuple[Classifier, str]:
    torch, transformers = _library("torch"), _library("transformers")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        model, report = transformers.AutoModelForSequenceClassification.from_pretrained(
            name, output_loading_info=True
        )
    except Exception as error:  # whatever the library and its parsers raise
        raise InputError(
            f"{name}: cannot be loaded as a sequence classifier ({type(error).__name__}); give a"
            " folder with config, weights and tokenizer, or the name of a model on the hub while"
            " there is a network"
        ) from None
    if missing := sorted(report["missing_keys"]):
        raise InputError(
            f"{name}: the checkpoint has no weights for {len(missing)} parts, such as {missing[0]};"
            " give a checkpoint trained for sequence classification"
        )
    wanted = _wanted(name, model.config.id2label, score)
    model.eval().to("cuda" if torch.cuda.is_available() else "cpu")
    return Classifier(model, tokenizer, wanted), _digest(name, model)


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


def _digest(name: str, model: Any) -> str:
    """Return the digest of a folder's files, or of a hub model's name and commit."""
    path = Path(name)
    if path.is_dir():
        return of_path(path)
    commit = getattr(model.config, "_commit_hash", None)
    if not commit:
        raise InputError(
            f"{name}: the commit of the model cannot be told; download it and give the folder"
        )
    return of_value([name, commit])


def _library(name: str) -> Any:
    """Import a library of the optional part `train`.

    By name, so that nothing outside the baseline has an import of torch to be run by accident: the
    project works without it, and the test of imports holds that.
    """
    try:
        return import_module(name)
    except ImportError:
        raise MissingDependencyError(
            f"{name}, needed by the detector `transformers`,",
            "run: pip install -e '.[train]' -c constraints.txt",
        ) from None
