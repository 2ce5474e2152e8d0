"""What stands first in a quality-control report: the numbers that decide on publishing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flows.publish.facts import leading
from pipeline.contracts.splits import SPLITS
from pipeline.release.licence import licence_of
from pipeline.release.material import Facts
from pipeline.report.audit.words import count, name_of
from pipeline.report.record import Fact


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


def release_facts(facts: Facts, checked: Sequence[Checked]) -> list[Fact]:
    """Return the facts of a release."""
    unresolved = sum(one.unresolved for one in facts.tasks)
    removed = sum(one.removed for one in facts.tasks)
    left_out = sum(one.left_out for one in facts.tasks)
    return [
        Fact("release", f"{facts.name} {facts.version}", _after(facts)),
        _examples(checked),
        _read(facts),
        _votes(checked, simulated=facts.simulated),
        *_lowest(checked),
        Fact(
            "without gold", unresolved + removed, f"{removed:,} removed, {unresolved:,} unresolved"
        ),
        *([Fact("left out by splits", left_out, "though they have gold")] if left_out else ()),
        _problem("leaks that stop", {one.name: one.leaks for one in checked}),
        _problem("constraints not met", {one.name: one.unmet for one in checked}),
        _licence(facts),
    ]


def official_facts(checked: Sequence[Checked], *, apart: int) -> list[Fact]:
    """Return the facts of official files; `apart` numbers differ from the paper's."""
    return [
        _examples(checked),
        Fact("tasks", len(checked)),
        *([_votes(checked)] if any(one.audit for one in checked) else ()),
        *_lowest(checked),
        _problem("leaks that would stop a release", {one.name: one.leaks for one in checked}),
        Fact("numbers unlike the paper's", apart, "of splits that are whole; marked ≠ below"),
    ]


def _after(facts: Facts) -> str:
    told = [f"after {facts.previous}"] if facts.previous else []
    told += [f"{len(facts.withdrawn):,} examples withdrawn"] if facts.withdrawn else []
    return ", ".join(told)


def _examples(checked: Sequence[Checked]) -> Fact:
    sizes: Counter[str] = Counter()
    for one in checked:
        sizes.update(one.sizes)
    told = ", ".join(f"{sizes[split]:,} {split}" for split in SPLITS if sizes[split])
    return Fact("examples", sizes.total(), told)


def _read(facts: Facts) -> Fact:
    counts: Counter[str] = Counter()
    for source in facts.sources:
        counts.update(source.counts)
    told = f"of {len(facts.sources)} sources; {counts['kept']:,} of {counts['units']:,} units kept"
    return Fact("records read", counts["records"], told)


def _votes(checked: Sequence[Checked], *, simulated: bool = False) -> Fact:
    audits = [one.audit for one in checked if one.audit]
    people = {name for one in audits for name in one.get("per_annotator") or {}}
    told = f"by {count(len(people), 'annotator')}" if people else "by annotators without a name"
    if people and not all(one.get("per_annotator") for one in audits):
        told += ", and by others without a name"
    if simulated:
        told = "simulated: no person gave them"
    return Fact("votes", sum(one["votes"] for one in audits), told)


def _lowest(checked: Sequence[Checked]) -> list[Fact]:
    """Return the least agreement, or nothing where no task has any."""
    found = []
    for one in checked:
        name, value = leading(one.audit)
        if value is not None:
            found.append((value, one.name, name_of(name)))
    if not found:
        return []
    value, task, name = min(found)
    return [Fact("lowest agreement", f"{value:.3f}", f"{task}: {name}")]


def _problem(name: str, by_task: Mapping[str, int]) -> Fact:
    """Return how often something is wrong, and in which tasks."""
    where = ", ".join(f"{task} {n:,}" for task, n in by_task.items() if n)
    return Fact(name, sum(by_task.values()), where)


def _licence(facts: Facts) -> Fact:
    verdict = licence_of(facts)
    return Fact("licence", verdict.name, "no commercial use" if verdict.restricted else "")
