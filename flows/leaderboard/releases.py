"""The releases of a board: the questions, which all may read, and the private answers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from pipeline.contracts.example import Example
from pipeline.contracts.registry import task_of
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.contracts.splits import Split
from pipeline.leaderboard.layout import Layout
from pipeline.release.manifest import Manifest, read_manifest
from pipeline.release.reading import read_split
from pipeline.release.tables import examples_of
from pipeline.scoring.scorer import Gold, Questions, Scorer, gold_of, questions_of, scorer_of


def tasks_of(manifest: Manifest, chosen: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the tasks of a board: those chosen, all of its release if none is."""
    all_tasks = tuple(entry.task for entry in manifest.tasks.values())
    wanted = {task_of(name).id for name in chosen}
    return tuple(task for task in all_tasks if not wanted or task in wanted)


@lru_cache(maxsize=64)
def questions(folder: Path, version: int, task: str, split: Split) -> Questions:
    """Return the questions of a split under a version of a board, without test labels."""
    place = Layout(folder).public_release(version)
    return questions_of(*_examples(place, task, split, labels=False))


@lru_cache(maxsize=64)
def gold(folder: Path, version: int, task: str, split: Split) -> Gold:
    """Return questions and answers; raises StoreError where test labels cannot be read."""
    place = Layout(folder).private_release(version)
    return gold_of(*_examples(place, task, split, labels=True))


@lru_cache(maxsize=64)
def withdrawn(folder: Path, version: int, task: str, split: Split) -> frozenset[str]:
    """Return the guids of a split that earlier versions had and this one does not have any more."""
    now = {example.id for example in questions(folder, version, task, split).examples}
    before = (questions(folder, number, task, split).examples for number in range(1, version))
    return frozenset(example.id for examples in before for example in examples) - now


def _examples(
    place: Path, task: str, split: Split, *, labels: bool
) -> tuple[list[Example], Scorer, TaskSpec]:
    read_manifest(place)  # it registers the tasks of its own that a release has
    table: Any = read_split(place, task, split, labels=labels)
    return list(examples_of(table, task)), scorer_of(task), load_spec(task_of(task).id)
