"""`klue train` as users call it: eight tasks in turn, and scores that `klue score` agrees with."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import mini
import pytest
import release_stories as stories
from annotation_stories import bad

TASKS = list(stories.CONFIGS)
#: One short epoch: what is learnt does not matter here.
SHORT = ("--set", "epochs=1", "--set", "batch_size=64")


def klue(*arguments: object, code: int = 0) -> tuple[str, str]:
    """Run the command line in a process of its own; return what it printed, and what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", *map(str, arguments)],
        cwd=mini.ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "COLUMNS": "200"},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stories.sample(tmp_path_factory).release


@pytest.fixture(scope="module")
def all_of_them(
    release: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any]]:
    out = tmp_path_factory.mktemp("runs")
    printed, _ = klue(
        "train", release, "--task", "all", "--model", "scratch:tiny", "--out", out, *SHORT, "--json"
    )
    return out, json.loads(printed)


@pytest.mark.full
def test_eight_tasks_are_trained_and_scored_in_turn(
    all_of_them: tuple[Path, dict[str, Any]], release: Path
) -> None:
    out, told = all_of_them
    assert [run["task"] for run in told["runs"]] == TASKS
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    for run in told["runs"]:
        assert run["finished"]
        assert set(run["scores"]) == {"dev", "test"}
        assert run["data"]["hash"] == manifest["release_hash"]
        assert run["examples"] == manifest["tasks"][stories.CONFIGS[run["task"]]]["splits"]
        assert (out / run["task"] / "model" / "config.json").is_file()
        assert not list((out / run["task"]).rglob("*.bin"))
    page = Path(told["page"]).read_text("utf-8")
    assert all(f'id="{task}"' in page for task in TASKS)


@pytest.mark.full
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("variant", ["klue", "strict"])
def test_klue_score_agrees(
    all_of_them: tuple[Path, dict[str, Any]], release: Path, task: str, variant: str
) -> None:
    out, told = all_of_them
    (run,) = (one for one in told["runs"] if one["task"] == task)
    for split in ("dev", "test"):
        file = out / task / "predictions" / f"{split}.jsonl"
        given = ("--task", task, "--gold", release, "--split", split, "--pred", file)
        found = json.loads(klue("score", *given, "--variant", variant, "--json")[0])
        assert found["n"] == run["examples"][split]
        wanted = run["scores"][split][variant]
        assert found["scores"] == pytest.approx(wanted, abs=1e-6, nan_ok=True)


@pytest.mark.full
def test_an_ended_run_is_not_made_again(
    all_of_them: tuple[Path, dict[str, Any]], release: Path
) -> None:
    out, told = all_of_them
    weights = out / "tc" / "model" / "model.safetensors"
    before = weights.stat().st_mtime_ns
    given = ("train", release, "--task", "tc", "--model", "scratch:tiny", "--out", out, *SHORT)
    printed, said = klue(*given, "--json")
    assert "has ended already" in said
    assert weights.stat().st_mtime_ns == before
    (again,) = json.loads(printed)["runs"]
    assert again["scores"] == told["runs"][0]["scores"]


def test_test_labels_are_not_needed(release: Path, tmp_path: Path) -> None:
    """The same release without its private folder: predictions for test, scores for dev alone."""
    alone = tmp_path / "release"
    shutil.copytree(release, alone)
    given = ("--task", "sts", "--model", "scratch:tiny", "--out", tmp_path / "runs", *SHORT)
    printed, said = klue("train", alone, *given, "--json")
    (run,) = json.loads(printed)["runs"]
    assert set(run["scores"]) == {"dev"}
    assert "test is predicted and not scored" in said
    lines = (tmp_path / "runs" / "sts" / "predictions" / "test.jsonl").read_text("utf-8")
    assert len(lines.splitlines()) == run["examples"]["test"]


@pytest.mark.full
@pytest.mark.parametrize("what", ["model", "predictions/test.jsonl"])
def test_an_ended_run_that_lost_something_says_so(
    all_of_them: tuple[Path, dict[str, Any]], release: Path, tmp_path: Path, what: str
) -> None:
    out, _ = all_of_them
    shutil.copytree(out / "tc", tmp_path / "tc")
    lost = tmp_path / "tc" / what
    shutil.rmtree(lost) if lost.is_dir() else lost.unlink()
    given = ("train", release, "--task", "tc", "--model", "scratch:tiny", "--out", tmp_path, *SHORT)
    _, said = klue(*given, code=2)
    assert f"{lost}: is gone" in said


