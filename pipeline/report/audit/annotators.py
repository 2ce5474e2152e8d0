"""The annotators as tables: everybody, the odd ones first, and the pairs that agree least."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pipeline.report.audit.findings import lowest
from pipeline.report.audit.words import (
    MEASURES,
    Measure,
    Record,
    about,
    in_words,
    measure_of,
    name_of,
    whole,
)
from pipeline.report.page import Cell, Column, Table, table

#: So many pairs of annotators are listed, those that agree least.
PAIRS: Final = 300
#: Pairs with fewer shared items are not listed, where somebody shares so many.
SHARED: Final = 10
_NAME: Final = Column("annotator", "a click shows the items of this annotator")
_ODD: Final = Column("what is odd", "what the tests found, and the spec's rule of exclusion")
_VOTES: Final = Column("votes", "answers of theirs that are compared", "count")
_DRIFT: Final = Column(
    "drift", "agreement in the last third of their votes minus that in the first third", "number"
)
_MOVED: Final = Column(
    "drift of bias", "bias in the last third of their votes minus that in the first", "number"
)


def annotators(record: Record) -> Table | None:
    """Return a row an annotator: flagged ones first, then by agreement, the lowest first."""
    people = record.get("per_annotator", {})
    if not people:
        return None
    place = {name: i for i, (name, _) in enumerate(lowest(record)[1])}
    below = (record.get("exclusion") or {}).get("below") or {}
    order = sorted(
        people,
        key=lambda n: (-len(people[n]["flags"]) - (n in below), place.get(n, len(place)), n),
    )
    measures = list(_measures(record))
    columns = [_NAME, _ODD, _VOTES, *(Column(m.title, m.help, m.form) for _, m in measures)]
    rows = [
        [
            Cell(name, show={"annotator": name}),
            _odd(people[name], below.get(name)),
            people[name]["votes"],
            *(Cell(people[name].get(key), why=_why(people[name], key)) for key, _ in measures),
            *(() if whole(record) else _drifts(people[name])),
        ]
        for name in order
    ]
    marked = [bool(people[name]["flags"]) or name in below for name in order]
    columns += [] if whole(record) else [_DRIFT, _MOVED]
    return table(columns, rows, marked=marked, size=30, drop=True)


def pairs(record: Record) -> Table | None:
    """Return the pairs of annotators that agree least, on items enough where there are such."""
    found = list(_pairs(record.get("pairs") or {}))
    if not found:
        return None
    least = min(SHARED, max(pair[4] for pair in found))
    enough = [pair for pair in found if pair[4] >= least]
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


def _measures(record: Record) -> Iterator[tuple[str, Measure]]:
    if whole(record):
        name = measure_of(record)
        yield "items_shared", MEASURES["items_shared"]
        yield "agreement_vs_rest", Measure(name_of(name), f"{about(name)}; against the others")
        yield "seconds_median", MEASURES["seconds_median"]
        return
    for key, measure in MEASURES.items():
        if key != "alpha_vs_rest_nominal" or record.get("level") != "nominal":
            yield key, measure  # on the nominal level the two alphas are one


def _odd(person: Mapping[str, Any], below: str | None) -> Cell:
    lines = [flag["text"] for flag in person["flags"]]
    if below:
        lines.append(f"Meets the rule of exclusion: {in_words(below)}.")
    return Cell(len(lines) or None, lines=lines)


def _why(person: Mapping[str, Any], key: str) -> str:
    return "" if person.get(key) is not None else person["reasons"].get(key, "not measured here")


def _drifts(person: Mapping[str, Any]) -> list[Cell]:
    drift = person.get("drift") or {}
    why = person["reasons"].get("drift", "not measured here")
    return [
        Cell(round(trend["late"] - trend["early"], 6)) if trend else Cell(why=why)
        for trend in (drift, drift.get("bias"))
    ]


def _pairs(found: Mapping[str, Any]) -> Iterator[tuple[str, str, float, float | None, int]]:
    names, values = found.get("annotators") or [], found.get("values") or []
    items, alpha = found.get("items") or [], found.get("alpha") or []
    for i, row in enumerate(values):
        for j in range(i + 1, len(row)):
            if row[j] is not None:
                yield names[i], names[j], row[j], alpha[i][j] if alpha else None, items[i][j]
