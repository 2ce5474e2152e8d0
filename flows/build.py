"""`klue build`: all of it, from one build file; so far from raw files to handed out batches."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

from flows import engine as engines
from flows import funnel
from flows.buildplan import PARTS, BuildPlan, plan_build
from flows.console import console, emit_json, from_here
from flows.corpus import corpus
from flows.engine import Engine, Seconds, Submitter
from flows.handed import handed_out, show_batches
from flows.plan import CorpusPlan
from flows.progress import shown
from flows.sampling import sampling
from flows.sampling_plan import TaskPlan
from flows.task_funnel import task_funnels
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.pool import Progress
from pipeline.core.stage import Call
from pipeline.tasks.spec import TaskId

#: The work directory unless --work says another.
WORK = Path("data/work")
#: More processes than any one machine or cluster of this project's size needs.
MOST_WORKERS = 1024
ENGINES = ("local", "dask")


@dataclass(frozen=True)
class Request:
    """What the command line asked for."""

    build_file: Path
    work: Path = WORK
    engine: str = "local"
    address: str | None = None
    workers: int | None = None
    tasks: str | None = None
    until: str = PARTS[-1]

    @property
    def store(self) -> Path:
        """Return the work directory as every worker of a cluster understands it."""
        return self.work.absolute()

    def checked_engine(self) -> Engine:
        """Return the engine. Raises InputError for options that do not go together."""
        _one_of("--engine", self.engine, ENGINES)
        _one_of("--until", self.until, PARTS)
        if self.address and self.engine != "dask":
            raise InputError("--address names a Dask scheduler; add --engine dask")
        if self.address and not os.environ.get("PREFECT_API_URL") and not _here(self.address):
            raise InputError(
                f"--address {self.address} is another machine, whose workers cannot reach a Prefect"
                " server on this one's loopback; set PREFECT_API_URL to a server that all can reach"
            )
        workers = _cores() if self.workers is None else self.workers
        if not 1 <= workers <= MOST_WORKERS:
            raise InputError(f"--workers {workers} is out of range; allowed: 1 to {MOST_WORKERS}")
        return Engine(self.engine, workers, self.address)

    def checked_tasks(self) -> frozenset[str]:
        """Return the tasks asked for. Raises InputError for an unknown one."""
        if self.tasks is None:
            return frozenset()
        asked = [task.strip() for task in self.tasks.split(",")]
        for task in asked:
            _one_of("--tasks", task, get_args(TaskId))
        return frozenset(asked)


def run(request: Request, *, as_json: bool = False) -> None:
    """Run a build, print its funnels and where its tables and batches lie."""
    engine = request.checked_engine()
    with store.locked(request.store):
        tasks = request.checked_tasks()
        plan = plan_build(request.build_file, request.store, until=request.until, tasks=tasks)
        with shown(plan.calls, quiet=as_json) as progress:
            seconds = _complete(plan, request, engine, progress)
        result = _result(plan, seconds)
        _write_pointer(plan, request.store, _part(request, tasks), result["fingerprint"])
        batches = handed_out(plan, request.store, request.build_file)
    if as_json:
        emit_json({**result, "batches": batches})
        return
    _show(plan, seconds, result, request.work)
    show_batches(batches)


def _complete(plan: BuildPlan, request: Request, engine: Engine, progress: Progress) -> Seconds:
    def body(submit: Submitter) -> None:
        kept = corpus(plan.corpus, submit)
        sampling(plan.tasks, submit, after=kept)

    return engines.run(
        body,
        plan.calls,
        name=plan.name,
        sources=max(len(plan.corpus.chains), 1),
        work=request.store,
        engine=engine,
        progress=progress,
    )


def dry_run(request: Request, *, as_json: bool = False) -> None:
    """Say for every call whether it would run, and what of it is new."""
    request.checked_engine()
    tasks = request.checked_tasks()
    plan = plan_build(request.build_file, request.store, until=request.until, tasks=tasks)
    rows = [
        {"stage": call.stage, "source": call.source, "runs": not call.done, "why": _why(call)}
        for call in plan.calls
    ]
    if as_json:
        emit_json({"build": plan.name, "stages": rows})
        return
    out = console()
    for row in rows:
        out.print(
            f"{'run ' if row['runs'] else 'skip'} {row['stage']:10} {row['source']:20} {row['why']}"
        )


def _why(call: Call) -> str:
    """Say why a call would run: compared with the newest output of the same stage and source."""
    if call.done:
        return f"in the store: {call.folder.name}"
    if store.partial_of(call.folder).is_dir():
        return "begun, not finished"
    earlier = sorted(call.folder.parent.glob(f"{call.stage}-*/{store.MANIFEST}"))
    if not earlier:
        return "never run"
    last = store.read_manifest(max(earlier, key=lambda path: path.stat().st_mtime).parent)
    assert last is not None  # its manifest was just listed
    changed = [
        name
        for name, old, new in (
            ("inputs", last.inputs, list(call.input_fingerprints)),
            ("settings", last.params, call.params),
            ("library versions", last.versions, call.versions),
        )
        if old != new
    ]
    return f"changed: {', '.join(changed) or 'code of the stage'}"


def _result(plan: BuildPlan, seconds: Seconds) -> dict[str, Any]:
    found, drawn = funnel.funnels(plan.corpus), task_funnels(plan.tasks)
    return {
        "fingerprint": plan.fingerprint(funnel.contents(plan.calls)),
        "release": None,
        "release_hash": None,
        "simulated": False,
        "stages": funnel.stages(plan.calls, seconds),
        "funnel": {source: asdict(one) for source, one in found.items()},
        "candidates": {task: asdict(one) for task, one in drawn.items()},
        "sentences": str(plan.corpus.dedup.folder) if plan.corpus.chains else None,
    }


def _part(request: Request, tasks: frozenset[str]) -> list[str]:
    """Return what tells the outputs of a part of a build from those of the whole."""
    until = [] if request.until == PARTS[-1] else [request.until]
    return [*sorted(tasks), *until]


def _write_pointer(plan: BuildPlan, work: Path, part: list[str], fingerprint: str) -> None:
    """Note where a build's outputs lie, for `klue explain`; a part of a build is noted apart."""
    calls = [
        {
            "stage": call.stage,
            "source": call.source,
            "folder": call.folder.relative_to(work).as_posix(),
        }
        for call in plan.calls
    ]
    (work / "builds").mkdir(exist_ok=True)
    name = ".".join([plan.name, *part])
    pointer = {"name": name, "fingerprint": fingerprint, "calls": calls}
    store.write_json(work / "builds" / f"{name}.json", pointer)


