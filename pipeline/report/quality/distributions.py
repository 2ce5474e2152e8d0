"""How labels, scores, lengths, sources and dates are spread over the splits, as charts.

Every series is of one split (of one sampler in Figure 1), in shares of its own, so that splits of
different sizes can be compared; a split without examples has none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.distributions_bins import BARS, Bins, bins, every
from pipeline.report.quality.distributions_dates import date_charts
from pipeline.report.quality.distributions_measures import LABELS, LENGTHS, Measured
from pipeline.report.quality.statistics.rows import each
from pipeline.report.quality.statistics.tally import Tally
from pipeline.report.record import Chart, Series

_OTHER: Final = "other"
#: So many bars does a chart of scores have; where every series has so many pairs, as Figures 1 and
#: 2 one for each tenth of a point, the scores in their middles.
_SCORES: Final = 10
_FINE: Final = 200
_TENTHS: Final = 10
_SHARE: Final = "share of the split's"


def charts(examples: pa.Table, *, task: str, spec: TaskSpec) -> list[Chart]:
    """Return the charts of a task's examples; none where there is no example.

    In order: labels; for STS scores by split (Figure 2) and by sampler in every source (Figure 1);
    lengths; sources, where there are two; dates, where they are known.
    """
    if not examples.num_rows:
        return []
    scores = [*_scores(examples, spec), *_samplers(examples, spec)] if task == "sts" else []
    labels, lengths = _measured(examples, task)
    return [
        _labels(labels, task, spec),
        *scores,
        *(_lengths(task, one, found) for one, found in lengths if len(every(found))),
        *_sources(examples, task),
        *date_charts(examples, task),
    ]


def _measured(
    examples: pa.Table, task: str
) -> tuple[Tally, list[tuple[Measured, dict[str, list[int]]]]]:
    """Return the labels counted, and every length by split."""
    tally, counted = Tally(examples), LABELS[task]
    splits: list[str] = list(tally.splits)
    lengths = [(one, {split: list[int]() for split in splits}) for one in LENGTHS[task]]
    for split, fields, label in each(examples, "split", "fields", "label"):
        for name in counted.labels(fields, label):
            tally.add(name, split)
        for one, found in lengths:
            found[split].extend(one.lengths(fields, label))
    return tally, lengths


def _labels(tally: Tally, task: str, spec: TaskSpec) -> Chart:
    counted, there = LABELS[task], tally.rows()
    known = [one.id for one in spec.labels if one.id in there] if task != "dp" else []
    names = known + [one for one in there if one not in known]
    return _bars(f"{task}-label-shares", counted.title, tally, names, counted.unit)


def _bars(name: str, title: str, tally: Tally, names: Sequence[str], unit: str) -> Chart:
    """Return bars of the shares of names; what does not fit stands under `other`."""
    shown = list(names) if len(names) <= BARS else list(names[: BARS - 1])
    rest = names[len(shown) :]
    series = []
    for split in tally.splits:
        shares = [tally.share(one, split) for one in shown]
        if rest:
            shares.append(round(sum(tally.share(one, split) or 0 for one in rest), 6))
        series.append(Series(split, [*shown, *([_OTHER] if rest else [])], shares))
    note = f"{_OTHER}: the {len(rest)} rarest of {len(names)}." if rest else ""
    y = f"{_SHARE} {unit}"
    return Chart(name, title, "bars", "", y, series, note=note, form="share")


def _scores(examples: pa.Table, spec: TaskSpec) -> list[Chart]:
    found: dict[str, list[float]] = defaultdict(list)
    for split, label in each(examples, "split", "label"):
        found[split].append(label["label"])
    by_split: dict[str, list[float]] = {one: found[one] for one in SPLITS if one in found}
    return [_score_chart("sts-scores", "Scores", by_split, spec, "Figure 2", of="split")]


def _samplers(examples: pa.Table, spec: TaskSpec) -> list[Chart]:
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for source, sampler, label in each(examples, "source", "sampler", "label"):
        if sampler is not None:
            found[source][sampler.removeprefix(f"{source}-")].append(label["label"])
    return [
        _score_chart(
            f"sts-scores-{source}",
            f"Scores of {source} by sampler, all splits",
            dict(sorted(found[source].items())),
            spec,
            "Figure 1",
            of="sampler",
        )
        for source in sorted(found)
    ]


def _score_chart(
    name: str, title: str, groups: Mapping[str, list[float]], spec: TaskSpec, paper: str, *, of: str
) -> Chart:
    """Return a histogram of scores: bars of one width, the highest score in the last one."""
    assert spec.scale is not None
    low, high = spec.scale.low, spec.scale.high
    fine = all(len(scores) >= _FINE for scores in groups.values())
    bars = round((high - low) * _TENTHS) + 1 if fine else _SCORES
    width = 1 / _TENTHS if fine else (high - low) / bars
    first = low - width / 2 if fine else low
    places = [round(first + (i + 0.5) * width, 6) for i in range(bars)]
    series = []
    for group, scores in groups.items():
        at = np.floor((np.asarray(scores) - first) / width + 1e-9).astype(np.int64)
        counts = np.bincount(np.clip(at, 0, bars - 1), minlength=bars)
        series.append(Series(group, places, [round(int(n) / len(scores), 6) for n in counts]))
    y = f"share of the {of}'s pairs"
    return Chart(name, title, "histogram", "score", y, series, width, paper, form="share")


def _lengths(task: str, measured: Measured, groups: Mapping[str, list[int]]) -> Chart:
    numbers = every(groups)
    grid = bins(numbers)
    series = [
        Series(split, grid.places, grid.shares(np.asarray(lengths, np.int64)))
        for split, lengths in groups.items()
        if lengths
    ]
    return Chart(
        id=f"{task}-length-{measured.id}",
        title=f"{measured.title}: length in {measured.unit}",
        kind="histogram",
        x=measured.unit,
        y="share of the split",
        series=series,
        width=grid.width,
        note=_open(grid, int(numbers.max())),
        form="share",
    )


def _open(grid: Bins, longest: int) -> str:
    if longest < grid.open_from + grid.width:
        return ""
    return f"The last bar holds all from {grid.open_from:,} on; the longest has {longest:,}."


def _sources(examples: pa.Table, task: str) -> list[Chart]:
    tally = Tally(examples)
    for source, split in each(examples, "source", "split"):
        tally.add(source, split)
    names = tally.rows()
    if len(names) < 2:
        return []
    return [_bars(f"{task}-source-shares", "Sources", tally, names, "examples")]
