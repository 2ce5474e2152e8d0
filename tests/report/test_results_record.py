"""Runs side by side: chosen on dev, each under its own name, nothing averaged, none lost."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError
from pipeline.report.quality.statistics import paper_table
from pipeline.report.quality_page import page
from pipeline.report.record import Report, Table
from pipeline.report.results import best_scores, results
from pipeline.report.runs import Data, Ended, Failed, data_name, run_of
from pipeline.scoring.scorer import scorer_of

HASH = "0123456789abcdef" * 4
SAMPLE = {"release": "sample", "version": "1.0.0", "hash": HASH, "simulated": True}
RECIPE = {"learning_rate": 5e-5, "batch_size": 32, "epochs": 4, "warmup": 0.1, "max_length": 128}
Scores = dict[str, float | None]


def record(task: str, name: str, dev: Scores, test: Scores | None = None, **changed: Any) -> Any:
    """Return the record of a run that has ended; what is `changed` stands in place of its part.

    Of model, settings, recipe and best only the keys that are given change.
    """
    scores = {"dev": dev} if test is None else {"dev": dev, "test": test}
    one: dict[str, Any] = {
        "finished": True,
        "task": task,
        "data": SAMPLE,
        "model": {"name": name, "digest": f"{name}-digest", "parameters": 1_000},
        "settings": {"examples": f"{task}-examples", "precision": "float32"},
        "seed": 0,
        "examples": {"train": 8, "dev": 4, "test": 5},
        "recipe": RECIPE,
        "best": {"epoch": 2.0, "metric": next(iter(dev))},
        "loss": {"last_epoch": 0.5},
        "measured": {"training_seconds": 3.2, "inputs_per_second": 10.0, "device": "cpu"},
        "scores": {split: {"klue": one, "strict": one} for split, one in scores.items()},
    }
    for part in ("model", "settings", "recipe", "best"):
        if isinstance(changed.get(part), dict):
            changed[part] = {**one[part], **changed[part]}
    return {**one, **changed}


def run(*args: Any, **changed: Any) -> Ended:
    made = run_of(record(*args, **changed))
    assert isinstance(made, Ended)
    return made


def failed(reason: str, task: str = "tc", **changed: Any) -> Failed:
    one = record(task, "a/model", {"macro_f1": 1.0}, **changed)
    made = run_of(
        {k: v for k, v in one.items() if k not in ("scores", "best")} | {"failed": reason}
    )
    assert isinstance(made, Failed)
    return made


def table(report: Report, name: str) -> Table:
    (found,) = (one for part in report.sections for one in part.tables if one.id == name)
    return found


def heads(given: Table) -> list[str]:
    return [column.name for column in given.columns]


def column(given: Table, name: str) -> list[Any]:
    return [row[heads(given).index(name)] for row in given.rows]


RUNS = [
    run("tc", "b/model", {"macro_f1": 80.0}),
    run("tc", "a/model", {"macro_f1": 60.0}),
    run("dp", "a/model", {"uas": 90.0, "las": None}),
]


def test_the_overview_has_a_row_for_each_model_and_no_mean() -> None:
    found = table(results(RUNS), "overview-dev")
    assert heads(found) == ["data", "model", "seed", "ynat macro F1", "dp UAS", "dp LAS"]
    where = "sample 1.0.0 (01234567)"
    assert [list(row) for row in found.rows] == [
        [where, "a/model", "0", 60.0, 90.0, None],
        [where, "b/model", "0", 80.0, None, None],
    ]


def test_each_task_has_its_own_scores_and_runs() -> None:
    report = results(RUNS)
    assert [section.id for section in report.sections] == ["all-dev", "tc", "dp"]
    assert column(table(report, "tc-dev"), "model") == ["a/model", "b/model"]
    assert heads(table(report, "tc-dev"))[-2:] == ["macro F1 (klue)", "macro F1 (strict)"]
    assert column(table(report, "tc-runs"), "learning rate") == ["5e-05", "5e-05"]


def test_of_several_runs_one_is_chosen_by_dev_and_never_by_test() -> None:
    """All numbers of a row are those of one run, though others are better in some of them."""
    good = run("sts", "m", {"pearson": 70.0, "f1": 50.0}, {"pearson": 61.0, "f1": 52.0})
    other = run("sts", "m", {"pearson": 69.0, "f1": 90.0}, {"pearson": 99.0, "f1": 99.0})
    none = run("sts", "m", {"pearson": None, "f1": 95.0}, {"pearson": 100.0, "f1": 100.0})
    for runs in ([good, other, none], [none, other, good]):
        report = results(runs)
        dev, test = (table(report, f"overview-{split}") for split in ("dev", "test"))
        assert [list(row)[3:] for row in dev.rows] == [[70.0, 50.0]]
        assert [list(row)[3:] for row in test.rows] == [[61.0, 52.0]]
        assert column(table(report, "sts-dev"), "Pearson r (klue)") == [70.0, 69.0, None]
        assert "best dev score" in dev.note


def test_the_metric_that_weights_were_chosen_by_chooses_runs() -> None:
    one = run("dp", "m", {"uas": 90.0, "las": 70.0}, best={"metric": "las"})
    other = run("dp", "m", {"uas": 80.0, "las": 75.0}, best={"metric": "las"})
    assert [row[3] for row in table(results([one, other]), "overview-dev").rows] == [80.0]
    early = [
        run("dp", "m", {"las": las, "uas": uas}, best={"metric": None})
        for las, uas in ((75.0, 80.0), (70.0, 90.0))
    ]
    assert [row[3] for row in table(results(early), "overview-dev").rows] == [90.0]


def test_published_scores_stand_beside_ours() -> None:
    both = record("ner", "m", {"entity_f1": 70.0}, {"entity_f1": 71.0})
    made = run_of(both)
    assert isinstance(made, Ended)
    dev, test = (table(results([made]), f"ner-{split}-published") for split in ("dev", "test"))
    assert [column.name for column in dev.columns] == ["of", "model", "entity F1", "char F1"]
    assert ["Table 36", "KLUE-RoBERTa-large", 85.15, 91.55] in dev.rows
    assert ["Table 32", "KLUE-RoBERTa-large", 85.79, 91.77] in test.rows
    assert ["Table 33", "Pseudonymized", 84.99, 91.22] in test.rows
    assert len(dev.rows) == 9 and len(test.rows) == 13
    assert test.note.count("All are of KLUE-RoBERTa-base") == 1, "two tables, one note"


def test_the_scores_of_the_repository_are_those_of_the_paper() -> None:
    paper, readme = paper_table("Table 32"), paper_table("README")
    assert readme.columns == paper.columns
    assert list(readme.rows.values()) == list(paper.rows.values())
    assert {name for task in TASKS for name in scorer_of(task).names} >= {
        column.partition(".")[2] for column in paper.columns
    }


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("sts", ["pearson", "f1"]),
        ("ner", ["entity_f1", "char_f1"]),
        ("re", ["micro_f1", "auprc"]),
        ("dp", ["uas", "las"]),
        ("mrc", ["em", "rouge_w"]),
        ("dst", ["jga", "slot_f1"]),
    ],
)
def test_metrics_stand_in_the_order_of_table_32(task: str, names: list[str]) -> None:
    """Whatever their order in the record, whose keys may be sorted."""
    one, other = (
        results([run(task, "m", dict.fromkeys(order, 1.0))]) for order in (names, names[::-1])
    )
    for name in ("overview-dev", f"{task}-dev"):
        assert heads(table(one, name)) == heads(table(other, name))
    first = heads(table(one, "overview-dev"))[3].split()[-1]
    assert first in {"r": "pearson", "F1": names[0], "UAS": "uas", "EM": "em", "JGA": "jga"}
    assert heads(table(one, f"{task}-dev"))[4].split(" (")[0].endswith(first)


def test_other_examples_of_the_same_name_have_a_row_of_their_own() -> None:
    """Two folders of one name: what they share is one row, what differs is told apart."""
    home = {"files": "klue"}
    here = run("tc", "m", {"macro_f1": 1.0}, data=home, settings={"examples": "aaaaaaaaaa"})
    there = run("tc", "m", {"macro_f1": 2.0}, data=home, settings={"examples": "bbbbbbbbbb"})
    both = [
        run("nli", name, {"accuracy": 3.0}, data=home, settings={"examples": "c"})
        for name in ("m", "n")
    ]
    report = results([here, there, *both])
    assert [list(row) for row in table(report, "overview-dev").rows] == [
        ["klue", "m", "0", None, 3.0],
        ["klue", "n", "0", None, 3.0],
        ["klue [aaaaaaaa]", "m", "0", 1.0, None],
        ["klue [bbbbbbbb]", "m", "0", 2.0, None],
    ]
    assert column(table(report, "tc-dev"), "data") == ["klue [aaaaaaaa]", "klue [bbbbbbbb]"]


def test_other_models_of_the_same_name_have_a_row_of_their_own() -> None:
    runs = [
        run("tc", "m", {"macro_f1": score}, model={"digest": digest})
        for score, digest in ((1.0, "a" * 20), (2.0, "b" * 20))
    ]
    found = table(results(runs), "overview-dev")
    assert column(found, "model") == ["m [aaaaaaaa]", "m [bbbbbbbb]"]
    assert column(table(results(runs[:1]), "overview-dev"), "model") == ["m"]


def test_releases_of_one_name_are_kept_apart() -> None:
    other = run("tc", "b/model", {"macro_f1": 1.0}, data={**SAMPLE, "hash": "f" * 64})
    assert len(table(results([RUNS[0], other]), "overview-dev").rows) == 2


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (SAMPLE, "sample 1.0.0 (01234567)"),
        (
            {**SAMPLE, "holdout": 0.2, "holdout_seed": 3},
            "sample 1.0.0 (01234567), 20% held out (seed 3)",
        ),
        ({"files": "klue", "holdout": 0.2, "holdout_seed": 0}, "klue, 20% held out (seed 0)"),
    ],
)
def test_what_was_held_out_is_told(data: dict[str, Any], told: str) -> None:
    assert data_name(Data.model_validate(data)) == told


def test_what_differs_between_recipes_is_shown() -> None:
    grid = [
        run("tc", "m", {"macro_f1": 50.0 + 10 * warmup}, recipe={"warmup": warmup, "epochs": 3})
        for warmup in (0.0, 0.2, 0.6)
    ]
    report = results(grid)
    how = table(report, "tc-runs")
    assert column(how, "warmup") == ["0.6", "0.2", "0"]
    assert column(how, "run") == column(table(report, "tc-dev"), "run") == [1, 2, 3]
    assert column(table(report, "tc-dev"), "macro F1 (klue)") == [56.0, 52.0, 50.0]
    assert set(column(how, "epochs")) == {3} and "max length" not in heads(how)
    assert "precision" not in heads(how)
    half = run("tc", "m", {"macro_f1": 1.0}, settings={"precision": "bf16"})
    more = table(results([*grid, half]), "tc-runs")
    assert column(more, "precision") == [*["float32"] * 3, "bf16"]


def test_other_tasks_have_other_recipes_without_saying_so() -> None:
    one = run("dp", "m", {"uas": 1.0}, recipe={"max_length": 256})
    report = results([RUNS[0], one])
    assert all("max length" not in heads(table(report, f"{task}-runs")) for task in ("tc", "dp"))
    assert "run" not in heads(table(report, "tc-dev"))
    lost = [failed("x"), failed("x", "dp", recipe={"max_length": 256})]
    assert "max length" not in heads(table(results(lost), "failures"))
    again = failed("x", recipe={"max_length": 64})
    assert "max length" in heads(table(results([*lost, again]), "failures"))


def test_failed_runs_have_their_reasons_and_unfinished_ones_are_counted() -> None:
    report = results([*RUNS, failed("the loss is no number", recipe={"epochs": 9})], unfinished=2)
    facts = {fact.name: fact.value for fact in report.facts}
    assert (facts["runs"], facts["failed"], facts["not ended"]) == (3, 1, 2)
    assert report.sections[-1].id == "failed"
    (row,) = table(report, "failures").rows
    assert row[0] == "ynat" and row[-1] == "the loss is no number" and 9 in row
    assert len(table(report, "tc-dev").rows) == 2
    names = [fact.name for fact in results(RUNS).facts]
    assert "failed" not in names and "not ended" not in names
    assert "failures" in page(results([failed("x")]))


def test_it_makes_a_page() -> None:
    html = page(results([*RUNS, run("mrc", "<b>모델</b>", {"em": 1.0, "rouge_w": 2.0})]))
    assert "&lt;b&gt;모델&lt;/b&gt;" in html
    assert "<b>모델</b>" not in html


def test_a_run_that_has_not_ended_is_none() -> None:
    assert run_of({"finished": False, "settings": {}}) is None


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"finished": "yes"}, "finished"),
        ({"task": "qa"}, "task: is no task; allowed: tc, "),
        ({"model": {"name": 7}}, "model.name"),
        ({"settings": None}, "settings"),
        ({"scores": {"dev": {"klue": {"macro_f1": "high"}}}}, "scores.dev.klue.macro_f1"),
        ({"scores": {"dev": {"klue": {"macro_f1": float("nan")}}}}, "scores.dev.klue.macro_f1"),
        ({"scores": {"dev": []}}, "scores.dev"),
        ({"examples": {"dev": -1}}, "examples.dev"),
    ],
)
def test_a_record_of_another_form_is_refused(changed: dict[str, Any], told: str) -> None:
    one = {**record("tc", "m", {"macro_f1": 1.0}), **changed}
    with pytest.raises(InputError, match=told):
        run_of(one)


def test_scores_of_systems_are_those_of_the_best_run_on_dev_by_model() -> None:
    runs = [
        run("tc", "a", {"macro_f1": 70.0}, {"macro_f1": 69.0}),
        run("tc", "a", {"macro_f1": 75.0}, {"macro_f1": 60.0}, recipe={"epochs": 5}),
        run("tc", "b", {"macro_f1": 80.0}),
        run("nli", "b", {"accuracy": 50.0}, {"accuracy": None}),
    ]
    assert best_scores(runs, "test") == {"a": {"tc.macro_f1": 60.0}, "b": {"nli.accuracy": None}}
    assert best_scores(runs, "dev")["b"] == {"tc.macro_f1": 80.0, "nli.accuracy": 50.0}
    seeds = [*runs, run("tc", "a", {"macro_f1": 1.0}, seed=7)]
    assert {"a, seed 0", "a, seed 7"} < set(best_scores(seeds, "dev"))


def test_scores_of_two_releases_are_not_of_one_version() -> None:
    other = {**SAMPLE, "version": "2.0.0"}
    runs = [
        run("tc", "a", {"macro_f1": 70.0}),
        run("tc", "b", {"macro_f1": 70.0}, data=other),
    ]
    with pytest.raises(InputError, match="tc: runs on sample 1"):
        best_scores(runs, "dev")
