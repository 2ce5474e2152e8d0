"""The board itself: models by metrics of all tasks, in the order of one of them, without totals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from pipeline.leaderboard.records import Entry
from pipeline.leaderboard.web.query import BY_NAME, Query, sorts
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.tasks import Metric, TaskInfo
from pipeline.leaderboard.web.views import systems
from pipeline.leaderboard.web.views.cards import Card, card
from pipeline.leaderboard.web.views.ranks import Group, groups_by_submission
from pipeline.leaderboard.web.views.sorting import Heading, heading, in_order
from pipeline.leaderboard.web.views.systems import Marked, Score, System

#: So many rows a page; a published board has all of them on one.
ROWS: Final = 100

#: The entries of one model by task; a metric of a task.
_Model = Mapping[str, Entry]
_Column = tuple[TaskInfo, Metric]


@dataclass(frozen=True)
class Row:
    """A model, with a cell for each metric of each task; None where nothing is shown.

    `unscored`: no score by the sorted metric counts; `struck`: there is one, of a submission that
    was withdrawn or disqualified.
    """

    system: System
    cells: tuple[Score | None, ...]
    group: Group | None
    marked: bool
    unscored: bool
    struck: bool


@dataclass(frozen=True)
class TaskHeading:
    """A task above the headings of its metrics."""

    task: TaskInfo
    metrics: tuple[Heading, ...]


@dataclass(frozen=True)
class Overview:
    """What the page of the board shows.

    `bodies` are rows by the groups that the sorted metric tells apart; the group is None for rows
    that are not ranked by it. `total` counts the rows of all pages, `systems` and `submitters`
    what was neither withdrawn nor disqualified.
    """

    headings: Sequence[TaskHeading]
    name: Heading
    sorted_by: str
    bodies: Sequence[tuple[Group | None, Sequence[Row]]]
    marked: Sequence[Marked]
    total: int
    systems: int
    submitters: int
    pages: int
    page: int
    firsts: frozenset[int]  # the places of columns that begin a task
    cards: Sequence[Card]


def overview(
    snapshot: Snapshot,
    tasks: Sequence[TaskInfo],
    query: Query,
    *,
    visitor: int | None = None,
    size: int = ROWS,
) -> Overview:
    """Return the board in the order and with the filters that are asked for, `size` rows a page."""
    columns = [(task, metric) for task in tasks for metric in task.metrics]
    order = query.sort or _usual_order(snapshot, columns)
    place = next((i for i, name in enumerate(sorts(tasks)) if name == order), None)
    models = _models(snapshot.entries, query)
    ordered = in_order(
        list(models.values()),
        value=lambda model: None if place is None else _value(model, columns[place]),
        name=lambda model: _first(model).submission.model.name,
        reverse=query.reverse,
    )
    counted = [entry.submission for entry in snapshot.entries if entry.submission.mark is None]
    pages = max(1, -(-len(ordered) // size))
    page = min(query.page, pages)
    grouped = {} if place is None else _groups(snapshot, columns[place])
    rows = [
        _row(model, columns, snapshot, grouped, visitor, place)
        for model in ordered[(page - 1) * size : page * size]
    ]
    return Overview(
        headings=[
            TaskHeading(
                task,
                tuple(
                    heading(metric.title, f"{task.id}.{metric.name}", query, order)
                    for metric in task.metrics
                ),
            )
            for task in tasks
        ],
        name=heading("system", BY_NAME, query, order),
        sorted_by="" if place is None else f"{columns[place][0].title}, {columns[place][1].title}",
        bodies=[
            (group, list(body))
            for (group, _), body in groupby(rows, key=lambda row: (row.group, row.unscored))
        ],
        marked=systems.marked(snapshot.entries, tasks, visitor=visitor),
        total=len(ordered),
        systems=len({submission.model_key for submission in counted}),
        submitters=len({submission.submitter.id for submission in counted}),
        pages=pages,
        page=page,
        firsts=frozenset(
            i for i, (task, metric) in enumerate(columns) if metric == task.metrics[0]
        ),
        cards=[card(snapshot, task) for task in tasks],
    )


def _usual_order(snapshot: Snapshot, columns: Sequence[_Column]) -> str:
    """Return the first metric by which a system is ranked, else the first one, else the name."""
    ranked = [column for column in columns if snapshot.ranked[column[0].id, column[1].name]]
    chosen = next(iter([*ranked, *columns]), None)
    return BY_NAME if chosen is None else f"{chosen[0].id}.{chosen[1].name}"


def _models(entries: Sequence[Entry], query: Query) -> dict[str, _Model]:
    """Return the entries that fit the filters; of one model and task a ranked one, if any."""
    models: dict[str, dict[str, Entry]] = {}
    for entry in entries:
        submission = entry.submission
        if not query.fits(submission):
            continue
        by_task = models.setdefault(submission.model_key, {})
        if submission.task not in by_task or submission.mark is None:
            by_task[submission.task] = entry
    return dict(models)


def _first(model: _Model) -> Entry:
    return next(iter(model.values()))


def _value(model: _Model, column: _Column) -> float | None:
    task, metric = column
    entry = model.get(task.id)
    if entry is None or entry.submission.mark is not None:
        return None
    return entry.scores.get(metric.name)


def _groups(snapshot: Snapshot, column: _Column) -> Mapping[int, Group]:
    task, metric = column
    return groups_by_submission(snapshot.of_task(task.id), metric.name)


def _row(
    model: _Model,
    columns: Sequence[_Column],
    snapshot: Snapshot,
    grouped: Mapping[int, Group],
    visitor: int | None,
    place: int | None,
) -> Row:
    cells = tuple(
        systems.score_of(model[task.id], metric.name, snapshot) if task.id in model else None
        for task, metric in columns
    )
    ids = [entry.submission.id for entry in model.values()]
    lead = None if place is None else cells[place]
    return Row(
        system=systems.system(_first(model).submission, visitor=visitor),
        cells=cells,
        group=next((grouped[id_] for id_ in ids if id_ in grouped), None),
        marked=all(entry.submission.mark is not None for entry in model.values()),
        unscored=place is not None and _value(model, columns[place]) is None,
        struck=lead is not None and lead.marked,
    )
