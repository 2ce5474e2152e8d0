"""The sections of a report on the examples of one task: its statistics and its distributions.

Distributions are charts of labels, scores, lengths, sources and dates. Every series is of one split
(of one sampler in Figure 1), in shares of its own, so that splits of different sizes can be
compared; a split without examples has none. What is counted and measured in an example of a task is
said by its part `statistics` (LABELS, LENGTHS, SCORES).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.report.quality.bins import BARS, bin_counts, bins, date_charts, every
from pipeline.report.quality.statistics import TOTAL, Tally, by_split, grid, iter_rows
from pipeline.report.record import Chart, Section, Series, Table

Fields = Mapping[str, Any]
_OTHER: Final = "other"
#: So many bars does a chart of scores have; where every series has so many pairs, as Figures 1 and
#: 2 one for each tenth of a point, the scores in their middles.
_SCORES: Final = 10
_FINE: Final = 200
_TENTHS: Final = 10


class Labels(NamedTuple):
    """The labels of examples: a title, what the bars are shares of, and those of an example."""

    title: str
    unit: str
    labels: Callable[[Fields, Any], Sequence[str]]


class Length(NamedTuple):
    """A length: its id, its title, its unit, and the lengths that an example has."""

    id: str
    title: str
    unit: str
    lengths: Callable[[Fields, Any], Sequence[int]]


class Scores(NamedTuple):
    """The score of a label, and the figures of the paper that show scores by split, by sampler."""

    score: Callable[[Any], float]
    by_split: str | None = None
    by_sampler: str | None = None


LABELS: Final[Mapping[str, Labels]] = Parts("statistics", "LABELS")
LENGTHS: Final[Mapping[str, Sequence[Length]]] = Parts("statistics", "LENGTHS")
SCORES: Final[Mapping[str, Scores]] = Parts("statistics", "SCORES")


def text_length(field: str, title: str) -> Length:
    """Return the length in characters of a field, where it is a text."""
    return Length(
        field,
        title,
        "characters",
        lambda fields, _: [len(fields[field])] if isinstance(fields[field], str) else [],
    )


def labels_of(task: str) -> Labels | None:
    """Return the labels of a task; by default its categories or the types of its spans."""
    view = TASKS[task].view
    kinds = {
        "category": Labels("Labels", "examples", lambda _, label: [view(label)]),
        "labels": Labels("Labels", "labels", lambda _, label: sorted(view(label))),
        "spans": Labels("Labels", "spans", lambda _, label: [span[-1] for span in view(label)]),
    }
    return LABELS.get(task, kinds.get(TASKS[task].kind))


def charts(examples: pa.Table, *, task: str, spec: TaskSpec) -> list[Chart]:
    """Return the charts of a task's examples; none where there is no example.

    In order: labels; scores by split and by sampler in every source; lengths; sources, where there
    are two; dates, where they are known.
    """
    if not examples.num_rows:
        return []
    labels, lengths = _measure(examples, task)
    return [
        *_labels(labels, task, spec),
        *_scores(examples, task, spec),
        *(_lengths(task, measure, values) for measure, values in lengths if len(every(values))),
        *_sources(examples, task),
        *date_charts(examples, task),
    ]


def _measure(
    examples: pa.Table, task: str
) -> tuple[Tally, list[tuple[Length, dict[str, list[int]]]]]:
    tally, counted = Tally(examples), labels_of(task)
    splits: list[str] = list(tally.splits)
    default = [text_length(name, name.capitalize()) for name in TASKS[task].fields]
    measures = LENGTHS.get(task, default)
    lengths = [(measure, {split: list[int]() for split in splits}) for measure in measures]
    for split, fields, label in iter_rows(examples, "split", "fields", "label"):
        for name in counted.labels(fields, label) if counted else ():
            tally.add(name, split)
        for measure, values in lengths:
            values[split].extend(measure.lengths(fields, label))
    return tally, lengths


def _labels(tally: Tally, task: str, spec: TaskSpec) -> list[Chart]:
    counted, present = labels_of(task), tally.rows()
    if counted is None:
        return []
    # The labels of trees are combinations of those of the spec: they have no order but their count.
    has_order = TASKS[task].kind != "tree"
    known = [label.id for label in spec.labels if label.id in present] if has_order else []
    names = known + [name for name in present if name not in known]
    return [_bars(f"{task}-label-shares", counted.title, tally, names, counted.unit)]


def _bars(name: str, title: str, tally: Tally, names: Sequence[str], unit: str) -> Chart:
    visible = list(names) if len(names) <= BARS else list(names[: BARS - 1])
    rest = names[len(visible) :]
    series = []
    for split in tally.splits:
        shares = [tally.share(name, split) for name in visible]
        if rest:
            shares.append(round(sum(tally.share(name, split) or 0 for name in rest), 6))
        series.append(Series(split, [*visible, *([_OTHER] if rest else [])], shares))
    note = f"{_OTHER}: the {len(rest)} rarest of {len(names)}." if rest else ""
    return Chart(
        name, title, "bars", "", f"share of the split's {unit}", series, note=note, form="share"
    )


def _scores(examples: pa.Table, task: str, spec: TaskSpec) -> list[Chart]:
    scored = SCORES.get(task, Scores(TASKS[task].view) if TASKS[task].kind == "number" else None)
    if scored is None:
        return []
    splits: dict[str, list[float]] = defaultdict(list)
    samplers: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for split, source, sampler, label in iter_rows(examples, "split", "source", "sampler", "label"):
        splits[split].append(scored.score(label))
        if sampler is not None:
            samplers[source][sampler.removeprefix(f"{source}-")].append(scored.score(label))
    ordered: dict[str, list[float]] = {split: splits[split] for split in SPLITS if split in splits}
    return [
        _score_chart(f"{task}-scores", "Scores", ordered, spec, scored.by_split, of="split"),
        *(
            _score_chart(
                f"{task}-scores-{source}",
                f"Scores of {source} by sampler, all splits",
                dict(sorted(samplers[source].items())),
                spec,
                scored.by_sampler,
                of="sampler",
            )
            for source in sorted(samplers)
        ),
    ]


def _score_chart(
    name: str,
    title: str,
    groups: Mapping[str, list[float]],
    spec: TaskSpec,
    paper: str | None,
    *,
    of: str,
) -> Chart:
    """Return a histogram of scores: bars of one width, the highest score in the last one."""
    numbers = [score for scores in groups.values() for score in scores]
    low, high = (
        (spec.scale.low, spec.scale.high) if spec.scale else (min(numbers), max(numbers) + 1)
    )
    fine = all(len(scores) >= _FINE for scores in groups.values())
    bars = round((high - low) * _TENTHS) + 1 if fine else _SCORES
    width = 1 / _TENTHS if fine else (high - low) / bars
    first = low - width / 2 if fine else low
    places = [round(first + (i + 0.5) * width, 6) for i in range(bars)]
    series = []
    for group, scores in groups.items():
        counts = bin_counts(scores, first, width, bars)
        series.append(Series(group, places, [round(n / len(scores), 6) for n in counts]))
    y = f"share of the {of}'s pairs"
    return Chart(name, title, "histogram", "score", y, series, width, paper, form="share")


def _lengths(task: str, measured: Length, groups: Mapping[str, list[int]]) -> Chart:
    numbers = every(groups)
    grid, longest, note = bins(numbers), int(numbers.max()), ""
    if longest >= grid.open_from + grid.width:
        note = f"The last bar holds all from {grid.open_from:,} on; the longest has {longest:,}."
    return Chart(
        id=f"{task}-length-{measured.id}",
        title=f"{measured.title}: length in {measured.unit}",
        kind="histogram",
        x=measured.unit,
        y="share of the split",
        series=[
            Series(split, grid.places, grid.shares(np.asarray(lengths, np.int64)))
            for split, lengths in groups.items()
            if lengths
        ],
        width=grid.width,
        note=note,
        form="share",
    )


def _sources(examples: pa.Table, task: str) -> list[Chart]:
    tally = Tally(examples, iter_rows(examples, "source", "split"))
    names = tally.rows()
    if len(names) < 2:
        return []
    return [_bars(f"{task}-source-shares", "Sources", tally, names, "examples")]


#: Makes the tables of a task of its examples (EXAMPLES), and those of its votes (VOTES); both take
#: `spec` by name.
STATISTICS: Final[Mapping[str, Callable[..., list[Table]]]] = Parts("statistics", "tables")
_OF_VOTES: Final[Mapping[str, Callable[..., list[Table]]]] = Parts("statistics", "tables_of_votes")
#: What a person should look for in the charts of a task.
_LOOK: Final[Mapping[str, str]] = Parts("statistics", "LOOK")


def default_tables(examples: pa.Table, *, spec: TaskSpec, **_: object) -> list[Table]:
    """Return the examples by source and by label, for a task without the part `statistics`."""
    task, counted = spec.task, labels_of(spec.task)
    sources = Tally(examples, iter_rows(examples, "source", "split"))
    kinds = [("sources", "Examples by source", "Source", sources)]
    if counted:
        rows = iter_rows(examples, "split", "fields", "label")
        labels = Tally(
            examples,
            (
                (name, split)
                for split, fields, label in rows
                for name in counted.labels(fields, label)
            ),
        )
        kinds.append(("labels", f"{counted.unit.capitalize()} by label", "Label", labels))
    return [
        grid(
            f"{task}-{name}",
            title,
            heads=(head,),
            rows={row: (row,) for row in tally.rows()} | {TOTAL: ("Total",)},
            columns=by_split(),
            cell=tally.cell,
            note=tally.note,
        )
        for name, title, head, tally in kinds
    ]


def tables_of_votes(task: str, votes: Callable[[], pa.Table], spec: TaskSpec) -> list[Table]:
    """Return the tables of statistics that count votes; these are read for a task that has one."""
    tables_of: Callable[..., list[Table]] | None = _OF_VOTES.get(task)
    return [] if tables_of is None else tables_of(votes(), spec=spec)


def sections(
    task: str, examples: pa.Table, spec: TaskSpec, of_votes: Sequence[Table] = ()
) -> list[Section]:
    """Return two sections on the examples of a task: statistics, and distributions.

    Statistics have the form of the paper's tables, with the paper's numbers beside them, those of
    votes first. Without an example both are empty and say so.
    """
    has_examples, none = examples.num_rows > 0, "There are no examples."
    paper = "In grey beside our numbers stand those that the paper prints of KLUE."
    tables_of: Callable[..., list[Table]] = STATISTICS.get(task, default_tables)
    all_tables = [*of_votes, *tables_of(examples, spec=spec)] if has_examples else []
    look = _LOOK.get(task, "Labels and lengths should be alike in all splits.")
    return [
        Section(
            id=f"{task}-statistics",
            title="Statistics",
            lead=paper if has_examples else none,
            tables=all_tables,
        ),
        Section(
            id=f"{task}-distributions",
            title="Distributions",
            lead=f"Shares of each split by itself. {look}" if has_examples else none,
            charts=charts(examples, task=task, spec=spec),
        ),
    ]
