"""The parts of tasks, found by name: generic code asks for a part and never names a task.

A task is a package, and its parts are modules of that package under fixed names:

    task         TASK: the answers, how they are parsed and compared (contracts/task.py)
    spec         SAMPLING and SPLIT: the models of these two sections of its spec.yaml
    candidates   STAGE: draws the items to annotate
    official     read and write: the official KLUE file
    split        split: groups of examples to train, dev and test
    columns      COLUMNS: the columns of a release
    scorer       SCORER: predictions and metrics
    head         approach: the head of the baseline model
    statistics   tables: the statistics of the report
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final, TypeVar

from pipeline.core.errors import InputError

T = TypeVar("T")
#: The package that lists the tasks, and the one that holds the defaults by kind of answer; both
#: lie above this one, so they are imported when asked for.
_TASKS: Final = "pipeline.tasks"
_KINDS: Final = "pipeline.tasks.kinds"


def packages() -> Mapping[str, str]:
    """Return the package of each task, by id, in the order of the KLUE paper."""
    found: Mapping[str, str] = import_module(_TASKS).PACKAGES
    return found


@cache
def part_module(task: str, part: str) -> str | None:
    """Return the dotted name of the module that holds a part of a task; None where it has none.

    The module is not imported. Stages that use the part name it in their calls (`code`), so that a
    change of it is a change of their fingerprint.
    """
    name = f"{packages()[task]}.{part}"
    return name if find_spec(name) is not None else None


def part_modules(task: str, *parts: str) -> tuple[str, ...]:
    """Return the modules of those of these parts that a task has."""
    return tuple(name for part in parts if (name := part_module(task, part)) is not None)


def load_part(task: str, part: str) -> ModuleType:
    """Import and return a part of a task.

    Raises InputError for an unknown task, and for a task without this part.
    """
    known = packages()
    if task not in known:
        raise InputError(f"unknown task {task!r}; known tasks: {', '.join(known)}")
    name = part_module(task, part)
    if name is None:
        raise InputError(
            f"task {task} has no part `{part}`, which this needs; add the module {part}.py to"
            f" {known[task]}"
        )
    return import_module(name)


def default_part(part: str, name: str) -> Any:
    """Return what makes a part for tasks without it, by their kind of answer (Task.kind)."""
    return getattr(import_module(f"{_KINDS}.{part}"), name)


class Parts(Mapping[str, T]):
    """One name out of one part of every task, by task id; parts are imported when asked for.

    `Parts("columns", "COLUMNS")["nli"]` are the columns of nli. Tasks without the part are not
    among the keys; asking for one raises InputError.
    """

    def __init__(self, part: str, name: str) -> None:
        self._part, self._name = part, name

    def __getitem__(self, task: str) -> T:
        value: Any = getattr(load_part(task, self._part), self._name)
        return value  # type: ignore[no-any-return]

    def __contains__(self, task: object) -> bool:
        return task in packages() and part_module(str(task), self._part) is not None

    def __iter__(self) -> Iterator[str]:
        return (task for task in packages() if task in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def get(self, key: str, default: Any = None) -> Any:
        """Return what the task gives, or the default where it has no such part or name."""
        if key not in self:
            return default
        return getattr(load_part(key, self._part), self._name, default)
