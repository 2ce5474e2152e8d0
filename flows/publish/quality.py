"""The quality-control record of a release, and of official KLUE files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from flows.plan.build import BuildPlan
from flows.plan.release import ReleasePlan, SplitPlan
from flows.publish.material import leading
from flows.publish.quality_corpus import corpus_of
from flows.publish.quality_facts import Checked, official_facts, release_facts, task_overview
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.agreement.audit import audit
from pipeline.annotation.stages import task_and_spec
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.contracts.splits import SPLITS
from pipeline.contracts.task import Task
from pipeline.core import schemas, steps, store
from pipeline.core.errors import InputError
from pipeline.core.packages import add_packages
from pipeline.core.pool import active
from pipeline.core.stage import Call
from pipeline.release.leakage.check import check
from pipeline.release.material import Facts
from pipeline.release.privacy import FLOOR, open_constraints, open_examples, rename_annotators
from pipeline.report.audit.words import name_of
from pipeline.report.official import Note, Official, OfficialTask
from pipeline.report.quality.agreement import agreement_section
from pipeline.report.quality.artefacts import artefacts, with_partial_input
from pipeline.report.quality.distributions import sections
from pipeline.report.quality.splits import constraints_section, leakage_section
from pipeline.report.quality.statistics import apart, paper_size
from pipeline.report.quality_page import count_differences
from pipeline.report.record import Column, Report, Section, Table

Audit = dict[str, Any]
#: What shows how far a part of the input gives the answer away (the part `statistics`).
PARTIAL_INPUT: Final[Mapping[str, Callable[..., Section]]] = Parts("statistics", "partial_input")
#: What a task's section says when its test split is too small to be counted in public.
FEW: Final = (
    f"Its test split has fewer than {FLOOR} examples: counts by label would tell the labels, so"
    " they are told of train and dev alone."
)


class Audited(NamedTuple):
    """A task of a release: its agreement audit without rows by item, what was checked, a section.

    The section is made of all of them.
    """

    record: Audit
    checked: Checked
    section: Section


def audits_of(release: ReleasePlan) -> dict[str, Audited]:
    """Return the audit and section of every task of a release, annotators by their public names.

    The active pool divides the tasks, those with most votes first, where it is of this machine.
    """
    jobs = [_job(plan, release) for plan in release.tasks]
    jobs.sort(key=lambda job: -_rows(job.answered, "votes"))
    done = dict(active().here().map(_audited, iter(jobs)))
    return {plan.task: done[plan.task] for plan in release.tasks}


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


def _rows(call: Call, name: str) -> int:
    return sum(pq.read_metadata(path).num_rows for path in store.tables(call.folder, name))


def _audited(job: _Job) -> tuple[str, Audited]:
    add_packages(job.answered.packages)
    task, spec = task_and_spec(job.answered)
    record = _audit(job, task, spec)
    agreement = agreement_section(job.task, record, hidden=_hidden(job))
    del record["per_item"]
    return job.task, Audited(record, *_task(job, spec, record, agreement))


def _audit(job: _Job, task: Task, spec: TaskSpec) -> Audit:
    (votes,), (gold,) = _tables(job.answered, "votes"), _tables(job.gold, "gold")
    texts = ["fields"] if task.kind == "spans" else []
    items = store.read_all(job.answered.folder, "items", ["item", "source", "gold", *texts])
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


def _task(job: _Job, spec: TaskSpec, record: Audit, agreement: Section) -> tuple[Checked, Section]:
    examples, constraints = _tables(job.split, "examples", "constraints")
    leaks, overlaps = _tables(job.leakage, "leaks", "overlaps")
    (votes,) = _tables(job.answered, "votes")
    checked = Checked(
        job.task,
        _sizes(examples),
        record,
        leaks=_total(leaks["stops"]),
        unmet=_total(pc.invert(constraints["met"])),
    )
    visible = open_examples(examples)
    parts = [
        *sections(job.task, visible, spec, votes),
        constraints_section(job.task, open_constraints(constraints, examples)),
        agreement,
        with_partial_input(
            artefacts(visible, task=job.task, spec=spec), _partial_input(job, spec, visible)
        ),
        leakage_section(job.task, leaks, overlaps, splits=checked.sizes),
    ]
    section = _section(checked, spec, parts)
    if visible.num_rows < examples.num_rows:
        section = replace(section, lead=f"{section.lead} {FEW}")
    return checked, apart(section)


def _tables(call: Call, *names: str) -> list[pa.Table]:
    return [store.read_all(call.folder, name) for name in names]


def _total(marks: pa.ChunkedArray) -> int:
    return int(pc.sum(marks).as_py() or 0)


def _sizes(examples: pa.Table) -> dict[str, int]:
    counts = {row["values"]: row["counts"] for row in examples["split"].value_counts().to_pylist()}
    return {split: counts[split] for split in SPLITS if split in counts}


def _section(checked: Checked, spec: TaskSpec, parts: list[Section]) -> Section:
    sizes = ", ".join(f"{many:,} {split}" for split, many in checked.sizes.items())
    name, value = leading(checked.audit)
    agreed = f" Agreement is {value:.3f} ({name_of(name)})." if value is not None else ""
    title = f"{checked.name}: {spec.title.en}"
    return Section(f"task-{checked.task}", title, f"{sizes}.{agreed}", parts=parts)


def _partial_input(job: _Job, spec: TaskSpec, examples: pa.Table) -> Section | None:
    """Return what a part of the input gives away, by the scores that the split was made with."""
    if job.distances is None:
        return None
    table = store.read_all(job.distances.folder, "distances")
    by_item = dict(schemas.rows(table, "item", "log_p"))
    scores = np.array([by_item[name] for name in examples["id"].to_pylist()])
    return PARTIAL_INPUT[job.task](examples, spec, scores)


def official_report(read: Official) -> tuple[Report, dict[str, pa.Table]]:
    """Return the record of official KLUE files, with the paper's numbers, and the leaks by task.

    The active pool divides the tasks, and the folds of what trains a classifier.
    """
    present = [task for task in TASKS if task in read.tasks]
    work = ((task, replace(read.tasks[task], files={})) for task in present)
    with ThreadPoolExecutor(1) as beside:
        guessed = beside.submit(_guessed, read)  # its own jobs go to the same pool
        looked = steps.counted("tasks", active().map(_look, work), len(present))
        done = {each.checked.task: each for each in looked}
        partial_inputs = guessed.result()
    tasks = [_assembled(done[task], partial_inputs.get(task)) for task in present]
    leaked = {task: done[task].leaked for task in present}
    all_sections = [section for _, section in tasks]
    report = Report(
        title="Official KLUE files: quality control",
        lead="The same tables as for a release, with the paper's numbers in grey beside ours. Where"
        " all examples of a split are there, ≠ marks a number that differs; what is known of the"
        " reason stands below its table.",
        facts=official_facts(
            [checked for checked, _ in tasks], apart=count_differences(all_sections)
        ),
        sections=[*all_sections, *_files("files", "Files that were not read", read.notes)],
        overview=[task_overview(*pair) for pair in tasks],
    )
    return report, {task: tables["leaks"] for task, tables in leaked.items()}


class _Looked(NamedTuple):
    """What was found of a task's official examples, and their leaks and overlaps."""

    checked: Checked
    parts: list[Section]
    leaked: Mapping[str, pa.Table]


