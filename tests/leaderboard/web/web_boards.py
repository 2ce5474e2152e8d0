"""Boards with systems on them, for tests of pages; people and models are fictional."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boards
from starlette.testclient import TestClient

from pipeline.contracts.registry import TASKS
from pipeline.leaderboard import database, marks, standings, submissions, tokens
from pipeline.leaderboard.records import ModelInfo, Score, Standing, Submission, Submitter
from pipeline.leaderboard.web.app import create_app

#: The time of every test: 2026-11-01 00:00 UTC.
NOW = 1_793_491_200
HASH = "a" * 64
#: A long name, Korean, Latin and right-to-left letters, and an ampersand.
NAMES = (
    "가람-large",
    "노을-base",
    "다온-1.3b",
    "라온 encoder & decoder",
    "مثال-نموذج",
    "마루-" + "긴이름" * 25,
    "바다-small",
)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: int = NOW) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


@dataclass
class WebBoard:
    """A board with its clock; `app` is its web application."""

    board: boards.Board
    clock: Clock
    app: Any

    @property
    def folder(self) -> Path:
        return self.board.folder

    def client(self, base: str = "http://127.0.0.1", **more: Any) -> TestClient:
        """Return a browser or program that follows no redirect by itself."""
        address = more.pop("address", ("10.1.2.3", 5000))
        client = TestClient(self.app, base_url=base, client=address, **more)
        client.follow_redirects = False
        return client

    def token(self, name: str = "한도담", *, expires_at: int | None = None) -> str:
        with database.writing(self.board.engine) as connection:
            return tokens.issue(connection, name, now=NOW - 10, expires_at=expires_at)

    def submitter(self, name: str) -> Submitter:
        with database.writing(self.board.engine) as connection:
            token = tokens.issue(connection, name, now=NOW)
            return tokens.find(connection, token, now=NOW)

    def entry(
        self,
        submitter: Submitter,
        model: ModelInfo,
        task: str,
        scores: Mapping[str, float | None],
        *,
        dev: Mapping[str, float] | None = None,
        at: int = NOW - 86_400,
    ) -> Submission:
        """Send, accept and score a submission, which the board then shows."""
        sent = self.board.send(
            submitter, now=at, task=task, model=model, dev=b"{}" if dev else None
        )
        self.board.accept(sent.id, now=at)
        found = [Score("public", 1_000, shown=True, best=True, metrics=scores)]
        if dev:
            found.append(Score("dev", 500, shown=True, best=True, metrics=dev))
        return self.board.record(sent.id, *found, now=at)

    def rank(self, task: str, ranks: Mapping[str, Sequence[tuple[int, Standing]]]) -> None:
        """Put standings on the board: by metric, pairs of a submission's id and its standing."""
        by_metric = {metric: dict(pairs) for metric, pairs in ranks.items()}
        with database.writing(self.board.engine) as connection:
            standings.replace(connection, by_metric, version=1, part="public", task=task)

    def add_standing(self, task: str, metric: str, number: int, standing: Standing) -> None:
        """Put one more standing beside those of a task; the others are of one more system then."""
        with database.writing(self.board.engine) as connection:
            there = standings.by_submission(connection, version=1, part="public")
        of_task = {one: all_[metric] for one, all_ in there.items() if metric in all_}
        self.rank(task, {metric: [*of_task.items(), (number, standing)]})

    def submitter_of(self, name: str) -> Submitter:
        with database.reading(self.board.engine) as connection:
            found = [one.submitter for one in tokens.list_tokens(connection)]
        return next(one for one in found if one.name == name)

    def mark(self, key: str, mark: Any, reason: str) -> None:
        with database.writing(self.board.engine) as connection:
            marks.mark(connection, key, mark, reason, actor=None, now=NOW)


def make(
    folder: Path,
    *,
    tasks: Sequence[str] = tuple(TASKS),
    protected: bool = True,
    simulated: bool = False,
    settings: Mapping[str, Any] | None = None,
) -> WebBoard:
    """Make a board of these tasks and its web application."""
    made = boards.make(folder)
    release = made.layout.public_release(1)
    release.mkdir(parents=True)
    entries = {TASKS[task].config: {"task": task} for task in tasks}
    (release / "manifest.json").write_text(
        json.dumps({"tasks": entries, "simulated": simulated}), "utf-8"
    )
    if settings:
        with made.layout.settings.open("a", encoding="utf-8") as file:
            file.writelines(f"{name}: {json.dumps(value)}\n" for name, value in settings.items())
    clock = Clock()
    return WebBoard(made, clock, create_app(folder, protected=protected, clock=clock))


#: Open ranks of seven systems: three tied, a chain of three, one alone.
RANKS = ((1, 3), (1, 3), (1, 3), (4, 5), (4, 6), (5, 6), (7, 7))


