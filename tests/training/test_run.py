"""Whole runs of the step over a few small examples: what is written, resumed and scored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny
import torch
from run_stories import (
    MAKERS,
    SIZES,
    Stopping,
    examples,
    outcome,
    plan,
    predictions_of,
    scored,
)

from pipeline.core.errors import InputError
from pipeline.scoring.scorer import scorer_of
from pipeline.training.encoders import tokens_in
from pipeline.training.job import Job, resolve_precision
from pipeline.training.preparing import check_job, prepare
from pipeline.training.run import Callbacks, Score, rehearse, run
from pipeline.training.runfolder import read_record
from pipeline.training.source import source
from pipeline.training.training import Point


@pytest.fixture(autouse=True)
def _alone() -> None:
    torch.set_num_threads(1)


@pytest.mark.parametrize("task", MAKERS)
def test_a_run_leaves_model_predictions_scores_and_a_record(tmp_path: Path, task: str) -> None:
    notes: list[str] = []
    points: list[Point] = []
    folder = tmp_path / "runs" / task
    record = run(plan(folder, task), scored(task), Callbacks(notes.append, point=points.append))
    assert record == read_record(folder)
    assert record["finished"]
    assert [point.step for point in points] == [
        -(-record["inputs"]["train"] // 4) * n for n in (1, 2)
    ]
    assert record["examples"] == SIZES
    for split in ("dev", "test"):
        found = predictions_of(folder, split)
        assert [one.id for one in found] == [one.id for one in examples(task).splits[split]]
        assert scored(task)(split, found) == record["scores"][split]
        assert tuple(record["scores"][split]["klue"]) == scorer_of(task).names
    best = record["best"]
    assert best["metric"] == scorer_of(task).names[0]
    assert best["scores"] == record["scores"]["dev"]["klue"]
    assert record["loss"]["last_epoch"] == points[-1].loss
    assert record["measured"]["threads"] == 1
    assert record["measured"]["peak_memory_bytes"] > 1 << 20
    device = "device" if resolve_precision("auto") == "bf16" else "process"
    assert record["measured"]["peak_memory_of"] == device
    assert not (folder / "state").exists()


def test_an_ended_run_is_returned_with_its_scores(tmp_path: Path) -> None:
    first = run(plan(tmp_path), scored())
    notes: list[str] = []
    steps: list[int] = []
    callbacks = Callbacks(notes.append, done=lambda step, _: steps.append(step))
    assert run(plan(tmp_path), scored(), callbacks) == first
    assert notes == [f"{tmp_path}: this run has ended already"]
    assert steps == []


def story(job: Job) -> Score:
    """Return a score by which the second evaluation is best, though f1 is best at the third."""
    pearson, f1 = (10.0, 30.0, 20.0, 5.0), (40.0, 10.0, 50.0, 60.0)
    seen: list[Any] = []
    assert job.metric == "pearson"

    def score(split: str, predictions: Sequence[Any]) -> Any:
        answers = [one.label for one in predictions]
        if split == "dev" and answers not in seen:
            seen.append(answers)
        place = seen.index(answers) if split == "dev" else 0
        return {"klue": {"pearson": pearson[place], "f1": f1[place]}, "strict": {}}

    return score


@pytest.mark.thin("asked")
@pytest.mark.parametrize(
    ("after", "asked"), [(1, 0), (2, 0), (2, 1), (4, 0), (5, 0), (6, 1), (7, 0), (8, 0), (8, 2)]
)
def test_a_stopped_run_ends_as_one_that_was_not(tmp_path: Path, after: int, asked: int) -> None:
    """Asked 0 times before: after the step. Once: in the evaluation. Twice: in the last scoring."""
    straight = plan(tmp_path / "straight", "sts", evaluate=2)
    score = story(straight)
    run(straight, score)
    expected = outcome(straight.folder)
    assert expected["record"]["best"]["step"] == 4
    stopped = replace(straight, folder=tmp_path / "stopped")
    with pytest.raises(KeyboardInterrupt):
        run(stopped, score, Stopping(after, asked=asked).callbacks)
    assert not read_record(stopped.folder)["finished"]
    run(stopped, score)
    assert outcome(stopped.folder) == expected


def test_who_asks_before_the_training_finds_nothing_written(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(plan(tmp_path / "a"), scored(), Callbacks(stop=lambda: True))
    with pytest.raises(KeyboardInterrupt):
        rehearse([plan(tmp_path / "a")], lambda: True)
    asked = iter([False, False, False, True])
    with pytest.raises(KeyboardInterrupt):
        prepare(plan(tmp_path), check_job(plan(tmp_path)), lambda: next(asked))
    assert list(tmp_path.iterdir()) == []


def test_an_ended_run_needs_its_predictions(tmp_path: Path) -> None:
    before = run(plan(tmp_path), scored(labelled=("train", "dev")))
    assert list(before["scores"]) == ["dev"]
    assert run(plan(tmp_path), scored()) == before
    (tmp_path / "predictions" / "test.jsonl").unlink()
    with pytest.raises(InputError, match=r"test\.jsonl: is gone"):
        run(plan(tmp_path), scored())


def test_a_tokenizer_of_another_language_is_told(tmp_path: Path) -> None:
    tokens = tiny.tokens(["a small harbour", "the bread is baked"])
    tiny.body("", tokens).save_pretrained(tmp_path / "model")
    tokens.tokenizer.save_pretrained(tmp_path / "model")
    notes: list[str] = []
    job = plan(tmp_path / "run", model=source(str(tmp_path / "model")), epochs=0)
    record = run(job, scored(), Callbacks(notes.append))
    kept = prepare(job, check_job(job)).features["train"].tokens.values
    unknown = tokens_in(tmp_path / "model", "it").tokenizer.unk_token_id
    share = sum(one == unknown for one in kept.tolist()) / len(kept)
    assert f"train: {share:.0%} of the tokens are unknown" in notes[0]
    assert record["notes"]["train"] == [notes[0].removeprefix("train: ")]
    fitting = run(plan(tmp_path / "fitting", epochs=0), scored())
    assert fitting["notes"]["train"] == []
    assert fitting["loss"] == {"last_step": None, "last_epoch": None}


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    made = [outcome(run_in(tmp_path / name)) for name in ("one", "two")]
    assert made[0] == made[1]
    assert "지음" in json.dumps(made[0]["record"], ensure_ascii=False)


def run_in(folder: Path) -> Path:
    run(plan(folder, "ner"), scored("ner"))
    return folder
