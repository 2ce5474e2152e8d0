"""The quality-control record of a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from flows.plan.build import BuildPlan
from flows.plan.release import ReleasePlan, SplitPlan
from flows.publish.quality_corpus import corpus_of
from flows.publish.quality_facts import (
    Checked,
    release_facts,
    sizes_of,
    task_overview,
    task_section,
    total,
)
from pipeline.agreement.audit import audit
from pipeline.annotation.stages import task_and_spec
from pipeline.contracts.parts import own_folder
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import store
from pipeline.core.memory import give_back, keep_little
from pipeline.core.packages import add_packages
from pipeline.core.pool import active
from pipeline.core.stage import Call
from pipeline.core.stored import StoredTable
from pipeline.release.material import Facts
from pipeline.release.privacy import FLOOR, open_constraints, open_examples, rename_annotators
from pipeline.report.quality.agreement import agreement_section
from pipeline.report.quality.artefacts import PARTIAL_INPUT, artefacts, with_partial_input
from pipeline.report.quality.distributions import sections, tables_of_votes
from pipeline.report.quality.splits import constraints_section, leakage_section
from pipeline.report.quality.statistics import apart
from pipeline.report.record import Report, Section, Table

Audit = dict[str, Any]
#: What a task's section says when its test split is too small to be counted in public.
FEW: Final = (
    f"Its test split has fewer than {FLOOR} examples: counts by label would tell the labels, so"
    " they are told of train and dev alone."
)


class _OfVotes(NamedTuple):
    """What is told of the votes of a task: its agreement audit, a section, and statistics."""

    record: Audit
    agreement: Section
    statistics: list[Table]


class Audited(NamedTuple):
    """A task of a release: its agreement audit without rows by item, what was checked, a section.

    The section is made of all of them.
    """

    record: Audit
    checked: Checked
    section: Section


def audits_of(release: ReleasePlan) -> dict[str, Audited]:
    """Return the audit and section of every task of a release, annotators by their public names.

    The active pool divides the tasks where it is of this machine: audits, those of most votes
    first, then sections in other processes, which do not hold what audits left in theirs. Sections
    of the longest texts come first; the analyser takes longest for them.
    """
    jobs = [_job(plan, release) for plan in release.tasks]
    jobs.sort(key=lambda job: -StoredTable.of(job.answered.folder, "votes").num_rows)
    workers = active().here()
    audits = dict(workers.map(_audit, iter(jobs)))
    workers.let_go()
    jobs.sort(key=lambda job: -_examples(job).select(["fields"]).nbytes)
    done = dict(workers.map(_section, ((job, audits[job.task]) for job in jobs)))
    workers.let_go()
    return {
        plan.task: Audited(audits[plan.task].record, *done[plan.task]) for plan in release.tasks
    }


class _Job(NamedTuple):
    """The calls of a task of a release, and what gives annotators their public names."""

    task: str
    release: str
    key: bytes
    answered: Call
    gold: Call
    split: Call
    leakage: Call
    distances: Call | None


def _job(plan: SplitPlan, release: ReleasePlan) -> _Job:
    answered, gold = plan.gold.answered, plan.gold.gold
    calls = answered, gold, plan.split, plan.leakage, plan.distances
    return _Job(plan.task, release.name, release.key, *calls)


def _audit(job: _Job) -> tuple[str, _OfVotes]:
    """Return what is told of the votes of a task, its audit without the records by item."""
    task, spec = _begin(job)
    record = _record(job, task, spec)
    agreement = agreement_section(job.task, record, hidden=_hidden(job))
    del record["per_item"]
    give_back()
    votes = partial(store.read_all, job.answered.folder, "votes")
    statistics = tables_of_votes(job.task, votes, spec)
    give_back()
    return job.task, _OfVotes(record, agreement, statistics)


def _begin(job: _Job) -> tuple[Task, TaskSpec]:
    keep_little()
    add_packages(job.answered.packages)
    return task_and_spec(job.answered)


def _record(job: _Job, task: Task, spec: TaskSpec) -> Audit:
    texts = ["fields"] if task.kind == "spans" else []
    items = store.read_all(job.answered.folder, "items", ["item", "source", "gold", *texts])
    official = ["item", "label"] if items["gold"].null_count < items.num_rows else []
    gold = store.read_all(job.gold.folder, "gold", ["status", "queue", "rule", *official])
    votes = store.read_all(job.answered.folder, "votes")
    renamed = rename_annotators(votes, job.release, job.key)
    return audit(renamed, task=task, spec=spec, items=items, gold=gold)


def _hidden(job: _Job) -> set[str]:
    """Return the ids of items that are no public examples."""
    examples = store.read_all(job.split.folder, "examples", ["id", "split"])
    in_public = examples.filter(pc.not_equal(examples["split"], "test"))["id"].to_pylist()
    items = store.read_all(job.gold.folder, "gold", ["item"])["item"].to_pylist()
    return set(items) - set(in_public)


def report_of(
    plan: BuildPlan, release: ReleasePlan, facts: Facts, audits: Mapping[str, Audited]
) -> Report:
    """Return the record of a release: the corpus first, then task by task."""
    tasks = [(audits[plan.task].checked, audits[plan.task].section) for plan in release.tasks]
    made_up = "Its answers are simulated: no person gave them. " if facts.simulated else ""
    return Report(
        title=f"{facts.name} {facts.version}: quality control",
        lead=f"{made_up}What was read, what was left out and why, how far annotators agree, what"
        " stands in each split, and what a model could use without understanding.",
        facts=release_facts(facts, [checked for checked, _ in tasks]),
        sections=[corpus_of(plan, release), *(section for _, section in tasks)],
        overview=[task_overview(*pair) for pair in tasks],
    )


def _section(given: tuple[_Job, _OfVotes]) -> tuple[str, tuple[Checked, Section]]:
    job, of_votes = given
    _, spec = _begin(job)
    made = _checked(job, spec, of_votes)
    give_back()
    return job.task, made


def _checked(job: _Job, spec: TaskSpec, of_votes: _OfVotes) -> tuple[Checked, Section]:
    examples = _examples(job)
    constraints = store.read_all(job.split.folder, "constraints")
    leaks, overlaps = (store.read_all(job.leakage.folder, name) for name in ("leaks", "overlaps"))
    checked = Checked(
        job.task,
        sizes_of(examples),
        of_votes.record,
        leaks=total(leaks["stops"]),
        unmet=total(pc.invert(constraints["met"])),
    )
    visible = open_examples(examples)
    if own_folder(job.task) is not None:  # its parts are promised a table
        visible = visible.read()
    parts = [
        *sections(job.task, visible, spec, of_votes.statistics),
        constraints_section(job.task, open_constraints(constraints, examples)),
        of_votes.agreement,
        with_partial_input(
            artefacts(visible, task=job.task, spec=spec), _partial_input(job, spec, visible)
        ),
        leakage_section(job.task, leaks, overlaps, splits=checked.sizes),
    ]
    section = task_section(checked, spec, parts)
    if visible.num_rows < examples.num_rows:
        section = replace(section, lead=f"{section.lead} {FEW}")
    return checked, apart(section)


def _examples(job: _Job) -> StoredTable:
    return StoredTable.of(job.split.folder, "examples")


def _partial_input(job: _Job, spec: TaskSpec, examples: pa.Table) -> Section | None:
    """Return what a part of the input gives away, by the scores that the split was made with."""
    if job.distances is None:
        return None
    table = store.read_all(job.distances.folder, "distances", ["item", "log_p"])
    scores = pc.list_flatten(table["log_p"]).to_numpy().reshape(table.num_rows, -1)
    places = pc.index_in(examples["id"], value_set=table["item"]).to_numpy()
    return PARTIAL_INPUT[job.task](examples, spec, scores[places])
