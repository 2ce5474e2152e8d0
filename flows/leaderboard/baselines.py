"""Trivial systems on a new board: `klue leaderboard init --baselines`.

Each is a submitter of its own, since of the submissions of one the board shows the best. They wait
in the queue as all submissions do, and are checked and scored when the board is served.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import orjson
from sqlalchemy import Connection

from flows.leaderboard.releases import questions
from flows.view.console import say
from pipeline.contracts.splits import Split
from pipeline.core import steps
from pipeline.core.errors import InputError
from pipeline.leaderboard.intake import IncomingFile, new_key
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import ModelInfo, Submission
from pipeline.leaderboard.settings import Settings
from pipeline.leaderboard.submissions import receive
from pipeline.leaderboard.tokens import ensure_submitter
from pipeline.release.reading import read_split
from pipeline.release.tables import examples_of
from pipeline.scoring.baselines import BASELINES, Data, baseline_predictions

_TRAIN: Final[Split] = "train"
_TEST: Final[Split] = "test"
#: What the board says of each system.
_DESCRIPTIONS: Final = {
    "most frequent": "The most frequent answer of train, or the mean of its scores.",
    "random": "Answers drawn from train.",
    "nearest": "The answer of the train example with the most similar text.",
}
_SEED: Final = 0


@dataclass(frozen=True)
class _Queue:
    """A board whose queue takes submissions, within a transaction."""

    connection: Connection
    layout: Layout
    settings: Settings
    now: int

    def add(self, task: str, name: str, rows: Iterable[dict[str, Any]]) -> Submission:
        """Submit the predictions of a system."""
        model = ModelInfo(f"baseline: {name}", description=_DESCRIPTIONS[name])
        submitter = ensure_submitter(self.connection, model.name, now=self.now)
        key = new_key()
        with IncomingFile(self.layout, most=self.settings.upload.bytes) as file:
            for row in rows:
                file.write(orjson.dumps(row) + b"\n")
            upload = file.keep(key, form="jsonl")
            return receive(
                self.connection,
                submitter,
                model,
                task,
                upload,
                key=key,
                limits=self.settings.limits,
                now=self.now,
            )


def add_baselines(
    connection: Connection, layout: Layout, settings: Settings, tasks: Iterable[str], *, now: int
) -> list[Submission]:
    """Put the trivial systems of each task into the queue of a board; return their submissions.

    A task without train examples, or without a system of its own or its kind, has none.
    """
    queue = _Queue(connection, layout, settings, now)
    return [
        queue.add(task, name, rows)
        for task in steps.counted("tasks", tasks)
        for name, rows in _predictions(layout, task).items()
    ]


def _predictions(layout: Layout, task: str) -> dict[str, list[dict[str, Any]]]:
    place = layout.public_release(1)
    train = list(examples_of(read_split(place, task, _TRAIN), task))
    asked = questions(layout.folder, 1, task, _TEST)
    try:
        found = baseline_predictions(task, Data(train, asked.examples, asked.spec, _SEED))
        left_out = BASELINES[task].left_out
    except InputError as error:  # a task of the user's, of a kind without trivial systems
        say(f"{task}: no baseline: {error}")
        return {}
    if not found:
        say(f"{task}: no baseline, since the release has no train examples of it")
        return found
    for name, reason in left_out.items():
        say(f"{task}: no baseline {name!r}: {reason}")
    return found
