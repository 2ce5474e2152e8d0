"""The page of a task: systems with ranks, intervals, and the gap between dev and test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.leaderboard.records import Entry
from pipeline.leaderboard.web.query import BY_NAME, Query
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.tasks import TaskInfo
from pipeline.leaderboard.web.views import systems, words
from pipeline.leaderboard.web.views.plots import Axis, Plot, axis_of, plot
from pipeline.leaderboard.web.views.ranks import Group, groups_by_submission
from pipeline.leaderboard.web.views.sorting import Heading, heading, in_order
from pipeline.leaderboard.web.views.systems import Marked, Score, System


@dataclass(frozen=True)
class Row:
    """A system on a task; `lead` is its score by the metric that is sorted by.

    `dev` and `gap` (dev minus test) are of that metric, '' without predictions on dev.
    """

    key: str
    system: System
    lead: Score
    plot: Plot | None
    scores: tuple[Score, ...]
    dev: str
    gap: str
    accepted_at: int | None
    group: Group | None
    marked: bool


@dataclass(frozen=True)
class TaskPage:
    """What the page of a task shows; `lead` is the place of the metric that is sorted by.

    `ranked`: how many systems have a rank by it; `hidden`: how many of them the filters leave out.
    """

    task: TaskInfo
    headings: Sequence[Heading]
    name: Heading
    lead: int
    bodies: Sequence[tuple[Group | None, Sequence[Row]]]
    marked: Sequence[Marked]
    axis: Axis | None
    examples: int
    any_dev: bool
    sorted_by_name: bool
    ranked: int
    hidden: int


def task_page(
    snapshot: Snapshot, task: TaskInfo, query: Query, *, visitor: int | None = None
) -> TaskPage:
    """Return the page of a task in the order that is asked for; marked systems come last."""
    first = task.metrics[0].name
    order = query.sort or first
    lead = next((i for i, metric in enumerate(task.metrics) if metric.name == order), 0)
    metric = task.metrics[lead].name
    entries = in_order(
        [entry for entry in snapshot.of_task(task.id) if query.fits(entry.submission)],
        value=lambda entry: None if order == BY_NAME else _ranked_value(entry, metric),
        name=lambda entry: entry.submission.model.name,
        reverse=query.reverse,
    )
    entries.sort(key=lambda entry: entry.submission.mark is not None)
    grouped = {} if order == BY_NAME else groups_by_submission(snapshot.of_task(task.id), metric)
    scores = [systems.score_of(entry, metric, snapshot) for entry in entries]
    axis = _axis(snapshot, task.id, metric)
    rows = [
        Row(
            key=entry.submission.key,
            system=systems.system(entry.submission, visitor=visitor),
            lead=score,
            plot=plot(axis, score.low, score.value, score.high) if axis else None,
            scores=tuple(systems.score_of(entry, one.name, snapshot) for one in task.metrics),
            dev=words.score(entry.dev[metric]) if entry.dev.get(metric) is not None else "",
            gap=gap(entry, metric),
            accepted_at=entry.submission.accepted_at,
            group=grouped.get(entry.submission.id),
            marked=entry.submission.mark is not None,
        )
        for entry, score in zip(entries, scores, strict=True)
    ]
    return TaskPage(
        task=task,
        headings=[heading(one.title, one.name, query, order) for one in task.metrics],
        name=heading("system", BY_NAME, query, order),
        lead=lead,
        bodies=[
            (group, list(body))
            for (group, _), body in groupby(rows, key=lambda row: (row.group, row.marked))
        ],
        marked=systems.marked(snapshot.of_task(task.id), [task], visitor=visitor),
        axis=axis,
        examples=max((entry.examples for entry in entries), default=0),
        any_dev=any(row.dev for row in rows),
        sorted_by_name=order == BY_NAME,
        ranked=snapshot.ranked[task.id, metric],
        hidden=snapshot.ranked[task.id, metric]
        - sum(metric in entry.standings for entry in entries),
    )


def _axis(snapshot: Snapshot, task: str, metric: str) -> Axis | None:
    """Return the axis of all systems, so that a filter does not stretch the intervals it leaves."""
    scores = [systems.score_of(entry, metric, snapshot) for entry in snapshot.of_task(task)]
    return axis_of([end for score in scores for end in (score.low, score.value, score.high)])


def gap(entry: Entry, metric: str) -> str:
    """Return dev minus test with its sign; '' where one of them is missing."""
    dev, test = entry.dev.get(metric), entry.scores.get(metric)
    return "" if dev is None or test is None else words.difference(dev - test)


def _ranked_value(entry: Entry, metric: str) -> float | None:
    return None if entry.submission.mark is not None else entry.scores.get(metric)
