"""The audit and the gold for people, in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from flows.view.console import print_line, print_table, say
from flows.view.control_table import show_control
from pipeline.core.wording import count

_WORST: Final = 10
_PEOPLE: Final = 25
_HINTS: Final = 5
_NEXT: Final = 20


def show_audit(record: Mapping[str, Any], *, html: Path | None) -> None:
    """Print coefficients, what stands out, annotators, sources, and the most disputed items."""
    _show(record)
    if html is not None:
        say(f"page  {html / 'index.html'}")


def _show(record: Mapping[str, Any]) -> None:
    if not record["votes"] and not record["reports"]:
        for note in record["notes"]:
            print_line(note)
        return
    about = record["spec"] or record["task"] or f"{record['level']} votes"
    simulated = " (simulated annotators)" if record["simulated"] else ""
    print_line(
        f"{about}{simulated}: {count(record['votes'], 'vote')} by"
        f" {count(record['annotators'], 'annotator')} on {count(record['items'], 'item')};"
        f" {count(sum(record['refused'].values()), 'record')} quarantined"
    )
    _coefficients(record)
    _facts(record)
    if record.get("no_annotators"):
        print_line(f"annotators: {record['no_annotators']}")
    else:
        _people(record)
    show_control(record.get("control_items"))
    _sources(record)
    _items(record)
    for row in record.get("check", ()):
        print_line(f"check: {_comparison(row)}")
    for note in record["notes"]:
        print_line(f"note: {note}")


def _comparison(row: Mapping[str, Any]) -> str:
    if row["theirs"] is None:
        return f"{row['value']}: not compared: {row['reason']}"
    about = f"{row['value']}: {row['ours']:.9f} here, {row['theirs']:.9f} by {row['package']}"
    if "items" not in row:
        return about if row["agrees"] else f"{about}: THEY DIFFER"
    differing = f"{count(row['items'], 'item')}, differing: {row['differing']:,}"
    return f"{differing}; the farthest apart: {about}"


def show_gold(record: Mapping[str, Any]) -> None:
    """Print what became of the items."""
    counts = ("items", "resolved", "unresolved", "removed")
    print_line(", ".join(f"{record[name]:,} {name}" for name in counts if name in record))
    status = ("gold", "unresolved", "removed")
    rules = [
        (name, *(f"{counts.get(end, 0):,}" for end in status))
        for name, counts in record["by_rule"].items()
    ]
    print_table("What decided", ("rule", *status), rules)
    for title, key, heads in (
        ("Waiting", "by_queue", ("queue", "items")),
        ("Why not gold", "by_reason", ("reason", "items")),
        ("Votes that do not count", "left_out", ("rule", "votes")),
    ):
        print_table(title, heads, [(name, f"{n:,}") for name, n in record[key].items()])
    for person in record["excluded"]:
        print_line(f"excluded: {person['annotator']}: {person['reason']}")
    for name, model in (record.get("crowd") or {}).items():
        differs = "differs from gold on {differ:,} of {compared:,}"
        text = model.get("reason") or differs.format_map(model)
        print_line(f"crowd model {name}: {text}")
    if record.get("matches_official") is not None:
        print_line(f"equal to the file's own label: {record['matches_official']:,}")
    for path in record.get("out", []):
        print_line(f"written  {path}")


_UNITS: Final = {"bits": "bits", "squared_error": "squared error"}


def show_next_votes(record: Mapping[str, Any]) -> None:
    """Print the items on which one more vote is expected to add most."""
    rows, unit = record["next"], _UNITS[record["unit"]]
    shown = [
        (row["item"], f"{row['votes']:,}", f"{row['gain']:.4f}", row["reason"])
        for row in rows[:_NEXT]
    ]
    print_table(
        "One more vote adds most",
        ("item", "votes", f"gain, {unit}", "reason"),
        shown,
        left=("reason",),
    )
    if len(rows) > _NEXT:
        print_line(f"{count(len(rows) - _NEXT, 'more item')}: --out FILE or --json has all")
    gold = f"gold now: {record['resolved']:,} of {count(record['items'], 'item')}"
    if record["expected"] is not None:
        gold += f"; expected with {count(len(rows), 'vote')} more: {record['expected']:,.1f}"
    print_line(gold)
    if record["left_out"]:
        print_line(f"not asked: {count(record['left_out'], 'item')}, removed or decided otherwise")
    if "out" in record:
        print_line(f"written  {record['out']}")


def _coefficients(record: Mapping[str, Any]) -> None:
    values = record["coefficients"]
    rows = []
    apply = [n for n in values if n == record["lead"] or values[n]["value"] is not None]
    for name in sorted(apply, key=lambda n: (n != record["lead"], n)):
        low, high = values[name].get("low"), values[name].get("high")
        between = f"{low:.3f} to {high:.3f}" if low is not None and high is not None else ""
        rows.append((name, _number(values[name]["value"]), between, values[name].get("reason", "")))
    heads = ("coefficient", "value", "95 % interval", "remarks")
    print_table("Agreement", heads, rows, left=heads[2:])


def _facts(record: Mapping[str, Any]) -> None:
    about = record.get("facts_about") or {}
    rows = [
        (name, f"{value:.4f}" if isinstance(value, float) else str(value), about.get(name, ""))
        for name, value in record["facts"].items()
        if isinstance(value, int | float)
    ]
    print_table("Facts", ("share", "value", "of"), rows, left=("of",))
    gold = record.get("gold")
    if gold:
        counts = [f"{value:,} {key}" for key, value in gold.items() if isinstance(value, int)]
        print_line("gold: " + ", ".join(counts).replace("_", " "))


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
    columns = {
        key: title
        for key, title in _MEASURES.items()
        if any(person.get(key) is not None for person in people.values())
    }
    review = reversed(list(enumerate(record["review"])))
    ranked = {row["annotator"]: place for place, row in review}  # the first of each
    order = sorted(people, key=lambda name: _evidence(people[name], ranked.get(name)))
    rows = [
        (
            name,
            f"{people[name]['votes']:,}",
            *(_number(people[name].get(key)) for key in columns),
            ", ".join(flag["code"] for flag in people[name]["flags"]),
        )
        for name in order[:_PEOPLE]
    ]
    title = "Annotators, the odd ones first"
    if len(people) > _PEOPLE:
        title += f" ({_PEOPLE} of {len(people):,}; --html or --json has all)"
    print_table(title, ("annotator", "votes", *columns.values(), "odd"), rows, left=("odd",))
    for name in order[:_PEOPLE]:
        for flag in people[name]["flags"]:
            print_line(f"{name}: {flag['text']}")
    _hints(record)
    for name, why in (record.get("exclusion") or {}).get("below", {}).items():
        print_line(f"{name}: meets the spec's rule of exclusion: {why}")


def _evidence(person: Mapping[str, Any], place: int | None) -> tuple[float, float, float]:
    """Return what sorts people: flags by evidence, the ranked list, then the lowest agreement."""
    values = [person.get(key) for key in ("alpha_vs_rest", "agreement_vs_rest")]
    worth = next((float(value) for value in values if value is not None), 2.0)
    rate = min((flag["q"] for flag in person["flags"]), default=1.0)
    return rate, float("inf") if place is None else place, worth


def _hints(record: Mapping[str, Any]) -> None:
    """Print who is worth a look without a flag, and who was not tested."""
    people = record["per_annotator"]
    hints = [row for row in record["review"] if not people[row["annotator"]]["flags"]]
    for row in hints[:_HINTS]:
        print_line(f"worth a look: {row['annotator']}: {row['text']} (q = {row['q']:.2g})")
    untested = record["untested"]
    listed = ", ".join(f"{name} ({why})" for name, why in list(untested.items())[:_HINTS])
    if untested:
        more = f" and {len(untested) - _HINTS:,} more" if len(untested) > _HINTS else ""
        print_line(
            f"untested: {len(untested):,} of {count(len(people), 'annotator')}: {listed}{more}"
        )


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
        print_table("Sources", ("source", "items", "votes", str(lead)), rows)


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
    heads = ("item", "votes", "majority", "disagreement")
    print_table("The most disputed items", heads, rows, left=("votes", "majority"))


def _number(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
