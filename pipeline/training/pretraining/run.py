"""A pretraining run: text -> sequences -> a model with its tokenizer, and a record.

RUN/run.json   what was trained on what, and what came of it
RUN/model/     the weights of the last step and the tokenizer, as transformers saves them
RUN/data/      sequences; with state/, gone when the run has ended

Several processes share each batch. The main one prepares the text and writes; the others wait for
it. On a CPU the same run gives the same bytes with the same number of threads and processes.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, Final

import numpy as np
import torch
from accelerate.utils import broadcast_object_list

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_value
from pipeline.training.job import accelerator, peak_memory, reset_memory, resolve_precision
from pipeline.training.pretraining.architectures import load_body, new_body
from pipeline.training.pretraining.batches import Batching, TextBatches, tensors
from pipeline.training.pretraining.corpus import Corpus, notes, prepare, read_corpus
from pipeline.training.pretraining.flops import Load, peak_flops, training_flops
from pipeline.training.pretraining.job import PretrainingJob
from pipeline.training.pretraining.keyed import order
from pipeline.training.pretraining.masking import Masking
from pipeline.training.pretraining.network import PretrainingNetwork
from pipeline.training.pretraining.sequences import attended
from pipeline.training.pretraining.shards import check_texts
from pipeline.training.run import FORMAT, LIBRARIES, Callbacks
from pipeline.training.runfolder import Record, RunFolder
from pipeline.training.saving import save_model
from pipeline.training.training import DivergedError, Progress, Training, number, train

#: What the record of such a run says of itself.
KIND: Final = "pretraining"
_DATA: Final = "data"
#: What is added up over held-out batches: counts, losses and what is told right.
_SUMS: Final = ("tokens", "masked_sum", "masked_right", "pairs", "pair_sum", "pair_right")
#: Held-out sequences that are measured, and those that the load of a sequence is estimated on.
_MEASURED: Final = 2_048
_SAMPLED: Final = 4_096
#: Held-out sequences that are with a device at a time, if the recipe says nothing.
_TOGETHER: Final = 32


@dataclass(frozen=True)
class _Run:
    """A job at work: what it learns from, the network and the devices."""

    job: PretrainingJob
    corpus: Corpus
    network: PretrainingNetwork
    here: Any
    callbacks: Callbacks

    @property
    def folder(self) -> RunFolder:
        return RunFolder(self.job.folder)

    @property
    def batching(self) -> Batching:
        wide = self.job.recipe.max_length if self.job.compiled else 0
        return Batching(
            most=self.job.recipe.device_batch,
            process=self.here.process_index,
            processes=self.here.num_processes,
            wide=wide,
            pairs=self.corpus.pairs,
        )


def pretrain(job: PretrainingJob, callbacks: Callbacks) -> Record:
    """Pretrain a model, or go on where the same run stopped; return the record.

    A run that has ended is not repeated. Of several processes all return the record.

    Raises InputError for text, tokenizer, model and recipe that do not go together, before work
    starts; DivergedError when the loss is no number any more; StoreError when another process holds
    the folder; KeyboardInterrupt if asked to stop.
    """
    job.check()
    here = accelerator(job.precision)
    reset_memory()
    with ExitStack() as stack:
        record: Record = {}
        if here.is_main_process:
            record = _begin(job, callbacks, stack)
        record = _shared(here, record)
        if not record["finished"]:
            record = _shared(here, _train(job, here, callbacks, record))
    if "failed" in record:
        raise DivergedError(f"{job.folder}: this run has ended: {record['failed']}")
    return record


def _begin(job: PretrainingJob, callbacks: Callbacks, stack: ExitStack) -> Record:
    """Check and prepare a job, holding its folder; return its record, which may have ended."""
    documents = check_texts(job.files)
    settings = job.settings()
    begun: Record = {
        "format": FORMAT,
        "kind": KIND,
        "finished": False,
        "fingerprint": of_value(settings),
        "settings": settings,
    }
    folder = RunFolder(job.folder)
    folder.open(begun)  # which refuses the folder of another run before anything is written
    stack.enter_context(folder.hold())
    if (record := folder.open(begun)) is not None:
        callbacks.note(f"{job.folder}: this run has ended already")
        if "failed" not in record:
            folder.require(())
        return record
    folder.write(begun)
    data, fingerprint = job.folder / _DATA, begun["fingerprint"]
    prepare(job, data, fingerprint, documents=documents, stop=callbacks.stop)
    return {**begun, **_describe(job, read_corpus(job, data))}


def _train(job: PretrainingJob, here: Any, callbacks: Callbacks, record: Record) -> Record:
    corpus, folder = read_corpus(job, job.folder / _DATA), RunFolder(job.folder)
    is_main = here.is_main_process
    for note in record["notes"] if is_main else ():
        callbacks.note(note)
    run = _Run(job, corpus, _network(job, corpus), here, callbacks)
    record = {**record, **_describe_model(run)}
    if is_main:
        folder.write(record)
    ended = {**record, "finished": True}
    try:
        progress = train(_training(run), here, folder.state)
        full = {**ended, **_measurements(run, progress)}
    except DivergedError as error:
        full = {**ended, "failed": str(error)}
    except torch.OutOfMemoryError:
        raise InputError(
            "the memory of the GPU does not suffice; lower what is with it at a time, such as"
            " --set device_batch=8"
        ) from None
    if is_main:
        if "failed" not in full:
            save_model(folder.model, run.network, job.tokens, _facts(job))
        folder.close(full)
        shutil.rmtree(job.folder / _DATA, ignore_errors=True)
    return full


def _shared(here: Any, record: Record) -> Record:
    """Return the record of the main process, for which all others wait."""
    if here.num_processes == 1:
        return record
    held = [record]
    broadcast_object_list(held)
    return held[0]


def _network(job: PretrainingJob, corpus: Corpus) -> PretrainingNetwork:
    torch.manual_seed(number(job.seed, "weights"))
    if job.checkpoint is not None:
        body = load_body(job.checkpoint, job.architecture, pairs=corpus.pairs)
    else:
        body = new_body(job.config, job.architecture, pairs=corpus.pairs)
    network = PretrainingNetwork(body, job.architecture, dropout=job.recipe.dropout)
    if job.compiled:
        body.base_model.compile()
    return network


def _training(run: _Run) -> Training:
    job, here = run.job, run.here

    def stop() -> bool:
        asked = run.callbacks.stop()
        if here.num_processes == 1:
            return asked
        return bool(here.reduce(torch.tensor(float(asked), device=here.device)) > 0)

    return Training(
        network=run.network,
        batches=TextBatches(
            sequences=run.corpus.train,
            masking=_masking(job, seed=job.seed, dynamic=job.recipe.masking == "dynamic"),
            size=job.recipe.batch_size,
            seed=job.seed,
            batching=run.batching,
        ),
        recipe=job.recipe,
        seed=job.seed,
        evaluate=lambda: _evaluate(run),
        keep=lambda: None,  # the weights of the last step are saved when there is no other
        tell=run.callbacks.point if here.is_main_process else lambda _: None,
        done=run.callbacks.done,
        stop=stop,
    )


def _masking(job: PretrainingJob, *, seed: int, dynamic: bool) -> Masking:
    tokenizer = job.tokens.tokenizer
    ordinary = np.setdiff1d(np.arange(len(tokenizer)), tokenizer.all_special_ids)
    return Masking(job.recipe.masked, tokenizer.mask_token_id, ordinary, seed, dynamic)


def _evaluate(run: _Run) -> Mapping[str, float | None]:
    """Return the loss on held-out text and what is told right of it, in percent.

    Sequences and masks are the same for all seeds; each process measures its share of them.
    """
    job, sequences, here = run.job, run.corpus.held_out, run.here
    if not len(sequences):
        return {}
    places = np.arange(min(len(sequences), _MEASURED))
    rows = order(number(0, "held-out"), places, len(sequences))
    rows = np.sort(rows)[here.process_index :: here.num_processes]
    masking = _masking(job, seed=0, dynamic=False)
    sums = torch.zeros(len(_SUMS), dtype=torch.float64, device=here.device)
    most = job.recipe.device_batch or _TOGETHER
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


def _describe(job: PretrainingJob, corpus: Corpus) -> Record:
    return {
        "text": {
            "files": [path.name for path in job.files],
            "documents": corpus.record["documents"],
            **corpus.record["counts"],
        },
        "sequences": corpus.record["sequences"],
        "notes": notes(job, corpus.record),
        "architecture": job.architecture.name,
        "size": job.size,
        "recipe": job.recipe.model_dump(),
        "seed": job.seed,
        "versions": {name: version(name) for name in LIBRARIES},
    }


def _describe_model(run: _Run) -> Record:
    job, tokenizer = run.job, run.job.tokens.tokenizer
    return {
        "model": {
            "name": job.folder.name,
            "checkpoint": None if job.checkpoint is None else job.checkpoint.name,
            "parameters": sum(parameter.numel() for parameter in run.network.parameters()),
            "vocabulary": len(tokenizer),
        },
        "objectives": ["masked tokens", *(["next sentence"] if run.corpus.pairs else [])],
    }


def _facts(job: PretrainingJob) -> dict[str, Any]:
    return {"task": KIND, "architecture": job.architecture.name, "labels": [], "settings": {}}


def _measurements(run: _Run, progress: Progress) -> Record:
    return {
        "points": [asdict(point) for point in progress.points],
        "loss": {
            "last_step": progress.last if progress.step else None,
            "last_epoch": progress.last_epoch,
        },
        "measured": _speed(run, progress),
    }


def _speed(run: _Run, progress: Progress) -> Record:
    load, seconds = _load(run), max(progress.seconds, 1e-9)
    flops = training_flops(run.job.config, load) * progress.inputs / seconds
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    peak, reason = peak_flops(device, resolve_precision(run.job.precision))
    return {
        "device": device,
        "processes": run.here.num_processes,
        "threads": torch.get_num_threads(),
        "steps": progress.step,
        "training_seconds": progress.seconds,
        "inputs_per_second": progress.inputs / seconds,
        "tokens_per_second": load.tokens * progress.inputs / seconds,
        "model_flops_per_second": flops,
        "model_flops_utilisation": flops / (peak * run.here.num_processes) if peak else None,
        "utilisation_unknown": reason or None,
        "waiting_share": progress.waited / seconds,
        **peak_memory(),
    }


def _load(run: _Run) -> Load:
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
