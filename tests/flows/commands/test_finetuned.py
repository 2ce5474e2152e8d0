"""Models that other commands fine-tune: toxicity detectors, guesses from hypotheses."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from annotation_stories import write_lines
from sklearn.metrics import average_precision_score
from typer.testing import CliRunner, Result

pytest.importorskip("torch", reason="the optional part `train` is not installed")
pytest.importorskip("accelerate", reason="the optional part `train` is not installed")

from training import tiny

from flows.cli.agreement import hypothesis_only
from flows.commands.training import recipe_for
from pipeline.core.fingerprint import ROOT
from pipeline.corpus.toxicity.calibration import FIELDS, read_labelled
from pipeline.corpus.toxicity.scoring import load
from pipeline.training import textclassifier

sys.path.append(str(ROOT / "tools"))

import train_toxicity

APP = typer.Typer()
APP.command()(hypothesis_only)
KINDS = (
    ("나무", "False", "none", "none"),
    ("바위", "False", "none", "offensive"),
    ("벌레", "True", "gender", "hate"),
)
TRACES = {"entailment": "있다", "contradiction": "전혀 없다", "neutral": "가장 많다"}


@pytest.fixture(autouse=True)
def no_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have an empty cache of the model hub."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))


def comments(path: Path, n: int, *, seed: int) -> Path:
    """Write made-up comments whose first word tells their labels."""
    draw = np.random.default_rng(seed)
    lines = ["\t".join(FIELDS)]
    for i in range(n):
        word, *labels = KINDS[int(draw.integers(3))]
        lines.append("\t".join([f"{word} {seed}-{i} 이야기", *labels]))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def pairs(path: Path, premises: int) -> Path:
    """Write three pairs for each premise; the end of a hypothesis tells the label."""
    return write_lines(
        path,
        [
            {
                "item": f"{n}-{label}",
                "source": "policy",
                "fields": {"premise": f"전제 {n}", "hypothesis": f"{n % 5}곳에 {ends}."},
                "gold": label,
                "meta": {"origin": f"premise-{n}"},
            }
            for n in range(premises)
            for label, ends in TRACES.items()
        ],
    )


def train(tmp_path: Path, *more: object, model: str = "scratch:tiny") -> Result:
    files = (
        comments(tmp_path / "train.tsv", 200, seed=1),
        comments(tmp_path / "dev.tsv", 60, seed=2),
    )
    given = ("--train", files[0], "--dev", files[1], "--out", tmp_path / "out", "--model", model)
    words = (*given, *more)
    return CliRunner().invoke(train_toxicity.app, [str(word) for word in words])


def guess(file: Path, model: str, *more: object) -> Result:
    words = (file, "--classifier", f"transformers:{model}", "--folds", 2, "--json", *more)
    return CliRunner().invoke(APP, [str(word) for word in words])


def told(result: Result) -> dict[str, Any]:
    assert "Traceback" not in result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_toxicity_detector_is_trained_measured_and_used(tmp_path: Path) -> None:
    result = train(tmp_path, "--json")
    assert result.exit_code == 0, result.output
    record, dev = told(result), read_labelled(tmp_path / "dev.tsv")
    assert record["texts"] == 200
    assert record["detector"] == f"transformers:{tmp_path}/out/gender-bias,{tmp_path}/out/hate"
    scores = load(record["detector"]).score(dev.texts)
    truths = {"gender_bias": dev.gender_bias, "hate": dev.hate == 2}
    for name, truth in truths.items():
        want = average_precision_score(truth, scores[name].to_numpy())
        assert record["dev"][name] == pytest.approx(want, abs=1e-4)
        assert want > truth.mean() + 0.3  # what chance has is the share
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.safetensors")}
    refused = train(tmp_path, "--json")
    assert refused.exit_code == 2
    assert "exists; name another folder, or replace it with --force" in told(refused)["error"]
    assert before == {path: path.read_bytes() for path in before}


def test_unlabelled_comments_are_for_the_other_detector(tmp_path: Path) -> None:
    result = train(tmp_path, "--unlabelled", tmp_path / "train.tsv")
    assert result.exit_code == 2
    assert "--unlabelled is for the linear detector" in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.full
def test_hypotheses_that_give_labels_away_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a small model in a folder, with a recipe for as few pairs as there are here."""
    file = pairs(tmp_path / "pairs.jsonl", 40)
    tokens = tiny.tokens([*TRACES.values(), "0123456789곳에."])
    tiny.body("MaskedLM", tokens).save_pretrained(tmp_path / "model")
    tokens.tokenizer.save_pretrained(tmp_path / "model")
    changes = ["learning_rate=1e-2", "batch_size=8", "epochs=20"]
    own = recipe_for("nli", "any", None, changes)
    monkeypatch.setattr(textclassifier, "recipe_of", lambda *_, **__: own)
    record = told(guess(file, str(tmp_path / "model")))
    assert (record["pairs"], record["complete_sets"]) == (120, 40)
    assert record["accuracy"] > 0.55  # blindly a third, give or take 0.04


def test_a_classifier_of_hypotheses_may_start_at_random(tmp_path: Path) -> None:
    file, out = pairs(tmp_path / "pairs.jsonl", 12), tmp_path / "scores.jsonl"
    record = told(guess(file, "scratch:tiny", "--out", out))
    assert record["classifier"] == "transformers:scratch:tiny"
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(rows) == 36
    found = np.array([list(row["log_p"].values()) for row in rows])
    assert np.exp(found).sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert told(guess(file, "scratch:tiny", "--out", out, "--force")) == record
    assert [json.loads(line) for line in out.read_text("utf-8").splitlines()] == rows


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("team/none", "neither a folder nor a model in the local cache of the model hub"),
        ("scratch:huge", "there is no size 'huge'"),
    ],
)
def test_a_model_that_is_not_there_is_told_without_options_that_are_not(
    tmp_path: Path, model: str, said: str
) -> None:
    for result in (
        guess(pairs(tmp_path / "pairs.jsonl", 4), model),
        train(tmp_path, "--json", model=model),
    ):
        assert result.exit_code == 2
        error = told(result)["error"]
        assert said in error
        assert "--download" not in error
    assert not (tmp_path / "out").exists()
