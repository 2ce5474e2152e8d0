"""`klue build`: all of it, from one build file; so far that is the corpus."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

from flows import corpus, funnel
from flows.console import console, emit_json
from flows.plan import CorpusPlan, fingerprint, plan_corpus
from flows.progress import shown
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.stage import Call
from pipeline.ingest.catalogue import Task

#: The work directory unless --work says another.
WORK = Path("data/work")
#: More processes than any one machine or cluster of this project's size needs.
MOST_WORKERS = 1024
ENGINES = ("local", "dask")
PARTS = ("corpus",)


@dataclass(frozen=True)
class Request:
    """What the command line asked for."""

    build_file: Path
    work: Path = WORK
    engine: str = "local"
    address: str | None = None
    workers: int | None = None
    tasks: str | None = None
    until: str = "corpus"

    @property
    def store(self) -> Path:
        """Return the work directory as every worker of a cluster understands it."""
        return self.work.absolute()

    def checked_engine(self) -> corpus.Engine:
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
        return corpus.Engine(self.engine, workers, self.address)

    def checked_tasks(self) -> frozenset[str]:
        """Return the tasks asked for. Raises InputError for an unknown one."""
        asked = [task.strip() for task in (self.tasks or "").split(",") if task.strip()]
        for task in asked:
            _one_of("--tasks", task, get_args(Task))
        return frozenset(asked)


def run(request: Request, *, as_json: bool = False) -> None:
    """Run a build, print its funnel and where the sentence table lies."""
    engine = request.checked_engine()
    with store.locked(request.store):
        tasks = request.checked_tasks()
        plan = plan_corpus(request.build_file, request.store, tasks=tasks)
        with shown(plan, quiet=as_json) as progress:
            seconds = corpus.run(plan, request.store, engine, progress)
        found = funnel.funnels(plan)
        result = _result(plan, seconds, found)
        _write_pointer(plan, request.store, sorted(tasks), result["fingerprint"])
    if as_json:
        emit_json(result)
        return
    _show(plan, seconds, found, request.work)


def dry_run(request: Request, *, as_json: bool = False) -> None:
    """Say for every call whether it would run, and what of it is new."""
    request.checked_engine()
    plan = plan_corpus(request.build_file, request.store, tasks=request.checked_tasks())
    rows = [
        {"stage": call.stage, "source": call.source, "runs": not call.done, "why": _why(call)}
        for call in plan.calls
    ]
    if as_json:
        emit_json({"build": plan.build.name, "stages": rows})
        return
    out = console()
    for row in rows:
        out.print(
            f"{'run ' if row['runs'] else 'skip'} {row['stage']:8} {row['source']:20} {row['why']}"
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


def _result(
    plan: CorpusPlan, seconds: corpus.Seconds, found: dict[str, funnel.Funnel]
) -> dict[str, Any]:
    return {
        "fingerprint": fingerprint(plan, funnel.contents(plan)),
        "release": None,
        "release_hash": None,
        "simulated": False,
        "stages": funnel.stages(plan, seconds),
        "funnel": {source: asdict(one) for source, one in found.items()},
        "sentences": str(plan.dedup.folder),
    }


def _write_pointer(plan: CorpusPlan, work: Path, tasks: list[str], fingerprint: str) -> None:
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
    name = ".".join([plan.build.name, *tasks])
    pointer = {"name": name, "fingerprint": fingerprint, "calls": calls}
    store.write_json(work / "builds" / f"{name}.json", pointer)


def _show(
    plan: CorpusPlan,
    seconds: corpus.Seconds,
    found: dict[str, funnel.Funnel],
    work: Path,
) -> None:
    from flows.funnel_table import show

    show(found)
    out = console()
    skipped = len(plan.calls) - len(seconds)
    out.print(f"\n{len(plan.calls)} stages, {skipped} of them in the store already")
    out.print(f"fingerprint  {fingerprint(plan, funnel.contents(plan))}", soft_wrap=True)
    out.print(f"sentences    {_shown(plan.dedup.folder)}/kept-*.parquet", soft_wrap=True)
    example = _example(plan)
    where = "" if work == WORK else f" --work {shlex.quote(str(work))}"
    if example:
        out.print(f"try          {_klue()} explain {example}{where}", soft_wrap=True)


def _shown(path: Path) -> Path:
    """Return a path as seen from the current directory, where it lies below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


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
