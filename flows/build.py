"""`klue build`: runs all flows of one build file, from raw corpora to a release."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from flows.adjudicate import adjudication_flow
from flows.annotate import annotation_flow, export_batches
from flows.candidates import candidates_flow
from flows.commands.outputs import check_folder
from flows.corpus import corpus_flow
from flows.engine.run import Job, Part, Seconds, run_job
from flows.engine.server import wake_server
from flows.lineage.pointer import write_beginning, write_pointer
from flows.plan.build import BuildPlan, Request, plan_build
from flows.release import release_flow
from flows.train import result_of_runs, show_runs, training_flow
from flows.view import funnel, verbosity
from flows.view.console import Result, is_for_people, print_line
from flows.view.open_files import require_open_files
from flows.view.summary import result_of, show_batches, show_opening, show_result
from flows.view.tables import stage_table
from pipeline.core import store
from pipeline.core.stage import Call
from pipeline.core.wording import count, verb

if TYPE_CHECKING:
    from flows.publish.publish import Publisher
    from pipeline.training.runfolder import Record


def build(*, dry_run: bool, **options: Any) -> Result:
    """Run the build of some options, or say what would run; returns what `--json` prints."""
    request = Request(**options)
    return say_what_runs(request) if dry_run else run_build(request)


def run_build(request: Request) -> Result:
    """Run a build; returns its record. Raises the KlueError of the first thing that failed."""
    engine = request.checked_engine()
    require_open_files(engine.workers)
    wake_server()
    with store.lock(request.store):
        tasks = request.checked_tasks()
        plan = plan_build(request, tasks)
        write_beginning(plan, request.store, tasks)
        if is_for_people():
            show_opening(plan, request)
        publisher = _publisher(plan, request)
        batches: list[dict[str, Any]] = []
        runs: list[Record] = []
        parts = [*_parts(plan, request, publisher, batches, runs)]
        title = f"{plan.name} {plan.corpus.build.release.version}"
        job = Job(title, parts, partial(_summary, plan))
        seconds = run_job(job, work=request.store, engine=engine)
        published = publisher.published if publisher is not None else None
        result = result_of(plan, seconds, published)
        write_pointer(plan, request.store, tasks, result["fingerprint"])
        if _exports_batches(plan) and not batches:
            batches = export_batches(plan, request.store)
        training = None if plan.training is None else result_of_runs(plan.training, runs)

    def show(_: dict[str, Any]) -> None:
        if verbosity.current().verbose:
            stage_table(funnel.stages(plan.calls, seconds)).print()
        show_result(plan, seconds, result, published, request)
        show_batches(batches)
        if plan.training is not None and training is not None:
            show_runs(plan.training, training)

    return {**result, "batches": batches, "train": training}, show


def _parts(
    plan: BuildPlan,
    request: Request,
    publisher: Publisher | None,
    batches: list[dict[str, Any]],
    runs: list[Record],
) -> Iterator[Part]:
    yield corpus_flow(plan.corpus)
    yield candidates_flow(plan.tasks)
    if _exports_batches(plan):
        yield annotation_flow(plan, request.store, batches)
    yield adjudication_flow(plan.gold)
    if publisher is not None:
        yield release_flow(plan, publisher)
    if plan.training is not None:
        yield training_flow(plan.training, runs)


def _publisher(plan: BuildPlan, request: Request) -> Publisher | None:
    if plan.release is None:
        return None
    from flows.publish.publish import Publisher

    return Publisher(plan, request)


def _exports_batches(plan: BuildPlan) -> bool:
    """Tell whether a build exports its candidates as batches.

    It does if it ends with the annotation, and if it takes its answers from imported batches.
    """
    annotation = plan.corpus.build.annotation
    by_batch = annotation is not None and annotation.mode == "imported" and not annotation.votes
    return (
        bool(plan.tasks) and plan.until != "candidates" and (plan.until == "annotate" or by_batch)
    )


def _summary(plan: BuildPlan, seconds: Seconds) -> str:
    return stage_table(funnel.stages(plan.calls, seconds)).markdown()


def say_what_runs(request: Request) -> Result:
    """Return for every call whether it would run, and what of it is new."""
    request.checked_engine()
    check_folder("--work", request.work)
    plan = plan_build(request, request.checked_tasks())
    rows = [
        {"stage": call.stage, "source": call.source, "runs": not call.done, "why": _why(call)}
        for call in plan.calls
    ]
    return {"build": plan.name, "stages": rows, "notes": plan.notes}, _show_stages


def _show_stages(record: dict[str, Any]) -> None:
    for row in record["stages"]:
        runs = "run " if row["runs"] else "skip"
        print_line(f"{runs} {row['stage']:10} {row['source']:20} {row['why']}")
    for note in record["notes"]:
        print_line(f"note {note}")


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
    remark = _remark(call, last) if "inputs" in changed else ""
    return f"changed: {', '.join(changed) or 'code of the stage'}{remark}"


def _remark(call: Call, last: store.Manifest) -> str:
    """Say what of an earlier output stays where the inputs changed."""
    if not last.shards or (last.code, last.versions) != (call.code, call.versions):
        return ""
    if "inputs" in call.params:  # raw files, each read in its own way
        now, then = (
            zip(digests, params["inputs"], strict=True)
            for digests, params in (
                (call.input_fingerprints, call.params),
                (last.inputs, last.params),
            )
        )
        kept = sum(new == old for new, old in zip(now, then, strict=False))
        inputs = count(len(call.input_fingerprints), "input")
        return f"; {kept} of {inputs} {verb(kept, 'is as it was', 'are as they were')}"
    return "; shards that read the same are taken over" if last.params == call.params else ""
