"""Checkpoints of transformers: their folders, their digests, and how they are loaded.

Nothing is imported before it is needed, and nothing is downloaded: a plan needs the digest of a
checkpoint and none of its libraries.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.extras import install_command
from pipeline.core.files import input_errors
from pipeline.core.fingerprint import of_file, of_value, printable
from pipeline.core.wording import count

#: Files of a checkpoint that decide its output: config and tokenizer, then weights.
SETTINGS: Final = ("*.json", "*.txt", "*.model")
WEIGHTS: Final = ("*.safetensors", "pytorch_model*.bin")
#: Files that a tokenizer can be read from; one of them is enough.
VOCABULARIES: Final = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
#: Libraries that decide it too.
LIBRARIES: Final = ("torch", "transformers", "tokenizers")


def folder_of(name: str) -> Path:
    """Return a folder as it is, and for any other name the folder in the cache of the model hub.

    Raises InputError for a name that is neither.
    """
    if Path(name).is_dir():
        return Path(name)
    try:
        config = library("huggingface_hub").try_to_load_from_cache(name, "config.json")
    except ValueError:  # what can be no name on the hub, such as a path
        config = None
    if not isinstance(config, str):
        raise InputError(
            f"{name}: neither a folder nor a model in the local cache of the model hub; correct the"
            f" path, or download the model first: hf download {name}"
        )
    return Path(config).parent


def most_tokens(model: Any, limit: int) -> int:
    """Return the most tokens of a text that a model reads, at most `limit`."""
    return min(limit, int(getattr(model.config, "max_position_embeddings", None) or limit))


def digest_of(*names: str) -> str:
    """Return the digest of checkpoints: names and contents of their files, and the libraries.

    The build of a library (the ``+cpu`` of a version) and the device are left out: neither shows in
    an output, and so a machine without a GPU can plan for workers that have one. Raises InputError
    unless it is a checkpoint, MissingDependencyError for a library that is not installed.
    """
    versions = [_version(name) for name in LIBRARIES]
    return of_value([versions, [_files(folder_of(name)) for name in names]])


def load_model(name: str, *, head: str, purpose: str) -> tuple[Any, Any]:
    """Load tokenizer and model of a checkpoint, for scoring in double precision.

    `head` is the part of the class name after AutoModelFor; `purpose` is the training that the
    model must have had. In double precision, an output rounded to 1e-6 does not depend on the other
    texts of a batch. Raises InputError when the checkpoint is missing or damaged, or lacks weights
    of that head; MissingDependencyError when a library is not installed.
    """
    torch, transformers = library("torch"), library("transformers")
    folder = folder_of(name)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model, report = getattr(transformers, f"AutoModelFor{head}").from_pretrained(
            folder, local_files_only=True, output_loading_info=True
        )
    except ImportError as error:
        raise MissingDependencyError(
            f"a library of the tokenizer of {name} ({type(error).__name__})",
            install_command("train"),
        ) from None
    except Exception as error:  # whatever the library and its parsers raise
        raise InputError(
            f"{name}: cannot be loaded for {purpose} ({type(error).__name__}); give a folder with"
            " config, weights and tokenizer, or the name of a model that was downloaded"
        ) from None
    if missing := sorted(report["missing_keys"]):
        raise InputError(
            f"{name}: the checkpoint has no weights for {count(len(missing), 'part')}, such as"
            f" {missing[0]};"
            f" give one that was trained for {purpose}"
        )
    model.eval().double().to("cuda" if torch.cuda.is_available() else "cpu")
    return tokenizer, model


@contextmanager
def inference() -> Iterator[None]:
    """Let torch infer on one thread, and restore its number of threads afterwards."""
    torch = library("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_num_threads(before)


def library(name: str) -> Any:
    """Import a library of the optional part `train`.

    By name, so that no module outside the baseline imports torch: the project works without it.
    """
    try:
        return import_module(name)
    except ImportError:
        raise _absent(name) from None


def require_training() -> None:
    """Raise MissingDependencyError where a library that trains is not installed."""
    for name in ("torch", "accelerate", "transformers"):
        library(name)


def _files(folder: Path) -> list[list[str]]:
    weights = _matching(folder, WEIGHTS)
    if not (folder / "config.json").is_file() or not weights:
        raise InputError(
            f"{folder}: holds no checkpoint; needed: config.json, tokenizer files and weights"
            f" ({', '.join(WEIGHTS)}); correct the path, or download the model again"
        )
    with input_errors(folder, "read", "correct its permissions"):
        return [[printable(p.name), of_file(p)] for p in _matching(folder, SETTINGS) + weights]


def _matching(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    return sorted(p for pattern in patterns for p in folder.glob(pattern) if p.is_file())


def _version(name: str) -> str:
    try:
        return version(name).partition("+")[0]
    except PackageNotFoundError:
        raise _absent(name) from None


def _absent(name: str) -> MissingDependencyError:
    return MissingDependencyError(
        f"{name}, needed by models of transformers,", install_command("train")
    )
