"""Tensors of a network in one file: each once, even where several names share one.

A file of safetensors may hold no tensor twice, and a network may: the words that a decoder writes
are those that the encoder reads. The first name stands for all; a network that is loaded shares
them in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file

from pipeline.core.errors import StoreError

#: Named tensors of a network or an optimizer.
Tensors = Mapping[str, torch.Tensor]


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
    held = {name: one.detach().cpu().contiguous() for name, one in tensors.items()}
    try:
        save_file(held, temporary, metadata={"facts": facts} if facts else None)
        temporary.replace(path)
    except (OSError, SafetensorError) as error:
        raise StoreError(f"{path}: cannot be written: {reason(error)}") from None
    finally:
        temporary.unlink(missing_ok=True)


def fill(tensors: Tensors, held: Tensors) -> list[str]:
    """Copy tensors into those of the same names; return what does not fit, and then copy none.

    All names must be there on both sides, with the same shapes and kinds of number.
    """
    wrong = sorted(set(tensors) ^ set(held))
    wrong += [
        name
        for name in sorted(set(tensors) & set(held))
        if (tensors[name].shape, tensors[name].dtype) != (held[name].shape, held[name].dtype)
    ]
    if not wrong:
        with torch.no_grad():
            for name, tensor in tensors.items():
                tensor.copy_(held[name])
    return wrong


def reason(error: Exception) -> str:
    """Return what the system, or the library in its place, says of an error in writing."""
    return getattr(error, "strerror", None) or str(error)
