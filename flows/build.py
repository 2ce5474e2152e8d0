"""`klue build`: runs all flows of one build file, from raw corpora to a release."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from flows.adjudicate import adjudicate
from flows.candidates import draw_candidates
from flows.commands.outputs import check_folder
from flows.corpus import build_corpus
from flows.engine.run import Submitter, run_calls
from flows.lineage.outputs import write_pointer
from flows.plan.build import BuildPlan, Request, plan_build
from flows.release import release
from flows.view.console import Result, print_line
from flows.view.progress import show_progress
from flows.view.summary import result_of, show_batches, show_opening, show_result
from pipeline.core import store
from pipeline.core.stage import Call

if TYPE_CHECKING:
    from flows.publish.publish import Publisher


def build(request: Request, *, quiet: bool) -> dict[str, Any]:
    """Run a build; returns its record, as `klue build --json` prints it.

    With `quiet` nothing is printed. Raises the KlueError of the first thing that failed.
    """
    engine = request.checked_engine()
    with store.lock(request.store):
        tasks = request.checked_tasks()
        plan = plan_build(request, tasks)
        if not quiet:
            show_opening(plan, request)
        publisher = _publisher(plan, request)
        with show_progress(plan.calls, quiet=quiet) as progress:
            seconds = run_calls(
                partial(_submit_stages, plan),
                plan.calls,
                name=plan.name,
                sources=max(len(plan.corpus.chains), 1),
                work=request.store,
                engine=engine,
                progress=progress,
                then=None if publisher is None or publisher.is_current() else publisher.publish,
            )
        published = publisher.published if publisher is not None else None
        result = result_of(plan, seconds, published)
        write_pointer(plan, request.store, tasks, result["fingerprint"])
        batches = _export_batches(plan, request) if _exports_batches(plan) else []
    if not quiet:
        show_result(plan, seconds, result, published, request)
        show_batches(batches)
    return {**result, "batches": batches}


def _publisher(plan: BuildPlan, request: Request) -> Publisher | None:
    if plan.release is None:
        return None
    from flows.publish.publish import Publisher

    return Publisher(plan, request)


def _export_batches(plan: BuildPlan, request: Request) -> list[dict[str, Any]]:
    from flows.annotate import export_batches

    return export_batches(plan, request.store)


def _exports_batches(plan: BuildPlan) -> bool:
    """Tell whether a build exports its candidates as batches.

    It does if it ends with the annotation, and if it takes its answers from imported batches.
    """
    annotation = plan.corpus.build.annotation
    by_batch = annotation is not None and annotation.mode == "imported" and not annotation.votes
    return bool(plan.tasks) and (plan.until == "annotate" or by_batch)


def _submit_stages(plan: BuildPlan, submit: Submitter) -> None:
    corpus = build_corpus(plan.corpus, submit)
    candidates = draw_candidates(plan.tasks, submit, after=corpus)
    gold = adjudicate(plan.gold, submit, after=candidates)
    if plan.release is not None:
        release(plan.release, submit, after=gold)


def dry_run(request: Request) -> Result:
    """Return for every call whether it would run, and what of it is new."""
    request.checked_engine()
    check_folder("--work", request.work)
    plan = plan_build(request, request.checked_tasks())
    rows = [
        {"stage": call.stage, "source": call.source, "runs": not call.done, "why": _why(call)}
        for call in plan.calls
    ]
    return {"build": plan.name, "stages": rows}, _show_stages


def _show_stages(record: dict[str, Any]) -> None:
    for row in record["stages"]:
        runs = "run " if row["runs"] else "skip"
        print_line(f"{runs} {row['stage']:10} {row['source']:20} {row['why']}")


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
