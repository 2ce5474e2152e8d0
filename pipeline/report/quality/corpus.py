"""From raw files to released examples: what was kept, what was left out by which rule, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pipeline.core import schemas
from pipeline.core.wording import count, verb
from pipeline.report.quality.screens import Personal, Toxicity, personal_part, toxicity_part
from pipeline.report.quality.statistics import ratio
from pipeline.report.record import Chart, Column, Section, Series, Table

#: So many texts are shown for a rule.
SHOWN: Final = 3
#: Stages in their order; others follow by name.
_STAGES: Final = (
    *("read", "select", "segment", "clean", "pii", "toxicity", "dedup", "translate", "candidates"),
    *("aggregation", "split"),
)
_SOURCE: Final = {
    "records": "records read",
    "quarantined": "set aside",
    "dropped_documents": "left out",
    "documents": "documents",
    "units": "units",
    "edited": "edited units",
    "dropped_units": "dropped units",
    "kept": "kept units",
}
_TASK: Final = {
    "units": "units offered",
    "drawn": "units drawn",
    "refused": "units refused",
    "items": "candidates",
    "gold": "gold",
    "unresolved": "unresolved",
    "removed": "removed",
    "left_out": "left out of splits",
    "released": "released",
}
#: What is left after the stages that drop units, all but the last of them.
_FILTERS: Final = {
    "clean": "after cleaning",
    "length": "after the limits of length",
    "decontaminate": "after decontamination",
    "pii": "after personal data",
    "toxicity": "after toxicity",
}
_ACTIONS: Final = {"drop": "left out", "quarantine": "set aside", "edit": "edited"}
_DONE: Final = {
    **{"read": "reading", "select": "selection", "clean": "cleaning", "pii": "personal data"},
    **{"dedup": "duplicates"},
}


class Example(NamedTuple):
    """What a rule did to a unit: its id, its masked text before, and what the ledger says.

    Where no text is at hand (`text` is empty) `place` tells where it stands: a file and a line.
    """

    id: str
    text: str = ""
    why: str = ""
    place: str = ""


@dataclass(frozen=True)
class Drop:
    """What one rule of a stage did to one source: ledger rows, and some of them."""

    stage: str
    source: str
    rule: str
    action: str
    rows: int
    examples: Sequence[Example] = ()


def corpus_section(
    funnel: Mapping[str, Mapping[str, Any]],
    tasks: Mapping[str, Mapping[str, Any]],
    drops: Sequence[Drop] = (),
    *,
    personal: Sequence[Personal] = (),
    toxicity: Sequence[Toxicity] = (),
) -> Section:
    """Return the way from raw files to the release.

    `funnel` has for each source records, quarantined, dropped_documents, documents, units, edited,
    dropped_units and kept; `tasks` for each task units, drawn, refused and items (candidates), and,
    as far as it came, gold, unresolved, removed, left_out and released, with `samplers` (items by
    sampler) and `short` (quotas that were not met). A count that is absent leaves its cell empty.
    Texts of `drops` come masked.
    """
    return Section(
        id="corpus",
        title="From raw files to the release",
        lead=_lead(funnel, tasks),
        charts=[_whole(funnel, tasks, drops)] if funnel or tasks else [],
        parts=[
            _sources(funnel),
            _tasks(tasks),
            _rules(drops),
            personal_part(personal),
            toxicity_part(toxicity),
        ],
    )


def _lead(funnel: Mapping[str, Mapping[str, Any]], tasks: Mapping[str, Mapping[str, Any]]) -> str:
    records, units, kept = (_sum(funnel, name) or 0 for name in ("records", "units", "kept"))
    if not funnel:
        return "No corpus was read for this report."
    released = _sum(tasks, "released")
    sources = "one source" if len(funnel) == 1 else f"{len(funnel)} sources"
    lead = f"{count(records, 'record')} of {sources} gave {count(units, 'unit')}"
    lead += f" (sentences or whole texts), of which {kept:,} {verb(kept, 'was', 'were')} kept"
    return lead + (
        f"; {count(released, 'example')} {verb(released, 'was', 'were')} released."
        if released is not None
        else "."
    )


def _whole(
    funnel: Mapping[str, Mapping[str, Any]],
    tasks: Mapping[str, Mapping[str, Any]],
    drops: Sequence[Drop],
) -> Chart:
    """Return three funnels: records to documents, units to kept ones, items to examples."""
    parts = [
        ("records", [(_SOURCE[name], _sum(funnel, name)) for name in ("records", "documents")]),
        ("units (sentences or whole texts)", _units(funnel, drops)),
        ("examples of all tasks", _examples_left(tasks)),
    ]
    known = [(name, [step for step in steps if step[1] is not None]) for name, steps in parts]
    return Chart(
        id="corpus-whole",
        title="What is left, step by step",
        kind="funnel",
        x="step",
        y="number",
        series=[
            Series(name, [step for step, _ in steps], [many for _, many in steps])
            for name, steps in known
            if len(steps) > 1
        ],
        note="A document has many units, and a unit may serve several tasks: the three are no"
        " shares of each other.",
    )


def _examples_left(tasks: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, int | None]]:
    """Return the annotated items, those with gold, and the examples of the release."""
    ends = [_sum(tasks, name) for name in ("gold", "unresolved", "removed")]
    known = [many for many in ends if many is not None]
    items = sum(known) if known else None
    return [
        ("annotated items", items),
        ("items with gold", ends[0]),
        ("released", _sum(tasks, "released")),
    ]


def _units(
    funnel: Mapping[str, Mapping[str, Any]], drops: Sequence[Drop]
) -> list[tuple[str, int | None]]:
    """Return the units, and those left after each stage that dropped some."""
    units = left = _sum(funnel, "units")
    steps = [(_SOURCE["units"], units)]
    for stage, name in _FILTERS.items():
        gone = sum(drop.rows for drop in drops if drop.stage == stage and drop.action == "drop")
        if left is not None and gone:
            left -= gone
            steps.append((name, left))
    return [*steps, ("kept, after duplicates", _sum(funnel, "kept"))]


def _sources(funnel: Mapping[str, Mapping[str, Any]]) -> Section:
    if not funnel:
        return Section("corpus-sources", "Sources", "No source was read.")
    rows = [
        [source, *map(counts.get, _SOURCE), ratio(counts.get("kept"), counts.get("units"))]
        for source, counts in funnel.items()
    ]
    if len(rows) > 1:
        total = {name: _sum(funnel, name) for name in _SOURCE}
        rows.append(["all", *total.values(), ratio(total["kept"], total["units"])])
    table = Table(
        id="corpus-sources",
        title="Records to kept units, by source",
        columns=[
            Column("source", "text"),
            *map(Column, _SOURCE.values()),
            Column("kept", "share"),
        ],
        rows=rows,
        note="Records read = set aside (they could not be read) + left out + documents; units ="
        " dropped + kept. An edited unit was changed by at least one rule, whether it was kept or"
        " not.",
    )
    series = [
        Series(_SOURCE[name], list(funnel), [counts.get(name) for counts in funnel.values()])
        for name in ("units", "kept")
    ]
    chart = Chart("corpus-sources", "Units by source", "bars", "source", "units", series)
    return Section("corpus-sources", "Sources", "", [table], [chart])


def _tasks(tasks: Mapping[str, Mapping[str, Any]]) -> Section:
    table = Table(
        id="corpus-tasks",
        title="Kept units to released examples, by task",
        columns=[Column("task", "text"), *map(Column, _TASK.values())],
        rows=[[task, *map(counts.get, _TASK)] for task, counts in tasks.items()],
        note="A unit may be drawn for several candidates, and an annotated candidate may become"
        " several items (three hypotheses of a premise, the questions of a passage): gold counts"
        " those.",
    )
    samplers = Table(
        id="corpus-samplers",
        title="Candidates by sampler",
        columns=[Column("task", "text"), Column("sampler", "text"), Column("candidates")],
        rows=[
            (task, *pair)
            for task, counts in tasks.items()
            for pair in counts.get("samplers", {}).items()
        ],
        long=True,
    )
    short = Table(
        id="corpus-short",
        title="Quotas that were not met",
        columns=[Column("task", "text"), Column("quota", "text")],
        rows=[
            (task, shortfall)
            for task, counts in tasks.items()
            for shortfall in counts.get("short", ())
        ],
        long=True,
    )
    steps = [name for name in ("items", "gold", "released") if _sum(tasks, name) is not None]
    series = [
        Series(_TASK[name], list(tasks), [counts.get(name) for counts in tasks.values()])
        for name in steps
    ]
    chart = Chart(
        "corpus-tasks", "Candidates to released examples", "bars", "task", "examples", series
    )
    if not tasks:
        return Section("corpus-tasks", "Tasks", "No task was drawn from these sources.")
    tables = [table, *(part for part in (samplers, short) if part.rows)]
    return Section("corpus-tasks", "Tasks", "", tables, [chart])


def _rules(drops: Sequence[Drop]) -> Section:
    gone = [drop for drop in drops if drop.action in ("drop", "quarantine")]
    edits = [drop for drop in drops if drop.action == "edit"]
    tables = [
        _by_source("corpus-drops", "Left out, by rule and source", gone),
        _by_source("corpus-edits", "Edited, by rule and source", edits),
        _examples(drops),
    ]
    if not drops:
        return Section("corpus-rules", "What each rule did", "No rule left anything out.")
    return Section(
        "corpus-rules",
        "What each rule did",
        "Each decision of a rule is a row of the ledger; `klue explain ID` tells the whole life of"
        " what has an id below. A unit may be edited by several rules.",
        [table for table in tables if table.rows],
    )


def _by_source(name: str, title: str, drops: Sequence[Drop]) -> Table:
    sources = sorted({drop.source for drop in drops})
    counts: Counter[tuple[str, str, str]] = Counter()
    for drop in drops:
        counts[drop.stage, drop.rule, drop.source] += drop.rows
    kinds = sorted({(drop.stage, drop.rule) for drop in drops}, key=_stage)
    rows = [
        [rule, _DONE.get(stage, stage), sum(by_source), *(n or None for n in by_source)]
        for stage, rule in kinds
        for by_source in [[counts[stage, rule, source] for source in sources]]
    ]
    columns = [Column("rule", "text"), Column("stage", "text"), Column("all")]
    columns += [Column(source or "(no source)") for source in sources]
    return Table(id=name, title=title, columns=columns, rows=rows, long=True)


def _examples(drops: Sequence[Drop]) -> Table:
    ordered = sorted(drops, key=lambda drop: (*_stage((drop.stage, drop.rule)), drop.source))
    kinds = schemas.group(((drop.stage, drop.rule, drop.action), drop) for drop in ordered)
    rows = [
        [rule, _ACTIONS.get(action, action), drop.text or drop.place, drop.why, source, drop.id]
        for (_, rule, action), group in kinds.items()
        for source, drop in _in_turn(group)
        if drop.text or drop.place
    ]
    names = ("rule", "did", "text before, or where it stands", "why", "source", "id")
    return Table(
        id="corpus-examples",
        title="Examples, personal data masked",
        columns=[Column(name, "text") for name in names],
        rows=rows,
        note="What could not be read as a text, or left as a whole document, is told by its place.",
        long=True,
    )


def _in_turn(drops: Sequence[Drop]) -> list[tuple[str, Example]]:
    ranked = [
        (place, drop.source, example)
        for drop in drops
        for place, example in enumerate(drop.examples)
    ]
    return [(source, example) for _, source, example in sorted(ranked)[:SHOWN]]


def _sum(funnel: Mapping[str, Mapping[str, Any]], name: str) -> int | None:
    counts = [counts[name] for counts in funnel.values() if counts.get(name) is not None]
    return sum(counts) if counts else None


def _stage(kind: tuple[str, str]) -> tuple[int, str, str]:
    stage, rule = kind
    return (_STAGES.index(stage) if stage in _STAGES else len(_STAGES), stage, rule)
