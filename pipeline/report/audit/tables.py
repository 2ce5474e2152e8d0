"""Coefficients, facts, gold, labels, confusions and sources as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pipeline.report.audit.words import Record, about, name_of, ordered
from pipeline.report.page import Cell, Column, Table, estimate, interval, table

_ITEMS: Final = Column("items", "items with at least one compared answer", "count")
_VOTES: Final = Column("votes", "answers that are compared", "count")
_SHARE: Final = Column("share", "of all", "share")


class Parts(NamedTuple):
    """What whole answers consist of: where the record has it, and what it is called."""

    key: str
    inner: str
    title: str
    name: str
    counted: str
    alpha: str = ""


_PARTS: Final = (
    Parts("spans", "per_type", "Types of spans", "type", "spans", "alpha_u"),
    Parts("trees", "per_deprel", "Relations", "relation", "words"),
    Parts("states", "per_slot", "Slots", "slot", "turns"),
    Parts("labels", "per_label", "Labels", "label", "votes", "alpha"),
)


def coefficients(record: Record) -> Table:
    """Return all coefficients: the leading one first, those without a value last."""
    found = record["coefficients"]
    lead = record.get("lead")
    order = sorted(found, key=lambda n: (n != lead, found[n]["value"] is None, name_of(n)))
    rows = [
        [
            Cell(name, name_of(name), why=about(name)),
            *estimate(found[name]),
            found[name].get("n"),
            Cell(_remark(name, found[name], lead) or None),
        ]
        for name in order
    ]
    columns = [
        Column("coefficient", "point at a name to read what it is"),
        Column(
            "value",
            "1 is perfect agreement; 0 is what chance gives, where it is corrected for",
            "number",
        ),
        interval(),
        Column("items", "items with at least two answers, which it rests on", "count"),
        Column("remarks", "why there is no value, or no interval"),
    ]
    return table(columns, rows, marked=[name == lead for name in order], size=50)


def facts(record: Record) -> Table | None:
    """Return the shares that the record states, with what each is a share of."""
    told, why = record.get("facts_about") or {}, str(record.get("facts_reason") or "")
    shares = {
        name: value
        for name, value in (record.get("facts") or {}).items()
        if value is None or isinstance(value, int | float)
    }
    if not shares:
        return None
    rows = [
        [name.replace("_", " "), Cell(value, why="" if value is not None else why), told.get(name)]
        for name, value in shares.items()
    ]
    return table(
        [Column("fact"), Column("share", form="share"), Column("what it counts")], rows, size=50
    )


def gold(record: Record) -> Table | None:
    """Return what aggregation made of the votes."""
    found = record.get("gold")
    if not found:
        return None
    counts = {f"items {key}": found[key] for key in ("resolved", "unresolved", "removed")}
    for key, what in (("rules", "by rule"), ("queues", "waiting in queue")):
        counts |= {f"{what} {name}": n for name, n in (found.get(key) or {}).items()}
    if found.get("matches_official") is not None:
        of = f"{found['official']:,}" if found.get("official") is not None else "all"
        counts[f"equal to the file's own label (of {of})"] = found["matches_official"]
    return table([Column("gold"), Column("items", form="count")], list(counts.items()), size=50)


def labels(record: Record) -> tuple[str, Table] | None:
    """Return a row a label, or a part of a whole answer, and what the table is called."""
    for parts in _PARTS:
        if parts.key in record:
            return _parts(record, parts)
    found = record.get("per_label") or {}
    if not found:
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
            one["votes"],
            one["share"],
            *estimate(one.get("agreement")),
        ]
        for name, one in ((name, found[name]) for name in ordered(record) if name in found)
    ]
    return "Labels", table(columns, rows, drop=True)


def _parts(record: Record, parts: Parts) -> tuple[str, Table] | None:
    found: Mapping[str, Any] = record[parts.key].get(parts.inner) or {}
    if not found:
        return None
    total = sum(one[parts.counted] for one in found.values()) or 1
    order = sorted(found, key=lambda name: (-found[name][parts.counted], name))
    shown = parts.key != "states"
    rows = [
        [
            Cell(name, show={"label": name} if shown else None),
            found[name][parts.counted],
            round(found[name][parts.counted] / total, 6),
            *estimate(found[name]["f1"]),
            *(estimate(found[name][parts.alpha]) if parts.alpha else ()),
        ]
        for name in order
    ]
    columns = [
        Column(parts.name, "a click shows the items in which somebody gave it" * shown),
        Column(parts.counted, f"{parts.counted} with it, over all answers", "count"),
        _SHARE,
        Column("F1", "twice the equal ones over all of both, over all pairs of people", "number"),
        interval(" (F1)"),
    ]
    if parts.alpha:
        title = "unitised alpha" if parts.alpha == "alpha_u" else "alpha"
        columns += [
            Column(title, about(f"krippendorff_{parts.alpha}"), "number"),
            interval(f" ({title})"),
        ]
    return parts.title, table(columns, rows, drop=True)


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
        [
            *(
                Cell(
                    one[side], str(one[side]), show={"label": str(one["a"]), "other": str(one["b"])}
                )
                for side in ("a", "b")
            ),
            one["n"],
            one.get("share"),
        ]
        for one in top[:100]
    ]
    return table(columns, rows, size=10)


def sources(record: Record) -> Table | None:
    """Return a row a source, with every coefficient that was taken by source."""
    found = record.get("per_source") or {}
    if not found:
        return None
    names = list(dict.fromkeys(key for one in found.values() for key in one["coefficients"]))
    columns = [Column("source", "a click shows its items"), _ITEMS, _VOTES]
    for name in names:
        columns += [Column(name_of(name), about(name), "number"), interval(f" ({name_of(name)})")]
    columns.append(Column("unanimous", "share of items whose answers are all equal", "share"))
    rows = [
        [
            Cell(source, show={"source": source}),
            one["items"],
            one["votes"],
            *(cell for name in names for cell in estimate(one["coefficients"].get(name))),
            Cell(one["unanimous"], why=one.get("reason", "")),
        ]
        for source, one in found.items()
    ]
    return table(columns, rows, drop=True)


def _remark(name: str, one: Mapping[str, Any], lead: Any) -> str:
    said = "the coefficient of this task" if name == lead else ""
    return "; ".join(part for part in (said, one.get("reason") or "") if part)
