"""Taggers by name: what each name gives, and what is told of wrong ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from train_tagger import Trained

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import ROOT
from pipeline.sampling.tagging.registry import digest_of, load, load_planned, resources_of


def test_names_give_taggers(made: tuple[Path, Trained]) -> None:
    specs = ("crf", f"crf:{made[0]}")
    assert [load(spec).name for spec in specs] == list(specs)
    assert [digest_of(spec) for spec in specs] == [load(spec).digest for spec in specs]
    assert len({digest_of(spec) for spec in specs}) == 2
    assert resources_of("crf").code == ("pipeline.sampling.tagging.crf",)


def test_a_planned_tagger_is_loaded_once_and_must_be_as_planned(made: tuple[Path, Trained]) -> None:
    spec = f"crf:{made[0]}"
    load_planned.cache_clear()
    found = load_planned(spec, digest_of(spec))
    assert found is load_planned(spec, digest_of(spec))
    assert (found.name, found.digest) == (spec, digest_of(spec))
    with pytest.raises(InputError, match="changed since the build was planned"):
        load_planned(spec, "0" * 64)


@pytest.mark.parametrize("spec", ["", "crf:", "transformers", "transformers:", "hmm", "hmm:x"])
def test_other_names_are_told(spec: str) -> None:
    for ask in (load, digest_of):
        with pytest.raises(InputError, match="allowed: crf, crf-re, crf:DIR, transformers:PATH"):
            ask(spec)


def test_a_plan_loads_no_models() -> None:
    code = (
        "import sys; from pipeline.sampling.tagging.registry import digest_of; digest_of('crf');"
        "sys.exit(bool({'torch', 'transformers', 'mecab'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
