"""The agreement audit as one page that opens without a network.

It shows what to look at first, coefficients, annotators with the odd ones marked, the matrix of
pairs, labels and their confusions, sources, and the items by disagreement; tables are sorted and
filtered in the page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from pipeline.report import charts
from pipeline.report.page import asset, embedded, plotly, render

Record = Mapping[str, Any]

#: So many items are in the page, the most disputed first; all are in the record.
MOST: Final = 5_000
#: So many annotators fit a plot.
PLOTTED: Final = 120
_BINS: Final = 20


def page(record: Record, *, title: str | None = None, most: int = MOST) -> str:
    """Return the HTML of an audit record (`pipeline.agreement.audit.audit`).

    `per_item` may carry a `text` to show. Nothing in the page reaches for the network, and text of
    annotators or items is never read as markup.
    """
    found = figures(record)
    return render(
        "audit.html.j2",
        title=title or _title(record),
        subtitle=_subtitle(record),
        record=record,
        cards=_cards(record),
        findings=_findings(record),
        plots=list(found),
        cut=_cut(record, most),
        notes=record.get("notes", []),
        css=asset("page.css"),
        data=embedded(_shown(record, most)),
        figures=embedded(found),
        plotly=plotly(),
        table_js=asset("table.js"),
        audit_js=asset("audit.js"),
    )


def figures(record: Record) -> dict[str, charts.Figure]:
    """Return the charts that the record has numbers for, by their place in the page."""
    made = {
        "plot-annotators": _annotators(record),
        "plot-pairs": _pairs(record),
        "plot-labels": _labels(record),
        "plot-confusion": _confusion(record),
        "plot-scores": _scores(record),
        "plot-disagreement": _disagreement(record),
    }
    return {place: figure for place, figure in made.items() if figure is not None}


def _title(record: Record) -> str:
    about = record.get("spec") or record.get("task") or f"{record.get('level')} votes"
    return f"Agreement audit: {about}"


def _subtitle(record: Record) -> str:
    rounds = ", ".join(f"{name} {n:,}" for name, n in record.get("rounds", {}).items())
    roles = ", ".join(f"{name} {n:,}" for name, n in record.get("roles", {}).items())
    parts = [f"{record['votes']:,} votes on {record['items']:,} items"]
    parts += [f"rounds: {rounds}"] * bool(rounds) + [f"roles: {roles}"] * bool(roles)
    return "; ".join(parts)


def _cards(record: Record) -> list[dict[str, str]]:
    lead = record["coefficients"].get(record["lead"]) if record.get("lead") else None
    cards = []
    if lead is not None:
        value = "none" if lead["value"] is None else f"{lead['value']:.3f}"
        name = str(record["lead"]).replace("_", " ")
        low = "" if lead.get("low") is None else f", {lead['low']:.3f} to {lead['high']:.3f}"
        cards.append({"value": value, "title": name + low})
    for key in ("items", "annotators", "votes"):
        cards.append({"value": f"{record[key]:,}", "title": key})
    if not record["annotators"] and record["votes"]:
        cards[-2]["value"] = "unnamed"
    unanimous = record.get("facts", {}).get("unanimous")
    if isinstance(unanimous, int | float):
        cards.append({"value": f"{unanimous:.1%}", "title": "items with one answer only"})
    gold = record.get("gold")
    if gold:
        cards.append({"value": f"{gold['unresolved']:,}", "title": "items unresolved"})
    refused = sum(record.get("refused", {}).values())
    cards.append({"value": f"{refused:,}", "title": "votes quarantined"})
    return cards


def _findings(record: Record) -> list[dict[str, str]]:
    found = []
    lead = record["coefficients"].get(record["lead"]) if record.get("lead") else None
    if lead is not None and lead["value"] is None:
        found.append({"text": f"No leading coefficient: {lead['reason']}", "show": ""})
    for name, one in record.get("per_annotator", {}).items():
        for flag in one["flags"]:
            show = json.dumps({"annotator": name}, ensure_ascii=False)
            found.append({"text": f"Annotator {name}: {flag['text']}", "show": show})
    if record.get("per_annotator") and not found:
        found.append({"text": "No annotator stands out from the others.", "show": ""})
    found += _disputed(record)
    for rule, n in sorted(record.get("refused", {}).items(), key=lambda x: (-x[1], x[0])):
        found.append({"text": f"{n:,} votes quarantined by {rule}", "show": ""})
    return found


def _disputed(record: Record) -> list[dict[str, str]]:
    ties = sum(1 for row in record["per_item"] if row["majority"] is None and row["n"] > 1)
    reported = sum(1 for row in record["per_item"] if row.get("reports"))
    found = []
    if ties:
        found.append({"text": f"{ties:,} items have no single most frequent answer.", "show": ""})
    if reported:
        found.append({"text": f"{reported:,} items were reported.", "show": ""})
    split = [row for row in record["per_item"] if (row["disagreement"] or 0) >= 0.5]
    if split:
        text = f"{len(split):,} items have a disagreement of 0.5 or more."
        found.append({"text": text, "show": json.dumps({"above": "0.5"})})
    top = (record.get("confusion") or {}).get("top") or []
    if top:
        a, b = top[0]["a"], top[0]["b"]
        share = top[0].get("share")
        part = f" ({share:.0%} of all disagreement)" if share is not None else ""
        found.append({"text": f"Most often mixed up: {a} and {b}{part}.", "show": ""})
    return found


def _cut(record: Record, most: int) -> str:
    total = len(record["per_item"])
    if total <= most:
        return ""
    return (
        f"The {most:,} most disputed of {total:,} items are in this page; all of them are in"
        " audit.json beside it."
    )


def _shown(record: Record, most: int) -> dict[str, Any]:
    parts = ("lead", "coefficients", "facts", "per_annotator", "per_source", "per_label")
    kept = {key: record.get(key) or {} for key in parts}
    top = (record.get("confusion") or {}).get("top", [])
    return {**kept, "confusion": {"top": top[:100]}, "per_item": list(record["per_item"][:most])}


def _annotators(record: Record) -> charts.Figure | None:
    people = record.get("per_annotator", {})
    measures = (
        ("alpha_vs_rest", "alpha against the others"),
        ("agreement_with_majority", "share equal to the majority of the others"),
        ("entity_f1_vs_rest", "entity F1 against the others"),
        ("las_vs_rest", "labelled attachment against the others"),
    )
    for key, title in measures:
        rated = [(name, one[key]) for name, one in people.items() if one.get(key) is not None]
        if len(rated) > 1:
            rated.sort(key=lambda pair: (pair[1], pair[0]))
            rated = rated[:PLOTTED]
            more = "" if len(people) <= PLOTTED else f", the lowest {PLOTTED}"
            names = [name for name, _ in rated]
            odd = [bool(people[name]["flags"]) for name in names]
            values = [value for _, value in rated]
            heading = f"Annotators by {title}{more} (diamonds are flagged)"
            return charts.dots(heading, names, values, odd=odd, x="", y="")
    return None


def _pairs(record: Record) -> charts.Figure | None:
    pairs = record.get("pairs") or {}
    names = pairs.get("annotators") or []
    if not 2 <= len(names) <= PLOTTED:
        return None
    title = f"Pairs of annotators: {str(pairs['measure']).replace('_', ' ')}"
    return charts.heat_map(title, names, pairs["values"])


def _labels(record: Record) -> charts.Figure | None:
    labels = record.get("distributions", {}).get("labels") or {}
    if not labels:
        return None
    return charts.bars("Votes by label", list(labels), list(labels.values()), x="", y="votes")


def _confusion(record: Record) -> charts.Figure | None:
    confusion = record.get("confusion") or {}
    names = confusion.get("labels") or []
    if not 2 <= len(names) <= 40:
        return None
    shares = []
    for row in confusion["counts"]:
        total = sum(row)
        shares.append([n / total if total else None for n in row])
    title = "Where one gives the label of the row, another gives"
    return charts.heat_map(title, [str(n) for n in names], shares, form=".0%")


def _scores(record: Record) -> charts.Figure | None:
    bins = record.get("distributions", {}).get("mean_scores")
    if not bins:
        return None
    names = [str(one["score"]) if isinstance(one, dict) else str(one[0]) for one in bins]
    numbers = [one["items"] if isinstance(one, dict) else one[1] for one in bins]
    return charts.bars("Items by mean score", names, numbers, x="mean score", y="items")


def _disagreement(record: Record) -> charts.Figure | None:
    counts = [0] * _BINS
    for row in record["per_item"]:
        if row["disagreement"] is not None:
            counts[min(_BINS - 1, int(row["disagreement"] * _BINS))] += 1
    if not any(counts):
        return None
    names = [f"{i / _BINS:.2f}" for i in range(_BINS)]
    title = "Items by disagreement"
    return charts.bars(title, names, counts, x="disagreement, from", y="items")
