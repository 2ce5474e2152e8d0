"""The quality-control record of a release, and of official KLUE files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from flows.plan.build import BuildPlan
from flows.plan.release import ReleasePlan, SplitPlan
from flows.publish.material import leading
from flows.publish.quality_corpus import corpus_of
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.agreement.audit import audit
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.contracts.splits import SPLITS
from pipeline.core import schemas, store
from pipeline.core.errors import InputError
from pipeline.core.stage import Call
from pipeline.release.leakage.check import check
from pipeline.release.licence import licence_of
from pipeline.release.material import Facts
from pipeline.release.privacy import FLOOR, open_constraints, open_examples, rename_annotators
from pipeline.report.audit.words import count, name_of
from pipeline.report.official import Note, Official, OfficialTask
from pipeline.report.quality.agreement import agreement_section
from pipeline.report.quality.artefacts import artefacts
from pipeline.report.quality.distributions import sections
from pipeline.report.quality.splits import constraints_section, leakage_section
from pipeline.report.quality.statistics import apart, paper_size
from pipeline.report.quality_page import count_differences
from pipeline.report.record import Column, Fact, Report, Section, Table

Audit = dict[str, Any]
#: What shows how far a part of the input gives the answer away (the part `statistics`).
PARTIAL_INPUT: Final[Mapping[str, Callable[..., Section]]] = Parts("statistics", "partial_input")
#: What a task's section says when its test split is too small to be counted in public.
FEW: Final = (
    f"Its test split has fewer than {FLOOR} examples: counts by label would tell the labels, so"
    " they are told of train and dev alone."
)


@dataclass(frozen=True)
class Checked:
    """What was found on a task: sizes by split, its audit, leaks that stop, unmet constraints."""

    task: str
    sizes: Mapping[str, int]
    audit: Mapping[str, Any]
    leaks: int = 0
    unmet: int = 0

    @property
    def name(self) -> str:
        """Return the task as people call it."""
        return self.task.upper()


@dataclass(frozen=True)
class Audited:
    """The agreement audit of a task without its rows by item, and the section made of all of it."""

    record: Audit
    section: Section


def audits_of(release: ReleasePlan) -> dict[str, Audited]:
    """Return the agreement audit of every task of a release, annotators by their public names."""
    return {plan.task: _audited(plan, release) for plan in release.tasks}


def _audited(plan: SplitPlan, release: ReleasePlan) -> Audited:
    votes, items = _tables(plan.gold.answered, "votes", "items")
    (gold,) = _tables(plan.gold.gold, "gold")
    record = audit(
        rename_annotators(votes, release.name, release.key),
        task=task_of(plan.task),
        spec=plan.gold.spec,
        items=items,
        gold=gold,
    )
    (examples,) = _tables(plan.split, "examples")
    in_public = examples.filter(pc.not_equal(examples["split"], "test"))["id"].to_pylist()
    hidden = set(gold["item"].to_pylist()) - set(in_public)
    section = agreement_section(plan.task, record, hidden=hidden)
    return Audited({key: value for key, value in record.items() if key != "per_item"}, section)


def report_of(
    plan: BuildPlan, release: ReleasePlan, facts: Facts, audits: Mapping[str, Audited]
) -> Report:
    """Return the record of a release: the corpus first, then task by task."""
    tasks = [_task(plan, audits[plan.task]) for plan in release.tasks]
    made_up = "Its answers are simulated: no person gave them. " if facts.simulated else ""
    return Report(
        title=f"{facts.name} {facts.version}: quality control",
        lead=f"{made_up}What was read, what was left out and why, how far annotators agree, what"
        " stands in each split, and what a model could use without understanding.",
        facts=_release_facts(facts, [checked for checked, _ in tasks]),
        sections=[corpus_of(plan, release), *(section for _, section in tasks)],
    )


def _task(plan: SplitPlan, audited: Audited) -> tuple[Checked, Section]:
    spec = plan.gold.spec
    examples, constraints = _tables(plan.split, "examples", "constraints")
    leaks, overlaps = _tables(plan.leakage, "leaks", "overlaps")
    votes, gold = *_tables(plan.gold.answered, "votes"), *_tables(plan.gold.gold, "gold")
    checked = Checked(
        plan.task,
        _sizes(examples),
        audited.record,
        leaks=_total(leaks["stops"]),
        unmet=_total(pc.invert(constraints["met"])),
    )
    visible = open_examples(examples)
    partial_input = _partial_input(plan, visible)
    parts = [
        *sections(plan.task, visible, spec, votes, gold),
        constraints_section(plan.task, open_constraints(constraints, examples)),
        audited.section,
        artefacts(visible, task=plan.task, spec=spec, partial_input=partial_input),
        leakage_section(plan.task, leaks, overlaps, splits=checked.sizes),
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


def _partial_input(plan: SplitPlan, examples: pa.Table) -> Section | None:
    """Return what a part of the input gives away, by the scores that the split was made with."""
    if plan.distances is None:
        return None
    table = store.read_all(plan.distances.folder, "distances")
    by_item = dict(schemas.rows(table, "item", "log_p"))
    scores = np.array([by_item[name] for name in examples["id"].to_pylist()])
    return PARTIAL_INPUT[plan.task](examples, plan.gold.spec, scores)


def official_report(read: Official) -> tuple[Report, dict[str, pa.Table]]:
    """Return the record of official KLUE files, with the paper's numbers, and the leaks by task."""
    leaked = {
        task: check(read.tasks[task].examples, task=task) for task in TASKS if task in read.tasks
    }
    tasks = [_official(task, read.tasks[task], tables) for task, tables in leaked.items()]
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
    )
    return report, {task: tables["leaks"] for task, tables in leaked.items()}


