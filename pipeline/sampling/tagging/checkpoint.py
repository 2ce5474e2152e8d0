"""A checkpoint for token classification as files: where it lies, and what decides its mentions.

Nothing here imports a library for models: a plan needs the digest of a tagger and no mentions.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.fingerprint import of_file, of_value, printable

#: Files that decide what is found: settings and tokenizer, then weights.
_SETTINGS: Final = ("*.json", "*.txt", "*.model")
_WEIGHTS: Final = ("*.safetensors", "pytorch_model*.bin")
_LIBRARIES: Final = ("torch", "transformers", "tokenizers")


def folder_of(name: str) -> Path:
    """Return the folder of a checkpoint: the one named, or that of a model in the hub's cache.

    Nothing is downloaded. Raises InputError for a name that is neither.
    """
    if Path(name).is_dir():
        return Path(name)
    try:
        found = library("huggingface_hub").try_to_load_from_cache(name, "config.json")
    except ValueError:  # no model has a name like that
        found = None
    if isinstance(found, str):
        return Path(found).parent
    raise InputError(
        f"{name}: no folder, and no model in the cache of the model hub; correct the path, or"
        f" download the model before: hf download {name}"
    )


def digest_of(name: str) -> str:
    """Return the digest of a checkpoint's files and of the libraries that read it.

    Raises InputError for a folder that holds no checkpoint, MissingDependencyError for a library
    that is not installed.
    """
    folder = folder_of(name)
    weights = _matching(folder, _WEIGHTS)
    if not weights or not (folder / "config.json").is_file():
        raise InputError(
            f"{folder}: holds no checkpoint; needed: config.json, a fast tokenizer, weights"
            f" ({', '.join(_WEIGHTS)})"
        )
    try:
        files = [[printable(p.name), of_file(p)] for p in _matching(folder, _SETTINGS) + weights]
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}; mend it") from None
    return of_value([[_version(one) for one in _LIBRARIES], files])


def library(name: str) -> Any:
    """Import a library of the optional part `train`; raises MissingDependencyError without it."""
    try:
        return import_module(name)
    except ImportError:
        raise _absent(name) from None


def _matching(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    return sorted(path for one in patterns for path in folder.glob(one) if path.is_file())


def _version(name: str) -> str:
    """Return a version without what the library was built for, which does not show in mentions."""
    try:
        return version(name).partition("+")[0]
    except PackageNotFoundError:
        raise _absent(name) from None


def _absent(name: str) -> MissingDependencyError:
    return MissingDependencyError(
        f"{name}, needed by the tagger `transformers`,",
        "run: pip install -e '.[train]' -c constraints.txt",
    )
