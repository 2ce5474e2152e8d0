"""`klue hypothesis-only`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from annotation_stories import write_lines
from typer.testing import CliRunner, Result

from flows.cli.agreement import hypothesis_only
from pipeline.core import schemas, store
from pipeline.core.jsontext import canonical

APP = typer.Typer()
APP.command()(hypothesis_only)
TRACES = {"entailment": "있다", "contradiction": "전혀 없다", "neutral": "가장 많다"}
THINGS = ("도서관", "시장", "학생", "바다", "기차", "나무", "음악")


def _klue(*arguments: object) -> Result:
    return CliRunner().invoke(APP, [str(one) for one in arguments])


def _good(*arguments: object) -> dict[str, Any]:
    result = _klue(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def _bad(*arguments: object) -> str:
    result = _klue(*arguments, "--json")
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.stderr
    return str(json.loads(result.stdout)["error"])


def _rows(first: int, last: int, *, trace: bool, prefix: str = "") -> list[dict[str, Any]]:
    """Return three pairs for each premise; without a trace all hypotheses end the same way."""
    return [
        {
            "item": f"{prefix}{n}-{label}",
            "source": "policy" if n % 2 else "nsmc",
            "fields": {
                "premise": f"전제 {prefix}{n}",
                "hypothesis": f"{THINGS[n % 7]}은 {n % 5}곳에 {ends if trace else '있다'}.",
            },
            "gold": label,
            "meta": {"origin": f"{prefix}premise-{n}"},
        }
        for n in range(first, last)
        for label, ends in TRACES.items()
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Write sets that are easy to guess, and a few that give nothing away."""
    folder = tmp_path_factory.mktemp("pairs")
    easy = write_lines(folder / "easy.jsonl", _rows(0, 80, trace=True))
    hard = write_lines(folder / "hard.jsonl", _rows(0, 20, trace=False, prefix="h"))
    return easy, hard


def test_sets_that_give_nothing_away_are_found(files: tuple[Path, Path], tmp_path: Path) -> None:
    record = _good(*files, "--out", tmp_path / "scores.jsonl")
    assert (record["pairs"], record["sets"], record["complete_sets"]) == (300, 100, 100)
    hard, easy = record["files"]["hard.jsonl"], record["files"]["easy.jsonl"]
    assert (hard["sets"], hard["lowest"], hard["ratio"]) == (20, 20, 5.0)
    assert (easy["lowest"], easy["ratio"]) == (0, 0.0)
    assert set(hard["by_source"]) == {"nsmc", "policy"}
    assert 0.7 < record["accuracy"] <= 1
    assert record["words"]["contradiction"][0]["word"].startswith(("전혀", "없"))
    lines = [
        json.loads(line) for line in (tmp_path / "scores.jsonl").read_text("utf-8").splitlines()
    ]
    assert len(lines) == 300
    assert {line["lowest"] for line in lines if line["item"].startswith("h")} == {True}
    one = lines[0]
    assert one["distance"] == pytest.approx(-sum(one["log_p"].values()) / 3, abs=2e-6)


def test_the_order_of_files_changes_no_ratio(files: tuple[Path, Path]) -> None:
    one, two = _good(*files), _good(*reversed(files))
    assert one["files"] == two["files"]


def test_people_read_the_same_numbers(files: tuple[Path, Path]) -> None:
    result = _klue(*files)
    assert result.exit_code == 0
    told = result.stdout.splitlines()
    assert "hard.jsonl: 20 of 20 sets are among the least revealing: 1.000, 5.00 times chance" in (
        told
    )
    assert "300 pairs of 100 premises; 100 have one pair of each label (a set)" in told
    assert "fitting linear without fold 1 of 5" in result.stderr


def test_one_file_has_no_ratio_to_chance(files: tuple[Path, Path], tmp_path: Path) -> None:
    """A fifth of the sets of one file are its own lowest fifth: that is no finding."""
    out = tmp_path / "scores.jsonl"
    result = _klue(files[0], "--out", out)
    assert "chance" not in result.stdout
    assert "easy.jsonl: 16 of 80 sets are among the least revealing\n" in result.stdout
    assert f"written: {out}" in result.stderr
    found = _good(files[0])["files"]["easy.jsonl"]
    assert (found["share"], found["ratio"]) == (0.2, None)
    assert {one["ratio"] for one in found["by_source"].values()} == {None}


def test_gold_of_an_aggregation(tmp_path: Path) -> None:
    rows = _rows(0, 12, trace=True)
    items = write_lines(tmp_path / "items.jsonl", [{**row, "gold": None} for row in rows])
    gold = [
        {
            "item": row["item"],
            "task": "nli",
            "status": "gold" if n else "unresolved",
            "rule": "majority",
            "votes": 5,
            "simulated": False,
            "label": canonical(row["gold"]) if n else None,
        }
        for n, row in enumerate(rows)
    ]
    store.write_parquet(tmp_path / "gold.parquet", schemas.build("gold", gold))
    record = _good(items, "--gold", tmp_path / "gold.parquet", "--folds", 2)
    assert (record["pairs"], record["left_out"], record["complete_sets"]) == (35, 1, 11)
    assert "no pair has a label" in _bad(items)
    assert "not a table of gold" in _bad(items, "--gold", items)


def test_refusals(files: tuple[Path, Path], tmp_path: Path) -> None:
    easy, hard = files
    assert "allowed: linear, transformers:MODEL" in _bad(easy, "--classifier", "forest")
    assert "neither a folder" in _bad(easy, "--classifier", "transformers:no/such-model")
    assert "allowed: 2 to 20" in _bad(easy, "--folds", 1)
    assert "same name" in _bad(easy, easy)
    assert "cannot be read" in _bad(tmp_path / "absent.json")
    assert "a pair stands in the files twice" in _bad(
        easy, write_lines(tmp_path / "again.jsonl", _rows(0, 1, trace=True))
    )
    there = tmp_path / "there.jsonl"
    there.write_text("", "utf-8")
    assert "use --force" in _bad(hard, "--out", there)
    assert "is a folder" in _bad(hard, "--out", tmp_path)
    few = write_lines(tmp_path / "few.jsonl", _rows(0, 1, trace=True))
    assert "too few: without fold 1 of 1 a label is missing" in _bad(few)
    half = [row for row in _rows(0, 9, trace=True) if row["gold"] != "neutral"]
    assert "no pair is labelled neutral" in _bad(write_lines(tmp_path / "half.jsonl", half))


@pytest.mark.full
def test_official_dev_sets_are_hard_to_guess(data_dir: Path) -> None:
    # They were drawn from the lowest fifth of another model's distances (Section 3.3.1).
    folder = data_dir / "klue"
    record = _good(folder / "klue-nli-v1.1_train.json", folder / "klue-nli-v1.1_dev.json")
    dev = record["files"]["klue-nli-v1.1_dev.json"]
    assert (record["pairs"], dev["sets"]) == (27_998, 1_000)
    assert dev["ratio"] > 1.5
    assert all(one["ratio"] > 1 for one in dev["by_source"].values())
    assert 0.5 < record["accuracy"] < 0.6
    assert record["ece"] < 0.06
    leading = [row["word"] for row in record["words"]["contradiction"][:6]]
    assert {"없/VA", "전혀/MAG", "않/VX"} <= set(leading)
