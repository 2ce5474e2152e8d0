"""lm-evaluation-harness runs what `klue export-eval` wrote, and scores as `klue score` does."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import mini
import pyarrow.parquet as pq
import pytest
import release_stories
from typer.testing import CliRunner

from flows.cli import app
from pipeline.contracts.registry import TASKS
from pipeline.scoring.harness.folder import PROMPTS

SCRIPT = Path(__file__).with_name("scripted_model.py")
NAMES = [f"klue_{task}_{p.mode}" for task in TASKS for p in PROMPTS[task].prompts[:2]]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release_stories.sample(tmp_path_factory).release


@pytest.fixture(scope="module")
def folder(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the exported folder of the sample."""
    out = tmp_path_factory.mktemp("lm") / "tasks"
    record = klue("export-eval", release, "--to", "lm-eval", "--out", out)
    assert record["left_out"] == []
    assert len(record["groups"]["klue"]) == 12
    return out


def klue(*arguments: object) -> dict[str, Any]:
    """Run a command in this process, and return its record."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def offline(*words: object, cwd: Path) -> str:
    """Run Python in a process without network, and return the last line that it printed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    hub = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(cwd / "hf")}
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        env={**kept, **hub},
        cwd=cwd,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.rstrip("\n").split("\n")[-1]


def check_equal(release: Path, task: str, samples: Path, theirs: dict[str, Any]) -> dict[str, Any]:
    """Compare the metrics of the harness with those of its samples; return the latter."""
    record = klue(
        *("score", "--task", task, "--gold", release, "--split", "dev"),
        *("--from", "lm-eval", "--pred", samples),
    )
    ours = {**record["scores"], "unparsed": record["unparsed"]}
    numbers = {
        name.removesuffix(",none"): value
        for name, value in theirs.items()
        if name.endswith(",none") and "_stderr" not in name
    }
    assert numbers.keys() | {"auprc"} >= ours.keys()
    # where a metric is not defined the harness shows NaN
    wanted = {name: math.nan if ours[name] is None else ours[name] for name in numbers}
    assert numbers == pytest.approx(wanted, abs=1e-6, nan_ok=True)
    return ours


def run_scripted(release: Path, folder: Path, out: Path, answers: str) -> dict[str, dict[str, Any]]:
    """Run all eight tasks in both modes in one call, and check every score."""
    groups = ("klue", "klue_polyglot")
    results = json.loads(offline(SCRIPT, folder, out, answers, *groups, cwd=out.parent))
    tasks = {name: row for name, row in results.items() if name not in groups}
    return {
        name: check_equal(release, name.split("_")[1], out / f"None/samples_{name}_run.jsonl", row)
        for name, row in tasks.items()
    }


def test_the_harness_scores_as_klue_score_does(release: Path, folder: Path, tmp_path: Path) -> None:
    scores = run_scripted(release, folder, tmp_path / "out", "near")
    assert len(scores) == 16
    assert scores["klue_nli_gen"]["accuracy"] < 100
    assert 0 < scores["klue_nli_gen"]["unparsed"] < 50
    samples = [tmp_path / f"out/None/samples_klue_nli_{m}_run.jsonl" for m in ("mc", "gen")]
    gold = ("score", "--task", "nli", "--gold", release, "--split", "dev", "--from", "lm-eval")
    refused = klue(*gold, "--pred", samples[0], "--pred", samples[1])
    assert "different prompts" in refused["error"]
    two = klue(*gold, "--pred", samples[1], "--pred", samples[1], "--draws", 20)
    assert [row["difference"] for row in two["comparisons"]] == [0]
    assert two["unparsed"] == scores["klue_nli_gen"]["unparsed"]
    assert len(two["intervals"]["accuracy"]) == 2


@pytest.mark.full
@pytest.mark.parametrize("answers", ["right", "random"])
def test_other_answers(release: Path, folder: Path, tmp_path: Path, answers: str) -> None:
    scores = run_scripted(release, folder, tmp_path / "out", answers)
    if answers == "right":
        for name, values in scores.items():
            assert values["unparsed"] == 0
            inexact = {"auprc"} | ({"pearson"} if "_sts_" in name else set())
            assert all(values[metric] == 100 for metric in values.keys() - inexact - {"unparsed"})


