"""Where a model comes from: a folder, a name in the cache of the model hub, or `scratch:SIZE`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import huggingface_hub
import transformers

from pipeline.core.checkpoint import VOCABULARIES, digest_of, folder_of
from pipeline.core.errors import InputError
from pipeline.training.scratch import SIZES, Size

#: What a name begins with that asks for a model initialised at random.
SCRATCH: Final = "scratch:"
#: What is downloaded of a model: all but weights, then weights in the first form that there is.
_SETTINGS: Final = ("*.json", "*.txt", "*.model")
_WEIGHTS: Final = ("*.safetensors", "pytorch_model*.bin")
_LOGGING: Final[Any] = transformers.logging


@dataclass(frozen=True)
class Source:
    """A checkpoint in `folder`, or a `size`; `digest` tells what decides the model besides a seed.

    `name` is as the user gave it.
    """

    name: str
    digest: str
    folder: Path | None = None
    size: Size | None = None


def source(name: str, *, download: bool | None = None) -> Source:
    """Return where a model comes from; with `download` the model hub is asked for what is not here.

    None is for commands without that option: no advice names it. Nothing is loaded. Raises
    InputError for a size that there is not, a folder that lacks config, weights or tokenizer, and a
    name that is not there; MissingDependencyError when a library is not installed.
    """
    if name.startswith(SCRATCH):
        size_name = name.removeprefix(SCRATCH)
        if size_name not in SIZES:
            allowed = ", ".join(f"{SCRATCH}{size}" for size in SIZES)
            raise InputError(f"{name}: there is no size {size_name!r}; allowed: {allowed}")
        return Source(name, SIZES[size_name].digest, size=SIZES[size_name])
    folder = _folder(name, download=download)
    digest = digest_of(str(folder))
    if not any(path.is_file() for form in VOCABULARIES for path in folder.glob(form)):
        raise InputError(
            f"{name}: there is no tokenizer beside its weights; needed: one of"
            f" {', '.join(VOCABULARIES)}; give a model with its tokenizer"
        )
    return Source(name, digest, folder=folder)


def _folder(name: str, *, download: bool | None) -> Path:
    """Return the folder of a checkpoint; a model that is whole in the cache is not asked for."""
    try:
        folder = folder_of(name)
    except InputError:
        if download:
            return _download(name)
        option = "" if download is None else " add --download,"
        raise InputError(
            f"{name}: neither a folder nor a model in the local cache of the model hub; correct the"
            f" path,{option} or run: hf download {name}"
        ) from None
    has_weights = any(any(folder.glob(form)) for form in _WEIGHTS)
    return _download(name) if download and not (has_weights or Path(name).is_dir()) else folder


def _download(name: str) -> Path:
    """Download a model; folders inside it, with weights for other libraries, are left."""
    try:
        with quiet():
            for form in _WEIGHTS:
                folder = Path(
                    huggingface_hub.snapshot_download(
                        name, allow_patterns=[*_SETTINGS, form], ignore_patterns="*/*"
                    )
                )
                if any(folder.glob(form)):
                    break
    except Exception as error:  # whatever the client of the hub and its transport raise
        raise InputError(
            f"{name}: neither a folder nor a model in the local cache of the model hub, and it"
            f" cannot be downloaded ({type(error).__name__}); correct the name, or download it"
            f" where there is a network: hf download {name}"
        ) from None
    return folder


@contextmanager
def quiet() -> Iterator[None]:
    """Let transformers and the client of the hub report only errors.

    While they load and save, they draw progress bars, list weights that a new head does not find,
    and warn of things that this project decides itself.
    """
    level, bars = _LOGGING.get_verbosity(), _LOGGING.is_progress_bar_enabled()
    _LOGGING.set_verbosity_error()
    _LOGGING.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        _LOGGING.set_verbosity(level)
        if bars:
            _LOGGING.enable_progress_bar()
