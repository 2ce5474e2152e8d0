"""Tokenizers and bodies: from a checkpoint of transformers, or new ones for `scratch:SIZE`.

made = source("scratch:tiny")
tokens = tokens_of(made, texts)
tokens.add(head.markers)
torch.manual_seed(seed)
body = body_of(made, head, tokens)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import torch
import transformers

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.extras import install_command
from pipeline.core.wording import count
from pipeline.training.head import Head
from pipeline.training.scratch import config_of, train_tokenizer
from pipeline.training.source import Source, quiet
from pipeline.training.tokens import Tokens

#: Special tokens that a frame is made of.
NEEDED: Final = ("pad_token", "cls_token", "sep_token")
#: What a model that tells two texts apart reads besides them.
_TYPES: Final = "token_type_ids"
#: A tokenizer that says more than this has no limit of its own.
_SANE: Final = 1_000_000
#: Nothing of a checkpoint but its files is used: no network, and no code that comes with it.
_LOCAL: Final[Mapping[str, Any]] = {"local_files_only": True, "trust_remote_code": False}


def tokens_of(source: Source, texts: Iterable[str], *, vocabulary: int | None = None) -> Tokens:
    """Return the tokenizer of a checkpoint, or for `scratch:SIZE` one trained on these texts.

    The texts are only read for the latter: all that the model will be trained on. So is
    `vocabulary`, in place of the size's own. Raises InputError for a tokenizer that cannot be
    loaded or lacks special tokens.
    """
    if source.size is not None:
        return Tokens(train_tokenizer(texts, vocabulary or source.size.vocabulary))
    return tokens_in(_folder(source), source.name)


def tokens_in(folder: Path, name: str) -> Tokens:
    """Return the tokenizer that lies in a folder; `name` is what an error calls it.

    The model tells whether there are token types: a RoBERTa with a tokenizer made for BERT has only
    one, by which no two texts can be told apart, and an ALBERT has two though its tokenizer does
    not name them.
    """
    config = _config(folder, name)
    with _reading(name, "tokenizer"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **_LOCAL)
    if lacking := [name for name in NEEDED if getattr(tokenizer, name) is None]:
        raise InputError(
            f"{name}: its tokenizer has no {', '.join(lacking)}; needed: {', '.join(NEEDED)}; give"
            " an encoder in the manner of BERT or RoBERTa"
        )
    typed = (getattr(config, "type_vocab_size", None) or 0) > 1
    others = [name for name in tokenizer.model_input_names if name != _TYPES]
    tokenizer.model_input_names = [*others, _TYPES] if typed else others
    return Tokens(tokenizer)


def body_of(source: Source, head: Head, tokens: Tokens, *, new_head: bool = False) -> Any:
    """Return a body for a head in float32, as large as the tokenizer with its markers.

    What is new (all of it, a head, rows of markers) is drawn from torch's generator. A checkpoint
    that has such a head keeps it if its labels are the wanted ones, in whatever order: its rows
    are put into the wanted order. A head of other labels is refused, or with `new_head`
    replaced.

    Raises InputError for other labels, and for weights that are damaged or do not fit.
    """
    with quiet():
        if source.size is not None:
            config = config_of(source.size, rows=len(tokens.tokenizer), pad=tokens.pad)
            return auto_class(head.auto).from_config(
                _with_labels(config, head.labels, head.auto), dtype=torch.float32
            )
        body = _load(source, head, new_head=new_head)
        if len(tokens.tokenizer) > body.get_input_embeddings().num_embeddings:
            body.resize_token_embeddings(len(tokens.tokenizer), mean_resizing=False)
    return body


def longest(body: Any, tokens: Tokens) -> int | None:
    """Return how many tokens a body reads, special ones included; None if nothing tells a limit.

    RoBERTa and its kin count positions from behind the number of the padding token.
    """
    found = []
    if (rows := _positions(body)) is not None:
        found.append(
            rows.num_embeddings - (0 if rows.padding_idx is None else rows.padding_idx + 1)
        )
    elif (length := getattr(body.config, "max_position_embeddings", None)) is not None:
        found.append(int(length))
    if tokens.tokenizer.model_max_length <= _SANE:
        found.append(int(tokens.tokenizer.model_max_length))
    return min(found, default=None)


def read_body(folder: Path, auto: str, name: str) -> tuple[Any, set[str]]:
    """Load what lies in a folder, in float32; return it and the names of weights it lacks."""
    with _reading(name, "model"):
        body, report = auto_class(auto).from_pretrained(
            folder, dtype=torch.float32, output_loading_info=True, **_LOCAL
        )
    return body, set(report["missing_keys"])


def _load(source: Source, head: Head, *, new_head: bool) -> Any:
    folder = _folder(source)
    config = _config(folder, source.name)
    architectures = tuple(config.architectures or ())
    if head.auto and (
        new_head or not any(name.endswith(f"For{head.auto}") for name in architectures)
    ):
        return _with_new_head(source, head, config)
    if head.labels:
        _check_labels(source, config, head.labels)
    body, missing = read_body(folder, head.auto, source.name)
    _check_whole(source, missing)
    if head.labels:
        _order_labels(body, head.labels)
    return body


def _with_new_head(source: Source, head: Head, config: Any) -> Any:
    """Return a body with the checkpoint's weights, and no head's: nothing else is drawn anew."""
    base, missing = read_body(_folder(source), "", source.name)
    _check_whole(source, missing)
    _with_labels(config, head.labels, head.auto)
    with torch.device("meta"):  # only to learn its class
        kind = type(auto_class(head.auto).from_config(config))
    body, report = kind.from_pretrained(
        None,
        config=config,
        state_dict=base.state_dict(),
        dtype=torch.float32,
        output_loading_info=True,
    )
    inside = {f"{body.base_model_prefix}.{name}" for name in body.base_model.state_dict()}
    _check_whole(source, inside & set(report["missing_keys"]))
    return body


def _config(folder: Path, name: str) -> Any:
    with _reading(name, "config"):
        return transformers.AutoConfig.from_pretrained(folder, **_LOCAL)


def _check_whole(source: Source, missing: set[str]) -> None:
    if lacking := sorted(name for name in missing if "pooler" not in name):
        raise InputError(
            f"{source.name}: the checkpoint has no weights for {count(len(lacking), 'part')}, such"
            " as"
            f" {lacking[0]}; it is damaged or made for something else: give another model"
        )


def _check_labels(source: Source, config: Any, labels: Sequence[str]) -> None:
    """Raise InputError if a head has other labels, or names that do not tell which is which."""
    names = _names(config)
    if sorted(names) == sorted(labels) or (len(labels) == 1 and names == ["LABEL_0"]):
        return
    raise InputError(
        f"{source.name}: the checkpoint was trained for other labels: {_few(names)}; needed:"
        f" {_few(labels)}; give the base model it was made of, or --new-head to put a new head in"
        " the place of its own"
    )


def _order_labels(body: Any, labels: Sequence[str]) -> None:
    names = _names(body.config)
    order = [names.index(label) if label in names else 0 for label in labels]
    if order != sorted(order):
        head = _last_layer(body, len(labels))
        with torch.no_grad():
            for weights in head.parameters():
                weights.copy_(weights[order].clone())
    _with_labels(body.config, labels, "")


def _last_layer(body: Any, classes: int) -> torch.nn.Linear:
    """Return the layer that tells the classes: the last of so many outputs outside the encoder."""
    inside = set(body.base_model.modules())
    found = [
        module
        for module in body.modules()
        if isinstance(module, torch.nn.Linear)
        and module.out_features == classes
        and module not in inside
    ]
    return found[-1]


def _with_labels(config: Any, labels: Sequence[str], auto: str) -> Any:
    """Return a config with these labels; a span has a start and an end, and no label.

    A config that comes from another head would else have as many outputs as that one.
    """
    if labels:
        config.id2label = dict(enumerate(labels))
        config.label2id = {label: number for number, label in enumerate(labels)}
    elif auto == "QuestionAnswering":
        config.num_labels = 2
    return config


def _names(config: Any) -> list[str]:
    return [str(config.id2label[number]) for number in sorted(config.id2label)]


def _few(labels: Sequence[str]) -> str:
    return f"{', '.join(labels[:5])}{' ...' if len(labels) > 5 else ''} ({len(labels)})"


def auto_class(auto: str) -> Any:
    """Return the class of transformers that makes bodies with such a head."""
    return getattr(transformers, f"AutoModelFor{auto}" if auto else "AutoModel")


def _positions(body: Any) -> Any:
    named = (
        module for name, module in body.named_modules() if name.endswith("position_embeddings")
    )
    return next((module for module in named if isinstance(module, torch.nn.Embedding)), None)


def _folder(source: Source) -> Path:
    if source.folder is None:
        raise ValueError(f"{source.name} has no folder")
    return source.folder


@contextmanager
def _reading(name: str, what: str) -> Iterator[None]:
    """Turn whatever the libraries raise over a checkpoint into an error for the user."""
    try:
        with quiet():
            yield
    except ImportError as error:
        raise MissingDependencyError(
            f"a library of the {what} of {name} ({type(error).__name__})",
            install_command("train"),
        ) from None
    except Exception as error:
        raise InputError(
            f"{name}: its {what} cannot be loaded ({type(error).__name__}); give a folder with"
            " config, weights and tokenizer, or the name of a model that was downloaded"
        ) from None
