"""The parts of tasks, found by name: generic code asks for a part and never names a task.

A task is a package. Its parts are modules of that package with fixed names (or packages, where a
part needs several modules), and each holds fixed names:

    part          names                       asked for by
    task          TASK                        everything: fields and answers (contracts/task.py)
                  SHARED_FIELD, ANSWER_KEYS   commands that read examples: the field by which
                                              they are held out together; keys of answers
    spec          SAMPLING, SPLIT             specs: the pydantic classes of these two sections
    build_inputs  INPUTS                      plans: what candidates need beside kept sentences,
                                              and the task's own keys of a build file
    candidates    STAGE                       the candidates flow: draws the items to annotate
    simulated     SIMULATED                   simulated annotation
    returned      CHECK                       `klue check`: faults of returned answers
    agreement     FACTS                       audits: what they count of this task's votes alone
    before_split  SCORING, STAGE              the release flow: scores examples before the split
    split         split                       the stage `split`: groups to train, dev and test
                  PLAIN_CONSTRAINTS           releases: constraints that reveal no test labels
    columns       COLUMNS, CARD               releases: their columns, and what a card says
    official      read, write, FILE, TEXTS,   import and convert: official KLUE files
                  META_OF_GOLD
    errata        findings                    `klue errata find`: faults that a row proves
    statistics    tables, tables_of_votes,    the report
                  LABELS, LENGTHS, SCORES,
                  LOOK, SIZE, ARTEFACTS,
                  partial_input
    scorer        SCORER                      scores and training: predictions and metrics
    prompts       PROMPTS                     language models: prompts, parsers, what they count
    head          head                        training: the head of the baseline model
    baselines     BASELINES                   leaderboards: trivial systems of a new board

A user's own task is a folder (own_task.py). Where a task lacks a part, the module of the same name
in pipeline/tasks/kinds is its default. A default part may define a factory in place of a constant:
kinds/columns.py does not define `COLUMNS` but a function `columns(task)`, and `Parts.get` calls it
with the Task. So `Parts("columns", "COLUMNS")["emotions"]` is `columns(TASK of emotions)`. A
factory has the name of the constant in small letters. The factory of `TASK`, `task(task_id)`, takes
the id, as there is no Task yet.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from pipeline.core.errors import InputError
from pipeline.core.packages import PREFIX
from pipeline.core.packages import packages as own_packages

T = TypeVar("T")
#: The environment variable that names folders of own tasks, separated as in PATH.
FOLDERS_VARIABLE: Final = "KLUE_TASKS"
#: The package that lists the tasks, and the one of default parts; both lie above this one.
_TASKS: Final = "pipeline.tasks"
_KINDS: Final = "pipeline.tasks.kinds"
#: Own tasks whose folders cannot be used, and why.
_unusable: dict[str, str] = {}


def shipped_packages() -> Mapping[str, str]:
    """Return the package of each task that ships, by id."""
    shipped: Mapping[str, str] = import_module(_TASKS).PACKAGES
    return shipped


def packages() -> Mapping[str, str]:
    """Return the package of each task by id: those of KLUE in the paper's order, then own ones.

    Own tasks are those that were registered, and those of the environment variable KLUE_TASKS.
    """
    _register_folders(os.environ.get(FOLDERS_VARIABLE, ""))
    return {**shipped_packages(), **{name.removeprefix(PREFIX): name for name in own_packages()}}


@cache
def _register_folders(folders: str) -> None:
    """Register the tasks in these folders; errors are those of `register_task`.

    It is cached, so that each value of the variable is read once.
    """
    for folder in filter(None, folders.split(os.pathsep)):
        import_module("pipeline.contracts.own_task").register_task(Path(folder).absolute())


def note_unusable(task: str, problem: str) -> None:
    """Let the error for a task that is not known say why its folder cannot be used."""
    _unusable[task] = problem


def unknown_task(task: str, known: str) -> InputError:
    """Return the error for a task that is not known; `known` lists those that are."""
    own = f"name the folder of an own task in {FOLDERS_VARIABLE}"
    return InputError(_unusable.get(task, f"unknown task {task!r}; known tasks: {known}; {own}"))


def own_folder(task: str) -> Path | None:
    """Return the folder of a user's own task; None for the tasks of KLUE."""
    return own_packages().get(f"{PREFIX}{task}")


