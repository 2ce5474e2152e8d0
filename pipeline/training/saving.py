"""Trained networks and interrupted trainings as folders, without pickled code.

A network, which transformers can load:
    FOLDER/config.json, model.safetensors        the body
    FOLDER/tokenizer.json, tokenizer_config.json
    FOLDER/head.safetensors                      all other parameters, where there are any
    FOLDER/klue.json                             what it was trained for, and how
A training:
    FOLDER/state.safetensors                     network.NAME, the parameters and buffers;
                                                 optimizer.NUMBER.NAME, what is kept of each; in its
                                                 head the settings of the optimizer, and facts
Both appear by rename, so that killing the process at any moment leaves a whole one. A file of
safetensors may hold no tensor twice, and a network may: the first name stands for all.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file

from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import regular_file
from pipeline.core.store import write_json
from pipeline.core.wording import count
from pipeline.training.encoders import read_body, tokens_in
from pipeline.training.head import Head, Network
from pipeline.training.source import quiet
from pipeline.training.tokens import Tokens

#: Named tensors of a network or an optimizer.
Tensors = Mapping[str, torch.Tensor]
#: What is beside the files of transformers.
FACTS: Final = "klue.json"
HEAD: Final = "head.safetensors"
STATE: Final = "state.safetensors"
#: The form of a state; one of another form is not gone on with.
_FORM: Final = 1


def save_model(folder: Path, network: Network, tokens: Tokens, facts: Mapping[str, Any]) -> None:
    """Save a network and its tokenizer into a folder, in the place of an older one.

    `facts` is JSON with `labels` and `settings` of the head, which `load_model` compares, and
    whatever else is to be known of the training. The same network gives the same bytes. Raises
    StoreError when the folder cannot be written.
    """
    partial = folder.with_name(f".{folder.name}.partial")
    with _store_errors(folder):
        try:
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            with quiet():
                network.body.save_pretrained(partial)
                tokens.tokenizer.save_pretrained(partial)
            if head := _head(network):
                write_tensors(partial / HEAD, head)
            write_json(partial / FACTS, dict(facts))
            _publish(partial, folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def load_model(folder: Path, head: Head) -> tuple[Network, Tokens]:
    """Return the network and tokenizer that `save_model` saved, for the same head.

    Raises InputError for a folder that is none, is damaged, or has other labels or settings.
    """
    _restore(folder)
    _check_facts(folder, head)
    tokens = tokens_in(folder, str(folder))
    body, missing = read_body(folder, head.auto, str(folder))
    network = head.network(body)
    if missing:
        raise _damage_error(
            folder, f"{count(len(missing), 'weight')} lacking, such as {min(missing)}"
        )
    _fill_head(folder, network)
    return network, tokens


def load_head(folder: Path, network: Network, head: Head) -> None:
    """Put into a network what `save_model` saved beside the body, for the same head.

    Raises InputError for a head of other labels or settings, and for a damaged one.
    """
    _check_facts(folder, head)
    _fill_head(folder, network)


def _fill_head(folder: Path, network: Network) -> None:
    try:
        held = load_file(folder / HEAD) if (folder / HEAD).exists() else {}
    except Exception as error:  # the library's own errors have no common base
        raise _damage_error(folder, f"{HEAD} is unreadable ({type(error).__name__})") from None
    if wrong := fill(_head(network), held):
        raise _damage_error(
            folder, f"{count(len(wrong), 'weight')} lacking or not fitting, such as {wrong[0]}"
        )


def read_facts(folder: Path) -> dict[str, Any]:
    """Return the facts that a network was saved with; raises InputError where there are none."""
    _restore(folder)
    try:
        facts = json.loads(regular_file(folder / FACTS).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _damage_error(folder, f"{FACTS} is unreadable ({type(error).__name__})") from None
    if not isinstance(facts, dict):
        raise _damage_error(folder, f"{FACTS} holds no object")
    return facts


def save_state(
    folder: Path,
    network: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    facts: Mapping[str, Any],
) -> None:
    """Save a training into a folder, in the place of an older state.

    `facts` is JSON, and the order of its keys is kept. Killing the process at any moment leaves a
    whole state. Raises StoreError when it cannot be written.
    """
    state = optimizer.state_dict()
    held = {f"network.{name}": tensor for name, tensor in distinct(network.state_dict()).items()}
    for number, moments in state["state"].items():
        held |= {f"optimizer.{number}.{key}": torch.as_tensor(t) for key, t in moments.items()}
    head = {"form": _FORM, "facts": dict(facts), "groups": state["param_groups"]}
    with _store_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    write_tensors(folder / STATE, held, facts=json.dumps(head))


def load_state(
    folder: Path, network: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> dict[str, Any]:
    """Put a state into a network and an optimizer made in the same way; return its facts.

    Raises StoreError for a state that is damaged or of another network; both are then as they were.
    """
    head = _read_head(folder)
    try:
        held = load_file(folder / STATE)
    except Exception as error:  # the library's own errors have no common base
        raise _unusable(folder, f"unreadable ({type(error).__name__})") from None
    state = {"state": _moments(held), "param_groups": head["groups"]}
    _check_groups(folder, optimizer, state)
    if wrong := fill(distinct(network.state_dict()), _below(held, "network.")):
        raise _unusable(folder, f"of another network: {wrong[0]} differs")
    optimizer.load_state_dict(state)
    return dict(head["facts"])


def _head(network: Network) -> dict[str, torch.Tensor]:
    """Return what is not the body's, and shares nothing with it."""
    tensors = distinct(network.state_dict())
    return {name: tensor for name, tensor in tensors.items() if not name.startswith("body.")}