def _show(plan: BuildPlan, seconds: Seconds, result: dict[str, Any], work: Path) -> None:
    from flows.funnel_table import show, show_tasks

    out = console()
    if plan.corpus.chains:
        show(funnel.funnels(plan.corpus))
    if plan.tasks:
        show_tasks(task_funnels(plan.tasks))
    skipped = len(plan.calls) - len(seconds)
    out.print(f"\n{len(plan.calls)} stages, {skipped} of them in the store already")
    out.print(f"fingerprint  {result['fingerprint']}", soft_wrap=True)
    if plan.corpus.chains:
        out.print(
            f"sentences    {from_here(plan.corpus.dedup.folder)}/kept-*.parquet", soft_wrap=True
        )
    for task in plan.tasks:
        where = f"{from_here(task.candidates.folder)}/items-*.parquet"
        out.print(f"candidates   {task.task:4} {where}", soft_wrap=True)
    where = "" if work == WORK else f" --work {shlex.quote(str(work))}"
    for example in filter(None, (_example(plan.corpus), _candidate(plan.tasks))):
        out.print(f"try          {_klue()} explain {example}{where}", soft_wrap=True)


def _klue() -> str:
    """Return how this command was called, so that a line of its output can be pasted."""
    called = Path(sys.argv[0])
    return str(called) if called.name == "klue" else "klue"


def _example(plan: CorpusPlan) -> str | None:
    """Return the id of a sentence that a rule dropped, to be explained."""
    for chain in plan.chains:
        for path in store.tables(chain.clean.folder, "ledger"):
            for row in store.read_table(path, "ledger").to_pylist():
                if row["action"] == "drop":
                    return str(row["unit"])
    return None


def _candidate(tasks: list[TaskPlan]) -> str | None:
    """Return the id of a candidate, to be explained."""
    for task in tasks:
        for path in store.tables(task.candidates.folder, "items"):
            for name in store.read_table(path, "items").column("item").to_pylist():
                return str(name)
    return None


def _cores() -> int:
    """Return how many cores this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _here(address: str) -> bool:
    try:
        host = urlsplit(address if "//" in address else f"tcp://{address}").hostname or ""
    except ValueError:
        raise InputError(f"--address {address!r} is no address; such as tcp://HOST:8786") from None
    return host == "localhost" or host.startswith("127.") or host == "::1"


def _one_of(option: str, given: str, allowed: tuple[str, ...]) -> None:
    if given not in allowed:
        raise InputError(f"{option} {given!r} is unknown; allowed: {', '.join(allowed)}")
