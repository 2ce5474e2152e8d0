"""What a GPU does with `klue pretrain` and `klue train`: speed, memory, waiting, where time goes.

    python tests/benchmarks/gpu_training.py pretrain TEXT TOKENIZER OUT [--size base] [--set ...]
    python tests/benchmarks/gpu_training.py train EXAMPLES OUT --task nli --model scratch:small

Each call is one run of the command's own code, and prints one JSON object. Speed is that of the
steps behind the first `--warm` ones, whose kernels are chosen and compiled, without evaluations,
between two moments at which the device has nothing to do. `--profile FILE` writes what 12 steps
spend on the device and on the host.
FLOPs utilisation is of the products that the model needs over the stated peak in bf16
(pipeline/training/pretraining/flops.py); that of `train` counts six operations a token for each
weight outside embeddings.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import torch

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
#: Steps that a profile is of.
_PROFILED: Final = 12


class Clock:
    """Times the steps behind the first ones, and those that are profiled; no evaluations."""

    def __init__(self, warm: int, profile: Path | None) -> None:
        self.first, self.profile = warm, profile
        self.begin = warm + (_PROFILED if profile else 0)
        self.steps, self.seconds, self.began = 0, 0.0, 0.0
        self.profiler: Any = None

    def done(self, step: int, _steps: int) -> None:
        """Hear of a step that is done."""
        if step == self.first and self.profile is not None:
            _wait()
            self.profiler = torch.profiler.profile()
            self.profiler.start()
        if step == self.begin:
            self._write_profile()
            self.resume()
        self.steps += step > self.begin

    def resume(self) -> None:
        """Count time from here."""
        _wait()
        self.began = perf_counter()

    def pause(self) -> None:
        """Count time up to here."""
        if self.began:
            _wait()
            self.seconds += perf_counter() - self.began
            self.began = 0.0

    def _write_profile(self) -> None:
        if self.profile is None or self.profiler is None:
            return
        _wait()
        self.profiler.stop()
        found = self.profiler.key_averages()
        orders = ("self_cuda_time_total", "self_cpu_time_total")
        tables = [found.table(sort_by=order, row_limit=40) for order in orders]
        self.profile.write_text("\n".join(tables), "utf-8")


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def pretrain(given: argparse.Namespace, clock: Clock) -> dict[str, Any]:
    """Run a pretraining; return its measures."""
    from flows.commands.pretraining import Pretraining, job_of
    from pipeline.training.pretraining import run as runs
    from pipeline.training.run import Callbacks

    request = Pretraining(
        places=(given.text,),
        tokenizer=given.tokenizer,
        out=given.out,
        architecture=given.architecture,
        size=given.size,
        recipe="modern",
        settings=tuple(given.set),
        compiled=given.compile,
    )
    _around_evaluations(runs, clock)
    record = runs.pretrain(job_of(request), Callbacks(done=clock.done))
    clock.pause()
    measured = record["measured"]
    inputs = record["recipe"]["batch_size"] * clock.steps / clock.seconds
    share = inputs / measured["inputs_per_second"]
    used = measured["model_flops_utilisation"]
    return {
        "sequences_per_second": inputs,
        "tokens_per_second": measured["tokens_per_second"] * share,
        "model_flops_utilisation": used and used * share,
        "utilisation_of_all_steps": used,
        "points": [[p["step"], p["scores"].get("loss")] for p in record["points"]],
        **_common(record),
    }


def train(given: argparse.Namespace, clock: Clock) -> dict[str, Any]:
    """Fine-tune a model; return its measures."""
    from flows.commands.training import Training, jobs_of
    from pipeline.training import run as runs
    from pipeline.training.pretraining.flops import peak_flops

    request = Training(
        place=given.examples,
        task=given.task,
        model=given.model,
        out=given.out,
        settings=tuple(given.set),
        holdout=given.holdout,
    )
    [(job, score)] = jobs_of(request)
    prepared: list[Any] = []
    made = runs.prepare

    def prepare(*arguments: Any) -> Any:
        prepared.append(made(*arguments))
        return prepared[-1]

    runs.prepare = prepare
    _around_evaluations(runs, clock)
    record = runs.run(job, score, runs.Callbacks(done=clock.done))
    clock.pause()
    [ready] = prepared
    tables = [m for m in ready.network.modules() if isinstance(m, torch.nn.Embedding)]
    weights = sum(p.numel() for p in ready.network.parameters())
    weights -= sum(table.weight.numel() for table in tables)
    tokens = float(ready.features["train"].tokens.lengths.mean())
    inputs = job.recipe.batch_size * clock.steps / clock.seconds
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    peak, _ = peak_flops(device, "bf16")
    return {
        "inputs_per_second": inputs,
        "tokens_per_input": tokens,
        "model_flops_utilisation": peak and 6 * weights * tokens * inputs / peak,
        "scores": record["scores"],
        **_common(record),
    }


def _around_evaluations(runs: Any, clock: Clock) -> None:
    """Stop the clock while the dev split is scored."""
    made = runs.Training

    def training(**fields: Any) -> Any:
        evaluate = fields["evaluate"]

        def evaluated() -> Any:
            running = bool(clock.began)
            clock.pause()
            try:
                return evaluate()
            finally:
                if running:
                    clock.resume()

        return made(**{**fields, "evaluate": evaluated})

    runs.Training = training


def _common(record: dict[str, Any]) -> dict[str, Any]:
    measured = record["measured"]
    return {
        "parameters": record["model"]["parameters"],
        "device": measured["device"],
        "waiting_share": measured["waiting_share"],
        "peak_memory_gib": measured["peak_memory_bytes"] / 2**30,
        "training_seconds": measured["training_seconds"],
        "loss": record["loss"],
    }


def main() -> None:
    """Measure one run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    one = kinds.add_parser("pretrain")
    one.add_argument("text", type=Path)
    one.add_argument("tokenizer", type=Path)
    one.add_argument("--size", default="base")
    one.add_argument("--architecture", default="bert")
    one.add_argument("--compile", action="store_true")
    other = kinds.add_parser("train")
    other.add_argument("examples", type=Path)
    other.add_argument("--task", required=True)
    other.add_argument("--model", required=True)
    other.add_argument("--holdout", type=float)
    for kind in (one, other):
        kind.add_argument("out", type=Path)
        kind.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
        kind.add_argument("--warm", type=int, default=10)
        kind.add_argument("--profile", type=Path)
    given = parser.parse_args()
    clock = Clock(given.warm, given.profile)
    begin = perf_counter()
    found = (pretrain if given.kind == "pretrain" else train)(given, clock)
    found |= {"timed_steps": clock.steps, "all_seconds": perf_counter() - begin}
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