def _check_facts(folder: Path, head: Head) -> None:
    facts = read_facts(folder)
    needed = {"labels": list(head.labels), "settings": dict(head.settings)}
    for name, value in json.loads(json.dumps(needed)).items():
        if facts.get(name) != value:
            raise InputError(
                f"{folder}: the model was trained with other {name} than the task has now; give"
                " the release and the recipe that it was trained with, or drop its head: --new-head"
            )


def _damage_error(folder: Path, what: str) -> InputError:
    return InputError(
        f"{folder}: not a model that was trained here, or damaged: {what}; train it again"
    )


def _publish(partial: Path, folder: Path) -> None:
    """Give a folder its name; an older one steps aside, and back if that fails."""
    _restore(folder)
    shutil.rmtree(_aside(folder), ignore_errors=True)
    if folder.exists():
        folder.rename(_aside(folder))
    try:
        partial.rename(folder)
    finally:
        _restore(folder)
    shutil.rmtree(_aside(folder), ignore_errors=True)


def _restore(folder: Path) -> None:
    """Put a folder back that had stepped aside when the process was killed."""
    if _aside(folder).exists() and not folder.exists():
        _aside(folder).rename(folder)


def _aside(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.old")


def _read_head(folder: Path) -> dict[str, Any]:
    try:
        with safe_open(folder / STATE, framework="pt") as opened:
            head: dict[str, Any] = json.loads((opened.metadata() or {})["facts"])
    except Exception as error:  # the library's own errors have no common base
        raise _unusable(folder, f"unreadable ({type(error).__name__})") from None
    if head.get("form") != _FORM:
        raise _unusable(folder, "of another version of this program")
    return head


def _below(held: Tensors, prefix: str) -> dict[str, torch.Tensor]:
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in held.items()
        if name.startswith(prefix)
    }


def _moments(held: Tensors) -> dict[int, dict[str, torch.Tensor]]:
    moments: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in _below(held, "optimizer.").items():
        number, _, moment = name.partition(".")
        moments.setdefault(int(number), {})[moment] = tensor
    return moments


def _check_groups(folder: Path, optimizer: torch.optim.Optimizer, state: Mapping[str, Any]) -> None:
    """Raise StoreError unless the optimizer has the same groups, of parameters so shaped."""
    groups = optimizer.state_dict()["param_groups"]
    if [group["params"] for group in groups] != [
        group["params"] for group in state["param_groups"]
    ]:
        raise _unusable(folder, "of another optimizer: its parameters differ")
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    for number, kept in state["state"].items():
        shapes = {tuple(tensor.shape) for tensor in kept.values()} - {()}
        if not shapes <= {tuple(parameters[number].shape)}:
            raise _unusable(folder, f"of another optimizer: parameter {number} has another shape")


def _unusable(folder: Path, what: str) -> StoreError:
    return StoreError(
        f"{folder / STATE}: the state of the training is {what}; delete {folder} to start afresh"
    )


def distinct(tensors: Tensors) -> dict[str, torch.Tensor]:
    """Return tensors without those that share all their memory with an earlier one."""
    seen: set[tuple[object, ...]] = set()
    kept = {}
    for name, tensor in tensors.items():
        place = (tensor.device, tensor.data_ptr(), tensor.shape, tensor.stride())
        if tensor.numel() == 0 or place not in seen:
            kept[name] = tensor
        seen.add(place)
    return kept


def write_tensors(path: Path, tensors: Tensors, *, facts: str = "") -> None:
    """Write distinct tensors atomically, the same bytes for the same values.

    `facts` is kept in the head of the file. Raises StoreError when the file cannot be written.
    """
    temporary = path.with_name(f".{path.name}.partial")
    held = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    with _store_errors(path):
        try:
            save_file(held, temporary, metadata={"facts": facts} if facts else None)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def fill(tensors: Tensors, held: Tensors) -> list[str]:
    """Copy tensors into those of the same names; return what does not fit, and then copy none.

    All names must be there on both sides, with the same shapes and kinds of number.
    """
    both = ({(name, t.shape, t.dtype) for name, t in some.items()} for some in (tensors, held))
    wrong = sorted({name for name, *_ in set.symmetric_difference(*both)})
    if not wrong:
        with torch.no_grad():
            for name, tensor in tensors.items():
                tensor.copy_(held[name])
    return wrong


@contextmanager
def _store_errors(path: Path) -> Iterator[None]:
    """Turn what the system, or the library in its place, says of a write into a StoreError."""
    try:
        yield
    except (OSError, SafetensorError) as error:
        reason = getattr(error, "strerror", None) or error
        raise StoreError(f"{path}: cannot be written: {reason}") from None
