"""The quality-control record of a release, and of official KLUE files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from flows.plan.build import BuildPlan
from flows.plan.release import ReleasePlan, SplitPlan
from flows.publish.facts import leading
from flows.publish.quality_corpus import corpus_of
from flows.publish.quality_facts import Checked, official_facts, release_facts
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.agreement.record.audit import audit
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.spec import TaskSpec, load_spec
from pipeline.contracts.splits import SPLITS
from pipeline.core import store
from pipeline.release.leakage.check import check
from pipeline.release.material import Facts
from pipeline.release.small_split_suppression import FLOOR, open_constraints, open_examples
from pipeline.release.vote_privacy import renamed
from pipeline.report.audit.words import name_of
from pipeline.report.official import Note, OfficialTask, official_examples
from pipeline.report.quality.agreement import agreement_section
from pipeline.report.quality.artefacts import artefacts
from pipeline.report.quality.examples import sections
from pipeline.report.quality.published import apart, published_size
from pipeline.report.quality.splits import constraints_section, leakage_section
from pipeline.report.quality_page import marked
from pipeline.report.record import Column, Report, Section, Table

Audit = dict[str, Any]
#: What shows how far a part of the input gives the answer away (the part `statistics`).
PARTIAL_INPUT: Final[Mapping[str, Callable[..., Section]]] = Parts("statistics", "partial_input")
#: What a task's section says when its test split is too small to be counted in public.
FEW: Final = (
    f"Its test split has fewer than {FLOOR} examples: counts by label would tell the labels, so"
    " they are told of train and dev alone."
)


def audits_of(release: ReleasePlan) -> dict[str, Audit]:
    """Return the agreement audit of every task of a release, annotators by their public names."""
    return {one.task: _audited(one, release) for one in release.tasks}


def _audited(one: SplitPlan, release: ReleasePlan) -> Audit:
    read = {
        name: store.read_all(call.folder, name)
        for name, call in (
            ("votes", one.gold.answered),
            ("items", one.gold.answered),
            ("gold", one.gold.gold),
        )
    }
    return audit(
        renamed(read["votes"], release.name, release.key),
        task=task_of(one.task),
        spec=one.gold.spec,
        items=read["items"],
        gold=read["gold"],
    )


def report_of(
    plan: BuildPlan, release: ReleasePlan, facts: Facts, audits: Mapping[str, Audit]
) -> Report:
    """Return the record of a release: the corpus first, then task by task."""
    tasks = [_task(one, audits[one.task]) for one in release.tasks]
    made_up = "Its answers are simulated: no person gave them. " if facts.simulated else ""
    return Report(
        title=f"{facts.name} {facts.version}: quality control",
        lead=f"{made_up}What was read, what was left out and why, how far annotators agree, what"
        " stands in each split, and what a model could use without understanding.",
        facts=release_facts(facts, [checked for checked, _ in tasks]),
        sections=[corpus_of(plan, release), *(section for _, section in tasks)],
    )


def _task(one: SplitPlan, found: Audit) -> tuple[Checked, Section]:
    examples, constraints = (
        store.read_all(one.split.folder, name) for name in ("examples", "constraints")
    )
    votes = store.read_all(one.gold.answered.folder, "votes")
    gold = store.read_all(one.gold.gold.folder, "gold")
    closed = set(gold["item"].to_pylist()) - set(_open(examples))
    leaks, overlaps = (store.read_all(one.leakage.folder, name) for name in ("leaks", "overlaps"))
    checked = Checked(
        one.task,
        _sizes(examples),
        found,
        leaks=int(pc.sum(leaks["stops"]).as_py() or 0),
        unmet=int(pc.sum(pc.invert(constraints["met"])).as_py() or 0),
    )
    told = open_examples(examples)
    parts = [
        *sections(one.task, told, one.gold.spec, votes, gold),
        constraints_section(one.task, open_constraints(constraints, examples)),
        agreement_section(one.task, found, hidden=closed),
        artefacts(
            told,
            task=one.task,
            spec=one.gold.spec,
            partial_input=_partial_input(one, told),
        ),
        leakage_section(one.task, leaks, overlaps, splits=checked.sizes),
    ]
    made = _section(checked, one.gold.spec, parts)
    if told.num_rows < examples.num_rows:
        made = replace(made, lead=f"{made.lead} {FEW}")
    return checked, apart(made)


def _open(examples: pa.Table) -> list[str]:
    shown = examples.filter(pc.not_equal(examples["split"], "test"))
    found: list[str] = shown["id"].to_pylist()
    return found


def _sizes(examples: pa.Table) -> dict[str, int]:
    """Return the sizes of the splits that have examples, in their order."""
    counts = {one["values"]: one["counts"] for one in examples["split"].value_counts().to_pylist()}
    return {split: counts[split] for split in SPLITS if split in counts}


def _section(checked: Checked, spec: TaskSpec, parts: list[Section]) -> Section:
    told = ", ".join(f"{many:,} {split}" for split, many in checked.sizes.items())
    name, value = leading(checked.audit)
    agreed = f" Agreement is {value:.3f} ({name_of(name)})." if value is not None else ""
    title = f"{checked.name}: {spec.title.en}"
    return Section(f"task-{checked.task}", title, f"{told}.{agreed}", parts=parts)


def _partial_input(one: SplitPlan, examples: pa.Table) -> Section | None:
    """Return what a part of the input gives away, by the scores that the split was made with."""
    if one.distances is None:
        return None
    table = store.read_all(one.distances.folder, "distances")
    found = dict(zip(table["item"].to_pylist(), table["log_p"].to_pylist(), strict=True))
    scores = np.array([found[name] for name in examples["id"].to_pylist()])
    return PARTIAL_INPUT[one.task](examples, one.gold.spec, scores)


def official_report(folder: Path) -> Report:
    """Return the record of official KLUE files: tables with the paper's numbers beside them.

    Raises InputError for a folder in which no such file can be read.
    """
    read = official_examples(folder)
    tasks = [_official(task, read.tasks[task]) for task in TASKS if task in read.tasks]
    made = [section for _, section in tasks]
    unread = [_files("files", "Files that were not read", read.notes)] if read.notes else []
    return Report(
        title="Official KLUE files: quality control",
        lead="The same tables as for a release, with the paper's numbers in grey beside ours. Where"
        " all examples of a split are there, ≠ marks a number that differs; what is known of the"
        " reason stands below its table.",
        facts=official_facts([checked for checked, _ in tasks], apart=marked(made)),
        sections=[*made, *unread],
    )


def _official(task: str, one: OfficialTask) -> tuple[Checked, Section]:
    spec, about = load_spec(task), task_of(task)
    scored = PARTIAL_INPUT.get(task)
    found: Audit = {}
    gold, votes = None, one.votes if one.votes.num_rows else None
    if votes is not None:
        gold = aggregate(votes, task=about, spec=spec, exclude=False).gold
        found = audit(votes, task=about, spec=spec, gold=gold)
    leaked = check(one.examples, task=task)
    stops = int(pc.sum(leaked.leaks["stops"]).as_py() or 0)
    checked = Checked(task, _sizes(one.examples), found, leaks=stops)
    parts = [
        *([_files(f"files-{task}", "Files", one.notes)] if one.notes else ()),
        *sections(task, one.examples, spec, votes, gold),
        *([agreement_section(task, found)] if found else ()),
        artefacts(
            one.examples,
            task=task,
            spec=spec,
            partial_input=scored(one.examples, spec) if scored else None,
        ),
        leakage_section(task, leaked.leaks, leaked.overlaps, splits=checked.sizes),
    ]
    whole = [name for name, many in checked.sizes.items() if many == published_size(task, name)]
    return checked, apart(_section(checked, spec, parts), whole)


def _files(name: str, title: str, notes: Sequence[Note]) -> Section:
    """Return what is to be known of files: which are parts, and what of them was left out."""
    table = Table(
        f"{name}-notes",
        title,
        [Column("file", "text"), Column("what is to be known", "text")],
        notes,
    )
    return Section(name, title, tables=[table])
