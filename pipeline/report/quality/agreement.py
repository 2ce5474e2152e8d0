"""What the votes of a task say: coefficients, annotators, disputed items, reports and gold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pipeline.core.wording import count
from pipeline.report.audit.findings import findings, lowest, odd_first, ranking_name
from pipeline.report.audit.words import (
    MEASURES,
    gold_counts,
    measure_of,
    name_of,
    shares,
    whole,
)
from pipeline.report.record import Cell, Chart, Column, Section, Series, Table

Record = Mapping[str, Any]
#: So many items are listed, the most disputed first.
DISPUTED: Final = 30
#: The agreement of more annotators than this is told by a histogram.
_PEOPLE: Final = 40
_BIN: Final = 0.05


def agreement_section(task: str, audit: Record, *, hidden: Collection[str] = ()) -> Section:
    """Return what an audit's record (`pipeline.agreement.audit`) says of a task.

    The ids of `hidden` items (those of test examples) are shown nowhere; items are listed by id
    and counts alone, never with their texts or answers.
    """
    reports = audit.get("report_reasons") or {}
    disputes = _disputes(audit, hidden)
    all_tables = [
        _coefficients(task, audit),
        _facts(task, audit),
        Table(
            id=f"agreement-{task}-gold",
            title="What became of the items",
            columns=[Column("outcome", "text"), Column("items")],
            rows=list(gold_counts(audit).items()),
        ),
        Table(
            id=f"agreement-{task}-reports",
            title="Reports against items",
            columns=[Column("reason", "text"), Column("reports")],
            rows=[(name.replace("_", " "), n) for name, n in reports.items()],
        ),
        _sources(task, audit),
        _labels(task, audit),
        _annotators(task, audit),
        _dispute_ranking(task, disputes),
    ]
    return Section(
        id=f"agreement-{task}",
        title="Agreement",
        lead=_lead(audit),
        tables=[table for table in all_tables if table.rows],
        charts=_charts(task, audit, disputes.values),
    )


def _lead(audit: Record) -> str:
    lead = f"{count(audit['votes'], 'vote')} on {count(audit['items'], 'item')}"
    if audit["annotators"]:
        lead += f" by {count(audit['annotators'], 'annotator')}"
    simulated = " No person gave them: the annotators are simulated." if audit["simulated"] else ""
    first = next(iter(findings(audit)), None)
    nothing = "Agreement cannot be measured: no item has two answers to compare."
    return f"{lead}.{simulated} {nothing if first is None else first.text}"


def _coefficients(task: str, audit: Record) -> Table:
    coefficients, lead = audit["coefficients"], audit.get("lead")
    ranked = sorted(coefficients, key=lambda n: (n != lead, name_of(n)))
    order = [name for name in ranked if coefficients[name]["value"] is not None or name == lead]
    gone = ", ".join(name_of(name) for name in ranked if name not in order)
    printed = audit.get("published") or {}
    published = [
        [name_of(name), printed["value"], None, None, None]
        if name == printed.get("coefficient")
        else None
        for name in order
    ]
    return Table(
        id=f"agreement-{task}-coefficients",
        title="Coefficients",
        columns=[
            Column("coefficient", "text"),
            Column("value", "three"),
            *(Column(name, "three") for name in ("95 % from", "to")),
            Column("items"),
        ],
        rows=[[name_of(name), *_estimate(coefficients[name])] for name in order],
        published=published if any(published) else None,
        note="1 is perfect agreement; 0 what chance gives, where it is corrected for."
        + (" The paper's number is of all of its votes." if any(published) else "")
        + (f" Without a value on these votes (`klue audit` says why): {gone}." if gone else ""),
    )


def _estimate(interval: Record) -> list[Cell]:
    return [interval["value"], interval.get("low"), interval.get("high"), interval.get("n")]


def _facts(task: str, audit: Record) -> Table:
    remarks = audit.get("facts_about") or {}
    # The statistics of inference have these already, in the form of Table 5.
    known = ("individual_equals_", "gold_equals_", "gold_differs_")
    return Table(
        id=f"agreement-{task}-facts",
        title="How often answers are equal",
        columns=[Column("fact", "text"), Column("share", "share"), Column("what it is", "text")],
        rows=[
            [name.replace("_", " "), value, remarks.get(name)]
            for name, value in shares(audit).items()
            if not name.startswith(known)
        ],
    )


def _sources(task: str, audit: Record) -> Table:
    sources, lead = audit.get("per_source") or {}, str(audit.get("lead"))
    columns = [
        *(Column("source", "text"), Column("items"), Column("votes")),
        *(Column(name, "three") for name in (name_of(lead), "95 % from", "to")),
        Column("unanimous", "share"),
    ]
    rows = [
        [
            *(name, source["items"], source["votes"]),
            *_estimate(source["coefficients"].get(lead) or {"value": None})[:3],
            source["unanimous"],
        ]
        for name, source in sources.items()
        if len(sources) > 1
    ]
    return Table(f"agreement-{task}-sources", "By source", columns, rows)


def _labels(task: str, audit: Record) -> Table:
    labels = audit.get("per_label") or {}
    columns = [
        *(Column("label", "text"), Column("votes with it"), Column("share", "share")),
        *(Column(name, "three") for name in ("agreement", "95 % from", "to")),
    ]
    rows = [
        [
            *(name, label["votes"], label["share"]),
            *_estimate(label.get("agreement") or {"value": None})[:3],
        ]
        for name, label in labels.items()
    ]
    note = "Agreement: where one answer has this label, how often another on the item has it too."
    return Table(f"agreement-{task}-labels", "By label", columns, rows, note=note, long=True)


def _annotators(task: str, audit: Record) -> Table:
    """Return a row an annotator: the odd ones first, then by agreement, the lowest first."""
    people, remarks = audit.get("per_annotator") or {}, odd_first(audit)
    has_remarks = any(remarks.values())
    fields = [
        name for name in _measures(audit) if any(people[n].get(name) is not None for n in people)
    ]
    titles = {name: MEASURES[name].title for name in fields}
    if whole(audit) and "agreement_vs_rest" in titles:
        titles["agreement_vs_rest"] = f"{name_of(measure_of(audit))} against the rest"
    return Table(
        id=f"agreement-{task}-annotators",
        title="Annotators",
        columns=[
            *(Column("annotator", "text"), Column("votes")),
            *(
                Column(titles[name], "whole" if MEASURES[name].form == "count" else "three")
                for name in fields
            ),
            *([Column("what is odd", "text")] if has_remarks else []),
        ],
        rows=[
            [
                *(name, people[name]["votes"]),
                *(people[name].get(field) for field in fields),
                *([" ".join(odd) or None] if has_remarks else []),
            ]
            for name, odd in remarks.items()
        ],
        note="; ".join(f"{MEASURES[name].title}: {MEASURES[name].help}" for name in fields)
        + "." * bool(fields),
        long=True,
    )


def _measures(audit: Record) -> tuple[str, ...]:
    if whole(audit):
        return ("items_shared", "agreement_vs_rest")
    return (
        *("items_shared", "alpha_vs_rest", "pearson_vs_rest", "agreement_with_majority"),
        *("alpha_change", "bias"),
    )


class _Disputes(NamedTuple):
    """The disagreement of each item that has one, how many may not be shown, and the first rows."""

    values: list[float]
    withheld: int
    rows: list[Record]


def _disputes(audit: Record, hidden: Collection[str]) -> _Disputes:
    values: list[float] = []
    withheld, rows = 0, list[Record]()
    for row in audit["per_item"]:  # the most disputed first
        if row["disagreement"] is not None:
            values.append(row["disagreement"])
        if row["disagreement"] and row["item"] in hidden:
            withheld += 1
        elif row["disagreement"] and len(rows) < DISPUTED:
            rows.append(row)
    return _Disputes(values, withheld, rows)


def _dispute_ranking(task: str, disputes: _Disputes) -> Table:
    """Return the most disputed items that may be shown, and how many of that rank may not."""
    note = f"Answers differ on {count(sum(map(bool, disputes.values)), 'item')}."
    if disputes.withheld:
        withheld = count(disputes.withheld, "item")
        note += f" Not listed are {withheld} of the test split or without gold."
    return Table(
        id=f"agreement-{task}-disputed",
        title="Most disputed items",
        columns=[
            *(Column("item", "text"), Column("source", "text"), Column("answers")),
            *(Column("different"), Column("disagreement", "three"), Column("reports")),
        ],
        rows=[
            [
                *(row["item"], row["source"], row["n"]),
                len(set(map(str, row["values"]))),
                row["disagreement"],
                sum((row["reports"] or {}).values()) or None,
            ]
            for row in disputes.rows
        ],
        note=note,
        long=True,
    )


def _charts(task: str, audit: Record, values: Sequence[float]) -> list[Chart]:
    key, ranked = lowest(audit)
    charts, name = [], f"agreement-{task}"
    if len(ranked) > 1:
        measure, title = ranking_name(audit, key), "Annotators by agreement with the rest"
        if len(ranked) > _PEOPLE:
            agreed = [value for _, value in ranked]
            charts.append(_histogram(f"{name}-people", title, agreed, measure, "annotators"))
        else:
            names, rounded = [who for who, _ in ranked], [round(n, 3) for _, n in ranked]
            series = [Series(measure, names, rounded)]
            charts.append(Chart(f"{name}-people", title, "bars", "annotator", measure, series))
    if any(values):
        title = "Items by disagreement"
        charts.append(_histogram(f"{name}-disagreement", title, values, "disagreement", "items"))
    return charts


def _histogram(name: str, title: str, values: Sequence[float], x: str, y: str) -> Chart:
    """Return how many values there are in each bin of a twentieth, told by its middle."""
    bins = [min(int(value / _BIN + 1e-9), round(1 / _BIN) - 1) for value in values]
    places = range(min(bins), max(bins) + 1)
    middles = [round((place + 0.5) * _BIN, 6) for place in places]
    series = [Series(y, middles, [bins.count(place) for place in places])]
    return Chart(name, title, "histogram", x, y, series, width=_BIN)
