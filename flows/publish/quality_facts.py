"""What a quality-control report says first: its facts, and of each task what matters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.core.wording import count
from pipeline.release.licence import licence_of
from pipeline.release.material import Facts
from pipeline.report.audit.words import name_of
from pipeline.report.quality_page import count_differences
from pipeline.report.record import Fact, Notice, Section, TaskOverview

#: Below this, conclusions are customarily not drawn from labels (Krippendorff, 2004).
_LOW: Final = 0.667


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


def leading(audit: Mapping[str, Any]) -> tuple[str, float | None]:
    """Return name and value of the coefficient that a task's audit leads with."""
    name = str(audit.get("lead", ""))
    return name, audit.get("coefficients", {}).get(name, {}).get("value")


def total(marks: pa.ChunkedArray) -> int:
    """Return how many marks are true."""
    return int(pc.sum(marks).as_py() or 0)


def sizes_of(examples: pa.Table) -> dict[str, int]:
    """Return the number of examples (EXAMPLES) of each split that has any."""
    counts = {row["values"]: row["counts"] for row in examples["split"].value_counts().to_pylist()}
    return {split: counts[split] for split in SPLITS if split in counts}


def task_section(checked: Checked, spec: TaskSpec, parts: list[Section]) -> Section:
    """Return the section of a task: its sizes and agreement, and its parts."""
    sizes = ", ".join(f"{many:,} {split}" for split, many in checked.sizes.items())
    name, value = leading(checked.audit)
    agreed = f" Agreement is {value:.3f} ({name_of(name)})." if value is not None else ""
    title = f"{checked.name}: {spec.title.en}"
    return Section(f"task-{checked.task}", title, f"{sizes}.{agreed}", parts=parts)


def release_facts(facts: Facts, checked: Sequence[Checked]) -> list[Fact]:
    """Return the facts of a release."""
    after = [f"after {facts.previous}"] if facts.previous else []
    withdrawn = [f"{count(len(facts.withdrawn), 'example')} withdrawn"] if facts.withdrawn else []
    records, units, units_kept = (
        sum(source.counts[key] for source in facts.sources) for key in ("records", "units", "kept")
    )
    unresolved, removed, left_out = (
        sum(getattr(task, name) for task in facts.tasks)
        for name in ("unresolved", "removed", "left_out")
    )
    licence = licence_of(facts)
    read = (
        f"of {count(len(facts.sources), 'source')}; {units_kept:,} of {count(units, 'unit')} kept"
    )
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


def task_overview(checked: Checked, section: Section) -> TaskOverview:
    """Return what matters of a task, given the section that tells all of it."""
    name, value = leading(checked.audit)
    return TaskOverview(
        section=section.id,
        title=section.title,
        sizes=dict(checked.sizes),
        chart=_chart_of_labels(section),
        agreement=value,
        measure=name_of(name) if value is not None else "",
        notices=list(_notices(checked, section, name, value)),
    )


def _chart_of_labels(section: Section) -> str | None:
    charts = [chart.id for part in section.parts for chart in part.charts]
    return next((name for name in charts if name.endswith(("-label-shares", "-scores"))), None)


def _notices(
    checked: Checked, section: Section, name: str, value: float | None
) -> Iterator[Notice]:
    """Yield what to look at, warnings first."""
    task, audit = checked.task, checked.audit
    if checked.leaks:
        text = f"{count(checked.leaks, 'leak')} that would stop a release"
        yield Notice(text, f"leakage-{task}")
    if checked.unmet:
        yield Notice(f"{count(checked.unmet, 'constraint')} not met", f"constraints-{task}")
    if value is not None and "alpha" in name and value < _LOW:
        yield Notice(f"{name_of(name)} below {_LOW}", f"agreement-{task}")
    people = audit.get("per_annotator") or {}
    if flagged := sum(bool(person["flags"]) for person in people.values()):
        yield Notice(f"{count(flagged, 'annotator')} flagged", f"agreement-{task}")
    if apart := count_differences([section]):
        yield Notice(f"{count(apart, 'number')} unlike the paper's", f"{task}-statistics")
    if unresolved := (audit.get("gold") or {}).get("unresolved"):
        yield Notice(f"{count(unresolved, 'item')} without gold", f"agreement-{task}", False)
    if reports := audit.get("reports"):
        text = f"{count(reports, 'report')} against items"
        yield Notice(text, f"agreement-{task}", False)
