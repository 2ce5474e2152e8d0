"""The record of an audit as tables of annotators: all of them, findings on them, pairs of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pipeline.report.audit.findings import evidence_of, odd_first
from pipeline.report.audit.words import MEASURES, Measure, Record, about, name_of, whole
from pipeline.report.page import Cell, Column, Table, table

#: So many pairs of annotators are listed, those that agree least; pairs of fewer shared items are
#: not, where somebody shares so many.
PAIRS: Final = 300
SHARED: Final = 10


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
