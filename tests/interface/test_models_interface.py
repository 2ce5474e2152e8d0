"""Predictions of tables are scored as those of files are; a model is trained on a frame."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import klue_rebuild
from klue_rebuild import InputError

Klue = Callable[..., dict[str, Any]]
CONFIGS = {"tc": "ynat", "sts": "sts", "nli": "nli", "ner": "ner", "re": "re", "dp": "dp",
           "mrc": "mrc", "dst": "wos"}  # fmt: skip


@pytest.mark.parametrize("task", CONFIGS)
def test_score_is_the_command_for_every_task(release: Path, task: str, klue: Klue) -> None:
    """Frames of a release are predictions and gold as well as its files are."""
    file = release / CONFIGS[task] / "validation.parquet"
    options = ("--task", task, "--split", "dev", "--breakdown", "--bootstrap", "--draws", 20)
    record = klue("score", "--gold", release, "--pred", file, *options)
    answers = klue_rebuild.load_release(release).examples(task, "dev")
    scores = klue_rebuild.score(
        release, answers, task=task, split="dev", breakdown=True, bootstrap=True, draws=20
    )
    assert scores.as_json() == record
    assert scores.values == record["scores"]
    assert klue_rebuild.score(answers, answers, task=task).values == record["scores"]


def test_systems_keep_their_names_and_are_compared(release: Path) -> None:
    answers = klue_rebuild.load_release(release).examples("nli", "test", labels=True)
    answers = answers[["guid", "label"]]
    systems = {"klue/bert-base": answers, "guess": answers.assign(label="neutral")}
    scores = klue_rebuild.score(release, systems, task="nli", draws=20)
    assert scores.table["system"].tolist() == list(systems)
    assert scores.table["score"].tolist()[0] == scores.values["accuracy"] == 100.0
    assert scores.comparisons[["a", "b", "metric"]].to_numpy().tolist() == [
        ["klue/bert-base", "guess", "accuracy"]
    ]
    assert list(scores.as_json()["systems"]) == list(systems)


def test_faults_of_predictions_are_named_by_row(release: Path) -> None:
    answers = klue_rebuild.load_release(release).examples("nli", "test", labels=True)
    wrong = answers[["guid"]].assign(label=["neutral", "010-2345-6789"])
    with pytest.raises(InputError) as caught:
        klue_rebuild.score(release, wrong, task="nli")
    assert "table `predictions` row 1: guid" in str(caught.value)
    assert "010" not in str(caught.value)


def test_unusable_gold_is_refused(release: Path) -> None:
    answers = klue_rebuild.load_release(release).examples("nli", "dev")
    with pytest.raises(InputError, match="`variant` 'x' is not known"):
        klue_rebuild.score(release, answers, task="nli", split="dev", variant="x")
    with pytest.raises(InputError, match="table `gold`"):
        klue_rebuild.score(answers[["guid", "label"]], answers, task="nli")


@pytest.mark.full
def test_train_is_the_command(release: Path, tmp_path: Path, klue: Klue) -> None:
    options = ("--task", "nli", "--model", "scratch:tiny", "--set", "epochs=1")
    record = klue("train", release, *options, "--out", tmp_path / "command")
    trained = klue_rebuild.train(
        release, "nli", "scratch:tiny", out=tmp_path / "python", settings={"epochs": 1}
    )
    (run,) = record["runs"]
    wanted = {
        (split, variant, metric): value
        for split, variants in run["scores"].items()
        for variant, scores in variants.items()
        for metric, value in scores.items()
    }
    keys = ["split", "variant", "metric"]
    assert trained.scores.set_index(keys)["score"].to_dict() == wanted
    assert (trained.folders["nli"] / "model" / "config.json").is_file()


@pytest.mark.full
def test_a_frame_is_trained_on(pairs: pd.DataFrame, tmp_path: Path) -> None:
    examples = klue_rebuild.split(pairs, "nli").examples
    trained = klue_rebuild.train(
        examples, "nli", "scratch:tiny", out=tmp_path, settings={"epochs": 1}
    )
    assert set(trained.scores["variant"]) == {"klue", "strict"}
    assert set(trained.scores["split"]) == {"dev", "test"}
