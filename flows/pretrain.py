"""`klue pretrain-corpus`, the flow `pretrain`: raw corpora to a pretraining corpus."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.outputs import check_new_folder, new_folder
from flows.corpus import corpus_flow
from flows.engine.run import Job, Part, Seconds, run_job
from flows.engine.server import wake_server
from flows.lineage.pointer import write_beginning, write_pointer
from flows.plan.build import BuildPlan, Request
from flows.plan.pretrain import PretrainPlan, plan_pretraining
from flows.publish.pretraining import fingerprint, write_corpus
from flows.view import funnel
from flows.view.console import Result
from flows.view.pretraining import record_of, show_record
from flows.view.tables import stage_table
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.release.pretraining.manifest import is_corpus, read_corpus_manifest
from pipeline.release.pretraining.verify import verify_corpus

if TYPE_CHECKING:
    from flows.engine.tasks import Tasks


def pretrain(*, out: Path, **options: Any) -> Result:
    """Make the pretraining corpus of a build file in a folder; returns the record of `--json`.

    A folder that holds the same corpus already stays as it is. Raises the KlueError of the first
    thing that failed.
    """
    request = Request(**options)
    engine = request.checked_engine()
    wake_server()
    with store.lock(request.store):
        if not is_corpus(out):
            check_new_folder(out)
        plan = plan_pretraining(request.build_file, request.store)
        calls, flow = plan.corpus.calls, pretraining_flow(plan, out)
        build = BuildPlan(plan.corpus, "pretrain")
        write_beginning(build, request.store, frozenset())
        job = Job(_title(plan), [flow], partial(_summary, plan))
        seconds = run_job(job, work=request.store, engine=engine)
        contents = {call.fingerprint: funnel.manifest(call).content for call in calls}
        write_pointer(build, request.store, frozenset(), build.fingerprint(contents))
        record = record_of(read_corpus_manifest(out), funnel.stages(calls, seconds))
    show = partial(show_record, plan=plan.corpus, is_new=flow.then is not None)
    return record | {"out": str(out)}, show


def pretraining_flow(plan: PretrainPlan, out: Path) -> Part:
    """Return the flow that cleans and decontaminates all sources and writes the corpus."""
    flow = corpus_flow(plan.corpus)._replace(name="pretrain")
    if _holds(out, plan):
        return flow

    def publish(tasks: Tasks) -> None:
        tasks.run("publish", _title(plan), partial(_write, plan, out))

    return flow._replace(then=publish)


def _title(plan: PretrainPlan) -> str:
    return f"{plan.corpus.build.name} pretrain"


def _holds(out: Path, plan: PretrainPlan) -> bool:
    """Tell whether a folder holds this corpus; raises InputError if it holds another or a part."""
    if not is_corpus(out):
        return False
    there = read_corpus_manifest(out)
    if there.fingerprint != fingerprint(plan):
        raise InputError(
            f"--out {out}: holds another corpus, {there.name}; give a new or empty folder"
        )
    wrong = [check.name for check in verify_corpus(out) if not check.ok]
    if wrong:
        raise InputError(
            f"--out {out}: holds this corpus, and was changed ({', '.join(wrong)}); `klue verify"
            f" {out}` says how; remove it and run again"
        )
    return True


def _write(plan: PretrainPlan, out: Path) -> None:
    with new_folder(out) as folder:
        folder.rmdir()  # the writer makes it
        write_corpus(plan, folder)


def _summary(plan: PretrainPlan, seconds: Seconds) -> str:
    return stage_table(funnel.stages(plan.corpus.calls, seconds)).markdown()
