"""What `klue build` was asked for, and all calls of a build: its corpus, tasks, gold, release."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from flows.engine.run import Engine, check_workers, count_cores
from flows.plan.candidates import TaskPlan, plan_tasks
from flows.plan.corpus import CorpusPlan, plan_corpus, unit_kind
from flows.plan.faults import raise_faults
from flows.plan.gold import GoldPlan, plan_gold
from flows.plan.release import ReleasePlan, plan_release
from flows.plan.stored import StoredReleases, stored_releases
from pipeline.contracts.build_inputs import load_build
from pipeline.contracts.own_task import register_task
from pipeline.contracts.parts import shipped_packages
from pipeline.contracts.registry import TASKS
from pipeline.core.buildfile import Build
from pipeline.core.errors import FatalError, InputError, SpecError
from pipeline.core.fingerprint import of_value
from pipeline.core.join_memory import MEMORY, check_memory
from pipeline.core.objects.address import require_file_system
from pipeline.core.stage import Call

if TYPE_CHECKING:
    from flows.commands.training import Training

#: The work directory unless --work says another.
WORK: Final = Path("data/work")
#: The directory of releases unless --releases says another.
RELEASES: Final = Path("data/releases")
#: How a Dask scheduler is reached.
_SCHEMES: Final = ("tcp", "tls")
#: The parts of a build, each of which includes the ones before it.
PARTS: Final = ("corpus", "candidates", "annotate", "adjudicate", "release", "train")


@dataclass(frozen=True)
class Request:
    """What the command line asked for."""

    build_file: Path
    work: Path = WORK
    engine: str = "local"
    address: str | None = None
    workers: int | None = None
    tasks: str | None = None
    until: str | None = None
    releases: Path = RELEASES
    formats: tuple[str, ...] = ()
    private: Path | None = None
    memory: int = MEMORY

    @property
    def store(self) -> Path:
        """Return the work directory as every worker of a cluster understands it."""
        return self.work.absolute()

    def checked_engine(self) -> Engine:
        """Return the engine. Raises InputError for options that do not go together."""
        require_file_system("--work", self.work)
        require_file_system("the build file", self.build_file)
        check_memory(self.memory)
        stored_releases(self.releases, self.private, self.store)
        _one_of("--engine", self.engine, ("local", "dask"))
        if self.until is not None:
            _one_of("--until", self.until, PARTS)
        for form in self.formats:
            _one_of("--format", form, ("klue",))
        if self.address is not None:
            if self.engine != "dask":
                raise InputError("--address names a Dask scheduler; add --engine dask")
            _check_address(self.address)
        workers = check_workers(count_cores() if self.workers is None else self.workers)
        return Engine(self.engine, workers, self.address)

    def checked_tasks(self) -> frozenset[str]:
        """Return the tasks asked for, or those of the build file; none stands for all.

        Raises InputError for an unknown one, SpecError for a faulty build file.
        """
        named = tasks_of(load_build(self.build_file))
        asked = [task.strip() for task in self.tasks.split(",")] if self.tasks is not None else []
        for task in asked:
            _one_of("--tasks", task, tuple(TASKS))
        return frozenset(asked) or named


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address if "//" in address else f"tcp://{address}")
        is_one = parts.scheme in _SCHEMES and parts.hostname and parts.port
    except ValueError:  # a port that is no number, a host in one bracket
        is_one = False
    if not is_one:
        raise InputError(
            f"--address {address!r} is no address of a Dask scheduler; allowed:"
            f" {', '.join(f'{scheme}://HOST:PORT' for scheme in _SCHEMES)}, such as"
            " tcp://10.0.0.1:8786"
        )


def _one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InputError(f"{option} {value!r} is unknown; allowed: {', '.join(allowed)}")


def tasks_of(build: Build) -> frozenset[str]:
    """Register the folders of own tasks and return the tasks that a build file names, if any.

    A name is the id of a task of KLUE, a folder from the folder of the build file, or the id of
    another known task. Raises SpecError for any other name, and for a faulty folder.
    """
    tasks, faults = set[str](), list[FatalError]()
    for place, name in enumerate(build.tasks):
        try:
            tasks.add(_task_named(name, (build.file.parent / name).absolute()))
        except (InputError, SpecError) as error:
            faults.append(SpecError(f"{build.file}: tasks.{place}: {error}"))
    raise_faults(faults)
    return frozenset(tasks)


def _task_named(name: str, folder: Path) -> str:
    if name in shipped_packages():
        return name
    if folder.is_dir():
        return register_task(folder)
    if name in TASKS:
        return name
    if folder.exists():
        raise InputError(f"{folder}: is a file; give the folder that holds spec.yaml")
    raise InputError(
        f"{name!r} is neither a task nor a folder: {folder} is not there; known tasks:"
        f" {', '.join(TASKS)}"
    )


@dataclass(frozen=True)
class BuildPlan:
    """The corpus of a build and, unless it ends before, its tasks, gold, release and training."""

    corpus: CorpusPlan
    until: str = "corpus"
    tasks: list[TaskPlan] = field(default_factory=list)
    gold: list[GoldPlan] = field(default_factory=list)
    release: ReleasePlan | None = None
    training: Training | None = None

    @property
    def name(self) -> str:
        """Return the build's name."""
        return self.corpus.build.name

    @property
    def calls(self) -> list[Call]:
        """Return all calls, each after those that it reads from."""
        parts = (*self.tasks, *self.gold, *(self.release.tasks if self.release is not None else ()))
        return [*self.corpus.calls, *(call for task in parts for call in task.calls)]

    @property
    def notes(self) -> list[str]:
        """Return what whoever builds should know before the build runs."""
        notes = [f"{task.task}: {note}" for task in self.tasks for note in task.notes]
        return [*notes, *(self.release.notes if self.release is not None else ())]

    def fingerprint(self, contents: dict[str, str]) -> str:
        """Return the build's fingerprint: what was asked for, and what came out, of every stage."""
        return of_value(
            [[c.stage, c.source, c.fingerprint, contents[c.fingerprint]] for c in self.calls]
        )


