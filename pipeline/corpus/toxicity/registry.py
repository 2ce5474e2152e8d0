"""How a toxicity detector is named, loaded, and told by its digest.

linear                      the shipped weights
linear:DIR                  weights that `klue toxicity train` wrote
transformers:koelectra      the two models of the paper
transformers:BIAS,HATE      two checkpoints, each the name of a model or the path of a folder
lexicon                     the shipped word list
lexicon:FILE                another word list, YAML or TXT
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pipeline.core import checkpoint
from pipeline.core.errors import InputError
from pipeline.corpus.toxicity.detector import Detector
from pipeline.corpus.toxicity.pairs import pair_of

KINDS: Final = (
    "linear, linear:DIR, transformers:koelectra, transformers:BIAS_MODEL,HATE_MODEL, lexicon,"
    " lexicon:FILE"
)


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
    """Return kind and rest of a spec; raises InputError for an unknown kind."""
    kind, colon, rest = spec.partition(":")
    if (colon and not rest) or kind not in {"linear", "transformers", "lexicon"}:
        raise InputError(f"no detector {spec!r}; allowed: {KINDS}")
    return kind, rest