@pytest.mark.full
def test_a_killed_training_goes_on(release: Path, tmp_path: Path) -> None:
    given = [str(release), "--task", "sts", "--model", "scratch:tiny", "--set", "epochs=4"]
    command = [sys.executable, "-m", "flows.cli", "train", *given]
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    klue("train", *given, "--out", straight)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    started = subprocess.Popen(
        [*command, "--out", str(broken)],
        cwd=mini.ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert started.stderr is not None
    for line in started.stderr:  # until the first epoch was scored
        if "epoch 1," in line:
            started.send_signal(signal.SIGTERM)
            break
    said = started.stderr.read()
    assert started.wait() == 143, said
    assert "run the same command again" in said
    assert not json.loads((broken / "sts" / "run.json").read_text("utf-8"))["finished"]
    klue("train", *given, "--out", broken)
    records = [
        json.loads((one / "sts" / "run.json").read_text("utf-8")) for one in (straight, broken)
    ]
    assert records[0]["loss"] == pytest.approx(records[1]["loss"], abs=1e-4)
    assert records[0]["best"]["step"] == records[1]["best"]["step"]
    assert records[0]["scores"] == records[1]["scores"]
    files = [one / "sts" / "predictions" / "test.jsonl" for one in (straight, broken)]
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--task", "tc", "--model", "no/such-model"), "hf download no/such-model"),
        (("--task", "tc", "--model", "scratch:huge"), "tiny"),
        (("--task", "topic", "--model", "scratch:tiny"), "unknown task"),
        (("--task", "tc", "--model", "scratch:tiny", "--set", "epoch=1"), "no recipe has it"),
        (("--task", "tc", "--model", "scratch:tiny", "--precision", "fp8"), "allowed: auto"),
        (("--task", "tc", "--model", "scratch:tiny", "--set", "max_length=600"), "512"),
        (("--task", "all", "--model", "scratch:tiny", "--recipe", "x.yaml"), "--recipe is for one"),
    ],
)
def test_what_cannot_be_is_refused_at_once(
    release: Path, tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    assert told in bad("train", release, *options, "--out", tmp_path / "runs")
    assert not list(tmp_path.rglob("run.json"))


@pytest.mark.full
def test_a_checkpoint_of_other_labels_needs_a_new_head(
    all_of_them: tuple[Path, dict[str, Any]], release: Path, tmp_path: Path
) -> None:
    out, _ = all_of_them
    given = ("train", release, "--task", "nli", "--model", out / "tc" / "model", *SHORT)
    _, said = klue(*given, "--out", tmp_path / "runs", code=2)
    assert "--new-head" in said
    klue(*given, "--out", tmp_path / "runs", "--new-head")


@pytest.mark.full
@pytest.mark.parametrize("task", ["tc", "dp", "mrc", "dst"])
def test_a_trained_model_predicts_without_training(
    all_of_them: tuple[Path, dict[str, Any]], release: Path, tmp_path: Path, task: str
) -> None:
    """Its head is used whether transformers has it or it lies beside."""
    out, _ = all_of_them
    given = ("--task", task, "--model", out / task / "model", "--set", "epochs=0")
    klue("train", release, *given, "--out", tmp_path)
    files = [one / task / "predictions" / "test.jsonl" for one in (out, tmp_path)]
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.full
def test_a_span_head_stands_on_a_checkpoint_of_many_classes(
    all_of_them: tuple[Path, dict[str, Any]], release: Path, tmp_path: Path
) -> None:
    out, _ = all_of_them
    given = ("--task", "mrc", "--model", out / "re" / "model", "--new-head", *SHORT)
    klue("train", release, *given, "--out", tmp_path)


@pytest.mark.full
def test_a_grid_makes_a_run_for_each_point(release: Path, tmp_path: Path) -> None:
    grid = tmp_path / "grid.yaml"
    grid.write_text("learning_rate: [0.001, 0.0001]\nepochs: [1]\n")
    given = ("--task", "sts", "--model", "scratch:tiny", "--grid", grid, "--out", tmp_path / "runs")
    found = json.loads(klue("train", release, *given, "--json")[0])
    assert [run["recipe"]["learning_rate"] for run in found["runs"]] == [0.001, 0.0001]
    again = json.loads(klue("results", tmp_path / "runs", "--json")[0])
    assert again["facts"][0]["value"] == 2


@pytest.mark.full
def test_the_tagger_takes_a_trained_model(
    all_of_them: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    out, _ = all_of_them
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"text": "한서윤은 가람시에서 태어났다."}\n', "utf-8")
    tagger = f"transformers:{out / 'ner' / 'model'}"
    klue("tagger", "tag", texts, "--out", tmp_path / "tags.jsonl", "--tagger", tagger)
    assert len((tmp_path / "tags.jsonl").read_text("utf-8").splitlines()) == 1
