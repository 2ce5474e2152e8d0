"""Where a network runs and how precisely it computes, by accelerate; and the memory it takes.

On a CPU the same run gives the same numbers with the same number of threads (OMP_NUM_THREADS), as
sums are taken in their order; on a GPU its kernels leave the last digits open.
"""

from __future__ import annotations

import gc
import resource
from typing import Any, Final, Literal

import torch

#: `auto` is bf16 on a GPU and float32 without one. Weights and moments are always float32.
Precision = Literal["auto", "bf16", "float32"]
PRECISIONS: Final[tuple[Precision, ...]] = ("auto", "bf16", "float32")


def resolve_precision(precision: Precision) -> str:
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
    mixed = "bf16" if resolve_precision(precision) == "bf16" else "no"
    return Accelerator(mixed_precision=mixed, cpu=not torch.cuda.is_available())


def reset_memory() -> None:
    """Give back the GPU's memory that an earlier run left, and count the peak anew from here."""
    if torch.cuda.is_available():
        gc.collect()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def peak_memory() -> dict[str, Any]:
    """Return the peak of memory in bytes, and of what it is.

    `device` is what tensors took of the GPU since `reset_memory`; `process` all that this process
    took since it began, earlier runs included: the system counts no other.
    """
    if torch.cuda.is_available():
        return {
            "peak_memory_bytes": torch.cuda.max_memory_allocated(),
            "peak_memory_of": "device",
        }
    kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"peak_memory_bytes": kibibytes * 1024, "peak_memory_of": "process"}
