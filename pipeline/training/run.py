"""One run: examples of a release -> a fine-tuned model, its predictions and scores, and a record.

Everything that can be refused is refused before training starts, and nothing is written before. On
a CPU the same run gives the same numbers with the same number of threads, which the record tells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, Final

import torch

from pipeline.contracts.example import Prediction
from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_value
from pipeline.training.batches import ExampleBatches, input_keys
from pipeline.training.job import Job, peak_memory, reset_memory
from pipeline.training.preparing import Prepared, Stop, check_job, prepare
from pipeline.training.runfolder import Record, RunFolder
from pipeline.training.saving import load_model, save_model
from pipeline.training.training import DivergedError, Point, Progress, Training, train

FORMAT: Final = 1
#: Scores by variant and metric; None where a split has no labels at hand.
Scores = Mapping[str, Mapping[str, float | None]]
Score = Callable[[str, Sequence[Prediction]], Scores | None]
#: The variant whose scores decide which weights are best.
DECIDING: Final = "klue"
LIBRARIES: Final = ("accelerate", "safetensors", "tokenizers", "torch", "transformers")


@dataclass(frozen=True)
class Callbacks:
    """What a run calls: with notes, steps done of all, and evaluations; and to ask for a stop."""

    note: Callable[[str], None] = lambda _: None
    done: Callable[[int, int], None] = lambda _step, _steps: None
    point: Callable[[Point], None] = lambda _: None
    stop: Stop = lambda: False


def run(job: Job, score: Score, callbacks: Callbacks = Callbacks()) -> Record:
    """Train, keep the best weights on dev, predict dev and test, score them; return the record.

    A folder that holds the same run goes on where it stopped. A run that has ended is not repeated;
    `klue score` scores its predictions of splits whose labels were not at hand then.

    Raises InputError for examples, models and recipes that do not go together, before training;
    DivergedError when the loss is no number any more, which the record then tells as `failed`;
    StoreError when another process holds the folder; KeyboardInterrupt if asked to stop.
    """
    head = check_job(job)
    folder, begun = RunFolder(job.folder), _begun(job)
    if (record := folder.open(begun)) is not None:
        return _ended_record(record, job, callbacks)
    reset_memory()
    prepared = prepare(job, head, callbacks.stop)
    with folder.hold():
        if (record := folder.open(begun)) is not None:  # by another process, in the meantime
            return _ended_record(record, job, callbacks)
        return _run(prepared, {**begun, **_describe(prepared)}, score, callbacks)


def rehearse(jobs: Sequence[Job], stop: Stop = lambda: False) -> None:
    """Raise what `run` would raise over any of several jobs before its training.

    Nothing is kept or written. Jobs that differ in the numbers of the training alone are tried
    once, and those that have ended not at all.
    """
    ahead: dict[str, Job] = {}
    for job in jobs:
        if RunFolder(job.folder).open(_begun(job)) is None:
            ahead.setdefault(of_value(job.material), job)
    heads = [check_job(job) for job in ahead.values()]
    for job, head in zip(ahead.values(), heads, strict=True):
        prepare(job, head, stop)


def _begun(job: Job) -> Record:
    return {
        "format": FORMAT,
        "finished": False,
        "fingerprint": of_value(job.settings),
        "settings": job.settings,
    }


def _ended_record(record: Record, job: Job, callbacks: Callbacks) -> Record:
    """Return the record of a run that has ended; raises DivergedError for one that failed."""
    if "failed" in record:
        raise DivergedError(f"{job.folder}: this run has ended already: {record['failed']}")
    callbacks.note(f"{job.folder}: this run has ended already")
    RunFolder(job.folder).require(split for split in job.splits if split != "train")
    return record


def _run(prepared: Prepared, record: Record, score: Score, callbacks: Callbacks) -> Record:
    folder = RunFolder(prepared.job.folder)
    for split, notes in prepared.notes.items():
        for note in notes:
            callbacks.note(f"{split}: {note}")
    folder.write(record)
    ended = {**record, "finished": True}
    try:
        progress = _train(prepared, score, callbacks)
        measured = _measurements(prepared, progress)
        full = {**ended, **measured, "scores": _scores(prepared, score, callbacks.stop)}
    except DivergedError as error:
        folder.close({**ended, "failed": str(error)})
        raise
    except torch.OutOfMemoryError:
        raise InputError(
            f"{prepared.job.spec.task}: the memory of the GPU does not suffice; lower batch_size or"
            " max_length, such as --set batch_size=8"
        ) from None
    folder.close(full)
    return full


def _train(prepared: Prepared, score: Score, callbacks: Callbacks) -> Progress:
    job, folder, features = prepared.job, RunFolder(prepared.job.folder), prepared.features["train"]

    def evaluate() -> Mapping[str, float | None]:
        return (score("dev", prepared.predictions("dev", callbacks.stop)) or {}).get(DECIDING, {})

    def keep() -> None:
        save_model(folder.model, prepared.network, prepared.tokens, _facts(prepared))

    training = Training(
        network=prepared.network,
        batches=ExampleBatches(
            features,
            input_keys(features, [example.id for example in job.splits["train"]]),
            size=job.recipe.batch_size,
            seed=job.seed,
            pad=prepared.tokens.pad,
        ),
        recipe=job.recipe,
        seed=job.seed,
        evaluate=evaluate,
        keep=keep,
        metric=job.metric,
        tell=callbacks.point,
        done=callbacks.done,
        stop=callbacks.stop,
    )
    return train(training, prepared.accelerator, folder.state)


def _facts(prepared: Prepared) -> dict[str, Any]:
    return {
        "task": prepared.job.spec.task,
        "spec": prepared.job.spec.name,
        "labels": list(prepared.head.labels),
        "settings": dict(prepared.head.settings),
    }


def _scores(prepared: Prepared, score: Score, stop: Stop) -> dict[str, Scores]:
    """Predict with the best weights; return scores by split, and write the predictions."""
    folder, by_split = RunFolder(prepared.job.folder), {}
    best, _ = load_model(folder.model, prepared.head)
    prepared.network.load_state_dict(best.state_dict())
    for split in prepared.job.splits:
        if split != "train":
            predictions = prepared.predictions(split, stop)
            folder.predictions(split, predictions)
            if (scores := score(split, predictions)) is not None:
                by_split[split] = scores
    return by_split


def _describe(prepared: Prepared) -> Record:
    job = prepared.job
    return {
        "task": job.spec.task,
        "spec": {"name": job.spec.name, "digest": job.spec.digest},
        "data": dict(job.data),
        "model": {
            "name": job.model.name,
            "digest": job.model.digest,
            "parameters": sum(parameter.numel() for parameter in prepared.network.parameters()),
            "vocabulary": len(prepared.tokens.tokenizer),
        },
        "recipe": job.recipe.model_dump(),
        "seed": job.seed,
        "examples": {split: len(examples) for split, examples in job.splits.items()},
        "inputs": {split: len(features) for split, features in prepared.features.items()},
        "notes": {split: list(notes) for split, notes in prepared.notes.items()},
        "versions": {name: version(name) for name in LIBRARIES},
    }


def _measurements(prepared: Prepared, progress: Progress) -> Record:
    seconds, trained = max(progress.seconds, 1e-9), progress.step > 0
    return {
        "points": [asdict(point) for point in progress.points],
        "best": {"metric": prepared.job.metric, **asdict(progress.chosen)},
        "loss": {
            "last_step": progress.last if trained else None,
            "last_epoch": progress.last_epoch,
        },
        "measured": {
            "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
            "threads": torch.get_num_threads(),
            "training_seconds": progress.seconds,
            "inputs_per_second": progress.inputs / seconds,
            "waiting_share": progress.waited / seconds,
            **peak_memory(),
            "encoded_per_second": prepared.rate,
        },
    }
