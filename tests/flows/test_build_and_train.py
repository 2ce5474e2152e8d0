"""A build file with the section `train` ends with scored models: raw text to baseline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import commandline
import mini
import pytest
import release_stories as stories
from prefect_runs import run_of

Row = dict[str, Any]
TRAIN = {"model": "scratch:tiny", "settings": {"epochs": 1, "batch_size": 64}}


def _build(file: Path, folder: Path, code: int = 0) -> Row:
    """Build as far as the build file says; returns what `--json` printed."""
    places = ("--work", folder / "work", "--releases", folder / "releases", "--workers", 2)
    words = [str(word) for word in ("build", file, *places, "--json")]
    done = commandline.run(words, OMP_NUM_THREADS="1", HF_HUB_OFFLINE="1")
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    record: Row = json.loads(done.stdout)
    return record


def test_a_build_ends_with_scored_models(tmp_path: Path, prefect_server: None) -> None:
    file = stories.build_file(tmp_path / "file", tasks=["tc"], train=TRAIN)
    results: list[Row] = []
    flow = run_of(lambda: results.append(_build(file, tmp_path)), mark=str(tmp_path))
    # Every part is a flow, and training is one task run of the last one.
    assert [child["name"] for child in flow["children"]][-2:] == [
        "sample 1.0.0 release",
        "sample 1.0.0 train",
    ]
    assert flow["children"][-1]["tasks"] == ["train tc"]

    (run,) = results[0]["train"]["runs"]
    release = Path(results[0]["release"])
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    assert run["data"]["hash"] == manifest["release_hash"]
    assert run["examples"] == manifest["tasks"]["ynat"]["splits"]

    # The scores are those that `klue score` gives the predictions.
    folder = tmp_path / "work" / "runs" / "sample-1.0.0" / "tc"
    for split in ("dev", "test"):
        predictions = folder / "predictions" / f"{split}.jsonl"
        given = ("--task", "tc", "--gold", release, "--split", split, "--pred", predictions)
        done = mini.klue("score", *given, "--json")
        assert json.loads(done.stdout)["scores"] == pytest.approx(run["scores"][split]["klue"])

    # A second build trains nothing again.
    weights = folder / "model" / "model.safetensors"
    before = weights.stat().st_mtime_ns
    again = _build(file, tmp_path)
    assert again["train"]["runs"][0]["scores"] == run["scores"]
    assert weights.stat().st_mtime_ns == before


def test_a_model_that_does_not_exist_is_refused_before_anything_runs(tmp_path: Path) -> None:
    file = stories.build_file(
        tmp_path / "file", tasks=["tc"], train={**TRAIN, "model": "scratch:enormous"}
    )
    assert "train: scratch:enormous" in _build(file, tmp_path, code=2)["error"]
    assert not list((tmp_path / "work").glob("store/*"))
