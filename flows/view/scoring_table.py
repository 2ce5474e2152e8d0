"""Scores for people, in a terminal: per cent with two decimals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from flows.view.console import print_line, print_table

#: The rows of Table 7 after those of how many agree, by their keys.
_AGREEMENT: Final = {
    "individual": "individual label = gold label",
    "no_gold": "no majority label",
    "majority_differs": "majority label is not the gold label",
    "majority_accuracy": "majority label = gold label",
}


def show_scores(record: Mapping[str, Any]) -> None:
    """Print the scores of systems, or of people."""
    noun = "items answered" if "human" in record else "examples"
    print_line(f"{record['task']}, {record['variant']}: {record['n']:,} {noun}")
    if "human" in record:
        _people(record["human"])
        return
    systems: Mapping[str, Any] = record.get("systems") or {"score": record}
    metrics = dict.fromkeys(metric for one in systems.values() for metric in one["scores"])
    rows = ((metric, *(_cell(one, metric) for one in systems.values())) for metric in metrics)
    print_table("", ("metric", *systems), rows)
    for name, one in systems.items():
        for metric, reason in one.get("reasons", {}).items():
            about = f"{name}: {metric}" if len(systems) > 1 else metric
            print_line(f"{about} has no score: {reason}")
    _comparisons(record.get("comparisons", ()))
    for name, one in systems.items():
        for kind, parts in one.get("breakdown", {}).items():
            title = f"{name}: by {kind}" if len(systems) > 1 else f"By {kind}"
            _parts(title, kind, parts)


def _cell(one: Mapping[str, Any], metric: str) -> str:
    ends = one.get("intervals", {}).get(metric)
    between = f" [{_number(ends[0])}, {_number(ends[1])}]" if ends else ""
    return _number(one["scores"].get(metric)) + between


def _comparisons(found: Iterable[Mapping[str, Any]]) -> None:
    rows = [
        (
            f"{one['a']} - {one['b']}",
            one["metric"],
            _number(one["difference"]),
            f"{_number(one['low'])} to {_number(one['high'])}",
            f"{one['p']:.4f}" if one["p"] is not None else "-",
        )
        for one in found
    ]
    print_table(
        "Differences (paired bootstrap)",
        ("systems", "metric", "difference", "interval", "p"),
        rows,
        left=("metric",),
    )


def _people(human: Mapping[str, Any]) -> None:
    people = human["annotators"]
    metrics = tuple(human["mean"])
    rows = [
        (f"{who} (best)" if who == human["best"] else who, f"{one['n']:,}", *_numbers(one, metrics))
        for who, one in people.items()
    ]
    rows.append(("mean", "", *_numbers(human["mean"], metrics)))
    simulated = " (simulated annotators)" if human["simulated"] else ""
    print_table(f"People{simulated}", ("annotator", "items", *metrics), rows)
    for who, one in people.items():
        if "types" in one:
            _parts(f"{who}: by type of question", "type", one["types"])
    if "agreement" in human:
        table = human["agreement"]
        shares = {
            "unanimous gold label": table["unanimous"],
            **{f"{k} agree with gold label": share for k, share in table["agree"].items()},
            **{title: table[key] for key, title in _AGREEMENT.items()},
        }
        percent = ((name, _number(share)) for name, share in shares.items())
        print_table("Agreement with gold (Table 7)", ("statistic", "%"), percent)


def _parts(title: str, kind: str, parts: Mapping[str, Mapping[str, Any]]) -> None:
    metrics = tuple(dict.fromkeys(name for one in parts.values() for name in one if name != "n"))
    rows = [(name, f"{one['n']:,}", *_numbers(one, metrics)) for name, one in parts.items()]
    print_table(title, (kind, "n", *metrics), rows)


def _numbers(one: Mapping[str, Any], metrics: Sequence[str]) -> list[str]:
    return [_number(one[metric]) for metric in metrics]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
