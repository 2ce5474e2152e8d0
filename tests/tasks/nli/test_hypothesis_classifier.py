"""The classifier of hypotheses that a build file names: what it needs, and what it gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_distances_stage import LABELS, TELLING, _rows, _tables

pytest.importorskip("torch", reason="the optional part `train` is not installed")
pytest.importorskip("accelerate", reason="the optional part `train` is not installed")

from training import tiny

from pipeline.contracts.spec import load_spec
from pipeline.core import running, store
from pipeline.core.errors import InputError
from pipeline.core.stage import Call, call
from pipeline.tasks.nli.before_split import SCORING
from pipeline.tasks.nli.build_inputs import HypothesisKeys


def _checkpoint(folder: Path, *, seed: int = 0) -> str:
    """Write a small model; returns its name in a build file."""
    tokens = tiny.tokens([*TELLING.values(), "0123456789"])
    tiny.body("MaskedLM", tokens, seed=seed).save_pretrained(folder)
    tokens.tokenizer.save_pretrained(folder)
    return f"transformers:{folder}"


def _call(work: Path, name: str) -> Call:
    """Plan the stage as a build does, on the folders of `_tables` below `work`."""
    needs = SCORING.resources(HypothesisKeys(hypothesis_classifier=name), load_spec("nli"))
    planned = call(
        SCORING.module,
        work=work,
        source="nli",
        params={"seed": 7, **needs.params, "labels": LABELS},
        raw=needs.raw,
        arguments=needs.arguments,
        code=needs.code,
    )
    places = work / "answered", work / "gold"
    for place, table_name, table in zip(places, ("items", "gold"), _tables(6), strict=True):
        if not place.exists():
            place.mkdir(parents=True)
            store.write_table(place, table_name, "all", table)
    return replace(planned, inputs=places)


def test_a_checkpoint_scores_hypotheses_as_the_paper_did(tmp_path: Path) -> None:
    name = _checkpoint(tmp_path / "model")
    done, again = _call(tmp_path / "one", name), _call(tmp_path / "two", name)
    for made in (done, again):
        running.complete(made)
    assert done.fingerprint == again.fingerprint
    assert _rows(done) == _rows(again)
    linear = _call(tmp_path / "one", "linear")
    running.complete(linear)
    assert len(_rows(linear)) == len(_rows(done)) == 18
    assert _rows(linear) != _rows(done)


def test_the_fingerprint_holds_the_weights_and_not_their_place(tmp_path: Path) -> None:
    one, moved = (_checkpoint(tmp_path / place) for place in ("one", "moved"))
    other = _checkpoint(tmp_path / "other", seed=1)
    first, second, third = (_call(tmp_path, name).fingerprint for name in (one, moved, other))
    assert first == second
    assert len({first, third, _call(tmp_path, "linear").fingerprint}) == 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bayes", "unknown classifier 'bayes'; allowed: linear, transformers:MODEL"),
        ("transformers:", "unknown classifier 'transformers:'"),
        ("transformers:scratch:huge", "there is no size 'huge'"),
        ("transformers:/nowhere", "neither a folder nor a model in the local cache"),
    ],
)
def test_a_classifier_that_is_not_there_is_refused_by_the_plan(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        SCORING.resources(HypothesisKeys(hypothesis_classifier=name), load_spec("nli"))
    assert str(refusal.value).startswith("candidates.hypothesis_classifier: ")
