"""The charts of an audit, by their place in the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from pipeline.core.wording import count
from pipeline.report.audit.findings import lowest, odd_first, ranking_name
from pipeline.report.audit.words import Record, label_counts, name_of, natural, whole
from pipeline.report.charts import figure
from pipeline.report.dots import dots
from pipeline.report.drawing import Drawing
from pipeline.report.heat_map import heat_map
from pipeline.report.quality.bins import bin_counts
from pipeline.report.record import Chart, Series

#: So many annotators fit a plot of dots, those that agree least.
DOTS: Final = 300
#: So many rows and columns fit a heat map.
CELLS: Final = 60
#: So many labels fit a chart, the most frequent ones.
LABELS: Final = 40
_BINS: Final = 20


class Figure(NamedTuple):
    """A chart with the title that stands above it."""

    title: str
    drawing: Drawing


def figures(record: Record) -> dict[str, Figure]:
    """Return the charts that the record has numbers for."""
    charts_by_place = {
        "plot-annotators": _annotators(record),
        "plot-pairs": _pairs(record),
        "plot-answers": _answers(record),
        "plot-labels": _labels(record),
        "plot-confusion": _confusion(record),
        "plot-scores": _scores(record),
        "plot-disagreement": _disagreement(record),
        "plot-votes": _votes(record),
    }
    return {place: chart for place, chart in charts_by_place.items() if chart is not None}


def _annotators(record: Record) -> Figure | None:
    key, ranked = lowest(record)
    if len(ranked) < 3:
        return None  # two agree with each other alike
    more = f", the lowest {DOTS} of {len(ranked)}" if len(ranked) > DOTS else ""
    names = [name for name, _ in ranked[:DOTS]]
    remarks = odd_first(record)
    odd = [bool(remarks[name]) for name in names]
    ranking = ranking_name(record, key)
    title = f"Annotators by {ranking}{more}"
    if any(odd):
        title += " (diamonds: there is a remark in the table)"
    values = [value for _, value in ranked[:DOTS]]
    show = [{"annotator": name} for name in names]
    return Figure(title, dots(names, values, odd=odd, measure=ranking, show=show))


def _pairs(record: Record) -> Figure | None:
    pairs = record.get("pairs") or {}
    names = pairs.get("annotators") or []
    if not 3 <= len(names) <= CELLS:
        return None
    order = sorted(range(len(names)), key=lambda i: natural(names[i]))
    in_order = [names[i] for i in order]
    cells = [[pairs["values"][i][j] for j in order] for i in order]
    notes = [[count(pairs["items"][i][j], "item") for j in order] for i in order]
    title = f"Pairs of annotators: {name_of(pairs['measure'])}"
    return Figure(title, heat_map(in_order, in_order, cells, notes=notes))


def _answers(record: Record) -> Figure | None:
    people, labels = record.get("per_annotator", {}), list(label_counts(record))
    if not 2 <= len(people) <= CELLS or not 2 <= len(labels) <= LABELS:
        return None
    if not any(person["labels"] for person in people.values()):
        return None
    ranked = [name for name, _ in lowest(record)[1]]
    names = [*ranked, *(name for name in people if name not in set(ranked))]
    answers = [people[name]["labels"] for name in names]
    cells = [
        _shares([counts.get(x, 0) for x in labels], sum(counts.values())) for counts in answers
    ]
    title = "What each annotator answers, in shares; the lowest agreement first"
    return Figure(title, heat_map(names, labels, cells, form="share"))


def _shares(counts: Sequence[int], total: int) -> list[float | None]:
    return [count / total if total else None for count in counts]


def _labels(record: Record) -> Figure | None:
    labels = label_counts(record)
    if not labels:
        return None
    if record.get("kind") == "number" and len(labels) > _BINS:
        return _score_histogram(labels)
    titles = {"spans": "Spans by type", "tree": "Words by relation", "states": "Turns by slot"}
    title = titles.get(str(record.get("kind")), "Votes by label")
    unit = title.split(" ", maxsplit=1)[0].lower()
    top = list(labels.items())
    if len(top) > LABELS:
        top = sorted(top, key=lambda pair: (-pair[1], pair[0]))[:LABELS]
        title += f", the {LABELS} most frequent of {len(labels):,}"
    elif whole(record):
        top.sort(key=lambda pair: (-pair[1], pair[0]))
    return _bars(title, top, "", unit)


def _bars(title: str, counts: Sequence[tuple[str, int]], x: str, y: str) -> Figure:
    series = [Series(y, [name for name, _ in counts], [n for _, n in counts])]
    return Figure(title, figure(Chart("bars", title, "bars", x, y, series)))


def _histogram(
    title: str, places: Sequence[float], counts: Sequence[int], width: float, x: str, y: str
) -> Figure:
    series = [Series(y, places, counts)]
    return Figure(title, figure(Chart("bins", title, "histogram", x, y, series, width)))


def _score_histogram(labels: Mapping[str, int]) -> Figure:
    scores = [float(label) for label in labels]
    low, width = min(scores), (max(scores) - min(scores)) / _BINS
    counts = bin_counts(scores, low, width, _BINS, list(labels.values()))
    places = [low + (i + 0.5) * width for i in range(_BINS)]
    return _histogram("Votes by score", places, counts, width, "score", "votes")


def _confusion(record: Record) -> Figure | None:
    confusion = record.get("confusion") or {}
    names = [str(name) for name in confusion.get("labels") or []]
    if not 2 <= len(names) <= LABELS or not any(map(any, confusion["counts"])):
        return None
    shares = [_shares(row, sum(row)) for row in confusion["counts"]]
    pairs = [  # each is counted both ways
        [n // 2 if row == column else n for column, n in enumerate(counts)]
        for row, counts in enumerate(confusion["counts"])
    ]
    notes = [[f"{n:,} pairs of votes" for n in row] for row in pairs]
    title = "Where one gives the label of the row, another gives that of the column"
    return Figure(title, heat_map(names, names, shares, form="share", notes=notes))


def _scores(record: Record) -> Figure | None:
    bins = record.get("distributions", {}).get("mean_scores")
    if not bins:
        return None
    places = [float(row["score"]) for row in bins]
    width = (places[-1] - places[0]) / max(len(places) - 1, 1) or 1.0
    numbers = [row["items"] for row in bins]
    return _histogram("Items by mean score", places, numbers, width, "mean score", "items")


def _disagreement(record: Record) -> Figure | None:
    values = [row["disagreement"] for row in record["per_item"] if row["disagreement"] is not None]
    if not values:
        return None
    counts = bin_counts(values, 0, 1 / _BINS, _BINS)
    places = [(i + 0.5) / _BINS for i in range(_BINS)]
    title = "Items by disagreement (0: all answers equal)"
    return _histogram(title, places, counts, 1 / _BINS, "disagreement", "items")


def _votes(record: Record) -> Figure | None:
    counts: Mapping[str, Any] = record.get("distributions", {}).get("votes_per_item") or {}
    if len(counts) < 2:
        return None
    ordered_counts = sorted(counts.items(), key=lambda pair: int(pair[0]))
    return _bars("Items by number of answers", ordered_counts, "answers", "items")
