"""`klue results` as users call it: odd records, folders given twice, and what is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from flows.cli.models import results

APP = typer.Typer()
APP.command()(results)
RUN: dict[str, Any] = {
    "format": 1,
    "fingerprint": "f",
    "finished": True,
    "task": "nli",
    "data": {"files": "klue"},
    "model": {"name": "scratch:tiny", "digest": "d", "parameters": 9, "vocabulary": 7},
    "settings": {"examples": "e", "precision": "float32"},
    "seed": 0,
    "examples": {"train": 8, "dev": 4},
    "recipe": {"learning_rate": 5e-5, "batch_size": 32, "epochs": 4},
    "best": {"epoch": 2.0, "step": 2, "scores": {"accuracy": 43.21}},
    "loss": {"last_epoch": 0.5, "last_step": 0.4},
    "measured": {"training_seconds": 3.2, "inputs_per_second": 10.0, "device": "cpu"},
    "scores": {"dev": {"klue": {"accuracy": 43.21}, "strict": {"accuracy": 43.21}}},
}
BEGUN = {"fingerprint": "f", "finished": False, "format": 1, "settings": {}}


def klue(*arguments: object) -> Result:
    return CliRunner().invoke(APP, [str(one) for one in arguments])


def good(*arguments: object) -> tuple[dict[str, Any], str]:
    """Return the record that is printed, and what is said."""
    result = klue(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout), result.stderr


def bad(*arguments: object) -> str:
    result = klue(*arguments, "--json")
    assert result.exit_code == 2, result.output
    return str(json.loads(result.stdout)["error"])


def put(folder: Path, record: object) -> Path:
    """Write the record of a run; a text goes in as it is."""
    folder.mkdir(parents=True)
    text = record if isinstance(record, str) else json.dumps(record)
    (folder / "run.json").write_text(text, "utf-8")
    return folder


def counted(record: dict[str, Any]) -> dict[str, Any]:
    return {fact["name"]: fact["value"] for fact in record["facts"]}


def rows(record: dict[str, Any], table: str) -> list[list[Any]]:
    return next(t["rows"] for s in record["sections"] for t in s["tables"] if t["id"] == table)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two runs that have ended, one that failed and one that has not ended."""
    folder = tmp_path / "runs"
    put(folder / "a" / "nli", RUN)
    put(folder / "b" / "nli", {**RUN, "seed": 1})
    lost = {key: value for key, value in RUN.items() if key not in ("scores", "best", "loss")}
    put(folder / "b" / "tc", {**lost, "task": "tc", "failed": "the loss is no number any more"})
    put(folder / "b" / "dp", BEGUN)
    return folder


def test_runs_are_shown_and_counted(runs: Path, tmp_path: Path) -> None:
    found, said = good(runs, "--out", tmp_path / "page")
    assert counted(found) == {"runs": 2, "models": 1, "data": 1, "failed": 1, "not ended": 1}
    assert [row[2] for row in rows(found, "nli-dev")] == ["0", "1"]
    assert said == ""
    assert json.loads((tmp_path / "page" / "results.json").read_text("utf-8")) == found
    html = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "43.21" in html and "the loss is no number any more" in html
    shown = klue(runs)
    assert "43.21" in shown.stdout and "the loss is no number" in shown.stdout
    assert "give --out DIR" in shown.stderr


def test_folders_that_overlap_list_a_run_once(runs: Path) -> None:
    (runs.parent / "link").symlink_to(runs)
    once, _ = good(runs)
    again, _ = good(runs / "b", runs, runs / "a" / "nli", runs.parent / "link", runs)
    assert again == once


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("{", "JSONDecodeError"),
        ("", "JSONDecodeError"),
        ("[" * 100_000, "nested too deeply"),
        ([1], "TypeError"),
        ({}, "KeyError"),
        ({**RUN, "scores": {"dev": 3}}, "scores.dev: "),
        ({**RUN, "task": "qa"}, "task: is no task"),
        ({**RUN, "best": {"epoch": float("nan")}}, "best.epoch: "),
        ({**RUN, "model": "scratch:tiny"}, "model: "),
        ({"fingerprint": "f", "finished": True}, "task: "),
        ({**RUN, "model": {**RUN["model"], "name": "\ud800"}}, "no Unicode"),
    ],
)
def test_a_record_that_cannot_be_read_is_told_and_left_out(
    runs: Path, record: object, told: str
) -> None:
    broken = put(runs / "c", record)
    found, said = good(runs)
    assert counted(found)["runs"] == 2
    (line,) = said.splitlines()
    assert line.startswith(f"left out: {broken / 'run.json'}: ") and told in line


def test_where_there_is_nothing_to_show(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "empty: holds no run; give a folder that klue train wrote" in bad(tmp_path / "empty")
    assert "no such folder" in bad(tmp_path / "absent")
    file = put(tmp_path / "begun", BEGUN) / "run.json"
    assert "is a file" in bad(file)
    assert "1 have not ended, 0 cannot be read" in bad(tmp_path / "begun")
    put(tmp_path / "begun" / "broken", "{")
    assert "1 have not ended, 1 cannot be read" in bad(tmp_path / "begun", tmp_path / "empty")
    assert "is a file; give a folder" in bad(tmp_path / "begun", "--out", file)


def test_a_page_of_failed_runs_alone(tmp_path: Path) -> None:
    lost = {key: value for key, value in RUN.items() if key not in ("scores", "best", "loss")}
    put(tmp_path / "x", {**lost, "failed": "the loss is no number any more"})
    found, _ = good(tmp_path, "--out", tmp_path / "page")
    assert counted(found)["failed"] == 1 and counted(found)["runs"] == 0
