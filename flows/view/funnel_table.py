"""The funnel as tables in a terminal."""

from __future__ import annotations

from typing import Any

from flows.view.console import console
from flows.view.funnel import Funnel, total
from flows.view.task_funnel import TaskFunnel

COLUMNS = {
    "read": "records",
    "quarantined": "quarantined",
    "left out": "dropped_documents",
    "documents": "documents",
    "units": "units",
    "edited": "edited",
    "dropped": "dropped_units",
    "kept": "kept",
}


def show(found: dict[str, Funnel], *, rules: bool = True) -> None:
    """Print the counts by source, and what each rule did over all sources."""
    _sources(found)
    if rules:
        _rules(total(found))


def _sources(found: dict[str, Funnel]) -> None:
    from rich.table import Table

    out = console()
    table = Table(title="Records to documents, units to kept sentences", title_justify="left")
    table.add_column("source")
    for heading in COLUMNS:
        table.add_column(heading, justify="right")
    for source, funnel in found.items():
        table.add_row(source, *_cells(funnel))
    table.add_section()
    table.add_row("all", *_cells(total(found)))
    out.print(table)
    out.print(
        "read = quarantined + left out + documents; units (sentences, whole texts) = dropped + kept"
    )


def _cells(funnel: Funnel) -> list[str]:
    return [f"{getattr(funnel, name):,}" for name in COLUMNS.values()]


def _rules(funnel: Funnel) -> None:
    from rich.table import Table

    table = Table(title="What each rule did", title_justify="left")
    for heading in ("rule", "edited", "dropped", "quarantined"):
        table.add_column(heading, justify="left" if heading == "rule" else "right")
    for rule in sorted({*funnel.edits, *funnel.drops, *funnel.quarantines}):
        counts = (funnel.edits, funnel.drops, funnel.quarantines)
        table.add_row(rule, *(f"{c[rule]:,}" if rule in c else "" for c in counts))
    console().print(table)


def show_tasks(found: dict[str, TaskFunnel]) -> None:
    """Print the candidates of every task, what was refused by rule, and quotas that fell short."""
    from rich.table import Table

    out = console()
    table = Table(title="Kept units to candidates", title_justify="left")
    table.add_column("task")
    headings = ("units", "drawn", "refused", "undrawn", "items")
    for heading in headings:
        table.add_column(heading, justify="right")
    table.add_column("refused by rule")
    for task, funnel in found.items():
        told = ", ".join(f"{rule} {n:,}" for rule, n in funnel.refusals.items())
        table.add_row(task, *(f"{getattr(funnel, h):,}" for h in headings), told)
    out.print(table)
    out.print("units = drawn + refused + undrawn; a unit may be drawn for several items")
    for task, funnel in found.items():
        told = ", ".join(f"{name} {n:,}" for name, n in funnel.samplers.items())
        out.print(f"{task:4} {told or 'no candidates'}", soft_wrap=True)
    for task, funnel in found.items():
        for what, rules in (("refused before", funnel.before), ("set aside", funnel.quarantines)):
            if rules:
                told = ", ".join(f"{rule} {n:,}" for rule, n in rules.items())
                out.print(f"{task:4} {what}: {told}", soft_wrap=True)
        if funnel.short:
            out.print(f"{task:4} quotas not met: {'; '.join(funnel.short)}", soft_wrap=True)


def show_gold(found: dict[str, dict[str, int]]) -> None:
    """Print what became of each task's items."""
    for task, ends in found.items():
        told = ", ".join(f"{n:,} {end}" for end, n in ends.items())
        console().print(f"{task:4} answers: {told}", soft_wrap=True)


def show_release(result: dict[str, Any], agreement: dict[str, str]) -> None:
    """Print one row a task: from kept units over candidates and gold to the splits."""
    from rich.table import Table

    out = console()
    table = Table(title="Kept units to examples", title_justify="left")
    table.add_column("task")
    headings = ("units", "items", "gold", "open", "removed", "left out", "train", "dev", "test")
    for heading in headings:
        table.add_column(heading, justify="right")
    table.add_column("agreement")
    for task, splits in result["splits"].items():
        drawn, gold = result["candidates"][task], result["gold"][task]
        numbers = (
            *(drawn[name] for name in ("units", "items")),
            *(gold[name] for name in ("gold", "unresolved", "removed")),
            *(splits[name] for name in ("left_out", "train", "dev", "test")),
        )
        table.add_row(task, *(f"{n:,}" for n in numbers), agreement.get(task, ""))
    out.print(table)
    out.print(
        "gold = left out + train + dev + test; open: unresolved, they wait for an answer or for"
        " experts"
    )
