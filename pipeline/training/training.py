"""The training loop of all tasks and of pretraining: AdamW, linear schedule, best checkpoint.

Chance is a function of seed and step: the order of inputs is a keyed draw of each epoch, and every
step seeds torch anew. So a run that was interrupted goes on as if it had not been, and needs no
state of generators. On a CPU the numbers are the same for the same number of threads.

Source: Section 5.2; Loshchilov & Hutter 2019 (AdamW).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import torch

from pipeline.core.errors import InputError
from pipeline.training.batches import Batches, Rows
from pipeline.training.head import Network
from pipeline.training.optimizer import optimizer_of
from pipeline.training.recipe import Schedule
from pipeline.training.saving import STATE, load_state, save_state

#: Seconds after which the state is written, besides at every evaluation.
SAVED_EVERY: Final = 120.0


class DivergedError(InputError):
    """The loss is no number any more; the recipe has to change."""


@dataclass(frozen=True)
class Point:
    """One evaluation: steps done, epochs done, and dev scores.

    `loss` is the mean over the `inputs` learnt from since the one before.
    """

    step: int
    epoch: float
    loss: float
    inputs: int
    scores: Mapping[str, float | None]


@dataclass
class Progress:
    """Where a run stands: all that goes on with it, besides weights and moments.

    `total` and `count` are the sum of losses and the number of inputs since the last evaluation,
    `last` is the loss of the last step; `seconds`, `waited` (for data; the
    first batch and the order of each epoch included) and `inputs` measure the steps alone, without
    evaluations.
    """

    step: int = 0
    total: float = 0.0
    count: int = 0
    last: float = 0.0
    points: list[Point] = field(default_factory=list)
    best: int | None = None
    seconds: float = 0.0
    waited: float = 0.0
    inputs: int = 0

    @property
    def chosen(self) -> Point:
        """Return the evaluation whose weights are kept."""
        return self.points[self.best or 0]

    @property
    def last_epoch(self) -> float | None:
        """Return the mean loss over the last epoch; None where no step was done.

        An epoch ends with an evaluation, so that it is made of whole stretches between two.
        """
        before = math.ceil(self.points[-1].epoch) - 1
        parts = [point for point in self.points if point.epoch > before]
        inputs = sum(point.inputs for point in parts)
        return sum(point.loss * point.inputs for point in parts) / inputs if inputs else None


@dataclass(frozen=True)
class Training:
    """What is trained on what, and what is done on the way.

    `evaluate` scores the dev split; its number of the name `metric` decides which weights are
    best, and `keep` writes those. `tell` hears of every evaluation, `done` of every step (steps
    done, steps in all). `stop` is asked after every step; of several processes all get the same
    answer.
    """

    network: Network
    batches: Batches
    recipe: Schedule
    seed: int
    evaluate: Callable[[], Mapping[str, float | None]]
    keep: Callable[[], None]
    metric: str = ""
    tell: Callable[[Point], None] = lambda _: None
    done: Callable[[int, int], None] = lambda _step, _steps: None
    stop: Callable[[], bool] = lambda: False

    @property
    def steps(self) -> int:
        return self.recipe.count_steps(self.batches.per_epoch)

    @property
    def marks(self) -> frozenset[int]:
        """Return the numbers of steps done at which the dev split is scored; 0 if none is to do."""
        return self.recipe.evaluations(self.batches.per_epoch)


def train(job: Training, accelerator: Any, state: Path) -> Progress:
    """Train, or go on with what the folder `state` holds; returns where it ended.

    The state is written at every evaluation, every two minutes, and when it is asked to stop: then
    KeyboardInterrupt is raised, and an evaluation that is due is left to whoever goes on. Of
    several processes the main one writes. The network ends with the weights of the last step;
    `keep` was called for the best ones. Raises DivergedError when the loss is no number any more.
    """
    network, optimizer = accelerator.prepare(job.network, optimizer_of(job.network, job.recipe))
    plain = accelerator.unwrap_model(network)
    progress = _resume(state, plain, optimizer)

    def save() -> None:
        if accelerator.is_main_process:
            save_state(state, plain, optimizer, asdict(progress))

    if _due(job, progress):
        _mark(job, progress, save)
    meter = _Meter(progress, accelerator)
    saved = perf_counter()
    for rows, parts in _batches(job, progress, accelerator.device):
        loss = _step(job, network, optimizer, accelerator, parts, progress.step)
        meter.count(loss, len(rows))
        job.done(progress.step, job.steps)
        marked, stop = progress.step in job.marks, job.stop()
        if marked or stop or perf_counter() - saved > SAVED_EVERY:
            meter.read()
            _mark(job, progress, save) if marked and not stop else save()
            saved = perf_counter()
            meter.restart()
        if stop:
            raise KeyboardInterrupt
    return progress


def number(seed: int, *purpose: object) -> int:
    """Return a seed for torch that depends on a seed and a purpose alone."""
    text = "\x1f".join(str(part) for part in (seed, *purpose))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def rate(recipe: Schedule, step: int, steps: int) -> float:
    """Return the learning rate of a step: from 0 up in the warm-up, then down to 0, linearly."""
    warm = math.ceil(steps * recipe.warmup)
    if step < warm:
        return recipe.learning_rate * step / warm
    return recipe.learning_rate * (steps - step) / max(1, steps - warm)


class _Meter:
    """Sums of a progress that stay on the device until they are read: no step waits for another.

    The loss of a step is the mean over those of all processes.
    """

    def __init__(self, progress: Progress, accelerator: Any) -> None:
        self._progress, self._accelerator = progress, accelerator
        self._pending: list[tuple[torch.Tensor, int]] = []
        self._begin = perf_counter()

    def count(self, loss: torch.Tensor, inputs: int) -> None:
        self._pending.append((loss, inputs))
        self._progress.step += 1

    def read(self) -> None:
        progress = self._progress
        losses = [loss for loss, _ in self._pending]
        if losses and self._accelerator.num_processes > 1:
            losses = list(self._accelerator.reduce(torch.stack(losses), "mean"))
        for loss, (_, inputs) in zip(losses, self._pending, strict=True):
            progress.last = float(loss)
            progress.total += progress.last * inputs
            progress.count += inputs
            progress.inputs += inputs
        self._pending.clear()
        progress.seconds += perf_counter() - self._begin
        if not math.isfinite(progress.total):
            raise DivergedError(
                f"the loss is no number any more at step {progress.step}; lower learning_rate in"
                " the recipe, or give a longer warm-up"
            )

    def restart(self) -> None:
        """Leave out the time since the progress was read."""
        self._begin = perf_counter()


def _resume(state: Path, network: Network, optimizer: Any) -> Progress:
    if not (state / STATE).exists():
        return Progress()
    facts = dict(load_state(state, network, optimizer))
    facts["points"] = [Point(**point) for point in facts["points"]]
    return Progress(**facts)


def _batches(
    job: Training, progress: Progress, device: Any
) -> Iterator[tuple[Rows, list[dict[str, torch.Tensor]]]]:
    while progress.step < job.steps:
        epoch, first = divmod(progress.step, job.batches.per_epoch)
        begin = perf_counter()
        feed = job.batches.feed(epoch, first, device)
        before = progress.waited + perf_counter() - begin
        for rows, parts in feed:
            progress.waited = before + feed.waited
            yield rows, parts
            if progress.step == job.steps:
                return


def _step(
    job: Training,
    network: Any,
    optimizer: Any,
    accelerator: Any,
    parts: Sequence[dict[str, torch.Tensor]],
    step: int,
) -> torch.Tensor:
    rank = accelerator.process_index
    torch.manual_seed(number(job.seed, "step", step, *([rank] if rank else ())))
    for group in optimizer.param_groups:
        group["lr"] = rate(job.recipe, step, job.steps)
    network.train()
    _share_counts(job.network.counts, parts, accelerator)
    losses = []
    for place, part in enumerate(parts, start=1):
        with nullcontext() if place == len(parts) else accelerator.no_sync(network):
            loss = network(part)["loss"]
            accelerator.backward(loss)
        losses.append(loss.detach())
    accelerator.clip_grad_norm_(network.parameters(), job.recipe.clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return torch.stack(losses).sum()


def _share_counts(
    names: Sequence[str], parts: Sequence[dict[str, torch.Tensor]], accelerator: Any
) -> None:
    """Put into each part what all parts of all processes have together, a process.

    Gradients are added up over the parts and averaged over the processes: so the sum of a part's
    losses over such a count makes the mean over the whole batch.
    """
    for name in names:
        whole = accelerator.reduce(torch.stack([part[name] for part in parts]).sum(), "mean")
        for part in parts:
            part[name] = whole


def _due(job: Training, progress: Progress) -> bool:
    scored = bool(progress.points) and progress.points[-1].step == progress.step
    return progress.step in job.marks and not scored


def _mark(job: Training, progress: Progress, save: Callable[[], None]) -> None:
    """Score the dev split, and save the state, also when that is broken off."""
    try:
        _evaluate(job, progress)
    finally:
        save()


def _evaluate(job: Training, progress: Progress) -> None:
    """Score the dev split and keep the weights if they are the best; the progress changes last."""
    scores, count = job.evaluate(), progress.count
    epoch = round(progress.step / max(1, job.batches.per_epoch), 4)
    point = Point(progress.step, epoch, progress.total / max(1, count), count, scores)
    best = progress.best is None or _deciding(job, point) > _deciding(job, progress.chosen)
    if best:
        job.keep()
        progress.best = len(progress.points)
    progress.points.append(point)
    progress.total, progress.count = 0.0, 0
    job.tell(point)


def _deciding(job: Training, point: Point) -> float:
    """Return what decides; a number that is not defined is below all others."""
    found = point.scores.get(job.metric)
    return -math.inf if found is None or math.isnan(found) else found
