"""The audit and the gold for people, in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from flows.console import console

_WORST: Final = 10
_PEOPLE: Final = 25


def show(record: Mapping[str, Any]) -> None:
    """Print coefficients, what stands out, annotators, sources and the most disputed items."""
    out = console()
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
    for title in ("rules", "reasons", "queues"):
        rows = [(name, f"{n:,}") for name, n in (record.get(title) or {}).items()]
        _table(title, (title.removesuffix("s"), "items"), rows)
    excluded = record.get("excluded") or []
    for one in excluded:
        out.print(f"excluded: {_told(one)}", soft_wrap=True)
    if record.get("matches_official") is not None:
        out.print(f"equal to the file's own label: {record['matches_official']:,}")
    for path in record.get("out", []):
        out.print(f"written  {path}", soft_wrap=True)


def _told(one: Any) -> str:
    if isinstance(one, Mapping):
        return ", ".join(f"{key} {_number(value)}" for key, value in one.items())
    return str(one)


def _coefficients(record: Mapping[str, Any]) -> None:
    found = record["coefficients"]
    rows = []
    for name in sorted(found, key=lambda n: (n != record["lead"], found[n]["value"] is None, n)):
        one = found[name]
        low, high = one.get("low"), one.get("high")
        between = f"{low:.3f} to {high:.3f}" if low is not None and high is not None else ""
        rows.append((name, _number(one["value"]), between, one.get("reason", "")))
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
        console().print(", ".join(f"gold {key}: {_number(value)}" for key, value in gold.items()))


_MEASURES: Final = {
    "agreement_with_majority": "with majority",
    "pearson_vs_rest": "Pearson",
    "alpha_vs_rest": "alpha",
    "alpha_change": "alpha without",
    "bias": "bias",
    "spread": "spread",
}


def _people(record: Mapping[str, Any]) -> None:
    people = record["per_annotator"]
    shown = {
        key: title
        for key, title in _MEASURES.items()
        if any(one.get(key) is not None for one in people.values())
    }
    order = sorted(people, key=lambda name: (-len(people[name]["flags"]), _worth(people[name])))
    rows = [
        (
            name,
            f"{people[name]['votes']:,}",
            *(_number(people[name].get(key)) for key in shown),
            "; ".join(flag["text"] for flag in people[name]["flags"]),
        )
        for name in order[:_PEOPLE]
    ]
    title = "Annotators, the odd ones first"
    if len(people) > _PEOPLE:
        title += f" ({_PEOPLE} of {len(people):,}; --html or --json has all)"
    _table(title, ("annotator", "votes", *shown.values(), "what is odd"), rows)


def _worth(one: Mapping[str, Any]) -> float:
    values = [one.get(key) for key in ("alpha_vs_rest", "agreement_with_majority")]
    return next((float(value) for value in values if value is not None), 2.0)


def _sources(record: Mapping[str, Any]) -> None:
    rows = []
    for name, one in record["per_source"].items():
        lead = one["coefficients"].get(record["lead"], {})
        value = _number(lead.get("value"))
        rows.append((name, f"{one['items']:,}", f"{one['votes']:,}", value))
    if len(rows) > 1:
        _table("Sources", ("source", "items", "votes", str(record["lead"])), rows)


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


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    from rich.table import Table

    found = list(rows)
    if not found:
        return
    table = Table(title=title, title_justify="left")
    for place, head in enumerate(heads):
        numbers = all(_numeric(row[place]) for row in found) and place > 0
        table.add_column(head, justify="right" if numbers else "left", overflow="fold")
    for row in found:
        table.add_row(*row)
    console().print(table)


def _numeric(text: str) -> bool:
    return text in ("", "-") or text.replace(",", "").replace(".", "").replace("-", "").isdigit()