def fill(web: WebBoard, tasks: Mapping[str, Sequence[str]]) -> list[Submission]:
    """Put seven systems on these tasks, with all their metrics, and two marked ones."""
    first: list[Submission] = []
    for number, (task, metrics) in enumerate(tasks.items()):
        found = []
        for place, (name, (low, high)) in enumerate(zip(NAMES, RANKS, strict=True)):
            model = ModelInfo(
                name,
                (350_000_000, 110_000_000, 1_300_000_000, None, 68_000_000, 70_000_000, 14_000_000)[
                    place
                ],
                ("encoder", "encoder", "decoder", "encoder-decoder", "other", "encoder", "encoder")[
                    place
                ],
                "https://example.org/model",
                "A fictional model.\n두 줄로 된 설명.",
            )
            values = {
                metric: 88.0 - number - 1.7 * place - 3.1 * i for i, metric in enumerate(metrics)
            }
            dev = {metric: value + 1.25 for metric, value in values.items()} if place < 3 else None
            who = web.submitter(("한도담", "윤슬 연구실", "Lab of Dawn")[place % 3] + f" {place}")
            entry = web.entry(who, model, task, values, dev=dev)
            found.append((entry, values, low, high))
        ranks = {
            metric: [
                (one.id, Standing(low, high, values[metric] - 1.4, values[metric] + 1.3))
                for one, values, low, high in found
            ]
            for metric in metrics
        }
        web.rank(task, ranks)
        first.extend(one for one, *_ in found)
    who = web.submitter("지운 사람")
    task, metrics = next(iter(tasks.items()))
    gone = web.entry(who, ModelInfo("사라-base"), task, dict.fromkeys(metrics, 91.5))
    web.mark(gone.key, "withdrawn", "the training data held a part of dev")
    out = web.entry(
        web.submitter("다른 사람"), ModelInfo("밀물-base"), task, dict.fromkeys(metrics, 99.9)
    )
    web.mark(out.key, "disqualified", "predictions were copied from the paper's appendix")
    return first


#: The metrics of each task as the KLUE paper has them (Table 4), and LAS over words.
METRICS = {
    "tc": ("macro_f1",),
    "sts": ("pearson", "f1"),
    "nli": ("accuracy",),
    "ner": ("entity_f1", "char_f1"),
    "re": ("micro_f1", "auprc"),
    "dp": ("uas", "las", "las_micro"),
    "mrc": ("em", "rouge_w"),
    "dst": ("jga", "slot_f1"),
}


def log_in(web: WebBoard, name: str = "한도담", **more: Any) -> TestClient:
    """Return a browser in which a submitter is logged in; its `csrf` is that of its forms."""
    client = web.client(**more)
    secret = field(client.get("/login").text, "csrf")
    done = client.post("/login", data={"token": web.token(name), "csrf": secret})
    assert done.status_code == 303, done.text
    client.headers["x-test-csrf"] = field(client.get("/submit").text, "csrf")
    return client


def field(html: str, name: str) -> str:
    """Return the value of the first field of a name."""
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found, f"no field {name}"
    return found[1]


def bearer(token: str) -> dict[str, str]:
    """Return the header of a program."""
    return {"authorization": f"Bearer {token}"}


#: A file that looks like predictions; who checks it is another process.
LINES = b'{"guid": "ynat-v1_test_00000", "label": "IT"}\n'


def fields(client: TestClient, **more: str) -> dict[str, str]:
    """Return the fields of the form that submits."""
    return {"csrf": client.headers["x-test-csrf"], "task": "tc", "model": "가람-base", **more}


def send(client: TestClient, content: bytes = LINES, **more: str) -> Any:
    """Send the form with a file, as a browser does."""
    return client.post("/submit", data=fields(client, **more), files={"file": ("p.jsonl", content)})


def every_state(web: WebBoard) -> dict[str, str]:
    """Let a submitter of a full board have submissions in every state; return their keys."""
    who, model = web.submitter_of("한도담 0"), ModelInfo("가람-large v2", 350_000_000, "encoder")
    sent = {
        state: web.board.send(who, now=NOW, task=task, model=model)
        for state, task in (("RECEIVED", "ner"), ("REFUSED", "sts"), ("HIDDEN", "re"))
    }
    failed = web.board.send(who, now=NOW, task="dp", model=model)
    reason = "p.jsonl: nothing is scored; 2 wrong; 37 guids are wanted, each once"
    lines = ("\n  p.jsonl line 3: is not one JSON object", "\n  p.jsonl: guid b has no prediction")
    with database.writing(web.board.engine) as connection:
        submissions.refuse(connection, sent["REFUSED"].id, reason + "".join(lines), now=NOW)
        submissions.fail(connection, failed.id, "the scorer ran out of memory", now=NOW)
        first = submissions.history(connection, who)[-1]
    web.board.accept(sent["HIDDEN"].id, now=NOW)
    web.board.record(sent["HIDDEN"].id, boards.HIDDEN, now=NOW, message="its gain is too small")
    keys = {state: one.key for state, one in sent.items()}
    return {**keys, "FAILED": failed.key, "SCORED": first.key, "MODEL": first.model_key}
