"""The agreement audit as one page that opens without a network.

It shows what to look at first, coefficients, annotators with the odd ones marked, the matrix of
pairs, labels and their confusions, sources, and the items by disagreement; tables are sorted and
filtered in the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from pipeline.core.wording import count
from pipeline.report.audit import people_tables, tables
from pipeline.report.audit.findings import evidence_items, findings
from pipeline.report.audit.plots import figures
from pipeline.report.audit.words import (
    Record,
    label_counts,
    lead_of,
    name_of,
    natural,
    sentence,
    whole,
)
from pipeline.report.control_items import control_items
from pipeline.report.language import catalogue
from pipeline.report.page import Table, render, script_texts

#: So many items are in the page, the most disputed first; all are in the table of items beside it.
MOST: Final = 30_000
_SCRIPTS: Final = ("table.js", "audit.js")
_PART: Final = re.compile(r"^(?:\d+-)?\d+ (.*)$", re.DOTALL)


def page(
    record: Record, *, title: str | None = None, most: int = MOST, language: str | None = None
) -> str:
    """Return the HTML of an audit record (`pipeline.agreement.audit.audit`).

    `per_item` may carry a `text` to show, `text_exact` where the spans and words of answers can be
    cut out of it, and `seats` (one a value) that tell anonymous votes apart. `most` items are in
    the page, the most disputed first; it opens in the browser's language, or in `language` (en,
    ko). Nothing in the page reaches for the network, and text of
    annotators or items is never read as markup.
    """
    tables_by_name, plots = _tables(record), figures(record)
    about = record.get("spec") or record.get("task") or f"{record.get('level')} votes"
    return render(
        "audit.html.j2",
        data={
            "page-words": {
                "texts": script_texts(_SCRIPTS, tables_by_name, _reasons(record)),
                "data": catalogue().data_columns,
            },
            "tables": tables_by_name,
            "items-data": items(record, most=most),
        },
        scripts=_SCRIPTS,
        language=language,
        title=title or f"Agreement audit: {about}",
        subtitle=_subtitle(record),
        simulated=bool(record.get("simulated")),
        cards=_cards(record),
        findings=[
            {"text": finding.text, "warning": finding.warning, "show": dict(finding.show or {})}
            for finding in findings(record)
        ],
        tables=set(tables_by_name),
        figures=plots,
        labels_title=(tables.labels(record) or ("Labels", None))[0],
        whole=whole(record),
        no_annotators=sentence(record["no_annotators"]) if record.get("no_annotators") else "",
        any_votes=bool(record["per_item"]),
        filters={
            "annotator": bool(record.get("per_annotator")),
            "label": record.get("kind") != "states",
            "source": any(row.get("source") is not None for row in record["per_item"]),
        },
        bootstrap=record.get("bootstrap", 0),
        without_value=tables.without_value(record),
        cut=_truncation_note(record, most),
        notes=[sentence(note) for note in record.get("notes", [])],
        facts=_provenance(record),
    )


def _reasons(record: Record) -> list[str]:
    """Return why items have no majority or no disagreement, each once."""
    return sorted({row["reason"] for row in record["per_item"] if row.get("reason")})


def _tables(record: Record) -> dict[str, Table]:
    labels = tables.labels(record)
    all_tables = {
        "coefficients": tables.coefficients(record),
        "facts": tables.facts(record),
        "gold": tables.gold(record),
        "annotators": people_tables.annotators(record),
        "review": people_tables.review(record),
        "pairs": people_tables.pairs(record),
        "control-items": control_items(record),
        "labels": labels[1] if labels else None,
        "confusions": tables.confusions(record),
        "sources": tables.sources(record),
    }
    return {name: table for name, table in all_tables.items() if table is not None}


def _subtitle(record: Record) -> str:
    parts = [f"{count(record['votes'], 'vote')} on {count(record['items'], 'item')}"]
    for name in ("rounds", "roles"):
        counts = record.get(name) or {}
        if len(counts) > 1:
            parts.append(f"{name}: {_listing(counts)}")
    many = sorted(map(int, (record.get("distributions") or {}).get("votes_per_item") or {}))
    if many:
        parts.append(f"{many[0]}{f' to {many[-1]}' if len(many) > 1 else ''} an item")
    return "; ".join(parts)


def _cards(record: Record) -> list[dict[str, str]]:
    values = {key: f"{record[key]:,}" for key in ("items", "annotators", "votes")}
    if not record["annotators"] and record["votes"]:
        values["annotators"] = "unnamed"
    unanimous = record.get("facts", {}).get("unanimous")
    if isinstance(unanimous, int | float):
        values["of items unanimous"] = f"{unanimous:.1%}"
    if gold := record.get("gold"):
        values["items without gold"] = f"{gold['unresolved']:,}"
    if record.get("reports"):
        values["reports"] = f"{record['reports']:,}"
    if record.get("unassigned"):
        values["votes on items of others"] = f"{record['unassigned']:,}"
    values["records quarantined"] = f"{sum(record.get('refused', {}).values()):,}"
    cards = [{"value": value, "title": title} for title, value in values.items()]
    lead = lead_of(record)
    if lead is None:
        return cards
    value, title = "none", name_of(record["lead"])
    if lead["value"] is not None:
        value = f"{lead['value']:.3f}".replace("-", "−")
    if lead.get("low") is not None and lead.get("high") is not None:
        title += f", {lead['low']:.3f} to {lead['high']:.3f}".replace("-", "−")
    return [{"value": value, "title": title}, *cards]


def _truncation_note(record: Record, most: int) -> str:
    total, listed = len(record["per_item"]), len(top_rows(record, most))
    if listed == total:
        return ""
    return (
        f"The {listed:,} items of {total:,} that are most disputed, reported or evidence of a"
        " finding are in this page; all of them"
        " are in items.parquet beside it."
    )


def _provenance(record: Record) -> list[tuple[str, str]]:
    """Return what the audit was made with, so that it can be made again."""
    counts = {
        "roles": record.get("roles"),
        "rounds": record.get("rounds"),
        "reports": record.get("report_reasons"),
        "verdicts of inspectors": record.get("verdicts"),
        "answers left out": record.get("left_out"),
        "records quarantined": record.get("refused"),
    }
    plain = {key: record.get(key) for key in ("spec", "level", "seed", "bootstrap")}
    return [
        *((key, str(value)) for key, value in plain.items() if value is not None),
        *((key, _listing(values)) for key, values in counts.items() if values),
    ]


def _listing(counts: Record) -> str:
    return ", ".join(f"{name} {many:,}" for name, many in counts.items())


class Codes(dict[str, int]):
    """Values as numbers, in the order in which they were first seen."""

    @classmethod
    def of(cls, values: Iterable[str]) -> Codes:
        """Return the codes of different values."""
        return cls((value, code) for code, value in enumerate(values))

    def code(self, value: object) -> int:
        """Return the code of a value; -1 stands for None."""
        return -1 if value is None else self.setdefault(str(value), len(self))


def items(record: Record, *, most: int = MOST) -> dict[str, Any]:
    """Return what the table of items is drawn from.

    `rows` are lists of item, source, answers, annotators, majority, disagreement, entropy,
    deviation, reports, seats, text, reason and whether offsets fit the text, cut after the last
    that says something; answers, annotators, sources and seats are codes into the lists of these
    names. `marks` has, for whole answers, the codes of the `labels` in each answer. Items that were
    reported or that findings rest on are kept whatever their disagreement.
    """
    atomic = record.get("kind") in ("category", "number")
    people = Codes.of(sorted(record.get("per_annotator", {}), key=natural))
    answers, sources, seats = Codes.of(label_counts(record) if atomic else ()), Codes(), Codes()
    rows = [_row(row, answers, people, sources, seats) for row in top_rows(record, most)]
    return {
        "kind": record.get("kind"),
        "total": len(record["per_item"]),
        "answers": list(answers),
        "people": list(people),
        "sources": list(sources),
        "seats": list(seats),
        "rows": rows,
        **({"labels": list(answers)} if atomic else _marks(record, list(answers))),
    }


def top_rows(record: Record, most: int) -> list[Any]:
    """Return the first `most` items, and all that were reported or that findings rest on."""
    rows, kept = record["per_item"], evidence_items(record)
    return [
        row
        for place, row in enumerate(rows)
        if place < most or row.get("reports") or row["item"] in kept
    ]


def _row(row: Any, answers: Codes, people: Codes, sources: Codes, seats: Codes) -> list[Any]:
    by = [people.code(name) for name in row["by"]]
    cells = [
        row["item"],
        sources.code(row.get("source")),
        [answers.code(value) for value in row["values"]],
        by if any(code >= 0 for code in by) else 0,
        answers.code(row["majority"]),
        row["disagreement"],
        row["entropy"] or 0,
        row["deviation"] or 0,
        dict(row.get("reports") or {}) or 0,
        [seats.code(seat) for seat in row.get("seats") or []] or 0,
        row.get("text") or 0,
        row.get("reason") or 0,
        1 if row.get("text_exact") else 0,
    ]
    while cells[-1] == 0:
        cells.pop()
    return cells


def _marks(record: Record, answers: Sequence[str]) -> dict[str, Any]:
    """Return the labels that filters offer, and those in each of the whole answers.

    Answers are such as "0-3 PS, 7-9 LC", "2 NP_SBJ, 0 VP", or "news | sport".
    """
    if record.get("kind") == "states":
        return {"labels": []}
    labels = Codes.of(record.get("per_label") or {})
    marks = []
    for answer in answers:
        names = answer.split(" | ")
        if record.get("kind") != "labels":
            names = [match[1] for part in answer.split(", ") if (match := _PART.match(part))]
        marks.append(sorted({labels.code(name) for name in names if name != "no label"}))
    return {"labels": list(labels), "marks": marks}
