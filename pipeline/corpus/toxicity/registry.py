"""What a toxicity detector is, how one is named, loaded, and identified by its digest.

linear                      the shipped weights
linear:DIR                  weights that `klue toxicity train` wrote
transformers:koelectra      the two models of the paper
transformers:BIAS,HATE      two checkpoints, each the name of a model or the path of a folder
lexicon                     the shipped word list
lexicon:FILE                another word list, YAML or TXT
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa

from pipeline.core import checkpoint
from pipeline.core.errors import InputError

COLUMNS: Final = ("gender_bias", "hate")
#: Decimals of a score: fine enough for any threshold, coarse enough to be the same everywhere.
DECIMALS: Final = 6


class Detector(Protocol):
    """What scores texts for gender bias and hate speech."""

    @property
    def name(self) -> str:
        """The detector as it was asked for."""

    @property
    def digest(self) -> str:
        """The SHA-256 of what decides its scores besides code; enters fingerprints."""

    def score(self, texts: pa.Array) -> pa.Table:
        """Score texts: columns gender_bias and hate, float64 in [0, 1], rounded to 1e-6, in order.

        A score depends on its own text alone, never on batches, threads or the kind of processor.
        """


def as_table(gender_bias: np.ndarray[Any, Any], hate: np.ndarray[Any, Any]) -> pa.Table:
    """Make the table of scores, rounded."""
    columns = (np.round(values.astype(np.float64), DECIMALS) for values in (gender_bias, hate))
    return pa.table([pa.array(values) for values in columns], names=list(COLUMNS))


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


def load(spec: str) -> Detector:
    """Return the detector of that name.

    Raises InputError for an unknown name and for a model that is missing or damaged,
    MissingDependencyError when its libraries are not installed.
    """
    kind, rest = _parts(spec)
    if kind == "linear":
        from pipeline.corpus.toxicity.linear import SHIPPED, load_linear

        return load_linear(Path(rest) if rest else SHIPPED, name=spec)
    if kind == "lexicon":
        from pipeline.corpus.toxicity.lexicon import SHIPPED as WORDS
        from pipeline.corpus.toxicity.lexicon import load_lexicon

        return load_lexicon(Path(rest) if rest else WORDS, name=spec)
    from pipeline.corpus.toxicity.transformer import load_transformer

    return load_transformer(rest, name=spec)


def digest_of(spec: str) -> str:
    """Return the digest that the detector of that name has, without its libraries.

    Weights of `linear` and word lists are small and are checked as `load` does; of checkpoints
    only the files are read. Raises what `load` raises.
    """
    kind, rest = _parts(spec)
    if kind != "transformers":
        return load(spec).digest
    return checkpoint.digest_of(*pair_of(rest))


def _parts(spec: str) -> tuple[str, str]:
    kind, colon, rest = spec.partition(":")
    if (colon and not rest) or kind not in {"linear", "transformers", "lexicon"}:
        raise InputError(
            f"unknown detector {spec!r}; allowed: linear, linear:DIR, transformers:koelectra,"
            " transformers:BIAS_MODEL,HATE_MODEL, lexicon, lexicon:FILE"
        )
    return kind, rest
