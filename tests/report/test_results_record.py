"""Runs side by side: every task by itself, nothing averaged, nothing unfinished."""

from __future__ import annotations

from typing import Any

from pipeline.report.quality_page import page
from pipeline.report.results import of, results

HASH = "0123456789abcdef" * 4


def run(task: str, model: str, dev: dict[str, float | None], **changed: Any) -> dict[str, Any]:
    one: dict[str, Any] = {
        "finished": True,
        "task": task,
        "data": {"release": "sample", "version": "1.0.0", "hash": HASH, "simulated": True},
        "model": {"name": model, "parameters": 1_000},
        "seed": 0,
        "examples": {"train": 8, "dev": 4},
        "recipe": {"learning_rate": 5e-5, "batch_size": 32, "epochs": 4},
        "best": {"epoch": 2.0},
        "loss": {"last_epoch": 0.5},
        "measured": {"training_seconds": 3.2, "inputs_per_second": 10.0, "device": "cpu"},
        "scores": {"dev": {"klue": dev, "strict": dev}},
    }
    return {**one, **changed}


RUNS = [
    run("tc", "b/model", {"macro_f1": 80.0}),
    run("tc", "a/model", {"macro_f1": 60.0}),
    run("dp", "a/model", {"uas": 90.0, "las": None}),
]


def test_the_overview_has_a_row_for_each_model_and_no_mean() -> None:
    table = results(RUNS).sections[0].tables[0]
    assert [column.name for column in table.columns] == [
        "data",
        "model",
        "seed",
        "ynat macro F1",
        "dp UAS",
        "dp LAS",
    ]
    where = "sample 1.0.0 (01234567)"
    assert [list(row) for row in table.rows] == [
        [where, "a/model", "0", 60.0, 90.0, None],
        [where, "b/model", "0", 80.0, None, None],
    ]
    held = [cell for row in table.rows for cell in row if isinstance(cell, float)]
    assert sorted(held) == [60.0, 80.0, 90.0]


def test_each_task_has_its_own_scores_and_runs() -> None:
    report = results(RUNS)
    assert [section.id for section in report.sections] == ["all-dev", "tc", "dp"]
    scores, how = report.sections[1].tables
    assert [row[1] for row in scores.rows] == ["b/model", "a/model"]
    assert [column.name for column in scores.columns][-2:] == [
        "macro F1 (klue)",
        "macro F1 (strict)",
    ]
    assert how.rows[0][5] == "5e-05"


def test_of_several_recipes_the_best_stands_in_the_overview() -> None:
    again = run("tc", "b/model", {"macro_f1": 85.0}, recipe={**RUNS[0]["recipe"], "epochs": 9})
    worse = run("tc", "b/model", {"macro_f1": None})
    report = results([*RUNS, again, worse])
    assert [row[3] for row in report.sections[0].tables[0].rows] == [60.0, 85.0]
    assert len(report.sections[1].tables[0].rows) == 4


def test_unfinished_runs_are_counted_only() -> None:
    report = results([*RUNS, {"finished": False}])
    assert (report.facts[0].value, report.facts[0].note) == (3, "1 more have not ended")


def test_releases_of_one_name_are_kept_apart() -> None:
    other = {**RUNS[0]["data"], "hash": "f" * 64}
    report = results([RUNS[0], {**RUNS[0], "data": other}])
    assert len(report.sections[0].tables[0].rows) == 2


def test_other_places_tell_their_folder_and_what_was_held_out() -> None:
    data = {"files": "klue", "holdout": 0.2, "holdout_seed": 0}
    assert of({"data": data}) == "klue, 20% held out"


def test_it_makes_a_page() -> None:
    html = page(results([*RUNS, run("mrc", "<b>모델</b>", {"em": 1.0, "rouge_w": 2.0})]))
    assert "&lt;b&gt;모델&lt;/b&gt;" in html
    assert "<b>모델</b>" not in html
