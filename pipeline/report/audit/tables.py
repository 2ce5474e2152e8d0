"""The record of an audit as tables, from coefficients to annotators and their pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pipeline.report.audit.findings import evidence_of, odd_first
from pipeline.report.audit.words import (
    MEASURES,
    Measure,
    Record,
    about,
    gold_counts,
    label_counts,
    name_of,
    shares,
    whole,
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
#: So many pairs of annotators are listed, those that agree least; pairs of fewer shared items are
#: not, where somebody shares so many.
PAIRS: Final = 300
SHARED: Final = 10


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


def annotators(record: Record) -> Table | None:
    """Return a row an annotator, the odd ones first (`odd_first`)."""
    people = record.get("per_annotator", {})
    if not people:
        return None
    remarks, measures = odd_first(record), _measures(record)
    columns = [
        Column("annotator", "a click shows the items of this annotator"),
        Column("what is odd", "what the tests found, and the spec's rule of exclusion"),
        Column("votes", "answers of theirs that are compared", "count"),
        *(Column(*measure) for measure in measures.values()),
    ]
    if not whole(record):
        thirds = "in the last third of their votes minus that in the first"
        columns += [
            Column("drift", f"agreement {thirds}", "number"),
            Column("drift of bias", f"bias {thirds}", "number"),
        ]
    rows = [
        [
            Cell(name, show={"annotator": name}),
            Cell(len(odd) or None, lines=odd),
            people[name]["votes"],
            *(_cell(people[name], key) for key in measures),
            *(() if whole(record) else _drifts(people[name])),
        ]
        for name, odd in remarks.items()
    ]
    marked = [bool(odd) for odd in remarks.values()]
    return table(columns, rows, marked=marked, size=30, drop=True)


def review(record: Record) -> Table | None:
    """Return a row a finding to look at, flagged or not, by evidence."""
    ranked = record.get("review") or []
    if not ranked:
        return None
    columns = [
        Column("annotator", "a click shows the items that show it"),
        Column("finding", "findings whose effect is large enough to matter"),
        Column("p", "probability of a finding like this by chance, for one test of one person"),
        Column("false discovery rate", "share of findings as clear as this that chance would make"),
        Column("flagged", "the false discovery rate is 5 % or less"),
    ]
    people = record["per_annotator"]
    marked = [
        any(flag["code"] == row["code"] for flag in people[row["annotator"]]["flags"])
        for row in ranked
    ]
    rows = [
        [
            Cell(row["annotator"], show=evidence_of(row["annotator"], row)),
            row["text"],
            Cell(row["p"], f"{row['p']:.1g}"),
            Cell(row["q"], f"{row['q']:.2g}"),
            "yes" if flagged else None,
        ]
        for row, flagged in zip(ranked, marked, strict=True)
    ]
    return table(columns, rows, marked=marked, size=15)


def pairs(record: Record) -> Table | None:
    """Return the pairs of annotators that agree least, on items enough where there are such."""
    pairs_of_annotators = list(_pairs(record.get("pairs") or {}))
    if not pairs_of_annotators:
        return None
    least = min(SHARED, max(pair[4] for pair in pairs_of_annotators))
    enough = [pair for pair in pairs_of_annotators if pair[4] >= least]
    enough.sort(key=lambda pair: (pair[2], pair[0], pair[1]))
    measure = record["pairs"]["measure"]
    columns = [
        Column("one", "an annotator"),
        Column("another", "an annotator who answered some of the same items"),
        Column(name_of(measure), about(measure), "number"),
        Column("alpha", "Krippendorff's alpha of the two on the items both have", "number"),
        Column("shared items", "items that both answered", "count"),
    ]
    rows = [
        [Cell(a, show={"annotator": a}), Cell(b, show={"annotator": b}), value, alpha, items]
        for a, b, value, alpha, items in enough[:PAIRS]
    ]
    return table(columns, rows, size=10, drop=True)


def _measures(record: Record) -> dict[str, Measure]:
    if whole(record):
        people = record.get("per_annotator", {}).values()
        compared = [n for n in record["coefficients"] if any(f"{n}_vs_rest" in p for p in people)]
        return {
            "items_shared": MEASURES["items_shared"],
            **{
                f"{name}_vs_rest": Measure(name_of(name), f"{about(name)}; against the others")
                for name in compared
            },
            "seconds_median": MEASURES["seconds_median"],
        }
    # On the nominal level the two alphas are one.
    once = {"alpha_vs_rest_nominal"} if record.get("level") == "nominal" else set()
    return {key: measure for key, measure in MEASURES.items() if key not in once}


def _cell(person: Mapping[str, Any], key: str) -> Cell:
    value = person.get(key)
    return Cell(value, why="" if value is not None else _reason(person, key))


def _reason(person: Mapping[str, Any], key: str) -> str:
    return str(person["reasons"].get(key, "not measured here"))


def _drifts(person: Mapping[str, Any]) -> list[Cell]:
    drift, why = person.get("drift") or {}, _reason(person, "drift")
    return [
        Cell(round(trend["late"] - trend["early"], 6)) if trend else Cell(why=why)
        for trend in (drift, drift.get("bias"))
    ]


def _pairs(matrix: Mapping[str, Any]) -> Iterator[tuple[str, str, float, float | None, int]]:
    names, values = matrix.get("annotators") or [], matrix.get("values") or []
    items, alpha = matrix.get("items") or [], matrix.get("alpha") or []
    for i, row in enumerate(values):
        for j in range(i + 1, len(row)):
            if row[j] is not None:
                yield names[i], names[j], row[j], alpha[i][j] if alpha else None, items[i][j]
