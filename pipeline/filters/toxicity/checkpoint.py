"""Checkpoints of classifiers as files: the folder a name stands for, and what decides their scores.

Nothing here imports torch or transformers: a plan needs the digest of a detector and no scores.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.fingerprint import of_file, of_value, printable

#: Pairs of models that have a name of their own: (gender bias, hate).
PAIRS: Final = {
    "koelectra": (
        "monologg/koelectra-base-v3-gender-bias",
        "monologg/koelectra-base-v3-hate-speech",
    )
}
#: Files of a checkpoint that decide scores: config and tokenizer, then weights.
SETTINGS: Final = ("*.json", "*.txt", "*.model")
WEIGHTS: Final = ("*.safetensors", "pytorch_model*.bin")
#: Libraries that decide scores too.
LIBRARIES: Final = ("torch", "transformers", "tokenizers")


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


def folder_of(name: str) -> Path:
    """Return a folder as it is, and for any other name the folder in the cache of the model hub.

    Nothing is downloaded. Raises InputError for a name that is neither.
    """
    if Path(name).is_dir():
        return Path(name)
    hub = library("huggingface_hub")
    try:
        found = hub.try_to_load_from_cache(name, "config.json")
    except ValueError:  # what can be no name on the hub, such as a path
        found = None
    if not isinstance(found, str):
        raise InputError(
            f"{name}: neither a folder nor a model in the local cache of the model hub; correct the"
            f" path, or download the model first: hf download {name}"
        )
    return Path(found).parent


def digest_of(models: str) -> str:
    """Return the digest of two checkpoints: names and contents of their files, and the libraries.

    What a library was built for (the ``+cpu`` of a version) and the device are left out: neither
    shows in a score, and so a machine without a GPU can plan for workers that have one. Raises
    InputError for what is no checkpoint, MissingDependencyError for a library not installed.
    """
    pair = pair_of(models)
    versions = [_version(name) for name in LIBRARIES]
    return of_value([versions, [_files(folder_of(name)) for name in pair]])


def _files(folder: Path) -> list[list[str]]:
    weights = _matching(folder, WEIGHTS)
    if not (folder / "config.json").is_file() or not weights:
        raise InputError(
            f"{folder}: holds no checkpoint; needed: config.json, tokenizer files and weights"
            f" ({', '.join(WEIGHTS)}); correct the path, or download the model again"
        )
    try:
        return [[printable(p.name), of_file(p)] for p in _matching(folder, SETTINGS) + weights]
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}; mend it") from None


def _matching(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    return sorted(p for pattern in patterns for p in folder.glob(pattern) if p.is_file())


def _version(name: str) -> str:
    try:
        return version(name).partition("+")[0]
    except PackageNotFoundError:
        raise absent(name) from None


def library(name: str) -> Any:
    """Import a library of the optional part `train`.

    By name, so that nothing outside the baseline has an import of torch to be run by accident: the
    project works without it, and the test of imports holds that.
    """
    try:
        return import_module(name)
    except ImportError:
        raise absent(name) from None


def absent(name: str) -> MissingDependencyError:
    """Return the error that tells of a library which is not installed."""
    return MissingDependencyError(
        f"{name}, needed by the detector `transformers`,",
        "run: pip install -e '.[train]' -c constraints.txt",
    )
