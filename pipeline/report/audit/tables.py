"""The record of an audit as tables, from coefficients to annotators and their pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pipeline.report.audit.words import (
    Record,
    about,
    gold_counts,
    label_counts,
    name_of,
    shares,
)
from pipeline.report.page import Cell, Column, Table, estimate, interval, table

_VOTES: Final = Column("votes", "answers that are compared", "count")
_SHARE: Final = Column("share", "of all", "share")


#: What whole answers consist of, by its key in the record: where its counts are, the title of the
#: table, what one is called, what is counted, and the alpha of each, if any.
_PARTS: Final = {
    "spans": ("per_type", "Types of spans", "type", "spans", "alpha_u"),
    "trees": ("per_deprel", "Relations", "relation", "words", ""),
    "states": ("per_slot", "Slots", "slot", "turns", ""),
    "labels": ("per_label", "Labels", "label", "votes", "alpha"),
}


def coefficients(record: Record) -> Table:
    """Return the coefficients that apply to the votes, the leading one first."""
    coefficients_by_name = record["coefficients"]
    lead = record.get("lead")
    order = sorted(
        (
            n
            for n in coefficients_by_name
            if n == lead or coefficients_by_name[n]["value"] is not None
        ),
        key=lambda n: (n != lead, name_of(n)),
    )
    leads = "the coefficient of this task"
    remarks = {
        name: (leads * (name == lead), coefficients_by_name[name].get("reason")) for name in order
    }
    rows = [
        [
            Cell(name, name_of(name), why=about(name)),
            *estimate(coefficients_by_name[name]),
            coefficients_by_name[name].get("n"),
            Cell("; ".join(filter(None, remarks[name])) or None),
        ]
        for name in order
    ]
    why = "1 is perfect agreement; 0 is what chance gives, where it is corrected for"
    columns = [
        Column("coefficient", "point at a name to read what it is"),
        Column("value", why, "number"),
        interval(),
        Column("items", "items with at least two answers, which it rests on", "count"),
        Column("remarks", "why there is no value, or no interval"),
    ]
    return table(columns, rows, marked=[name == lead for name in order], size=50)


def without_value(record: Record) -> str:
    """Return the coefficients that do not apply to the votes, by reason, as a sentence."""
    names: dict[str, list[str]] = {}
    for name, value in record["coefficients"].items():
        if value["value"] is None and name != record.get("lead"):
            names.setdefault(str(value["reason"]), []).append(name_of(name))
    listed = "; ".join(f"{', '.join(sorted(own))} ({why})" for why, own in names.items())
    return f"Without a value here: {listed}." if listed else ""


def facts(record: Record) -> Table | None:
    """Return the shares that the record states, with what each is a share of."""
    notes, why = record.get("facts_about") or {}, str(record.get("facts_reason") or "")
    rows = [
        [name.replace("_", " "), Cell(value, why="" if value is not None else why), notes.get(name)]
        for name, value in shares(record).items()
    ]
    if not rows:
        return None
    return table(
        [Column("fact"), Column("share", form="share"), Column("what it counts")], rows, size=50
    )


def gold(record: Record) -> Table | None:
    """Return what aggregation made of the votes."""
    counts = gold_counts(record)
    if not counts:
        return None
    return table([Column("gold"), Column("items", form="count")], list(counts.items()), size=50)


def labels(record: Record) -> tuple[str, Table] | None:
    """Return a row a label, or a part of a whole answer, and what the table is called."""
    for key, parts in _PARTS.items():
        if key in record:
            return _parts(record, key, *parts)
    agreements = record.get("per_label") or {}
    if not agreements:
        return None
    columns = [
        Column("label", "a click shows the items that somebody gave this label"),
        _VOTES,
        _SHARE,
        Column("agreement", "where one gave this label, how often another did too", "number"),
        interval(),
    ]
    rows = [
        [
            Cell(name, show={"label": name}),
            row["votes"],
            row["share"],
            *estimate(row.get("agreement")),
        ]
        for name, row in (
            (name, agreements[name]) for name in label_counts(record) if name in agreements
        )
    ]
    return "Labels", table(columns, rows, drop=True)


def _parts(
    record: Record, key: str, counts: str, title: str, name: str, counted: str, alpha: str
) -> tuple[str, Table] | None:
    counts_by_label: Mapping[str, Any] = record[key].get(counts) or {}
    if not counts_by_label:
        return None
    total = sum(row[counted] for row in counts_by_label.values()) or 1
    is_shown = key != "states"
    rows = [
        [
            Cell(label, show={"label": label} if is_shown else None),
            row[counted],
            round(row[counted] / total, 6),
            *estimate(row["f1"]),
            *(estimate(row[alpha]) if alpha else ()),
        ]
        for label, row in sorted(
            counts_by_label.items(), key=lambda pair: (-pair[1][counted], pair[0])
        )
    ]
    columns = [
        Column(name, "a click shows the items in which somebody gave it" * is_shown),
        Column(counted, f"{counted} with it, over all answers", "count"),
        _SHARE,
        Column("F1", "twice the equal ones over all of both, over all pairs of people", "number"),
        interval(" (F1)"),
    ]
    if alpha:
        heading = "unitised alpha" if alpha == "alpha_u" else "alpha"
        columns += [
            Column(heading, about(f"krippendorff_{alpha}"), "number"),
            interval(f" ({heading})"),
        ]
    return title, table(columns, rows, drop=True)


def confusions(record: Record) -> Table | None:
    """Return the labels that people give to the same item, by how often."""
    top = (record.get("confusion") or {}).get("top") or []
    if not top:
        return None
    columns = [
        Column("one says", "a click shows the items with both labels"),
        Column("another says", "on the same item"),
        Column("pairs of votes", "pairs of answers to one item with these two labels", "count"),
        Column("share", "of all pairs of answers that differ", "share"),
    ]
    rows = [
        [*(Cell(pair[side], str(pair[side]), show=show) for side in ("a", "b")), pair["n"], share]
        for pair in top[:100]
        for show, share in [({"label": str(pair["a"]), "other": str(pair["b"])}, pair.get("share"))]
    ]
    return table(columns, rows, size=10)


def sources(record: Record) -> Table | None:
    """Return a row a source, with every coefficient that was taken by source."""
    sources_by_name = record.get("per_source") or {}
    if not sources_by_name:
        return None
    names = list(
        dict.fromkeys(key for row in sources_by_name.values() for key in row["coefficients"])
    )
    items = Column("items", "items with at least one compared answer", "count")
    columns = [Column("source", "a click shows its items"), items, _VOTES]
    for name in names:
        columns += [Column(name_of(name), about(name), "number"), interval(f" ({name_of(name)})")]
    columns.append(Column("unanimous", "share of items whose answers are all equal", "share"))
    rows = [
        [
            Cell(source, show={"source": source}),
            row["items"],
            row["votes"],
            *(cell for name in names for cell in estimate(row["coefficients"].get(name))),
            Cell(row["unanimous"], why=row.get("reason", "")),
        ]
        for source, row in sources_by_name.items()
    ]
    return table(columns, rows, drop=True)
