"""One run: examples of a release -> a fine-tuned model, its predictions and scores, and a record.

Everything that can be refused is refused before training starts: labels, lengths, the model.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import torch

from pipeline.baseline.accelerating import Precision, accelerator, resolved
from pipeline.baseline.approach import Approach, Network
from pipeline.baseline.batches import input_keys
from pipeline.baseline.bodies import body_of, longest, tokens_of
from pipeline.baseline.features import Features
from pipeline.baseline.predicting import predict
from pipeline.baseline.recipe import Recipe
from pipeline.baseline.registry import APPROACHES
from pipeline.baseline.runfolder import Record, RunFolder
from pipeline.baseline.saving import load_model, save_model
from pipeline.baseline.source import Source
from pipeline.baseline.tokens import Tokens
from pipeline.baseline.training import Point, Progress, Training, number, train
from pipeline.core.errors import InputError
from pipeline.core.fingerprint import of_value
from pipeline.tasks.example import Example, Prediction
from pipeline.tasks.spec import TaskSpec

FORMAT: Final = 1
#: Scores by variant and metric; None where a split has no labels at hand.
Scores = Mapping[str, Mapping[str, float | None]]
Score = Callable[[str, Sequence[Prediction]], Scores | None]
#: The variant whose first metric decides which weights are best.
DECIDING: Final = "klue"
#: Examples that are encoded together for a prediction need no gradient: more fit in.
_WIDER: Final = 4
_LIBRARIES: Final = ("accelerate", "safetensors", "tokenizers", "torch", "transformers")


@dataclass(frozen=True)
class Job:
    """What is trained on what, and where it is written.

    `splits` has `train`, `dev` and perhaps `test`. `data` tells what the examples are of (release,
    version, release hash, or file names); `digest` is one of the examples themselves.
    """

    spec: TaskSpec
    recipe: Recipe
    model: Source
    splits: Mapping[str, Sequence[Example]]
    data: Mapping[str, Any]
    digest: str
    folder: Path
    seed: int = 0
    precision: Precision = "auto"
    new_head: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        """Return all that decides the result; a folder goes on with a run of the same ones only."""
        return {
            "task": self.spec.task,
            "spec": self.spec.digest,
            "examples": self.digest,
            "model": self.model.digest,
            "recipe": self.recipe.model_dump(),
            "seed": self.seed,
            "precision": resolved(self.precision),
            "new_head": self.new_head,
        }


@dataclass(frozen=True)
class Hearing:
    """Who is told how a run goes on: notes, steps done of all, evaluations; and who may stop it."""

    note: Callable[[str], None] = lambda _: None
    done: Callable[[int, int], None] = lambda _step, _steps: None
    point: Callable[[Point], None] = lambda _: None
    stop: Callable[[], bool] = lambda: False


@dataclass
class _Run:
    """A run in hand."""

    job: Job
    approach: Approach
    tokens: Tokens
    features: dict[str, Features]
    network: Network
    accelerator: Any
    folder: RunFolder
    encoding: dict[str, float] = field(default_factory=dict)

    def predictions(self, split: str) -> list[Prediction]:
        features, examples = self.features[split], self.job.splits[split]
        return predict(
            self.network,
            features,
            self.approach.decoder(features, examples, self.tokens),
            pad=self.tokens.pad,
            size=self.job.recipe.batch_size * _WIDER,
            device=self.accelerator.device,
        )


def run(job: Job, score: Score, hearing: Hearing = Hearing()) -> Record:
    """Train, keep the best weights on dev, predict dev and test, score them; return the record.

    A folder that holds the same run goes on where it stopped, or is returned if it has ended.
    Raises InputError for examples, models and recipes that do not go together, before training.
    """
    approach = checked(job)
    folder = RunFolder(job.folder)
    begun = {
        "format": FORMAT,
        "finished": False,
        "fingerprint": of_value(job.settings),
        "settings": job.settings,
    }
    ended = folder.open(begun)
    if ended is not None:
        hearing.note(f"{job.folder}: this run has ended already")
        return ended
    made = _prepared(job, approach, folder, hearing)
    progress = _trained(made, score, hearing)
    record = {**begun, "finished": True, **_told(made, progress), **_scored(made, score)}
    folder.close(record)
    return record


def checked(job: Job) -> Approach:
    """Return the approach of a job whose examples it can use; raises InputError."""
    for split in ("train", "dev"):
        if not job.splits.get(split):
            raise InputError(
                f"{job.spec.task}: no example to {_USE[split]}; the {split} split is empty"
            )
    approach = APPROACHES[job.spec.task](job.spec, job.recipe, job.splits["train"])
    for split, examples in job.splits.items():
        approach.check(examples, labels=split == "train")
    return approach


_USE: Final = {"train": "learn from", "dev": "choose the best weights by"}


def _prepared(job: Job, approach: Approach, folder: RunFolder, hearing: Hearing) -> _Run:
    torch.manual_seed(number(job.seed, "weights"))
    texts = _texts(job.splits["train"])
    tokens = tokens_of(job.model, texts, vocabulary=job.recipe.vocabulary)
    if approach.markers:
        tokens.add(approach.markers)
    body = body_of(job.model, approach, tokens, new_head=job.new_head)
    _fits(job, longest(body, tokens))
    begin, features = perf_counter(), {}
    for split, examples in job.splits.items():
        features[split] = approach.encode(examples, tokens, labels=split == "train")
        for note in features[split].notes:
            hearing.note(f"{split}: {note}")
    encoding = {"examples": sum(map(len, job.splits.values())), "seconds": perf_counter() - begin}
    return _Run(
        job,
        approach,
        tokens,
        features,
        approach.network(body),
        accelerator(job.precision),
        folder,
        encoding,
    )


def _fits(job: Job, limit: int | None) -> None:
    if limit is not None and job.recipe.max_length > limit:
        raise InputError(
            f"max_length {job.recipe.max_length} of the recipe is more than {job.model.name} reads:"
            f" {limit} tokens; lower it"
        )


def _texts(examples: Sequence[Example]) -> Iterator[str]:
    """Yield all texts that a model reads of examples."""
    for one in examples:
        for value in one.fields.values():
            if isinstance(value, str):
                yield value
        if isinstance(one.label, Mapping):
            yield from (turn["text"] for turn in one.label.get("turns", ()))
            if "question" in one.label:
                yield one.label["question"]


def _trained(made: _Run, score: Score, hearing: Hearing) -> Progress:
    job, features = made.job, made.features["train"]

    def evaluate() -> Mapping[str, float | None]:
        return (score("dev", made.predictions("dev")) or {}).get(DECIDING, {})

    def keep() -> None:
        save_model(made.folder.model, made.network, made.tokens, _facts(made))

    training = Training(
        network=made.network,
        features=features,
        keys=input_keys(features, [one.id for one in job.splits["train"]]),
        recipe=job.recipe,
        seed=job.seed,
        pad=made.tokens.pad,
        evaluate=evaluate,
        keep=keep,
        tell=hearing.point,
        done=hearing.done,
        stop=hearing.stop,
    )
    return train(training, made.accelerator, made.folder.state)


def _facts(made: _Run) -> dict[str, Any]:
    return {
        "task": made.job.spec.task,
        "spec": made.job.spec.name,
        "labels": list(made.approach.labels),
        "settings": dict(made.approach.settings),
    }


def _scored(made: _Run, score: Score) -> Record:
    """Predict with the best weights; return scores by split, and write the predictions."""
    best, _ = load_model(made.folder.model, made.approach)
    made.network.load_state_dict(best.state_dict())
    found: dict[str, Any] = {}
    for split in made.job.splits:
        if split != "train":
            predictions = made.predictions(split)
            made.folder.predictions(split, predictions)
            if (scores := score(split, predictions)) is not None:
                found[split] = scores
    return {"scores": found}


def _told(made: _Run, progress: Progress) -> Record:
    job, cuda = made.job, torch.cuda.is_available()
    peak = (
        torch.cuda.max_memory_allocated()
        if cuda
        else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    )
    seconds = max(progress.seconds, 1e-9)
    return {
        "task": job.spec.task,
        "spec": {"name": job.spec.name, "digest": job.spec.digest},
        "data": dict(job.data),
        "model": {
            "name": job.model.name,
            "digest": job.model.digest,
            "parameters": sum(one.numel() for one in made.network.parameters()),
            "vocabulary": len(made.tokens.tokenizer),
        },
        "recipe": job.recipe.model_dump(),
        "seed": job.seed,
        "examples": {split: len(examples) for split, examples in job.splits.items()},
        "inputs": {split: len(features) for split, features in made.features.items()},
        "notes": {split: list(features.notes) for split, features in made.features.items()},
        "points": [asdict(point) for point in progress.points],
        "best": asdict(progress.chosen),
        "loss": {"last_step": progress.last, "last_epoch": progress.points[-1].loss},
        "versions": {name: version(name) for name in _LIBRARIES},
        "measured": {
            "device": torch.cuda.get_device_name() if cuda else "cpu",
            "threads": torch.get_num_threads(),
            "training_seconds": progress.seconds,
            "inputs_per_second": progress.inputs / seconds,
            "waiting_share": progress.waited / seconds,
            "peak_memory_bytes": peak,
            "encoded_per_second": made.encoding["examples"] / max(made.encoding["seconds"], 1e-9),
        },
    }
