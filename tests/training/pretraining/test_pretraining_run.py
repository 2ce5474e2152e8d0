"""Pretraining runs: they learn, resume to the same bytes, and give models that can be tuned."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from small_text import job, tokens

from pipeline.core.errors import InputError, StoreError
from pipeline.training.pretraining.corpus import prepare, read_corpus
from pipeline.training.pretraining.job import PretrainingJob
from pipeline.training.pretraining.run import pretrain
from pipeline.training.run import Callbacks
from pipeline.training.runfolder import RunFolder, read_record
from pipeline.training.training import DivergedError

MODEL_FILES = ("config.json", "klue.json", "model.safetensors", "tokenizer.json")


def run(made: PretrainingJob, **callbacks: Any) -> dict[str, Any]:
    torch.set_num_threads(1)
    return pretrain(made, Callbacks(**callbacks))


def outcome(folder: Path) -> dict[str, Any]:
    """Return all that came of a run but for names and how long it took."""
    record = read_record(folder)
    del record["measured"], record["model"]["name"]
    return {"record": record, **{n: (folder / "model" / n).read_bytes() for n in MODEL_FILES}}


def test_a_model_learns_more_than_how_frequent_tokens_are(tmp_path: Path) -> None:
    made = job(tmp_path / "run", many=200, epochs=12, held_out=0.15, dropout=0.0)
    prepare(made, tmp_path / "data", "x", documents=True, stop=lambda: False)
    corpus = read_corpus(made, tmp_path / "data")
    counts = np.bincount(corpus.train.text.tokens, minlength=len(made.tokens.tokenizer))
    shares = (counts + 1) / (counts + 1).sum()
    unigram = -np.log(shares[corpus.held_out.text.tokens]).mean()
    record = run(made)
    losses = [point["scores"]["loss"] for point in record["points"]]
    assert losses[0] == pytest.approx(np.log(len(made.tokens.tokenizer)), rel=0.1)
    assert losses[-1] < 0.6 * unigram
    assert record["points"][-1]["scores"]["masked_accuracy"] > 150 * shares.max()
    assert record["points"][-1]["loss"] < losses[0]


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("bert", {"architecture": "bert", "next_sentence": True, "masking": "static"}),
        ("roberta", {"packing": "blocks", "device_batch": 5}),
    ],
)
def test_an_interrupted_run_goes_on_to_the_same_bytes(
    tmp_path: Path, kind: str, changed: dict[str, Any]
) -> None:
    changed = {**changed, "many": 100, "steps": 9, "measured": 3}
    run(job(tmp_path / "straight", **changed))
    expected = outcome(tmp_path / "straight")
    assert len(expected["record"]["points"]) == 4
    for after in (0, 3, 5):
        folder = tmp_path / f"broken-{after}"
        steps: list[int] = []
        with pytest.raises(KeyboardInterrupt):
            run(
                job(folder, **changed),
                done=lambda step, _, steps=steps: steps.append(step),
                stop=lambda steps=steps, after=after: len(steps) >= after,
            )
        assert not (folder / "model").exists()
        assert read_record(folder)["finished"] is False
        run(job(folder, **changed))
        assert outcome(folder) == expected
        assert sorted(path.name for path in folder.iterdir()) == ["lock", "model", "run.json"]


def test_parts_of_a_batch_make_the_same_step(tmp_path: Path) -> None:
    """A batch in parts of five gives the losses of the batch in one, but for rounding."""
    losses = [
        [point["loss"] for point in run(job(tmp_path / name, dropout=0.0, **changed))["points"]]
        for name, changed in (("whole", {}), ("parts", {"device_batch": 5}))
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


def test_a_finished_run_is_not_repeated(tmp_path: Path) -> None:
    made = job(tmp_path / "run", many=40, steps=2)
    first = run(made)
    notes: list[str] = []
    assert run(made, note=notes.append) == json.loads(json.dumps(first))
    assert "ended already" in notes[0]
    with pytest.raises(InputError, match="holds another run: seed differs"):
        run(replace(made, seed=1))


def test_a_run_of_no_steps_gives_the_random_weights_it_began_with(tmp_path: Path) -> None:
    run(job(tmp_path / "none", many=40, epochs=0))
    weights = transformers.AutoModelForMaskedLM.from_pretrained(tmp_path / "none" / "model")
    again = job(tmp_path / "again", many=40, epochs=0)
    run(again)
    others = transformers.AutoModelForMaskedLM.from_pretrained(tmp_path / "again" / "model")
    for one, two in zip(weights.parameters(), others.parameters(), strict=True):
        assert torch.equal(one, two)
    record = run(job(tmp_path / "none", many=40, epochs=0))
    assert record["loss"]["last_step"] is None
    assert [point["step"] for point in record["points"]] == [0]


@pytest.mark.parametrize("architecture", ["bert", "roberta"])
def test_transformers_loads_what_was_trained(tmp_path: Path, architecture: str) -> None:
    pairs = architecture == "bert"
    run(job(tmp_path / "run", many=60, architecture=architecture, next_sentence=pairs, epochs=1))
    folder = tmp_path / "run" / "model"
    model, report = transformers.AutoModelForMaskedLM.from_pretrained(
        folder, output_loading_info=True
    )
    assert not report["missing_keys"]
    assert model.config.hidden_dropout_prob == 0.1  # that of the config, not of the pretraining
    transformers.AutoModel.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    assert tokenizer.get_vocab() == tokens().tokenizer.get_vocab()
    if pairs:
        _, report = transformers.AutoModelForPreTraining.from_pretrained(
            folder, output_loading_info=True
        )
        assert not report["missing_keys"]


def test_another_run_at_work_is_left_alone(tmp_path: Path) -> None:
    made = job(tmp_path / "run", many=40, steps=1)
    folder = RunFolder(made.folder)
    with folder.hold(), pytest.raises(StoreError, match="--out"):
        run(made)


def test_a_run_that_diverges_is_recorded_as_failed(tmp_path: Path) -> None:
    made = job(tmp_path / "run", many=60, learning_rate=1e30, warmup=0.0, clip=1e30)
    with pytest.raises(DivergedError, match="lower learning_rate"):
        run(made)
    record = read_record(made.folder)
    assert record["finished"] and "failed" in record
    assert not (made.folder / "data").exists()
    with pytest.raises(DivergedError, match="has ended"):
        run(made)


def test_notes_say_what_was_done_with_the_text(tmp_path: Path) -> None:
    notes: list[str] = []
    bert = {"architecture": "bert", "next_sentence": True, "epochs": 0}
    run(job(tmp_path / "a" / "run", many=60, **bert), note=notes.append)
    assert "next sentence prediction on" in notes[0] and "divided by blank lines" in notes[0]
    text = tmp_path / "b" / "text" / "part-00000.txt"
    text.parent.mkdir(parents=True)
    lines = [f"{i}번 영화가 좋았다." for i in range(50)]
    text.write_text("\n\n".join(lines), "utf-8")
    run(job(tmp_path / "b" / "run", **bert), note=notes.append)
    assert any("no document has a next sentence" in note for note in notes)
    assert read_record(tmp_path / "b" / "run")["objectives"] == ["masked tokens"]