def _releases(request: Request) -> Path | StoredReleases:
    stored = stored_releases(request.releases, request.private, request.store)
    return stored if stored is not None else request.releases.absolute()


def _goal(corpus: CorpusPlan, tasks: frozenset[str]) -> str:
    if corpus.build.annotation is not None:
        return "release" if corpus.build.train is None else "train"
    sources, build = corpus.sources.items(), corpus.build
    feeds = (unit_kind(task, name, source, build) for task in TASKS for name, source in sources)
    return "annotate" if tasks or any(feeds) else "corpus"


def plan_build(request: Request, tasks: frozenset[str]) -> BuildPlan:
    """Plan a build up to a part: the same files and settings give the same calls.

    Without `until` it goes as far as the build file says: to a release where it says under
    `annotation` who answers, and to models where it says under `train` which; to batches where it
    names tasks or its sources feed some; else it is the corpus alone. `tasks` restricts it to those
    tasks and to the sources that feed them. Raises SpecError or InputError.
    """
    work = request.store
    corpus = plan_corpus(request.build_file, work, tasks=tasks, memory=request.memory)
    until = request.until or _goal(corpus, tasks)
    if until == "corpus":
        return BuildPlan(corpus, until)
    candidates = plan_tasks(corpus, work, tasks=tasks)
    if until in ("candidates", "annotate"):
        return BuildPlan(corpus, until, candidates)
    gold = plan_gold(corpus.build, candidates, work)
    if until == "adjudicate":
        return BuildPlan(corpus, until, candidates, gold)
    release = plan_release(corpus, gold, work, _releases(request))
    if until == "release":
        return BuildPlan(corpus, until, candidates, gold, release)
    from flows.plan.train import plan_training

    training = plan_training(corpus.build, release, work)
    return BuildPlan(corpus, until, candidates, gold, release, training)
