"""Coefficients, facts, gold, labels, confusions, sources and annotators as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from pipeline.report.audit.findings import lowest
from pipeline.report.audit.words import (
    MEASURES,
    Measure,
    Record,
    about,
    in_words,
    measure_of,
    name_of,
    ordered,
    whole,
)
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
    columns = [
        Column("fact"),
        Column("share", form="share"),
        Column("what it counts"),
    ]
    return table(columns, rows, size=50)


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
    columns = [Column("gold"), Column("items", form="count")]
    return table(columns, list(counts.items()), size=50)


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
            *(Cell(one[side], str(one[side]), show=_both(one)) for side in ("a", "b")),
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


def _both(one: Mapping[str, Any]) -> dict[str, str]:
    return {"label": str(one["a"]), "other": str(one["b"])}


def _remark(name: str, one: Mapping[str, Any], lead: Any) -> str:
    said = "the coefficient of this task" if name == lead else ""
    return "; ".join(part for part in (said, one.get("reason") or "") if part)


#: So many pairs of annotators are listed, those that agree least.
PAIRS: Final = 300
#: Pairs with fewer shared items are not listed, where somebody shares so many.
SHARED: Final = 10
_NAME: Final = Column("annotator", "a click shows the items of this annotator")
_ODD: Final = Column("what is odd", "what the tests found, and the spec's rule of exclusion")
_OWN_VOTES: Final = Column("votes", "answers of theirs that are compared", "count")
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
    columns = [_NAME, _ODD, _OWN_VOTES, *(Column(m.title, m.help, m.form) for _, m in measures)]
    rows = [
        [
            Cell(name, show={"annotator": name}),
            _odd(people[name], below.get(name)),
            people[name]["votes"],
            *(_cell(people[name], key) for key, _ in measures),
            *(() if whole(record) else _drifts(people[name])),
        ]
        for name in order
    ]
    marked = [bool(people[name]["flags"]) or name in below for name in order]
    columns += [] if whole(record) else [_DRIFT, _MOVED]
    return table(columns, rows, marked=marked, size=30, drop=True)


def pairs(record: Record) -> Table | None:
    """Return the pairs of annotators that agree least, on items enough where there are such."""
    found = list(_ranked_pairs(record.get("pairs") or {}))
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


def _cell(person: Mapping[str, Any], key: str) -> Cell:
    return Cell(person.get(key), why=_why(person, key))


def _why(person: Mapping[str, Any], key: str) -> str:
    return "" if person.get(key) is not None else person["reasons"].get(key, "not measured here")


def _drifts(person: Mapping[str, Any]) -> tuple[Cell, Cell]:
    drift = person.get("drift")
    return _moved(drift, person), _moved((drift or {}).get("bias"), person)


def _moved(trend: Mapping[str, Any] | None, person: Mapping[str, Any]) -> Cell:
    if not trend or trend.get("late") is None or trend.get("early") is None:
        return Cell(why=person["reasons"].get("drift", "not measured here"))
    return Cell(round(trend["late"] - trend["early"], 6))


def _ranked_pairs(found: Mapping[str, Any]) -> Iterator[tuple[str, str, float, float | None, int]]:
    names, values = found.get("annotators") or [], found.get("values") or []
    items, alpha = found.get("items") or [], found.get("alpha") or []
    for i, row in enumerate(values):
        for j in range(i + 1, len(row)):
            if row[j] is not None:
                yield names[i], names[j], row[j], alpha[i][j] if alpha else None, items[i][j]
