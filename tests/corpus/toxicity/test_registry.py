"""Detectors by name: what each name gives, and what is told of wrong ones."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from train_toxicity import Release

from pipeline.core import checkpoint
from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.extras import install_command
from pipeline.core.fingerprint import ROOT
from pipeline.corpus.toxicity.scoring import digest_of, load


def test_names_give_detectors(weights: tuple[Path, Release], tmp_path: Path) -> None:
    (tmp_path / "w.yaml").write_text("hate: [돌놈]\ngender_bias: [고무녀]\n", "utf-8")
    for spec in ("linear", f"linear:{weights[0]}", "lexicon", f"lexicon:{tmp_path}/w.yaml"):
        detector = load(spec)
        assert detector.name == spec
        assert len(detector.digest) == 64
        scores = detector.score(pa.array(["고무녀", "", None]))
        assert scores.column_names == ["gender_bias", "hate"]
        assert scores.num_rows == 3


def test_digests_tell_detectors_apart(weights: tuple[Path, Release]) -> None:
    specs = ("linear", f"linear:{weights[0]}", "lexicon")
    assert len({load(spec).digest for spec in specs}) == 3
    assert [digest_of(spec) for spec in specs] == [load(spec).digest for spec in specs]


@pytest.mark.parametrize("spec", ["", "bert", "linear:", "lexicon:", "transformers", "LINEAR"])
def test_unknown_names_are_told(spec: str) -> None:
    with pytest.raises(InputError) as caught:
        load(spec)
    with pytest.raises(InputError, match=re.escape(str(caught.value))):
        digest_of(spec)
    assert "linear" in str(caught.value) or "transformers" in str(caught.value)


def test_linear_needs_neither_torch_nor_scikit_learn() -> None:
    code = (
        "import sys, pyarrow as pa; from pipeline.corpus.toxicity.scoring import load;"
        "load('linear').score(pa.array(['가'])); load('lexicon').score(pa.array(['가']));"
        "heavy = {'torch', 'transformers', 'sklearn', 'scipy'} & set(sys.modules);"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("absent", ["torch", "transformers"])
def test_missing_libraries_are_told(monkeypatch: pytest.MonkeyPatch, absent: str) -> None:
    def without(name: str) -> Any:
        if name == absent:
            raise ImportError(name)
        return import_module("json")

    monkeypatch.setattr(checkpoint, "import_module", without)
    with pytest.raises(MissingDependencyError) as caught:
        load("transformers:koelectra")
    assert f"{absent}, needed by models of transformers" in str(caught.value)
    assert str(caught.value).endswith(f"; install it with: {install_command('train')}")