def test_no_answer_of_test_is_in_the_folder(release: Path, folder: Path) -> None:
    for task in TASKS:
        private = {row["guid"]: row for row in release_stories.examples(release, task)["test"]}
        rows = pq.read_table(folder / task / "test.parquet").to_pylist()
        assert {row["guid"] for row in rows} == set(private)
        assert {row["gold"] for row in rows} == {None}
        shown = {key for row in rows for key in json.loads(row["fields"])}
        assert not shown & {"label", "labels", "answers", "state", "domains", "goal", "heads"}
        assert all('"state"' not in row["fields"] for row in rows)
        for file in (folder / task).glob("*_test.yaml"):
            assert file.read_text("utf-8").count("metric:") == 1  # unparsed


def test_the_folder_needs_nothing_of_this_project(folder: Path) -> None:
    for task in TASKS:
        text = (folder / task / "utils.py").read_text("utf-8")
        assert "pipeline" not in text.replace("filter_pipeline", "")
    assert (folder / "klue.yaml").is_file()


def test_bad_arguments(release: Path, folder: Path, tmp_path: Path) -> None:
    cases = {
        ("export-eval", release, "--out", folder): "is there and not empty",
        ("export-eval", tmp_path, "--out", tmp_path / "x"): "no release is there",
        ("export-eval", f"{release}.private", "--out", tmp_path / "x"): "private files",
        ("export-eval", release, "--to", "helm", "--out", tmp_path / "x"): "allowed: lm-eval",
    }
    gold = ("score", "--task", "tc", "--gold", release)
    file = release / "ynat" / "validation.parquet"
    cases |= {
        (*gold, "--pred", file, "--from", "klue"): "--from lm-eval says",
        (*gold, "--human", file, "--from", "lm-eval"): "needs --pred",
        ("score", "--task", "tc", "--gold", file, "--pred", file, "--from", "lm-eval"): "release",
    }
    for arguments, message in cases.items():
        assert message in klue(*arguments)["error"], arguments
    assert not (tmp_path / "x").exists()


@pytest.mark.full
@pytest.mark.parametrize("kind", ["dummy", "hf"])
def test_the_command_of_the_harness(release: Path, folder: Path, tmp_path: Path, kind: str) -> None:
    """Eight tasks in both modes in one call, by `lm_eval` itself; hf: a tiny model of chance."""
    model = [kind]
    if kind == "hf":
        model += ["--model_args", f"pretrained={tiny_model(release, tmp_path)},max_length=2048"]
        model += ["--device", "cpu", "--batch_size", "8", "--gen_kwargs", "max_gen_toks=16"]
    out = tmp_path / "out"
    offline(
        *("-m", "lm_eval", "run", "--model", *model, "--include_path", folder, "--tasks", "klue"),
        *("--num_fewshot", "0", "--log_samples", "--output_path", out),
        cwd=tmp_path,
    )
    (results,) = out.rglob("results_*.json")
    found = json.loads(results.read_text("utf-8"))["results"]
    for name in NAMES:
        if name in found:
            (samples,) = out.rglob(f"samples_{name}_2*.jsonl")
            check_equal(release, name.split("_")[1], samples, found[name])


def tiny_model(release: Path, folder: Path) -> Path:
    """Write a model of one layer, whose weights are chance and whose words are characters."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    titles = pq.read_table(release / "ynat" / "train.parquet")["title"].to_pylist()
    letters = sorted({letter for title in titles for letter in title})
    vocabulary = {word: place for place, word in enumerate(["<unk>", "<eos>", *letters])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", eos_token="<eos>", pad_token="<eos>"
    )
    fast.save_pretrained(folder / "model")
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2, "max_position_embeddings": 2048}
    config = LlamaConfig(vocab_size=len(vocabulary), **sizes, **heads, eos_token_id=1)
    LlamaForCausalLM(config).save_pretrained(folder / "model")
    return folder / "model"


@pytest.mark.full
def test_official_dev_files(data_dir: Path, tmp_path: Path) -> None:
    """What is written of every official dev example is read back and scores 100."""
    mini.klue("import-official", data_dir / "klue", "--out", tmp_path / "official")
    record = klue("export-eval", tmp_path / "official", "--out", tmp_path / "tasks")
    assert record["left_out"] == ["re"]  # of which train alone is at hand
    scores = run_scripted(tmp_path / "official", tmp_path / "tasks", tmp_path / "out", "right")
    assert scores["klue_tc_gen"] == {"macro_f1": 100, "unparsed": 0}
