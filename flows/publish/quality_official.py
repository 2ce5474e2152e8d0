"""The quality-control record of official KLUE files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import pyarrow as pa

from flows.publish.quality_facts import (
    Checked,
    official_facts,
    sizes_of,
    task_overview,
    task_section,
    total,
)
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.agreement.audit import audit
from pipeline.contracts.registry import TASKS, task_of
from pipeline.contracts.spec import load_spec
from pipeline.core import steps
from pipeline.core.errors import InputError
from pipeline.core.pool import active
from pipeline.release.leakage.check import check
from pipeline.report.official import Note, Official, OfficialTask
from pipeline.report.quality.agreement import agreement_section
from pipeline.report.quality.artefacts import PARTIAL_INPUT, artefacts, with_partial_input
from pipeline.report.quality.distributions import sections, tables_of_votes
from pipeline.report.quality.splits import leakage_section
from pipeline.report.quality.statistics import apart, paper_size
from pipeline.report.quality_page import count_differences
from pipeline.report.record import Column, Report, Section, Table


def official_report(read: Official) -> tuple[Report, dict[str, pa.Table]]:
    """Return the record of official KLUE files, with the paper's numbers, and the leaks by task.

    The active pool divides the tasks, and the folds of what trains a classifier.
    """
    present = [task for task in TASKS if task in read.tasks]
    longest_first = sorted(present, key=lambda task: -read.tasks[task].examples.nbytes)
    work = ((task, replace(read.tasks[task], files={})) for task in longest_first)
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
    return checked, apart(task_section(checked, load_spec(checked.task), parts), whole)


def _look(job: tuple[str, OfficialTask]) -> _Looked:
    task, material = job
    spec, about = load_spec(task), task_of(task)
    leaked = check(material.examples, task=task)
    record: dict[str, Any] = {}
    of_votes: list[Table] = []
    if (votes := material.votes).num_rows:
        gold = aggregate(votes, task=about, spec=spec, exclude=False).gold
        record = audit(votes, task=about, spec=spec, gold=gold)
        of_votes = tables_of_votes(task, lambda: votes, spec)
    checked = Checked(
        task, sizes_of(material.examples), record, leaks=total(leaked["leaks"]["stops"])
    )
    parts = [
        *_files(f"files-{task}", "Files", material.notes),
        *sections(task, material.examples, spec, of_votes),
        *([agreement_section(task, record)] if record else ()),
        artefacts(material.examples, task=task, spec=spec),
        leakage_section(task, leaked["leaks"], leaked["overlaps"], splits=checked.sizes),
    ]
    record.pop("per_item", None)
    return _Looked(checked, parts, leaked)


def _files(name: str, title: str, notes: Sequence[Note]) -> list[Section]:
    """Return what is to be known of files, if anything: parts, and what of them was left out."""
    columns = [Column("file", "text"), Column("what is to be known", "text")]
    tables = [Table(f"{name}-notes", title, columns, notes)]
    return [Section(name, title, tables=tables)] if notes else []
