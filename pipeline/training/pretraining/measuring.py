"""What is measured of a pretraining: the loss on held-out text, and how fast it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

import numpy as np
import torch

from pipeline.training.job import peak_memory, resolve_precision
from pipeline.training.pretraining.batches import tensors
from pipeline.training.pretraining.flops import Load, peak_flops, training_flops
from pipeline.training.pretraining.keyed import order
from pipeline.training.pretraining.sequences import attended
from pipeline.training.pretraining.trainable import Trainable
from pipeline.training.runfolder import Record
from pipeline.training.training import Progress, number

#: What is added up over held-out batches: counts, losses and what is told right.
_SUMS: Final = ("tokens", "masked_sum", "masked_right", "pairs", "pair_sum", "pair_right")
#: Held-out sequences that are measured, and those that the load of a sequence is estimated on.
_MEASURED: Final = 2_048
_SAMPLED: Final = 1_024
#: Held-out sequences that are with a device at a time, if the recipe says nothing.
_TOGETHER: Final = 32


def evaluate(run: Trainable) -> Mapping[str, float | None]:
    """Return the loss on held-out text and what is told right of it, in percent.

    Sequences and masks are the same for all seeds; each process measures its share of them.
    """
    sequences, here = run.corpus.held_out, run.accelerator
    if not len(sequences):
        return {}
    places = np.arange(min(len(sequences), _MEASURED))
    rows = order(number(0, "held-out"), places, len(sequences))
    rows = np.sort(rows)[here.process_index :: here.num_processes]
    masking = run.held_out_masking
    sums = torch.zeros(len(_SUMS), dtype=torch.float64, device=here.device)
    most = run.job.recipe.device_batch or _TOGETHER
    run.network.eval()
    with torch.inference_mode():
        for at in range(0, len(rows), most):
            batch = tensors(
                sequences, masking, rows[at : at + most], epoch=0, batching=run.batching
            )
            batch = {name: tensor.to(here.device) for name, tensor in batch.items()}
            outputs = {**batch, **run.network(batch)}
            for place, name in enumerate(_SUMS):
                sums[place] += outputs.get(name, 0.0)
    run.network.train()
    return _scores(*here.reduce(sums).tolist())


def _scores(
    tokens: float, loss: float, right: float, pairs: float, pair_loss: float, pairs_right: float
) -> dict[str, float | None]:
    masked = loss / max(1.0, tokens)
    scores = {"loss": masked, "masked_accuracy": 100 * right / max(1.0, tokens)}
    if pairs:
        scores["loss"] += pair_loss / pairs
        scores["masked_loss"] = masked
        scores["next_sentence_accuracy"] = 100 * pairs_right / pairs
    return dict(scores)


def measurements(run: Trainable, progress: Progress) -> Record:
    """Return the curves of a run and its speed, for the record."""
    return {
        "points": [asdict(point) for point in progress.points],
        "loss": {
            "last_step": progress.last if progress.step else None,
            "last_epoch": progress.last_epoch,
        },
        "measured": _speed(run, progress),
    }


def _speed(run: Trainable, progress: Progress) -> Record:
    load, seconds = _load(run), max(progress.seconds, 1e-9)
    flops = training_flops(run.job.config, load) * progress.inputs / seconds
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    peak, reason = peak_flops(device, resolve_precision(run.job.precision))
    return {
        "device": device,
        "processes": run.accelerator.num_processes,
        "threads": torch.get_num_threads(),
        "steps": progress.step,
        "training_seconds": progress.seconds,
        "inputs_per_second": progress.inputs / seconds,
        "tokens_per_second": load.tokens * progress.inputs / seconds,
        "model_flops_per_second": flops,
        "model_flops_utilisation": flops / (peak * run.accelerator.num_processes) if peak else None,
        "utilisation_unknown": reason or None,
        "waiting_share": progress.waited / seconds,
        **peak_memory(),
    }


def _load(run: Trainable) -> Load:
    """Return what a sequence has on average, estimated on a sample where there are many."""
    sequences, job = run.corpus.train, run.job
    rows = np.sort(
        order(number(0, "load"), np.arange(min(len(sequences), _SAMPLED)), len(sequences))
    )
    batch = sequences.batch(rows)
    free = float(batch.free.sum(1).mean())
    return Load(
        tokens=float(batch.lengths.mean()),
        attended=float(attended(batch).mean()),
        masked=free * job.recipe.masked,
        pairs=float(run.corpus.pairs),
    )
