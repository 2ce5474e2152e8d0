"""What the pages of a board know of its tasks: titles, and metrics in their order."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipeline.contracts.metric_titles import METRIC_TITLES
from pipeline.contracts.own_task import register_released
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.core.files import read_text

#: The scorer of each task; only its metrics in their order and a sample are asked for.
_SCORERS: Final[Mapping[str, Any]] = Parts("scorer", "SCORER")
_MOST_BYTES: Final = 64 * 1024**2


@dataclass(frozen=True)
class Metric:
    """A metric: its name in records, and its title."""

    name: str
    title: str


@dataclass(frozen=True)
class TaskInfo:
    """A task: its id, its name inside a release, titles in two languages, metrics.

    The first metric decides whether a submission is shown. `sample` is an answer in JSON, as a line
    of predictions has it; `labels` are those that an answer may name, if a list tells them.
    """

    id: str
    config: str
    title: str
    korean: str
    metrics: tuple[Metric, ...]
    sample: str = ""
    labels: tuple[str, ...] = ()

    def metric(self, name: str) -> Metric | None:
        """Return the metric of a name, or None."""
        return next((metric for metric in self.metrics if metric.name == name), None)


def task_info(task: str) -> TaskInfo:
    """Return what is known of a task by its id or config name; raises InputError if it is not."""
    found = task_of(task)
    spec, scorer = load_spec(found.id), _SCORERS[found.id]
    names: Sequence[str] = scorer.names
    return TaskInfo(
        id=found.id,
        config=found.config,
        title=spec.title.en,
        korean=spec.title.ko,
        metrics=tuple(Metric(name, METRIC_TITLES.get(name, name)) for name in names),
        sample=json.dumps(scorer.sample(spec), ensure_ascii=False),
        labels=() if found.kind == "number" else spec.ids(),
    )


@dataclass(frozen=True)
class Release:
    """What the pages say of a board's release: its tasks; whether its answers are simulated."""

    tasks: tuple[TaskInfo, ...]
    simulated: bool


def read_release(release: Path, *, chosen: Sequence[str]) -> Release:
    """Read what the pages say of a release: of the chosen tasks, or all, in the usual order.

    Own tasks that the release holds are registered. Raises InputError for a release without a
    manifest and for an unknown task.
    """
    path = release / "manifest.json"
    try:
        manifest = json.loads(read_text(path, "the release of the board", most=_MOST_BYTES))
        entries = [str(entry["task"]) for entry in manifest["tasks"].values()]
        simulated = bool(manifest["simulated"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path}: is no manifest of a release; run klue verify on it") from None
    for task in entries:
        spec = release / "specs" / task / "spec.yaml"
        if task not in TASKS and spec.is_file():
            register_released(spec.parent)
    named = [task_of(task).id for task in chosen or entries]
    return Release(tuple(task_info(task) for task in TASKS if task in named), simulated)
