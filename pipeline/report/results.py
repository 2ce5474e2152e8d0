"""Runs of the baseline side by side: releases and models, task by task.

Scores are never averaged over tasks: means over metrics of different scales and meaning mislead
(Sections 5.3 and 8 of the paper).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.report.record import Cell, Column, Fact, Report, Section, Table
from pipeline.tasks.registry import TASKS

#: How the metrics are headed, as in Table 32, and in the order of the tasks there.
_NAMES: Final = {
    "macro_f1": "macro F1",
    "pearson": "Pearson r",
    "f1": "F1",
    "accuracy": "accuracy",
    "entity_f1": "entity F1",
    "char_f1": "char F1",
    "micro_f1": "micro F1",
    "auprc": "AUPRC",
    "uas": "UAS",
    "las": "LAS",
    "em": "EM",
    "rouge_w": "ROUGE-W",
    "jga": "JGA",
    "slot_f1": "slot F1",
}
_SPLITS: Final = {"dev": "dev", "test": "test"}
Run = Mapping[str, Any]


def results(runs: Sequence[Run]) -> Report:
    """Return the record of a page of runs (their run.json): an overview, then each task.

    Runs that have not ended are counted and left out.
    """
    ended = [run for run in runs if run["finished"]]
    tasks = [task for task in TASKS if any(run["task"] == task for run in ended)]
    sections = [_overview(ended, tasks, split) for split in _SPLITS if _scored(ended, split)]
    sections += [_task(task, [run for run in ended if run["task"] == task]) for task in tasks]
    simulated = sum(bool(run["data"].get("simulated")) for run in ended)
    return Report(
        title="Baseline results",
        lead="Scores of models on releases, from 0 to 100. There is no mean over tasks: their"
        " metrics differ in scale and meaning.",
        facts=[
            Fact("runs", len(ended), f"{len(runs) - len(ended)} more have not ended"),
            Fact("models", len({run["model"]["name"] for run in ended})),
            Fact("data", len({of(run) for run in ended})),
            Fact("on simulated answers", simulated, "such scores say nothing about a model"),
        ],
        sections=sections,
    )


def of(run: Run) -> str:
    """Return what the examples of a run are of: a release with its version, or a folder's name."""
    data = run["data"]
    if "release" in data:
        return f"{data['release']} {data['version']} ({data['hash'][:8]})"
    held = f", {data['holdout']:.0%} held out" if "holdout" in data else ""
    return f"{data['files']}{held}"


def _scored(runs: Sequence[Run], split: str) -> bool:
    return any(split in run["scores"] for run in runs)


def _overview(runs: Sequence[Run], tasks: Sequence[str], split: str) -> Section:
    """Return the table of all tasks in the form of Table 32: a row a release, model and seed."""
    columns = [(task, name) for task in tasks for name in _metrics(runs, task, split)]
    rows: dict[tuple[str, str, int], dict[tuple[str, str], Cell]] = {}
    for run in runs:
        row = rows.setdefault((of(run), run["model"]["name"], run["seed"]), {})
        for name, value in _klue(run, split).items():
            found = row.get((run["task"], name))
            row[run["task"], name] = value if found is None else _better(found, value)
    table = Table(
        id=f"overview-{split}",
        title=f"All tasks, {split}, the published computation",
        columns=[
            Column("data", "text"),
            Column("model", "text"),
            Column("seed", "text"),
            *(
                Column(f"{TASKS[task].config} {_NAMES.get(name, name)}", "two")
                for task, name in columns
            ),
        ],
        rows=[
            [data, model, str(seed), *(row.get(one) for one in columns)]
            for (data, model, seed), row in sorted(rows.items())
        ],
        paper="Table 32",
        note="Of several recipes of a model the best score stands here; each has its row below.",
    )
    return Section(f"all-{split}", f"All tasks, {split}", "", [table])


def _better(one: Cell, other: Cell) -> Cell:
    numbers = [value for value in (one, other) if isinstance(value, int | float)]
    return max(numbers, default=None)


def _task(task: str, runs: Sequence[Run]) -> Section:
    """Return the section of a task: its scores in both variants, and how they came about."""
    tables = [_scores(task, runs, split) for split in _SPLITS if _scored(runs, split)]
    return Section(task, TASKS[task].config, "", [*tables, _runs(task, runs)])


def _scores(task: str, runs: Sequence[Run], split: str) -> Table:
    here = [run for run in runs if split in run["scores"]]
    names = [(v, name) for v in ("klue", "strict") for name in dict.fromkeys(_all(here, split, v))]
    return Table(
        id=f"{task}-{split}",
        title=f"{TASKS[task].config}, {split}",
        columns=[
            Column("data", "text"),
            Column("model", "text"),
            Column("seed", "text"),
            Column("examples"),
            *(Column(f"{_NAMES.get(name, name)} ({variant})", "two") for variant, name in names),
        ],
        rows=[
            [
                of(run),
                run["model"]["name"],
                str(run["seed"]),
                run["examples"][split],
                *(run["scores"][split][variant].get(name) for variant, name in names),
            ]
            for run in here
        ],
    )


def _runs(task: str, runs: Sequence[Run]) -> Table:
    return Table(
        id=f"{task}-runs",
        title="How they were trained",
        columns=[
            Column("data", "text"),
            Column("model", "text"),
            Column("seed", "text"),
            Column("train examples"),
            Column("parameters"),
            Column("learning rate", "text"),
            Column("batch"),
            Column("epochs"),
            Column("best epoch", "two"),
            Column("loss", "four"),
            Column("seconds"),
            Column("inputs a second"),
            Column("device", "text"),
        ],
        rows=[_told(run) for run in runs],
    )


def _told(run: Run) -> list[Cell]:
    recipe, measured = run["recipe"], run["measured"]
    return [
        of(run),
        run["model"]["name"],
        str(run["seed"]),
        run["examples"]["train"],
        run["model"]["parameters"],
        f"{recipe['learning_rate']:g}",
        recipe["batch_size"],
        recipe["epochs"],
        run["best"]["epoch"],
        run["loss"]["last_epoch"],
        round(measured["training_seconds"]),
        round(measured["inputs_per_second"]),
        measured["device"],
    ]


def _klue(run: Run, split: str) -> Mapping[str, Cell]:
    found: Mapping[str, Cell] = run["scores"].get(split, {}).get("klue", {})
    return found


def _metrics(runs: Sequence[Run], task: str, split: str) -> list[str]:
    names = [name for run in runs if run["task"] == task for name in _klue(run, split)]
    return list(dict.fromkeys(names))


def _all(runs: Sequence[Run], split: str, variant: str) -> Iterator[str]:
    for run in runs:
        yield from run["scores"][split][variant]
