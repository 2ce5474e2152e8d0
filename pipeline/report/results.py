"""Runs of the baseline side by side: releases and models, task by task.

Scores are never averaged over tasks: means over metrics of different scales and meaning mislead
(Sections 5.3 and 8 of the paper). Of several runs one is chosen by its dev score, never by test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pipeline.contracts.metric_titles import METRIC_TITLES
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError
from pipeline.report.pretraining import Pretrained, pretraining_section
from pipeline.report.quality.statistics import paper_table
from pipeline.report.record import Cell, Column, Fact, Report, Section, Table
from pipeline.report.runs import Ended, Failed, Named, Run, data_name, name_runs

_SPLITS: Final = ("dev", "test")
#: The tables of published scores that stand beside ours of a split. The paper does not say of which
#: split those of its analyses are.
_PUBLISHED: Final = {
    "dev": ("Table 36",),
    "test": ("Table 32", "Table 33", "Table 34"),
}
#: What is told of a recipe even where it is the same in all runs.
_ALWAYS: Final = ("learning_rate", "batch_size", "epochs")
#: A column with what stands in it.
_Shown = tuple[Column, Callable[[Any], Cell]]


def results(
    runs: Sequence[Run], *, pretrained: Sequence[Pretrained] = (), unfinished: int = 0
) -> Report:
    """Return the record of a page of runs: an overview of each split, each task, pretraining.

    Runs that failed have a table of their own; `unfinished` ones are counted.
    """
    ended = name_runs([run for run in runs if isinstance(run, Ended)], runs)
    ended.sort(key=lambda row: (row.key, -_dev_score(row.run)))
    failed = name_runs([run for run in runs if isinstance(run, Failed)], runs)
    by_task = {task: [row for row in ended if row.run.task == task] for task in TASKS}
    numbered = {
        task: [replace(row, number=number) for number, row in enumerate(rows, start=1)]
        for task, rows in by_task.items()
        if rows
    }
    return Report(
        title="Baseline results",
        lead="Scores of models on releases, from 0 to 100. There is no mean over tasks: their"
        " metrics differ in scale and meaning.",
        facts=[
            *([Fact("pretraining runs", len(pretrained))] if pretrained else ()),
            *_facts(ended, len(failed), unfinished),
        ],
        sections=[
            *(_overview(numbered, split) for split in _SPLITS if _with_scores(ended, split)),
            *(_task(task, rows) for task, rows in numbered.items()),
            *([_failures(failed)] if failed else ()),
            *([pretraining_section(pretrained)] if pretrained else ()),
        ],
    )


def _facts(rows: Sequence[Named[Ended]], failed: int, unfinished: int) -> list[Fact]:
    simulated = sum(row.run.data.simulated for row in rows)
    counts = [
        Fact("runs", len(rows)),
        Fact("models", len({row.model for row in rows})),
        Fact("data", len({data_name(row.run.data) for row in rows})),
    ]
    problems = [
        Fact("on simulated answers", simulated, "their scores say nothing of a model"),
        Fact("failed", failed, "listed at the end, with their reasons"),
        Fact("not ended", unfinished, "not shown"),
    ]
    return [*(counts if rows or failed else ()), *(fact for fact in problems if fact.value)]


def _with_scores(rows: Sequence[Named[Ended]], split: str) -> list[Named[Ended]]:
    return [row for row in rows if split in row.run.scores]


def _overview(by_task: Mapping[str, Sequence[Named[Ended]]], split: str) -> Section:
    """Return the table of all tasks in the form of Table 32: a row a release, model and seed."""
    best = {task: _with_scores(_best(rows), split) for task, rows in by_task.items()}
    columns = [(task, name) for task, rows in best.items() for name in _metrics(rows, split)]
    lines: dict[tuple[str, str, int], dict[str, Ended]] = {}
    for task, rows in best.items():
        for row in rows:
            lines.setdefault(row.key, {})[task] = row.run
    table = Table(
        id=f"overview-{split}",
        title=f"All tasks, {split}",
        columns=[
            *(Column(name, "text") for name in ("data", "model", "seed")),
            *(
                Column(f"{TASKS[task].config} {METRIC_TITLES.get(name, name)}", "two")
                for task, name in columns
            ),
        ],
        rows=[
            [
                *map(str, key),
                *(_score(lines[key].get(task), split, "klue", name) for task, name in columns),
            ]
            for key in sorted(lines)
        ],
        paper="Table 32",
        note="The published computation. Of several runs of a row, such as those of a grid, the one"
        " with the best dev score in the task's first metric stands here with all its numbers; each"
        " run has a row of its own below.",
        long=True,
    )
    return Section(f"all-{split}", f"All tasks, {split}", "", [table])


def _best(rows: Sequence[Named[Ended]]) -> list[Named[Ended]]:
    """Return the best run on dev of each data, model and seed; they come in that order."""
    return list({row.key: row for row in reversed(rows)}.values())[::-1]


def best_scores(runs: Sequence[Run], split: str) -> dict[str, dict[str, float | None]]:
    """Return the scores of systems on a split, by model (and seed), then by task.metric.

    Of several runs of a system on a task, the one with the best dev score counts. Raises InputError
    for runs on several releases, whose scores are not of one version.
    """
    ended = name_runs([run for run in runs if isinstance(run, Ended)], runs)
    ended = _with_scores(sorted(ended, key=lambda row: (row.key, -_dev_score(row.run))), split)
    for task in {row.run.task for row in ended}:
        data = sorted({row.data for row in ended if row.run.task == task})
        if len(data) > 1:
            raise InputError(f"{task}: runs on {' and on '.join(data)}; give the runs of one")
    seeds = {row.run.seed for row in ended}
    scores: dict[str, dict[str, float | None]] = {}
    for task in TASKS:
        for row in _best([row for row in ended if row.run.task == task]):
            system = row.model if len(seeds) == 1 else f"{row.model}, seed {row.run.seed}"
            numbers = row.run.scores[split].get("klue", {})
            scores.setdefault(system, {}).update(
                {f"{task}.{metric}": value for metric, value in numbers.items()}
            )
    return scores


def _task(task: str, rows: Sequence[Named[Ended]]) -> Section:
    who = list(_WHO)
    if len(_best(rows)) < len(rows):
        who.append((Column("run"), lambda row: row.number))
    tables = [
        table
        for split in _SPLITS
        if _with_scores(rows, split)
        for table in (_scores(task, rows, split, who), *_published(task, split))
    ]
    return Section(task, TASKS[task].config, "", [*tables, _training_table(task, rows, who)])


def _published(task: str, split: str) -> Iterator[Table]:
    """Yield the published scores on a task, which are of the official data."""
    names = [name for name in METRIC_TITLES if f"{task}.{name}" in paper_table("Table 32").columns]
    notes = dict.fromkeys(filter(None, (paper_table(name).note for name in _PUBLISHED[split])))
    if names:
        yield Table(
            f"{task}-{split}-published",
            f"{TASKS[task].config}, {split}: published, on the official data",
            [
                *(Column(name, "text") for name in ("of", "model")),
                *(Column(METRIC_TITLES[name], "two") for name in names),
            ],
            [
                [source, model, *(paper_table(source).cell(model, f"{task}.{n}") for n in names)]
                for source in _PUBLISHED[split]
                for model in paper_table(source).rows
            ],
            note=" ".join(notes),
            long=True,
        )


def _scores(task: str, rows: Sequence[Named[Ended]], split: str, who: Sequence[_Shown]) -> Table:
    scored = _with_scores(rows, split)
    columns: list[_Shown] = [
        *who,
        (Column("examples"), lambda row: row.run.examples.get(split)),
        *(
            _metric(split, variant, name)
            for variant in ("klue", "strict")
            for name in _metrics(scored, split, variant)
        ),
    ]
    return _table(f"{task}-{split}", f"{TASKS[task].config}, {split}", columns, scored)


def _metric(split: str, variant: str, name: str) -> _Shown:
    column = Column(f"{METRIC_TITLES.get(name, name)} ({variant})", "two")
    return column, lambda row: _score(row.run, split, variant, name)


def _training_table(task: str, rows: Sequence[Named[Ended]], who: Sequence[_Shown]) -> Table:
    columns: list[_Shown] = [
        *who,
        (Column("train examples"), lambda row: row.run.examples.get("train")),
        (Column("parameters"), lambda row: row.run.model.parameters),
        *_recipes(rows),
        (Column("best epoch", "two"), lambda row: row.run.best.epoch),
        (Column("loss", "four"), lambda row: row.run.loss.last_epoch),
        (Column("seconds"), lambda row: round(row.run.measured.training_seconds)),
        (Column("inputs a second"), lambda row: round(row.run.measured.inputs_per_second)),
        (Column("device", "text"), lambda row: row.run.measured.device),
    ]
    return _table(f"{task}-runs", "How they were trained", columns, rows)


def _failures(rows: Sequence[Named[Failed]]) -> Section:
    columns: list[_Shown] = [
        (Column("task", "text"), lambda row: TASKS[row.run.task].config),
        *_WHO,
        *_recipes(rows),
        (Column("reason", "text"), lambda row: row.run.failed),
    ]
    title = "Runs that failed"
    return Section(
        "failed", title, "Nothing came of these.", [_table("failures", title, columns, rows)]
    )


_WHO: Final[tuple[_Shown, ...]] = (
    (Column("data", "text"), lambda row: row.data),
    (Column("model", "text"), lambda row: row.model),
    (Column("seed", "text"), lambda row: str(row.run.seed)),
)


def _recipes(rows: Sequence[Named[Any]]) -> list[_Shown]:
    """Return columns of what differs between the recipes of a task, and of `_ALWAYS`."""
    first = {row.run.task: _recipe(row) for row in reversed(rows)}
    pairs = [(first[row.run.task], _recipe(row)) for row in rows]
    names = dict.fromkeys((*_ALWAYS, *(name for _, recipe in pairs for name in recipe)))
    return [
        _setting(name, [recipe.get(name) for _, recipe in pairs])
        for name in names
        if name in _ALWAYS or any(options.get(name) != other.get(name) for options, other in pairs)
    ]


def _setting(name: str, values: Sequence[Cell]) -> _Shown:
    """Return the column of a setting; fractions are written as in YAML: 5e-05."""
    is_text = any(isinstance(value, float | str) for value in values)

    def cell(row: Named[Any]) -> Cell:
        value = _recipe(row).get(name)
        return f"{value:g}" if isinstance(value, float) else value

    return Column(name.replace("_", " "), "text" if is_text else "whole"), cell


def _recipe(row: Named[Any]) -> dict[str, Cell]:
    return {**row.run.recipe, "precision": row.run.settings.precision}


def _table(name: str, title: str, columns: Sequence[_Shown], rows: Sequence[Named[Any]]) -> Table:
    cells = [[cell(row) for _, cell in columns] for row in rows]
    return Table(name, title, [column for column, _ in columns], cells, long=True)


def _score(run: Ended | None, split: str, variant: str, name: str) -> Cell:
    return None if run is None else run.scores[split].get(variant, {}).get(name)


def _dev_score(run: Ended) -> float:
    """Return the dev score that runs are chosen by; one without it comes last."""
    scores = run.scores.get("dev", {}).get("klue", {})
    score = scores.get(run.best.metric or min(scores, key=_place, default=""))
    return float("-inf") if score is None else score


def _metrics(rows: Sequence[Named[Ended]], split: str, variant: str = "klue") -> list[str]:
    return sorted({n for row in rows for n in row.run.scores[split].get(variant, {})}, key=_place)


def _place(name: str) -> tuple[int, str]:
    """Return the place of a metric: in the order of Table 32, others after them."""
    return (list(METRIC_TITLES).index(name) if name in METRIC_TITLES else len(METRIC_TITLES)), name
