"""What a build comes to: as one JSON object, and as a screen that a person reads."""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from flows.engine.run import Seconds
from flows.plan.build import BuildPlan
from flows.plan.candidates import TaskPlan
from flows.plan.corpus import CorpusPlan
from flows.plan.request import WORK, Request
from flows.publish.facts import is_simulated
from flows.publish.publish import Published
from flows.view import funnel
from flows.view.console import console, from_here
from flows.view.task_funnel import task_funnels
from pipeline.core import store


def result_of(plan: BuildPlan, seconds: Seconds, published: Published | None) -> dict[str, Any]:
    """Return what `klue build --json` prints, but for its batches."""
    found, drawn = funnel.funnels(plan.corpus), task_funnels(plan.tasks)
    return {
        "fingerprint": plan.fingerprint(funnel.contents(plan.calls)),
        "release": str(published.folder) if published is not None else None,
        "release_hash": published.release_hash if published is not None else None,
        "simulated": is_simulated(plan.gold),
        "stages": funnel.stages(plan.calls, seconds),
        "funnel": {source: asdict(one) for source, one in found.items()},
        "candidates": {task: asdict(one) for task, one in drawn.items()},
        "gold": {one.task: dict(funnel.outcomes(one.gold)) for one in plan.gold},
        "splits": funnel.splits(plan.release) if plan.release is not None else {},
        "sentences": str(plan.corpus.dedup.folder) if plan.corpus.chains else None,
    }


def write_pointer(plan: BuildPlan, work: Path, tasks: frozenset[str], fingerprint: str) -> None:
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
    whole = "annotate" if plan.corpus.build.annotation is None else "release"
    until = [] if plan.until == whole else [plan.until]
    name = ".".join([plan.name, *sorted(tasks), *until])
    made = str(plan.release.folder) if plan.release is not None else None
    pointer = {"name": name, "fingerprint": fingerprint, "calls": calls, "release": made}
    store.write_json(work / "builds" / f"{name}.json", pointer)


def opening(plan: BuildPlan, request: Request) -> None:
    """Say before anything runs what the build is made of and where it ends."""
    out, build = console(), plan.corpus.build
    calls = plan.calls
    there = sum(call.done for call in calls)
    names = ", ".join(task.task for task in plan.tasks)
    out.print(f"build        {plan.name}, from {request.build_file}", soft_wrap=True)
    out.print(f"sources      {', '.join(plan.corpus.sources) or 'none'}", soft_wrap=True)
    if names:
        out.print(f"tasks        {names}", soft_wrap=True)
    if plan.gold and build.annotation is not None:
        told = {"simulated": "simulated: no person gave them", "imported": "imported"}
        out.print(f"answers      {told[build.annotation.mode]}", soft_wrap=True)
    ends = {
        "corpus": "clean sentences",
        "annotate": "batches for annotators",
        "adjudicate": "gold answers",
        "release": f"release {_release(plan)}",
    }
    out.print(f"ends with    {ends[plan.until]}", soft_wrap=True)
    out.print(f"stages       {len(calls)}, {there} of them in the store already\n", soft_wrap=True)


def _release(plan: BuildPlan) -> str:
    made = plan.release
    if made is None:
        return ""
    before = made.previous
    follows = f"follows {before.name}" if before is not None else "follows no earlier version there"
    return f"{made.name} {made.version} in {from_here(made.folder)}, {follows}"


def show(
    plan: BuildPlan,
    seconds: Seconds,
    result: dict[str, Any],
    published: Published | None,
    request: Request,
) -> None:
    """Print the funnels of a finished build, and where its outputs lie."""
    from flows.view import funnel_table

    out = console()
    if plan.corpus.chains:
        funnel_table.show(funnel.funnels(plan.corpus), rules=published is None)
    if published is not None:
        funnel_table.show_release(result, published.agreement)
    elif plan.tasks:
        funnel_table.show_tasks(task_funnels(plan.tasks))
        funnel_table.show_gold(result["gold"])
    skipped = len(plan.calls) - len(seconds)
    out.print(f"\n{len(plan.calls)} stages, {skipped} of them in the store already")
    out.print(f"fingerprint  {result['fingerprint']}", soft_wrap=True)
    for name, refused in funnel.refused(plan.gold).items():
        where = "its ledger, of stage collect, has file and line of each"
        out.print(f"refused      {name:4} {refused:,} votes; {where}", soft_wrap=True)
    if published is not None:
        _show_release(plan, published, request)
        return
    if plan.corpus.chains:
        out.print(
            f"sentences    {from_here(plan.corpus.dedup.folder)}/kept-*.parquet", soft_wrap=True
        )
    for task in plan.tasks:
        where = f"{from_here(task.candidates.folder)}/items-*.parquet"
        out.print(f"candidates   {task.task:4} {where}", soft_wrap=True)
    _try(plan, request)


def _show_release(plan: BuildPlan, published: Published, request: Request) -> None:
    out, folder = console(), from_here(published.folder)
    when = "" if published.new else ", which stood already"
    checked = "" if published.new else " held when it was written, and no file has changed since"
    out.print(f"release      {folder}{when}", soft_wrap=True)
    out.print(f"hash         {published.release_hash}", soft_wrap=True)
    out.print(f"verified     {published.checks} checks{checked or ' hold'}", soft_wrap=True)
    for task, names in funnel.unmet(plan.release).items() if plan.release is not None else ():
        out.print(f"not met      {task:4} {', '.join(names)} (the report says why)", soft_wrap=True)
    out.print(f"test labels  {folder}.private (for you alone)", soft_wrap=True)
    out.print(f"report       {folder}/report/index.html", soft_wrap=True)
    _try(plan, request)
    out.print(f"try          {_klue()} verify {folder}", soft_wrap=True)


def _try(plan: BuildPlan, request: Request) -> None:
    where = "" if request.work == WORK else f" --work {shlex.quote(str(request.work))}"
    for example in filter(None, (_example(plan.corpus), _candidate(plan.tasks))):
        console().print(f"try          {_klue()} explain {example}{where}", soft_wrap=True)


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
