"""The page of `klue compare-versions`: rank correlations, ranks, pairs, people and tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pipeline.core.schemas import group
from pipeline.core.wording import count
from pipeline.report.record import Cell, Chart, Column, Fact, Form, Report, Section, Series, Table

_TITLES: Final[Mapping[str, str]] = {
    "kendall_tau_b": "Kendall tau-b",
    "spearman": "Spearman",
    "weighted_tau": "weighted tau",
}
#: What a reason of the record is about.
_REASONS: Final = {
    "value": "no correlation",
    "over_systems": "no interval over systems",
    "over_examples": "no interval over examples",
    "ceiling": "no ceiling",
}
_SIDES: Final = ("old", "new")
#: More systems than this are not drawn: their lines would not be told apart.
_DRAWN: Final = 30


def versions_page(record: Mapping[str, Any]) -> Report:
    """Return the report of the record that `compare_versions` made."""
    old, new = (record[side]["name"] for side in _SIDES)
    metrics: Mapping[str, Any] = record["metrics"]
    systems = record["systems"]
    return Report(
        title="Two versions compared",
        lead=f"How alike {old} and {new} rank {count(len(systems['both']), 'system')}. An interval"
        f" holds {record['confidence']:.0%}.",
        facts=[
            Fact("systems in both", len(systems["both"])),
            Fact("only in the old one", len(systems["only_old"]), ", ".join(systems["only_old"])),
            Fact("only in the new one", len(systems["only_new"]), ", ".join(systems["only_new"])),
            Fact("metrics in both", len(metrics)),
        ],
        sections=[
            _agreement(metrics),
            _pairs(metrics, (old, new)),
            *_people(metrics, (old, new)),
            *(_ranks(metric, of, (old, new)) for metric, of in metrics.items()),
            *_between(record, (old, new)),
        ],
    )


def interval_text(interval: Sequence[float]) -> str:
    """Return an interval as it is read."""
    return f"[{interval[0]:.3f}, {interval[1]:.3f}]".replace("-", "−")


def _agreement(metrics: Mapping[str, Any]) -> Section:
    note = (
        "Over systems: what other systems of the same kind would give. Over examples: what as many"
        " other examples would give on average, for these systems. The ceiling is what two"
        " versions that rank alike in truth would reach, given their reliability; read the value"
        " against it. The weighted tau weighs the top of the ranking most."
    )
    tables = [_coefficients(name, metrics) for name in _TITLES]
    reliable = [
        [metric, *(of["reliability"][side] for side in _SIDES)]
        for metric, of in metrics.items()
        if any(value is not None for value in of["reliability"].values())
    ]
    if reliable:
        heads = [Column("metric", "text"), Column("old", "three"), Column("new", "three")]
        tables.append(Table("reliability", "Reliability (split halves)", heads, reliable))
    reasons = group(
        (f"{_REASONS[key]}: {reason}", metric)
        for metric, of in metrics.items()
        for key, reason in of["reasons"].items()
    )
    if reasons:
        heads = [Column("what is missing, and why", "text"), Column("metrics", "text")]
        rows = [[reason, _listed(names, len(metrics))] for reason, names in reasons.items()]
        tables.append(Table("reasons", "Numbers that are not here", heads, rows))
    return Section("agreement", "Do they rank alike?", note, tables)


def _coefficients(name: str, metrics: Mapping[str, Any]) -> Table:
    found = {metric: of["correlations"][name] for metric, of in metrics.items()}
    columns: list[tuple[str, str, Form]] = [
        ("over systems", "over_systems", "text"),
        ("over examples", "over_examples", "text"),
        ("ceiling", "ceiling", "three"),
    ]
    used = [of for of in columns if any(row[of[1]] is not None for row in found.values())]
    rows: list[list[Cell]] = [
        [
            metric,
            metrics[metric]["systems"],
            row["value"],
            *(_number_or_interval(row[key]) for _, key, _ in used),
        ]
        for metric, row in found.items()
    ]
    heads = [Column("metric", "text"), Column("systems"), Column("value", "three")]
    more = [Column(title, form) for title, _, form in used]
    return Table(name.replace("_", "-"), _TITLES[name], [*heads, *more], rows, long=True)


def _number_or_interval(value: float | Sequence[float] | None) -> Cell:
    return value if isinstance(value, float | None) else interval_text(value)


def _listed(names: Sequence[str], total: int) -> str:
    return "all" if len(names) == total else ", ".join(names)


def _pairs(metrics: Mapping[str, Any], names: tuple[str, str]) -> Section:
    heads = [Column("metric", "text"), *map(Column, ("pairs", "same order", "opposite", "tied"))]
    rows: list[list[Cell]] = []
    for metric, of in metrics.items():
        pairs = of["pairs"]
        rows.append(
            [metric, *(pairs[key] for key in ("all", "same_order", "opposite_order", "tied"))]
        )
    tables = [Table("pairs", "Order in both", heads, rows, long=True)]
    told = {metric: of["pairs"] for metric, of in metrics.items() if _is_told(of["pairs"])}
    if told:
        heads = [
            Column("metric", "text"),
            *(Column(f"told apart by {name}", "share") for name in names),
            *map(Column, ("by both, in the same order", "by both, in opposite orders")),
        ]
        rows = []
        for metric, pairs in told.items():
            apart = pairs["told_apart"]
            shares = [_share(apart[side], pairs["all"]) for side in _SIDES]
            rows.append([metric, *shares, apart["both_same"], apart["both_opposite"]])
        note = (
            "By a paired t test over the examples, with Holm's correction over all pairs of a"
            " version. Pairs that both tell apart in opposite orders are real changes."
        )
        tables.append(Table("told-apart", "Pairs told apart", heads, rows, note=note, long=True))
    return Section("pairs", "Pairs of systems", "", tables)


def _is_told(pairs: Mapping[str, Any]) -> bool:
    return any(pairs["told_apart"][side] is not None for side in _SIDES)


def _share(count: int | None, total: int) -> float | None:
    return None if count is None or not total else count / total


def _people(metrics: Mapping[str, Any], names: tuple[str, str]) -> list[Section]:
    rows = [
        [metric, name, *(found[key] for key in ("human", "best", "headroom", "reached"))]
        for metric, of in metrics.items()
        for name, found in zip(names, of["saturation"].values(), strict=True)
        if found is not None
    ]
    if not rows:
        return []
    columns = [
        *(Column(name, "text") for name in ("metric", "version")),
        *(Column(name, "three") for name in ("people", "best system", "headroom")),
        Column("systems that reach people"),
    ]
    return [Section("people", "Saturation", "", [Table("people", "Against people", columns, rows)])]


def _ranks(metric: str, of: Mapping[str, Any], names: tuple[str, str]) -> Section:
    ordered = sorted(of["ranks"], key=lambda row: (row["new"]["rank"], row["old"]["rank"]))
    sure = [side for side in _SIDES if any(row[side]["between"] for row in ordered)]
    columns = [Column("system", "text")]
    for side, name in zip(_SIDES, names, strict=True):
        columns += [Column(f"{name}: score", "three"), Column("rank", "one")]
        columns += [Column("rank may be", "text")] * (side in sure)
    rows: list[list[Cell]] = [
        [
            row["system"],
            *(cell for side in _SIDES for cell in _rank_cells(row[side], sure=side in sure)),
            row["old"]["rank"] - row["new"]["rank"],
        ]
        for row in ordered
    ]
    lead = ""
    if of["without_score"]:
        lead = f"Without a score in one of the two: {', '.join(of['without_score'])}."
    name = _id(metric)
    columns.append(Column("places won", "one"))
    table = Table(f"{name}-ranks", f"{metric}: ranks", columns, rows, long=True)
    charts = [_slopes(name, metric, ordered, names)] if 1 < len(ordered) <= _DRAWN else []
    return Section(f"metric-{name}", metric, lead, [table], charts)


def _rank_cells(side: Mapping[str, Any], *, sure: bool) -> list[Cell]:
    between = side["between"]
    text = [f"{between[0]} to {between[1]}" if between else ""] * sure
    return [side["score"], side["rank"], *text]


def _slopes(
    name: str, metric: str, rows: Sequence[Mapping[str, Any]], names: tuple[str, str]
) -> Chart:
    return Chart(
        f"{name}-slopes",
        f"{metric}: ranks in both, 1 the best",
        "slopes",
        "",
        "rank",
        [Series(row["system"], names, [row[side]["rank"] for side in _SIDES]) for row in rows],
        form="one",
    )


def _between(record: Mapping[str, Any], names: tuple[str, str]) -> list[Section]:
    pairs: dict[tuple[str, str], dict[str, Any]] = {}
    for side in _SIDES:
        for row in record["between_metrics"][side]:
            pairs.setdefault((row["a"], row["b"]), {})[side] = row["spearman"]
    if not pairs:
        return []
    columns = [
        *(Column(name, "text") for name in ("metric", "other metric")),
        *(Column(name, "three") for name in names),
    ]
    rows = [[*pair, *(of.get(side) for side in _SIDES)] for pair, of in pairs.items()]
    table = Table("between", "Spearman over systems", columns, rows, long=True)
    return [Section("between", "Metrics against each other", "", [table])]


def _id(metric: str) -> str:
    return re.sub("[^a-z0-9]+", "-", metric.lower()).strip("-") or "metric"