def _guessed(read: Official) -> dict[str, Section]:
    """Return what a part of the input gives away, by task."""
    sections = {}
    for task in PARTIAL_INPUT.keys() & read.tasks.keys():
        with suppress(InputError):  # too few examples to learn from
            sections[task] = PARTIAL_INPUT[task](read.tasks[task].examples, load_spec(task))
    return sections


def _assembled(looked: _Looked, partial_input: Section | None) -> tuple[Checked, Section]:
    checked = looked.checked
    name = f"artefacts-{checked.task}"
    parts = [
        with_partial_input(part, partial_input) if part.id == name else part
        for part in looked.parts
    ]
    whole = [name for name, many in checked.sizes.items() if many == paper_size(checked.task, name)]
    return checked, apart(_section(checked, load_spec(checked.task), parts), whole)


def _look(job: tuple[str, OfficialTask]) -> _Looked:
    task, material = job
    spec, about = load_spec(task), task_of(task)
    leaked = check(material.examples, task=task)
    record: Audit = {}
    gold, votes = None, material.votes if material.votes.num_rows else None
    if votes is not None:
        gold = aggregate(votes, task=about, spec=spec, exclude=False).gold
        record = audit(votes, task=about, spec=spec, gold=gold)
    checked = Checked(
        task, _sizes(material.examples), record, leaks=_total(leaked["leaks"]["stops"])
    )
    parts = [
        *_files(f"files-{task}", "Files", material.notes),
        *sections(task, material.examples, spec, votes),
        *([agreement_section(task, record)] if record else ()),
        artefacts(material.examples, task=task, spec=spec),
        leakage_section(task, leaked["leaks"], leaked["overlaps"], splits=checked.sizes),
    ]
    return _Looked(checked, parts, leaked)


def _files(name: str, title: str, notes: Sequence[Note]) -> list[Section]:
    """Return what is to be known of files, if anything: parts, and what of them was left out."""
    columns = [Column("file", "text"), Column("what is to be known", "text")]
    tables = [Table(f"{name}-notes", title, columns, notes)]
    return [Section(name, title, tables=tables)] if notes else []
