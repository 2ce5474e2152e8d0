"""The quality-control record of a release, and of official KLUE files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from flows.buildplan import BuildPlan
from flows.quality_corpus import corpus_of
from flows.release_facts import leading
from flows.release_plan import ReleasePlan, SplitPlan
from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.agreement.record.audit import audit
from pipeline.core import store
from pipeline.core.jsontext import parsed
from pipeline.release.facts import Facts
from pipeline.release.leakage.check import check
from pipeline.release.people import renamed
from pipeline.report.official import OfficialTask, official_examples
from pipeline.report.quality.agreement import agreement_section
from pipeline.report.quality.artefacts import artefacts
from pipeline.report.quality.constraints import constraints_section
from pipeline.report.quality.examples import sections
from pipeline.report.quality.leakage import leakage_section
from pipeline.report.record import Fact, Report, Section
from pipeline.sampling.inference.hypothesis_only.calibration import calibration
from pipeline.sampling.inference.hypothesis_only.classifier import Floats, Labels, maker_of
from pipeline.sampling.inference.hypothesis_only.crossfit import crossfit, folds_of
from pipeline.tasks.registry import task_of
from pipeline.tasks.spec import TaskSpec, load_spec

Audit = dict[str, Any]
#: How hypotheses are scored for the report, as before the split.
_FOLDS: Final = 5
_CLASSIFIER: Final = "linear"


def audits_of(release: ReleasePlan) -> dict[str, Audit]:
    """Return the agreement audit of every task of a release, annotators by their public names."""
    return {one.task: _audited(one, release.name) for one in release.tasks}


def _audited(one: SplitPlan, release: str) -> Audit:
    read = {
        name: store.read_all(call.folder, name)
        for name, call in (
            ("votes", one.gold.answered),
            ("items", one.gold.answered),
            ("gold", one.gold.gold),
        )
    }
    return audit(
        renamed(read["votes"], release),
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
        facts=_facts(facts),
        sections=[corpus_of(plan, release), *tasks],
    )


def _facts(facts: Facts) -> list[Fact]:
    found = [
        Fact("examples", sum(sum(one.splits.values()) for one in facts.tasks), "in three splits"),
        Fact("tasks", len(facts.tasks)),
        Fact("sources", len(facts.sources)),
        Fact("votes", sum(one.votes for one in facts.tasks)),
        Fact("unresolved items", sum(one.unresolved for one in facts.tasks), "they wait"),
        Fact("left out by splits", sum(one.left_out for one in facts.tasks)),
    ]
    if facts.withdrawn:
        found.append(Fact("withdrawn", len(facts.withdrawn)))
    if facts.simulated:
        found.append(Fact("answers", "simulated", "no person gave them"))
    return found


def _task(one: SplitPlan, found: Audit) -> Section:
    examples = store.read_all(one.split.folder, "examples")
    votes = store.read_all(one.gold.answered.folder, "votes")
    gold = store.read_all(one.gold.gold.folder, "gold")
    closed = set(gold["item"].to_pylist()) - set(_open(examples))
    leaks, overlaps = (store.read_all(one.leakage.folder, name) for name in ("leaks", "overlaps"))
    parts = [
        *sections(one.task, examples, one.gold.spec, votes, gold),
        constraints_section(one.task, store.read_all(one.split.folder, "constraints")),
        agreement_section(one.task, found, hidden=closed),
        artefacts(
            examples,
            task=one.task,
            spec=one.gold.spec,
            hypothesis_only=_guessed(one, examples),
        ),
        leakage_section(one.task, leaks, overlaps),
    ]
    return _section(one.task, one.gold.spec, examples, found, parts)


def _open(examples: pa.Table) -> list[str]:
    shown = examples.filter(pc.not_equal(examples["split"], "test"))
    found: list[str] = shown["id"].to_pylist()
    return found


def _section(
    task: str, spec: TaskSpec, examples: pa.Table, found: Audit, parts: list[Section]
) -> Section:
    counts = examples["split"].value_counts().to_pylist()
    sizes = {one["values"]: one["counts"] for one in counts}
    told = ", ".join(f"{sizes.get(s, 0):,} {s}" for s in ("train", "dev", "test") if s in sizes)
    name, value = leading(found)
    agreed = f" Annotators agree to {value:.3f} ({name})." if value is not None else ""
    title = f"{task_of(task).config}: {spec.title.en}"
    return Section(f"task-{task}", title, f"{told}.{agreed}", parts=parts)


def _guessed(one: SplitPlan, examples: pa.Table) -> dict[str, Any] | None:
    """Return how well the labels of a release's pairs are guessed from hypotheses alone."""
    if one.distances is None:
        return None
    table = store.read_all(one.distances.folder, "distances")
    found = dict(zip(table["item"].to_pylist(), table["log_p"].to_pylist(), strict=True))
    ordered = [found[name] for name in examples["id"].to_pylist()]
    return _calibrated(examples, np.array(ordered), list(one.gold.spec.ids()))


