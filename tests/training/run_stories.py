"""Jobs over a few invented examples, small enough to be run whole in a test."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from flows.commands.examples import Examples
from flows.commands.training import scoring
from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import load_spec
from pipeline.scoring.scorer import scorer_of
from pipeline.training.job import Job
from pipeline.training.recipe import Recipe
from pipeline.training.run import Callbacks, Score
from pipeline.training.runfolder import read_record
from pipeline.training.scratch import Size
from pipeline.training.source import Source

LEAST = Source("scratch:least", "0" * 64, size=Size(layers=1, hidden=16, heads=2, vocabulary=300))
RECIPE = Recipe(learning_rate=5e-3, batch_size=4, epochs=2, warmup=0.1, decay=0.01, max_length=64)
#: What makes the loss no number at once.
DIVERGING = {"learning_rate": 1e30, "warmup": 0.0, "clip": 1e30}
TOPICS = ("경제", "스포츠")
SAID = ("시장이 다시 커진다", "경기가 내일 열린다")
WHERE = ("강릉", "여수", "군산", "안동", "춘천", "목포")
SIZES = {"train": 14, "dev": 6, "test": 5}


def tc(i: int) -> tuple[Any, Any]:
    return {"title": f"{WHERE[i % 6]}에서 {SAID[i % 2]} {i}"}, [TOPICS[i % 2]]


def sts(i: int) -> tuple[Any, Any]:
    score = float(i % 6)
    label = {"binary-label": int(score >= 3), "label": score, "real-label": score}
    return {"sentence1": f"{WHERE[i % 6]} 방이 넓다", "sentence2": f"방 {i}개가 있다"}, label


def ner(i: int) -> tuple[Any, Any]:
    return {"text": f"{WHERE[i % 6]} {i}번 길"}, [{"start": 0, "end": 2, "label": "LC"}]


def mrc(i: int) -> tuple[Any, Any]:
    place = WHERE[i % 6]
    answers = [{"start": 0, "text": place}] if i % 3 else []
    fields = {"title": "시장", "context": f"{place}에는 시장이 {i}곳 있다. 날마다 열린다."}
    return fields, {
        "question": "시장은 어디에 있는가?",
        "type": 1 if answers else 3,
        "answers": answers,
        "plausible_answers": [],
    }


def dp(i: int) -> tuple[Any, Any]:
    words = [f"{WHERE[i % 6]}에", "시장이", "열린다"]
    return {"text": " ".join(words), "words": words}, {
        "heads": [3, 3, 0],
        "deprels": ["NP_AJT", "NP_SBJ", "VP"],
        "lemmas": [f"{WHERE[i % 6]} 에", "시장 이", "열리 ㄴ다"],
        "pos": ["NNP+JKB", "NNG+JKS", "VV+EF"],
    }


MAKERS: dict[str, Callable[[int], tuple[Any, Any]]] = {
    "tc": tc,
    "sts": sts,
    "ner": ner,
    "mrc": mrc,
    "dp": dp,
}


def examples(task: str, *, labelled: Sequence[str] = ("train", "dev", "test")) -> Examples:
    """Return examples of a task by split."""
    splits, at = {}, 0
    for split, many in SIZES.items():
        rows = [(f"{split}-{i}", *MAKERS[task](i)) for i in range(at, at + many)]
        splits[split] = [Example(name, "지음", fields, label) for name, fields, label in rows]
        at += many
    return Examples(task, splits, frozenset(labelled), {"files": "지음"}, "d" * 64)


def plan(folder: Path, task: str = "tc", **changed: Any) -> Job:
    """Return a job over the examples of a task; names of the recipe go there."""
    recipe = {name: changed.pop(name) for name in list(changed) if name in Recipe.model_fields}
    if task == "mrc":
        recipe = {"stride": 8, "question_length": 20, **recipe}
    given = Job(
        spec=load_spec(task),
        recipe=RECIPE.model_copy(update=recipe),
        model=LEAST,
        splits=examples(task).splits,
        data={"files": "지음"},
        digest="d" * 64,
        metric=scorer_of(task).names[0],
        folder=folder,
    )
    return replace(given, **changed)


def scored(task: str = "tc", *, labelled: Sequence[str] = ("train", "dev", "test")) -> Score:
    """Return what scores predictions of a task, of splits that have labels."""
    return scoring(load_spec(task), examples(task, labelled=labelled))


def outcome(folder: Path) -> dict[str, Any]:
    """Return all that came of a run but for how long it took: record, weights and predictions."""
    record = read_record(folder)
    record.pop("measured")
    files = [folder / "model" / "model.safetensors", *sorted((folder / "predictions").iterdir())]
    return {"record": record, **{one.name: one.read_bytes() for one in files}}


class Stopping:
    """Asks to stop after a step, the first or a later time that somebody wants to know."""

    def __init__(self, after: int, *, asked: int = 0) -> None:
        self.after, self.patience, self.reached = after, asked, False

    def done(self, step: int, _: int) -> None:
        self.reached = self.reached or step == self.after

    def stop(self) -> bool:
        if self.reached:
            self.patience -= 1
        return self.reached and self.patience < 0

    @property
    def callbacks(self) -> Callbacks:
        return Callbacks(done=self.done, stop=self.stop)


def predictions_of(folder: Path, split: str) -> list[Prediction]:
    """Return the predictions of a split that a run wrote."""
    lines = (folder / "predictions" / f"{split}.jsonl").read_text("utf-8").split("\n")[:-1]
    rows = [json.loads(line) for line in lines]
    return [
        Prediction(
            row["guid"],
            row["label"],
            tuple(row["probabilities"]) if "probabilities" in row else None,
        )
        for row in rows
    ]
