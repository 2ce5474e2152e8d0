"""The audit and the gold for people, in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flows.view.console import console

_WORST: Final = 10
_PEOPLE: Final = 25


def show(record: Mapping[str, Any]) -> None:
    """Print coefficients, what stands out, annotators, sources and the most disputed items."""
    out = console()
    if not record["votes"] and not record["reports"]:
        for note in record["notes"]:
            out.print(note, soft_wrap=True)
        return
    about = record["spec"] or record["task"] or f"{record['level']} votes"
    simulated = " (simulated annotators)" if record["simulated"] else ""
    out.print(
        f"{about}{simulated}: {record['votes']:,} votes by {record['annotators']:,} annotators on"
        f" {record['items']:,} items; {sum(record['refused'].values()):,} records quarantined"
    )
    _coefficients(record)
    _facts(record)
    if record.get("no_annotators"):
        out.print(f"annotators: {record['no_annotators']}", soft_wrap=True)
    else:
        _people(record)
    _sources(record)
    _items(record)
    for note in record["notes"]:
        out.print(f"note: {note}", soft_wrap=True)


def show_gold(record: Mapping[str, Any]) -> None:
    """Print what became of the items."""
    out = console()
    counts = ("items", "resolved", "unresolved", "removed")
    out.print(", ".join(f"{record[name]:,} {name}" for name in counts if name in record))
    status = ("gold", "unresolved", "removed")
    rules = [
        (name, *(f"{counts.get(end, 0):,}" for end in status))
        for name, counts in record["by_rule"].items()
    ]
    _table("What decided", ("rule", *status), rules)
    for title, key, heads in (
        ("Waiting", "by_queue", ("queue", "items")),
        ("Why not gold", "by_reason", ("reason", "items")),
        ("Votes that do not count", "left_out", ("rule", "votes")),
    ):
        _table(title, heads, [(name, f"{n:,}") for name, n in record[key].items()])
    for person in record["excluded"]:
        out.print(f"excluded: {person['annotator']}: {person['reason']}", soft_wrap=True)
    for name, model in (record.get("crowd") or {}).items():
        differs = "differs from gold on {differ:,} of {compared:,}"
        text = model.get("reason") or differs.format_map(model)
        out.print(f"crowd model {name}: {text}", soft_wrap=True)
    if record.get("matches_official") is not None:
        out.print(f"equal to the file's own label: {record['matches_official']:,}")
    for path in record.get("out", []):
        out.print(f"written  {path}", soft_wrap=True)


def _coefficients(record: Mapping[str, Any]) -> None:
    values = record["coefficients"]
    rows = []
    for name in sorted(values, key=lambda n: (n != record["lead"], values[n]["value"] is None, n)):
        low, high = values[name].get("low"), values[name].get("high")
        between = f"{low:.3f} to {high:.3f}" if low is not None and high is not None else ""
        rows.append((name, _number(values[name]["value"]), between, values[name].get("reason", "")))
    _table("Agreement", ("coefficient", "value", "95 % interval", "remarks"), rows)


def _facts(record: Mapping[str, Any]) -> None:
    rows = [
        (name, f"{value:.4f}" if isinstance(value, float) else str(value))
        for name, value in record["facts"].items()
        if isinstance(value, int | float)
    ]
    _table("Facts", ("share of items", "value"), rows)
    gold = record.get("gold")
    if gold:
        counts = [f"{value:,} {key}" for key, value in gold.items() if isinstance(value, int)]
        console().print("gold: " + ", ".join(counts).replace("_", " "))


_MEASURES: Final = {
    "agreement_with_majority": "with majority",
    "pearson_vs_rest": "Pearson",
    "alpha_vs_rest": "alpha",
    "alpha_change": "change without",
    "bias": "bias",
    "spread": "spread",
}


def _people(record: Mapping[str, Any]) -> None:
    people = record["per_annotator"]
    shown = {
        key: title
        for key, title in _MEASURES.items()
        if any(person.get(key) is not None for person in people.values())
    }
    order = sorted(people, key=lambda name: (-len(people[name]["flags"]), _worth(people[name])))
    rows = [
        (
            name,
            f"{people[name]['votes']:,}",
            *(_number(people[name].get(key)) for key in shown),
            ", ".join(flag["code"] for flag in people[name]["flags"]),
        )
        for name in order[:_PEOPLE]
    ]
    title = "Annotators, the odd ones first"
    if len(people) > _PEOPLE:
        title += f" ({_PEOPLE} of {len(people):,}; --html or --json has all)"
    _table(title, ("annotator", "votes", *shown.values(), "odd"), rows)
    for name in order[:_PEOPLE]:
        for flag in people[name]["flags"]:
            console().print(f"{name}: {flag['text']}", soft_wrap=True)
    for name, why in (record.get("exclusion") or {}).get("below", {}).items():
        console().print(f"{name}: meets the spec's rule of exclusion: {why}", soft_wrap=True)


def _worth(person: Mapping[str, Any]) -> float:
    values = [person.get(key) for key in ("alpha_vs_rest", "agreement_with_majority")]
    return next((float(value) for value in values if value is not None), 2.0)


def _sources(record: Mapping[str, Any]) -> None:
    lead = record["lead"]
    rows = [
        (
            name,
            f"{part['items']:,}",
            f"{part['votes']:,}",
            _number(part["coefficients"].get(lead, {}).get("value")),
        )
        for name, part in record["per_source"].items()
    ]
    if len(rows) > 1:
        _table("Sources", ("source", "items", "votes", str(lead)), rows)


def _items(record: Mapping[str, Any]) -> None:
    rows = [
        (
            row["item"],
            " ".join(str(value) for value in row["values"])[:40],
            "tie" if row["majority"] is None else str(row["majority"])[:20],
            _number(row["disagreement"]),
        )
        for row in record["per_item"][:_WORST]
        if row["disagreement"]
    ]
    _table("The most disputed items", ("item", "votes", "majority", "disagreement"), rows)


def _number(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table

    if not rows:
        return
    table = Table(title=title, title_justify="left")
    for place, head in enumerate(heads):
        numbers = all(_numeric(row[place]) for row in rows) and place > 0
        table.add_column(head, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console().print(table)


def _numeric(text: str) -> bool:
    return text in ("", "-") or text.replace(",", "").replace(".", "").replace("-", "").isdigit()
