"""The funnel as tables in a terminal."""

from __future__ import annotations

from flows.console import console
from flows.funnel import Funnel, total

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


def show(found: dict[str, Funnel]) -> None:
    """Print the counts by source, and what each rule did over all sources."""
    _sources(found)
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
