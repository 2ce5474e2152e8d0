"""How a tagger of named entities is named, loaded, and told by its digest.

crf                 the shipped weights
crf:DIR             weights that `klue tagger train` wrote
transformers:PATH   a checkpoint for token classification: a folder, or a model in the hub's cache
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from pipeline.contracts.build_inputs import Resources
from pipeline.core import checkpoint
from pipeline.core.errors import InputError
from pipeline.sampling.tagging.protocol import Tagger

KINDS: Final = "crf, crf:DIR, transformers:PATH"


def load(spec: str) -> Tagger:
    """Return the tagger of that name.

    Raises InputError for an unknown name and for a model that is missing or damaged,
    MissingDependencyError when its libraries are not installed.
    """
    kind, rest = _parts(spec)
    if kind == "crf":
        from pipeline.sampling.tagging.crf import SHIPPED, load_crf

        return load_crf(Path(rest) if rest else SHIPPED, name=spec)
    from pipeline.sampling.tagging.transformer import load_transformer

    return load_transformer(rest, name=spec)


@lru_cache(maxsize=1)
def planned(spec: str, digest: str) -> Tagger:
    """Return the tagger of that name that a plan saw with this digest; loaded once per process.

    Raises what `load` raises, and InputError when it has changed since.
    """
    found = load(spec)
    if found.digest != digest:
        raise InputError(f"tagger {spec}: changed since the build was planned; run the build again")
    return found


def resources_of(spec: str) -> Resources:
    """Return how the tagger that a build file names enters a call; raises InputError."""
    try:
        digest = _digest_of(spec)
    except InputError as error:
        raise InputError(f"candidates.tagger: {error}") from None
    return Resources(
        {"tagger": {"name": spec.partition(":")[0], "digest": digest}}, {"tagger": spec}
    )


def digest_of(spec: str) -> str:
    """Return the digest that the tagger of that name has; of checkpoints only files are read.

    Raises what `load` raises.
    """
    kind, rest = _parts(spec)
    if kind == "crf":
        return load(spec).digest
    return checkpoint.digest_of(rest)


def _parts(spec: str) -> tuple[str, str]:
    """Return kind and rest of a spec; raises InputError for an unknown one."""
    kind, colon, rest = spec.partition(":")
    if kind == "crf" and bool(colon) == bool(rest):
        return kind, rest
    if kind == "transformers" and rest:
        return kind, rest
    raise InputError(f"no tagger {spec!r}; allowed: {KINDS}")


_digest_of = lru_cache(maxsize=1)(digest_of)