def _scored(task: str, examples: pa.Table, spec: TaskSpec) -> dict[str, Any] | None:
    """Return the same for official files, whose hypotheses are scored here (Section 3.3.1)."""
    if task != "nli":
        return None
    classes = list(spec.ids())
    fields = [parsed(one) for one in examples["fields"].to_pylist()]
    scores = crossfit(
        [one["hypothesis"] for one in fields],
        _numbers(examples, classes),
        folds_of([one["premise"] for one in fields], folds=_FOLDS, seed=0),
        maker_of(_CLASSIFIER),
        classes=len(classes),
    )
    return _calibrated(examples, scores, classes)


def _calibrated(examples: pa.Table, scores: Floats, classes: list[str]) -> dict[str, Any]:
    labels = _numbers(examples, classes)
    right, splits = scores.argmax(axis=1) == labels, np.array(examples["split"].to_pylist())
    by_split = {name: float(right[splits == name].mean()) for name in sorted(set(splits.tolist()))}
    return {**calibration(scores, labels), "splits": by_split}


def _numbers(examples: pa.Table, classes: list[str]) -> Labels:
    found = [classes.index(parsed(one)) for one in examples["label"].to_pylist()]
    return np.array(found, dtype=np.int64)


def official_report(folder: Path) -> Report:
    """Return the record of official KLUE files: tables with the paper's numbers beside them.

    Raises InputError for a folder in which no such file can be read.
    """
    read = official_examples(folder)
    tasks = [_official(task, one) for task, one in read.tasks.items()]
    return Report(
        title="Official KLUE files: quality control",
        lead="The same tables as for a release, with the paper's numbers beside them where it has"
        " any.",
        facts=[
            Fact("examples", sum(one.examples.num_rows for one in read.tasks.values())),
            Fact("tasks", len(read.tasks)),
            *(Fact(one.file, "not used", one.note) for one in read.notes),
        ],
        sections=tasks,
    )


def _official(task: str, one: OfficialTask) -> Section:
    spec, about = load_spec(task), task_of(task)
    parts: list[Section] = []
    found: Audit = {}
    gold = None
    if one.votes.num_rows:
        gold = aggregate(one.votes, task=about, spec=spec, exclude=False).gold
        found = audit(one.votes, task=about, spec=spec, gold=gold)
        parts.append(agreement_section(task, found))
    leaked = check(one.examples, task=task)
    parts = [
        *sections(task, one.examples, spec, one.votes if one.votes.num_rows else None, gold),
        *parts,
        artefacts(
            one.examples,
            task=task,
            spec=spec,
            hypothesis_only=_scored(task, one.examples, spec),
        ),
        leakage_section(task, leaked.leaks, leaked.overlaps),
    ]
    made = _section(task, spec, one.examples, found, parts)
    notes = " ".join(f"{note.file}: {note.note}" for note in one.notes)
    return replace(made, lead=f"{made.lead} {notes}".strip())
