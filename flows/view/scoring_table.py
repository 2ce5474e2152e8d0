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
    metrics = dict.fromkeys(metric for system in systems.values() for metric in system["scores"])
    rows = ((metric, *(_cell(system, metric) for system in systems.values())) for metric in metrics)
    unread = [system.get("unparsed") for system in systems.values()]
    extra = [("unparsed", *map(_number, unread))] if any(n is not None for n in unread) else []
    print_table("", ("metric", *systems), [*rows, *extra])
    for name, system in systems.items():
        for metric, reason in system.get("reasons", {}).items():
            about = f"{name}: {metric}" if len(systems) > 1 else metric
            print_line(f"{about} has no score: {reason}")
    _comparisons(record.get("comparisons", ()))
    for name, system in systems.items():
        for kind, parts in system.get("breakdown", {}).items():
            title = f"{name}: by {kind}" if len(systems) > 1 else f"By {kind}"
            _parts(title, kind, parts)


def _cell(system: Mapping[str, Any], metric: str) -> str:
    ends = system.get("intervals", {}).get(metric)
    between = f" [{_number(ends[0])}, {_number(ends[1])}]" if ends else ""
    return _number(system["scores"].get(metric)) + between


def _comparisons(comparisons: Iterable[Mapping[str, Any]]) -> None:
    rows = [
        (
            f"{comparison['a']} - {comparison['b']}",
            comparison["metric"],
            _number(comparison["difference"]),
            f"{_number(comparison['low'])} to {_number(comparison['high'])}",
            f"{comparison['p']:.4f}" if comparison["p"] is not None else "-",
        )
        for comparison in comparisons
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
        (
            f"{who} (best)" if who == human["best"] else who,
            f"{scores['n']:,}",
            *_numbers(scores, metrics),
        )
        for who, scores in people.items()
    ]
    rows.append(("mean", "", *_numbers(human["mean"], metrics)))
    simulated = " (simulated annotators)" if human["simulated"] else ""
    print_table(f"People{simulated}", ("annotator", "items", *metrics), rows)
    for who, scores in people.items():
        if "types" in scores:
            _parts(f"{who}: by type of question", "type", scores["types"])
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
    metrics = tuple(
        dict.fromkeys(name for numbers in parts.values() for name in numbers if name != "n")
    )
    rows = [
        (name, f"{numbers['n']:,}", *_numbers(numbers, metrics)) for name, numbers in parts.items()
    ]
    print_table(title, (kind, "n", *metrics), rows)


def _numbers(numbers: Mapping[str, Any], metrics: Sequence[str]) -> list[str]:
    return [_number(numbers[metric]) for metric in metrics]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
