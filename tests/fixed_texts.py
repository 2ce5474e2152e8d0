"""The fixed texts of a report and of an audit's page that have no Korean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.report.audit import tables
from pipeline.report.audit.findings import findings
from pipeline.report.audit.plots import figures
from pipeline.report.audit_page import _cards, _provenance, _subtitle, _tables
from pipeline.report.language import catalogue, untranslated


def without_korean(texts: Iterator[str]) -> set[str]:
    """Return those of some texts that have words and no Korean."""
    absent = {sentence for text in texts for sentence in untranslated(text)}
    return {text for text in absent if re.search("[A-Za-z]{2}", text)}


def of_report(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a record that are not data, as `asdict` gives it."""
    yield from (record["title"], record["lead"])
    for fact in record["facts"]:
        yield from (fact["name"], fact["note"])
    for task in record["overview"]:
        yield from (task["title"], task["measure"], *(one["text"] for one in task["notices"]))
    for section in record["sections"]:
        yield from _of_section(section)


def _of_section(section: Mapping[str, Any]) -> Iterator[str]:
    yield from (section["title"], section["lead"])
    for table in section["tables"]:
        yield from (table["title"], table["note"])
        for place, column in enumerate(table["columns"]):
            yield column["name"]
            if column["form"] == "text" and column["name"] not in catalogue().data_columns:
                yield from (row[place] for row in table["rows"] if isinstance(row[place], str))
    for chart in section["charts"]:
        yield from (chart[key] for key in ("title", "x", "y", "note"))
        yield from (series["name"] for series in chart["series"])
        if chart["kind"] == "funnel":
            yield from (name for series in chart["series"] for name in series["x"])
    for part in section["parts"]:
        yield from _of_section(part)


def of_audit(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of an audit's page that are not data; what was odd is quoted as it is."""
    yield from (_subtitle(record), tables.without_value(record), *record.get("notes", ()))
    yield from (card["title"] for card in _cards(record))
    yield from (name for name, _ in _provenance(record))
    yield from (finding.text for finding in findings(record))
    yield from (figure.title for figure in figures(record).values())
    for table in _tables(record).values():
        yield table["note"]
        for place, column in enumerate(table["columns"]):
            yield from (column["title"], column["help"])
            if column["title"] not in catalogue().data_columns:
                yield from _of_cells(row[place] for row in table["rows"])


def _of_cells(cells: Iterator[Any]) -> Iterator[str]:
    for cell in cells:
        if isinstance(cell, str):
            yield cell
        elif isinstance(cell, dict) and not cell.get("show"):
            yield cell.get("text", "")
            yield cell.get("why", "")
            yield from cell.get("lines", ())