def part_folder(task: str) -> Path | None:
    """Return the folder with the parts of a task; None for an unknown task."""
    spec = find_spec(packages()[task]) if task in packages() else None
    return (
        Path(spec.submodule_search_locations[0])
        if spec and spec.submodule_search_locations
        else None
    )


def part_module(task: str, part: str) -> str | None:
    """Return the dotted name of the module that holds a part of a task; None where there is none.

    The module is not imported. Stages that use the part name it in their calls (`code`), so that a
    change of it is a change of their fingerprint.
    """
    module, default = f"{packages()[task]}.{part}", f"{_KINDS}.{part}"
    if _module_exists(module, own_folder(task)):
        return module
    return default if _module_exists(default, None) else None


@cache
def _module_exists(module: str, _folder: Path | None) -> bool:
    """Tell whether a module can be imported.

    `_folder` only belongs to the key of the cache: the package of an own task keeps its name when
    the task is registered with another folder.
    """
    return find_spec(module) is not None


def part_modules(task: str, *parts: str) -> tuple[str, ...]:
    """Return the modules of those of these parts that a task has."""
    return tuple(name for part in parts if (name := part_module(task, part)) is not None)


def load_part(task: str, part: str) -> ModuleType:
    """Import and return a part of a task.

    Raises InputError for an unknown task, for a task without this part, and for a module of the
    user's that cannot be imported, with its file and line.
    """
    known = packages()
    if task not in known:
        raise unknown_task(task, ", ".join(known))
    name = part_module(task, part)
    if name is None:
        place = own_folder(task) or known[task]
        raise InputError(
            f"task {task} has no part `{part}`, which this needs; add {part}.py to {place}"
        )
    try:
        return import_module(name)
    except Exception as error:
        if (folder := own_folder(task)) is None:
            raise
        raise InputError(_import_message(error, folder / f"{part}.py")) from None


def _import_message(error: Exception, path: Path) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    line = error.lineno if isinstance(error, SyntaxError) else frames[-1].lineno if frames else 1
    return f"{path}:{line}: cannot be imported: {type(error).__name__}: {error}; correct it"


class Parts(Mapping[str, T]):
    """One name out of one part of every task, by task id; parts are imported when asked for.

    `Parts("columns", "COLUMNS")["nli"]` are the columns of nli. Tasks without the part, of their
    own or by default, are not among the keys; asking for one raises InputError.
    """

    def __init__(self, part: str, name: str) -> None:
        self._part, self._name = part, name

    def __getitem__(self, task: str) -> T:
        value = self.get(task)
        if value is None:
            module = load_part(task, self._part)
            raise InputError(
                f"{module.__file__}: has no {self._name}, which task {task} needs; add it"
            )
        return value  # type: ignore[no-any-return]

    def __contains__(self, task: object) -> bool:
        return task in packages() and part_module(str(task), self._part) is not None

    def __iter__(self) -> Iterator[str]:
        return (task for task in packages() if task in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def get(self, key: str, default: Any = None) -> Any:
        """Return what the task's part holds under the name, or what its factory makes of the task.

        Without such a part, or without name and factory in it, return `default`.
        """
        if key not in self:
            return default
        module, factory = load_part(key, self._part), self._name.lower()
        if hasattr(module, self._name):
            return getattr(module, self._name)
        if not hasattr(module, factory):
            return default
        task = key if self._part == "task" else Parts[Any]("task", "TASK")[key]
        return getattr(module, factory)(task)