def _official(
    task: str, material: OfficialTask, leaked: Mapping[str, pa.Table]
) -> tuple[Checked, Section]:
    spec, about = load_spec(task), task_of(task)
    partial_input = None
    if task in PARTIAL_INPUT:
        with suppress(InputError):  # too few examples to learn from
            partial_input = PARTIAL_INPUT[task](material.examples, spec)
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
        *sections(task, material.examples, spec, votes, gold),
        *([agreement_section(task, record)] if record else ()),
        artefacts(
            material.examples,
            task=task,
            spec=spec,
            partial_input=partial_input,
        ),
        leakage_section(task, leaked["leaks"], leaked["overlaps"], splits=checked.sizes),
    ]
    whole = [name for name, many in checked.sizes.items() if many == paper_size(task, name)]
    return checked, apart(_section(checked, spec, parts), whole)


def _files(name: str, title: str, notes: Sequence[Note]) -> list[Section]:
    """Return what is to be known of files, if anything: parts, and what of them was left out."""
    columns = [Column("file", "text"), Column("what is to be known", "text")]
    tables = [Table(f"{name}-notes", title, columns, notes)]
    return [Section(name, title, tables=tables)] if notes else []


def _release_facts(facts: Facts, checked: Sequence[Checked]) -> list[Fact]:
    after = [f"after {facts.previous}"] if facts.previous else []
    withdrawn = [f"{len(facts.withdrawn):,} examples withdrawn"] if facts.withdrawn else []
    records, units, units_kept = (
        sum(source.counts[key] for source in facts.sources) for key in ("records", "units", "kept")
    )
    unresolved, removed, left_out = (
        sum(getattr(task, name) for task in facts.tasks)
        for name in ("unresolved", "removed", "left_out")
    )
    licence = licence_of(facts)
    read = f"of {len(facts.sources)} sources; {units_kept:,} of {units:,} units kept"
    no_gold = f"{removed:,} removed, {unresolved:,} unresolved"
    return [
        Fact("release", f"{facts.name} {facts.version}", ", ".join(after + withdrawn)),
        _examples(checked),
        Fact("records read", records, read),
        _votes(checked, simulated=facts.simulated),
        *_lowest(checked),
        Fact("without gold", unresolved + removed, no_gold),
        *([Fact("left out by splits", left_out, "though they have gold")] if left_out else ()),
        _problem("leaks that stop", {task.name: task.leaks for task in checked}),
        _problem("constraints not met", {task.name: task.unmet for task in checked}),
        Fact("licence", licence.name, "no commercial use" if licence.restricted else ""),
    ]


def official_facts(checked: Sequence[Checked], *, apart: int) -> list[Fact]:
    """Return the facts of official files; `apart` numbers differ from the paper's."""
    return [
        _examples(checked),
        Fact("tasks", len(checked)),
        *([_votes(checked)] if any(task.audit for task in checked) else ()),
        *_lowest(checked),
        _problem("leaks that would stop a release", {task.name: task.leaks for task in checked}),
        Fact("numbers unlike the paper's", apart, "of splits that are whole; marked ≠ below"),
    ]


def _examples(checked: Sequence[Checked]) -> Fact:
    sizes = sum((Counter(task.sizes) for task in checked), Counter[str]())
    note = ", ".join(f"{sizes[split]:,} {split}" for split in SPLITS if sizes[split])
    return Fact("examples", sizes.total(), note)


def _votes(checked: Sequence[Checked], *, simulated: bool = False) -> Fact:
    audits = [task.audit for task in checked if task.audit]
    people = {name for record in audits for name in record.get("per_annotator") or {}}
    note = f"by {count(len(people), 'annotator')}" if people else "by annotators without a name"
    if people and not all(record.get("per_annotator") for record in audits):
        note += ", and by others without a name"
    if simulated:
        note = "simulated: no person gave them"
    return Fact("votes", sum(record["votes"] for record in audits), note)


def _lowest(checked: Sequence[Checked]) -> Iterator[Fact]:
    leads = [(task.name, *leading(task.audit)) for task in checked]
    values = [(value, task, name_of(name)) for task, name, value in leads if value is not None]
    for value, task, name in sorted(values)[:1]:
        yield Fact("lowest agreement", f"{value:.3f}", f"{task}: {name}")


def _problem(name: str, by_task: Mapping[str, int]) -> Fact:
    where = ", ".join(f"{task} {n:,}" for task, n in by_task.items() if n)
    return Fact(name, sum(by_task.values()), where)
