"""A pretraining: what text, tokenizer, encoder and recipe it has; validated before work starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import transformers

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_code, of_file, of_value
from pipeline.training.job import Precision, resolve_precision
from pipeline.training.pretraining.architectures import Architecture, positions_of
from pipeline.training.pretraining.recipe import PretrainingRecipe
from pipeline.training.pretraining.sequences import Special
from pipeline.training.source import quiet
from pipeline.training.tokens import Tokens

#: The step whose code decides the result, with all that it imports.
_STEP: Final = "pipeline.training.pretraining.run"
#: Special tokens that pretraining needs.
_NEEDED: Final = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
_FORMS: Final = ("tokenizer.json", "tokenizer_config.json")


@dataclass(frozen=True)
class PretrainingJob:
    """What is pretrained on what.

    `size` is as it was given; `checkpoint` the folder of a model to go on with, None for a new one.
    `origin` is the digest of what decides its first weights besides the seed.
    """

    files: Sequence[Path]
    tokens: Tokens
    architecture: Architecture
    config: Any
    size: str
    origin: str
    recipe: PretrainingRecipe
    folder: Path
    checkpoint: Path | None = None
    seed: int = 0
    precision: Precision = "auto"
    compiled: bool = False

    @property
    def special(self) -> Special:
        tokenizer = self.tokens.tokenizer
        return Special(tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.pad_token_id)

    def settings(self) -> dict[str, Any]:
        """Return all that decides the result; the text is read once for its digest."""
        return {
            "text": of_value([of_file(path) for path in self.files]),
            "tokenizer": tokenizer_digest(self.tokens),
            "architecture": self.architecture.name,
            "model": self.origin,
            "recipe": self.recipe.model_dump(),
            "seed": self.seed,
            "precision": resolve_precision(self.precision),
            "compile": self.compiled,
            "code": of_code(_STEP),
        }

    def check(self) -> None:
        """Raise InputError for a recipe that the encoder cannot follow."""
        limit = positions_of(self.config, self.architecture)
        if self.recipe.max_length > limit:
            raise InputError(
                f"max_length {self.recipe.max_length} of the recipe is more than the encoder reads:"
                f" {limit} tokens; lower it: --set max_length={limit}"
            )
        if self.recipe.next_sentence and not self.architecture.pairs:
            raise InputError(
                f"next_sentence: {self.architecture.name} has no head for it; add"
                " --set next_sentence=false, or give --architecture bert"
            )


def tokenizer_of(folder: Path) -> Tokens:
    """Return the tokenizer in a folder, with or without a model beside it.

    Raises InputError for a folder without one, and for one that no masked language model can use:
    without places of its tokens, or without the special tokens of BERT around a text.
    """
    if not any((folder / name).is_file() for name in _FORMS):
        raise InputError(
            f"--tokenizer {folder}: holds no tokenizer; needed: {_FORMS[0]}, as klue tokenizer"
            " train and transformers write it"
        )
    try:
        with quiet():
            loaded = transformers.AutoTokenizer.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False
            )
    except Exception as error:  # whatever the library and its parsers raise
        raise InputError(
            f"--tokenizer {folder}: cannot be loaded ({type(error).__name__}); give a folder that"
            " klue tokenizer train or transformers wrote"
        ) from None
    tokens = Tokens(loaded)
    if tokens.fast is None:
        raise InputError(
            f"--tokenizer {folder}: does not tell where its tokens stand in a text; give a fast one"
            " (with tokenizer.json)"
        )
    if lacking := [name for name in _NEEDED if getattr(loaded, name) is None]:
        raise InputError(
            f"--tokenizer {folder}: has no {', '.join(lacking)}; needed: {', '.join(_NEEDED)}; it"
            " was made for another kind of model"
        )
    frame = tokens.single.parts
    if frame != ((loaded.cls_token_id,), (loaded.sep_token_id,)):
        raise InputError(
            f"--tokenizer {folder}: does not put {loaded.cls_token} before and {loaded.sep_token}"
            " behind a text; it was made for another kind of model"
        )
    return tokens


def tokenizer_digest(tokens: Tokens) -> str:
    """Return the digest of how a tokenizer divides texts."""
    tokens.fast.no_truncation()
    tokens.fast.no_padding()
    return of_value(tokens.fast.to_str())


def checkpoint_config(folder: Path, tokens: Tokens, architecture: Architecture) -> Any:
    """Return the config of a checkpoint to go on with.

    Raises InputError for another architecture, and for a model of another tokenizer.
    """
    try:
        with quiet():
            config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
            own = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # whatever the library and its parsers raise
        raise InputError(
            f"--model {folder}: cannot be loaded ({type(error).__name__}); give a folder with"
            " config, weights and tokenizer"
        ) from None
    if config.model_type != architecture.name:
        raise InputError(
            f"--model {folder}: is a {config.model_type}; given: --architecture {architecture.name}"
        )
    if own.get_vocab() != tokens.tokenizer.get_vocab():
        raise InputError(
            f"--model {folder}: was trained with another tokenizer than --tokenizer; give the one"
            " in its own folder: its numbers of tokens mean nothing to another"
        )
    return config
