"""Where a network runs and how precisely it computes, by accelerate."""

from __future__ import annotations

from typing import Any, Final, Literal

import torch

#: `auto` is bf16 on a GPU and float32 without one. Weights and moments are always float32.
Precision = Literal["auto", "bf16", "float32"]
PRECISIONS: Final[tuple[Precision, ...]] = ("auto", "bf16", "float32")


def resolved(precision: Precision) -> str:
    """Return the precision that is meant on this machine: bf16 or float32."""
    if precision == "auto":
        return "bf16" if torch.cuda.is_available() else "float32"
    return precision


def accelerator(precision: Precision) -> Any:
    """Return the accelerator of one process: the GPU if there is one, else the CPU.

    One process may make several runs of different precision, which accelerate does not foresee: its
    state is begun anew.
    """
    from accelerate import Accelerator
    from accelerate.state import AcceleratorState

    AcceleratorState._reset_state()
    mixed = "bf16" if resolved(precision) == "bf16" else "no"
    return Accelerator(mixed_precision=mixed, cpu=not torch.cuda.is_available())
