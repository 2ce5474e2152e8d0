"""A job: what is trained on what, where it is written, and on which device it runs.

On a CPU the same run gives the same numbers with the same number of threads (OMP_NUM_THREADS), as
sums are taken in their order; on a GPU its kernels leave the last digits open.
"""

from __future__ import annotations

import gc
import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Literal

import torch

from pipeline.contracts.example import Example
from pipeline.contracts.parts import part_modules
from pipeline.contracts.spec import TaskSpec
from pipeline.core.fingerprint import of_code, of_value
from pipeline.training.recipe import Recipe
from pipeline.training.source import Source

#: `auto` is bf16 on a GPU and float32 without one. Weights and moments are always float32.
Precision = Literal["auto", "bf16", "float32"]
PRECISIONS: Final[tuple[Precision, ...]] = ("auto", "bf16", "float32")
#: How long processes wait for each other: one prepares the text for all.
_PATIENCE: Final = timedelta(days=2)
#: The step whose code decides the result, with all that it imports, and with the task's head.
_STEP: Final = "pipeline.training.run"
#: What of a recipe only the training reads, and neither encoding nor model.
_LEARNING: Final = ("learning_rate", "batch_size", "epochs", "warmup", "decay", "clip", "evaluate")


@dataclass(frozen=True)
class Job:
    """What is trained on what, and where it is written.

    `splits` has `train`, `dev` and perhaps `test`. `data` tells what the examples are of (release,
    version, release hash, or file names); `digest` is one of the examples themselves. Of the scores
    on dev that of `metric` decides which weights are best.
    """

    spec: TaskSpec
    recipe: Recipe
    model: Source
    splits: Mapping[str, Sequence[Example]]
    data: Mapping[str, Any]
    digest: str
    metric: str
    folder: Path
    seed: int = 0
    precision: Precision = "auto"
    new_head: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        """Return all that decides the result; a folder goes on with a run of the same ones only."""
        modules = (_STEP, *part_modules(self.spec.task, "head"))
        return {
            "task": self.spec.task,
            "spec": self.spec.digest,
            "examples": self.digest,
            "model": self.model.digest,
            "recipe": self.recipe.model_dump(),
            "metric": self.metric,
            "seed": self.seed,
            "precision": resolve_precision(self.precision),
            "new_head": self.new_head,
            "code": of_value([of_code(module) for module in modules]),
        }

    @property
    def material(self) -> dict[str, Any]:
        """Return what decides the encoded examples and the model's form: points of a grid share it.

        Jobs of the same material are refused or taken together.
        """
        recipe = self.recipe.model_dump(exclude=set(_LEARNING))
        return {**self.settings, "recipe": recipe, "seed": None}


def resolve_precision(precision: Precision) -> str:
    """Return the precision that is meant on this machine: bf16 or float32."""
    if precision == "auto":
        return "bf16" if torch.cuda.is_available() else "float32"
    return precision


def accelerator(precision: Precision) -> Any:
    """Return the accelerator of this process: a GPU if there is one, else the CPU.

    One process may make several runs of different precision, which accelerate does not foresee: its
    state is begun anew.
    """
    from accelerate import Accelerator, InitProcessGroupKwargs
    from accelerate.state import AcceleratorState

    AcceleratorState._reset_state()
    mixed = "bf16" if resolve_precision(precision) == "bf16" else "no"
    return Accelerator(
        mixed_precision=mixed,
        cpu=not torch.cuda.is_available(),
        kwargs_handlers=[InitProcessGroupKwargs(timeout=_PATIENCE)],
    )


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
