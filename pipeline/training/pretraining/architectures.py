"""Encoders by architecture and size, and what a checkpoint must have to be trained on.

Source of the sizes: Table 31 (base, and small of KLUE-RoBERTa), Turc et al. 2019 (tiny).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
import transformers

from pipeline.core.errors import InputError
from pipeline.core.files import read_text
from pipeline.core.fingerprint import of_value
from pipeline.core.wording import count
from pipeline.training.source import quiet
from pipeline.training.tokens import Tokens

#: The longest input of a new encoder in tokens.
POSITIONS: Final = 512
_FEEDFORWARD: Final = 4
#: Layers, hidden numbers and heads.
SIZES: Final = {"tiny": (2, 128, 2), "small": (6, 768, 12), "base": (12, 768, 12)}
#: The most bytes of a file of a size.
_MOST_BYTES: Final = 1 << 20


@dataclass(frozen=True)
class Architecture:
    """A family of encoders: how transformers calls its config and its model with heads.

    `pairs` is the class that also tells next sentences; where there is none it is ''. Positions of
    `shifted` ones begin behind the number of the padding token.
    """

    name: str
    config: str
    masked: str
    pairs: str
    types: int
    shifted: bool


ARCHITECTURES: Final = {
    "bert": Architecture("bert", "BertConfig", "BertForMaskedLM", "BertForPreTraining", 2, False),
    "roberta": Architecture("roberta", "RobertaConfig", "RobertaForMaskedLM", "", 1, True),
}


def config_of(architecture: Architecture, size: str, tokens: Tokens) -> Any:
    """Return the config of a new encoder: of a size by name, or of a file with such numbers.

    The file is a config.json of the same architecture, whole or in part. Vocabulary and special
    tokens are those of the tokenizer. Raises InputError for a size or a file that is none.
    """
    tokenizer = tokens.tokenizer
    settings = {
        **_size(architecture, size, len(tokenizer)),
        "vocab_size": len(tokenizer),
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
    }
    if architecture.shifted:
        settings["max_position_embeddings"] += tokenizer.pad_token_id + 1
    try:
        with quiet(), torch.device("meta"):
            config = getattr(transformers, architecture.config)(**settings)
            getattr(transformers, architecture.masked)(config)
    except Exception as error:  # whatever the library says of numbers that do not go together
        reason = str(error).strip().splitlines()[-1]
        raise InputError(f"--size {size}: no {architecture.name} can be so: {reason}") from None
    return config


def positions_of(config: Any, architecture: Architecture) -> int:
    """Return the longest input in tokens that an encoder reads."""
    shift = config.pad_token_id + 1 if architecture.shifted else 0
    return int(config.max_position_embeddings) - shift


def new_body(config: Any, architecture: Architecture, *, pairs: bool) -> Any:
    """Return a model with heads and random weights, which torch's generator draws."""
    name = architecture.pairs if pairs else architecture.masked
    with quiet():
        config.architectures = [name]
        return getattr(transformers, name)(config).float()


def load_body(folder: Path, architecture: Architecture, *, pairs: bool) -> Any:
    """Return the model of a checkpoint in float32; heads that it lacks are drawn anew.

    Raises InputError for a checkpoint without weights of the encoder.
    """
    kind = getattr(transformers, architecture.pairs if pairs else architecture.masked)
    try:
        with quiet():
            body, report = kind.from_pretrained(
                folder, dtype=torch.float32, output_loading_info=True, local_files_only=True
            )
    except Exception as error:  # whatever the library and its parsers raise
        raise InputError(f"--model {folder}: cannot be loaded ({type(error).__name__})") from None
    inside = body.base_model_prefix
    lacking = [
        name for name in report["missing_keys"] if name.startswith(inside) and "pooler" not in name
    ]
    if lacking:
        raise InputError(
            f"--model {folder}: has no weights for {count(len(lacking), 'part')}, such as"
            f" {min(lacking)}; it"
            " is damaged, or a model of another kind"
        )
    return body


def digest_of(config: Any) -> str:
    """Return the digest of a config and of the library that reads it."""
    return of_value([transformers.__version__, json.loads(config.to_json_string(use_diff=True))])


def _size(architecture: Architecture, size: str, vocabulary: int) -> dict[str, Any]:
    if size in SIZES:
        layers, hidden, heads = SIZES[size]
        return {
            "num_hidden_layers": layers,
            "hidden_size": hidden,
            "num_attention_heads": heads,
            "intermediate_size": _FEEDFORWARD * hidden,
            "max_position_embeddings": POSITIONS,
            "type_vocab_size": architecture.types,
        }
    if not size.endswith(".json"):
        allowed = ", ".join(SIZES)
        raise InputError(f"--size {size!r} is not known; allowed: {allowed}, or a file CONFIG.json")
    settings = _read(Path(size))
    _check(Path(size), settings, architecture, vocabulary)
    return {"max_position_embeddings": POSITIONS, "type_vocab_size": architecture.types, **settings}


def _read(path: Path) -> dict[str, Any]:
    try:
        settings = json.loads(read_text(path, "a config.json", most=_MOST_BYTES))
    except (ValueError, RecursionError):
        raise InputError(f"{path}: no JSON; give a config.json of transformers") from None
    if not isinstance(settings, dict):
        raise InputError(f"{path}: holds no object; give a config.json of transformers")
    return settings


def _check(
    path: Path, settings: dict[str, Any], architecture: Architecture, vocabulary: int
) -> None:
    """Raise InputError for numbers of another model, and for names that no such config has."""
    named = settings.get("model_type", architecture.name)
    if named != architecture.name:
        raise InputError(
            f"{path}: model_type is {named!r}; given: --architecture {architecture.name}"
        )
    if settings.get("vocab_size", vocabulary) != vocabulary:
        raise InputError(
            f"{path}: vocab_size is {settings['vocab_size']}, but the tokenizer has {vocabulary}"
            " pieces; leave it out"
        )
    known = getattr(transformers, architecture.config)().to_dict()
    if unknown := sorted(settings.keys() - known.keys()):
        raise InputError(f"{path}: {unknown[0]}: unknown key; allowed: {', '.join(sorted(known))}")
