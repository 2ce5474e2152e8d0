"""The detector of a build file: where its files are looked for, and what enters fingerprints."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import mini
import pytest

from flows.plan.corpus import plan_corpus
from pipeline.core.errors import InputError, SpecError
from pipeline.core.fingerprint import ROOT
from pipeline.core.stage import Call
from pipeline.corpus.toxicity.linear import SHIPPED


def _build(folder: Path, detector: str, nsmc: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = mini.write(folder, movies=1)
    limits = f", thresholds: {{nsmc: {nsmc}}}" * bool(nsmc)
    section = f"toxicity: {{detector: '{detector}'{limits}}}\n"
    path.write_text(path.read_text("utf-8") + section, "utf-8")
    return path


def _score(build: Path) -> Call:
    plan = plan_corpus(build, build.parent / "work")
    return next(c for c in plan.calls if c.stage == "score" and c.source == "nsmc")


@pytest.mark.parametrize("spec", ["lexicon:words.yaml", "lexicon:${TOXIC}/words.yaml"])
def test_paths_start_at_the_build_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    monkeypatch.chdir(tmp_path)  # where no list lies
    build = _build(tmp_path / "one", spec)
    monkeypatch.setenv("TOXIC", str(build.parent))
    (build.parent / "words.yaml").write_text("hate: [돌놈]\ngender_bias: []\n", "utf-8")
    call = _score(build)
    assert call.arguments == {"detector": f"lexicon:{build.parent}/words.yaml"}


def test_a_variable_that_is_not_set_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOXIC", raising=False)
    with pytest.raises(SpecError, match=r"toxicity\.detector: the environment variable TOXIC"):
        _score(_build(tmp_path / "one", "linear:${TOXIC}/weights"))


def test_a_missing_file_is_told_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mini\.yaml: toxicity\.detector: .*one/gone/weights"):
        _score(_build(tmp_path / "one", "linear:gone"))


def test_the_same_weights_in_two_folders_are_the_same_detector(tmp_path: Path) -> None:
    builds = [_build(tmp_path / name, "linear:weights") for name in ("one", "two")]
    for build in builds:
        shutil.copytree(SHIPPED, build.parent / "weights")
    calls = [_score(build) for build in builds]
    assert calls[0].fingerprint == calls[1].fingerprint
    assert calls[0].params == calls[1].params
    assert "pipeline.corpus.toxicity.linear" in calls[0].code
    assert str(tmp_path) not in str(calls[0].params)
    assert calls[0].arguments != calls[1].arguments
    shipped = _score(_build(tmp_path / "three", "linear"))
    assert shipped.fingerprint == calls[0].fingerprint


def test_a_stage_finds_the_detector_and_much_loss_is_told(tmp_path: Path) -> None:
    build = _build(tmp_path / "one", "lexicon:words.yaml")
    (build.parent / "words.yaml").write_text("hate: [결말이]\ngender_bias: []\n", "utf-8")
    done = mini.klue("build", build, "--work", tmp_path / "work")
    assert done.returncode == 0, done.stderr
    told = " ".join((done.stdout + done.stderr).split())
    assert "warning nsmc: 2 of" in told  # a review that was collected twice
    assert "set toxicity.thresholds.nsmc" in told
    assert "warning parakqc" not in told


def test_planning_loads_no_checkpoint(tmp_path: Path) -> None:
    """The digest of checkpoints is read off their files, without torch."""
    pytest.importorskip("torch", reason="the optional part `train` is not installed")
    build = _build(tmp_path / "one", "transformers:bias,hate")
    for name in ("bias", "hate"):
        folder = build.parent / name
        folder.mkdir()
        (folder / "config.json").write_text("{}", "utf-8")
        (folder / "model.safetensors").write_text(name, "utf-8")
    code = (
        "import sys; from pathlib import Path; from flows.plan.corpus import plan_corpus;"
        "path = Path(sys.argv[1]); plan = plan_corpus(path, path.parent / 'work');"
        "heavy = {'torch', 'transformers'} & set(sys.modules);"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    words = [sys.executable, "-c", code, str(build)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    call = _score(build)
    folders = ",".join(str(build.parent / name) for name in ("bias", "hate"))
    assert call.arguments == {"detector": f"transformers:{folders}"}
    assert "pipeline.corpus.toxicity.transformer" in call.code
    assert call.params["detector"] == "transformers"


def test_a_flagged_source_is_scored_and_keeps_all(tmp_path: Path) -> None:
    build = _build(tmp_path / "one", "lexicon", "flag")
    plan = plan_corpus(build, tmp_path / "work")
    chain = next(chain for chain in plan.chains if chain.source == "nsmc")
    assert [call.stage for call in chain.toxic] == ["score"]
    assert chain.filters == [chain.clean, chain.pii]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("flagged", r"thresholds\.nsmc: must be flag, or thresholds gender_bias and hate"),
        ("{hate: 0.5}", r"thresholds\.nsmc\.gender_bias: missing"),
        ("{gender_bias: 2, hate: 1}", r"thresholds\.nsmc\.gender_bias: .*less than or equal to 1"),
    ],
)
def test_wrong_thresholds_are_told(tmp_path: Path, given: str, told: str) -> None:
    build = _build(tmp_path / "one", "lexicon", given)
    with pytest.raises(SpecError, match=told):
        plan_corpus(build, tmp_path / "work")
