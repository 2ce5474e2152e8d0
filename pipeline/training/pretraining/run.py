"""A pretraining run: text -> sequences -> a model with its tokenizer, and a record.

RUN/run.json   what was trained on what, and what came of it
RUN/model/     the weights of the last step and the tokenizer, as transformers saves them
RUN/data/      sequences; with state/, gone when the run has ended

Several processes share each batch. The main one prepares the text and writes; the others wait for
it. On a CPU the same run gives the same bytes with the same number of threads and processes.
"""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from importlib.metadata import version
from typing import Any, Final

import torch
from accelerate.utils import broadcast_object_list

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_value
from pipeline.training.job import accelerator, reset_memory
from pipeline.training.pretraining.batches import TextBatches
from pipeline.training.pretraining.corpus import Corpus, notes, prepare, read_corpus
from pipeline.training.pretraining.job import PretrainingJob
from pipeline.training.pretraining.measuring import evaluate, measurements
from pipeline.training.pretraining.shards import check_texts
from pipeline.training.pretraining.trainable import Trainable, trainable
from pipeline.training.run import FORMAT, LIBRARIES, Callbacks
from pipeline.training.runfolder import Record, RunFolder
from pipeline.training.saving import save_model
from pipeline.training.training import DivergedError, Training, train

#: What the record of such a run says of itself.
KIND: Final = "pretraining"
_DATA: Final = "data"


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
    size = min(job.recipe.batch_size, len(corpus.train))
    if size < here.num_processes:
        raise InputError(
            f"a batch of {size} sequences cannot be shared by {here.num_processes} processes; start"
            " fewer, or give a larger batch_size or more text"
        )
    for note in record["notes"] if is_main else ():
        callbacks.note(note)
    run = trainable(job, corpus, here)
    record = {**record, **_describe_model(run)}
    if is_main:
        folder.write(record)
    ended = {**record, "finished": True}
    try:
        progress = train(_training(run, callbacks), here, folder.state)
        full = {**ended, **measurements(run, progress)}
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


def _training(run: Trainable, callbacks: Callbacks) -> Training:
    job, here = run.job, run.accelerator

    def stop() -> bool:
        asked = callbacks.stop()
        if here.num_processes == 1:
            return asked
        return bool(here.reduce(torch.tensor(float(asked), device=here.device)) > 0)

    return Training(
        network=run.network,
        batches=TextBatches(
            sequences=run.corpus.train,
            masking=run.masking,
            size=job.recipe.batch_size,
            seed=job.seed,
            batching=run.batching,
        ),
        recipe=job.recipe,
        seed=job.seed,
        evaluate=lambda: evaluate(run),
        keep=lambda: None,  # the weights of the last step are saved when there is no other
        tell=callbacks.point if here.is_main_process else lambda _: None,
        done=callbacks.done,
        stop=stop,
    )


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


def _describe_model(run: Trainable) -> Record:
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
