"""`klue tagger` as a user and as a machine call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from flows.cli.corpus import tagger as app
from pipeline.core.fingerprint import ROOT
from pipeline.sampling.tagging.crf import SHIPPED, facts_of
from pipeline.sampling.tagging.registry import load

SAMPLE = ROOT / "data" / "sample" / "answers" / "ner.jsonl"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def machine(*words: str | Path) -> Any:
    return json.loads(run(*words, "--json").stdout)


def test_score_of_the_shipped_tagger_on_the_sample() -> None:
    told = machine("score", SAMPLE)
    assert told["digest"] == load("crf").digest
    assert told["texts"] == sum(1 for line in SAMPLE.open(encoding="utf-8") if line.strip())
    assert set(told["by_label"]) == set(facts_of(SHIPPED)["labels"])
    right = sum(one["right"] for one in told["by_label"].values())
    assert right == told["micro"]["right"] and 0.5 < told["macro_f1"] < 1
    shown = run("score", SAMPLE)
    assert f"entity F1 macro: {told['macro_f1']:.4f}" in shown.stdout
    assert "wikitree" in shown.stdout
    heads = [line.split()[1] for line in shown.stdout.splitlines() if "precision" in line]
    assert heads == ["type", "source"]


def test_tag_a_file(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("손흥민은 런던에서 뛴다\n꽃이 핀다\n", "utf-8")
    told = machine("tag", tmp_path / "in.txt", "--out", tmp_path / "out.jsonl")
    assert (told["rows"], told["entities"], told["unreadable"]) == (2, 2, 0)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").open(encoding="utf-8")]
    assert [(s["start"], s["end"], s["label"]) for s in rows[0]["spans"]] == [
        (0, 3, "PS"),
        (5, 7, "LC"),
    ]
    assert rows[1]["spans"] == []
    again = run("tag", tmp_path / "in.txt", "--out", tmp_path / "out.jsonl")
    assert again.exit_code == 2 and "--force" in again.stderr
    assert (
        "2 texts tagged"
        in run("tag", tmp_path / "in.txt", "--out", tmp_path / "out.jsonl", "--force").stderr
    )


def test_unreadable_rows_are_told(tmp_path: Path) -> None:
    path, out = tmp_path / "in.data", tmp_path / "out.jsonl"
    path.write_text('{"text": "꽃이 핀다"}\n' + "{\n" * 7, "utf-8")
    result = run("tag", path, "--out", out, "--form", "jsonl")
    assert result.exit_code == 0
    lines = result.stderr.splitlines()
    assert lines[0].startswith(f"{path} line 2: left out, ")
    assert lines[5:] == [
        f"{path}: 2 more rows left out",
        "1 text tagged, 0 entities found",
        f"written: {out}",
    ]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("score", "gone.tsv"), "gone.tsv"),
        (("tag", SAMPLE, "--out", "x.jsonl", "--text-column", "gold"), "can be read; line 1:"),
        (("score", SAMPLE, "--tagger", "hmm"), "allowed: crf"),
        (("score", SAMPLE, "--tagger", "crf:gone"), "tools/train_tagger.py"),
        (("tag", "gone.txt", "--out", "x.jsonl"), "gone.txt"),
    ],
)
def test_mistakes_get_one_line(
    words: tuple[str | Path, ...], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ") and what in result.stderr
    assert list(tmp_path.iterdir()) == []
