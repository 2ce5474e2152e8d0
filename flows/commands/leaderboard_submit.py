"""A file of predictions for a board: what `klue leaderboard submit` does."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from flows.view.console import Result, print_line, say
from pipeline.core import steps
from pipeline.core.errors import InputError, RetryError
from pipeline.core.files import check_utf8, read_text, refuse
from pipeline.core.web_address import is_token, server_address
from pipeline.leaderboard.client.board import Advance, BoardClient, Predictions, predictions_at
from pipeline.leaderboard.client.transport import plain

TOKEN: Final = "KLUE_LEADERBOARD_TOKEN"
#: States that a submission does not leave.
_FINAL: Final = ("refused", "scored", "failed")
_GOOD: Final = ("received", "accepted", "scored")
#: Seconds between two questions: at first, and at most.
_PAUSES: Final = (0.5, 5.0)
#: Questions more for the ranks of a score, which are computed after it.
_FOR_RANKS: Final = 20
_LONGEST_TOKEN: Final = 4_096


@dataclass(frozen=True)
class Request:
    """What `klue leaderboard submit` was asked for."""

    file: Path
    board: str
    task: str
    model: str
    parameters: int | None = None
    kind: str | None = None
    link: str | None = None
    description: str | None = None
    dev: Path | None = None
    token_file: Path | None = None
    wait: bool = True
    patience: int = 60

    def query(self) -> dict[str, str]:
        """Return what describes the submission, in the words of the API."""
        values = {
            "task": self.task,
            "model": self.model,
            "parameters": self.parameters,
            "kind": self.kind,
            "link": self.link,
            "description": self.description,
        }
        return {name: str(value) for name, value in values.items() if value is not None}


def submit(**options: Any) -> Result:
    """Send predictions to a board, and wait for what becomes of them."""
    request = Request(**options)
    for name, value in request.query().items():
        check_utf8(f"--{name}", value)
    url = server_address(request.board, option="--board", server="the board")
    predictions = predictions_at(request.file)
    dev = None if request.dev is None else predictions_at(request.dev)
    with BoardClient(url, _token(request.token_file), say) as board:
        _say_quota(board.quota(request.task))
        with _progress(predictions, dev) as advance:
            key = board.submit(predictions, dev, request.query(), advance)
        say(f"received as {key}: {url}/submissions/{key}")
        record = board.submission(key)
        if request.wait:
            record = _wait(board, key, record, request.patience)
    if record.get("reason"):
        record = {**record, "reason": _by_path(str(record["reason"]), key, request)}
    return _result(record, key, f"{url}/submissions/{key}"), _show


def _token(path: Path | None) -> str:
    if path is None:
        token = os.environ.get(TOKEN, "").strip()
        refuse(
            TOKEN,
            (
                not token,
                "not set; give the token that the board's organiser issued, or --token-file",
            ),
        )
    else:
        token = read_text(path, "the file that holds the token", most=_LONGEST_TOKEN).strip()
    where = TOKEN if path is None else f"--token-file {path}"
    refuse(where, (not is_token(token), "holds no token: one line without blanks; copy it again"))
    return token


def _say_quota(quota: Mapping[str, Any]) -> None:
    """Say what is left before anything is sent; raises InputError where nothing is."""
    windows = {"day": "in 24 hours", "month": "in 30 days", "total": "in all"}
    used = ", ".join(
        f"{of.get('used')} of {of.get('limit')} {words}"
        for name, words in windows.items()
        if isinstance(of := quota.get(name), dict)
    )
    left, pending = quota.get("left"), quota.get("pending")
    waiting = f", {pending} wait for their check" if pending else ""
    say(plain(f"quota for {quota.get('task')}: {left} left now; used: {used}{waiting}"))
    if left == 0:
        raise InputError("no submission is left now, and nothing was sent; try again later")


@contextmanager
def _progress(predictions: Predictions, dev: Predictions | None) -> Iterator[Advance]:
    total, step = predictions.size + (0 if dev is None else dev.size), "sending, bytes"
    with steps.running(step, total):
        yield partial(steps.advance, step)


def _wait(board: BoardClient, key: str, record: dict[str, Any], minutes: int) -> dict[str, Any]:
    """Ask until the submission is through; says each state once."""
    end, pause, said = monotonic() + 60 * minutes, _PAUSES[0], ""
    while record["state"] not in _FINAL:
        position = record.get("queue_position")
        state = f"{record['state']}" + (f", place {position} in the queue" if position else "")
        if state != said:
            say(plain(state))
            said = state
        if monotonic() > end:
            raise RetryError(
                f"{key} is still {plain(record['state'])} after {minutes} minutes; it stays in the"
                f" queue, and {board.url}/submissions/{key} shows what becomes of it"
            )
        sleep(pause)
        pause = min(2 * pause, _PAUSES[1])
        record = board.submission(key)
    for _ in range(_FOR_RANKS):  # they follow the scores when the board has ranked the task
        if not record.get("scores") or record.get("ranks"):
            break
        sleep(_PAUSES[0])
        record = board.submission(key)
    return record


def _by_path(reason: str, key: str, request: Request) -> str:
    """Return a reason that names the files by their paths here, not as the board keeps them."""
    kept = rf"{re.escape(key)}(\.dev)?\.(?:jsonl(?:\.gz|\.zst)?|parquet)"
    return re.sub(kept, lambda found: str(request.dev if found[1] else request.file), reason)


def _result(record: Mapping[str, Any], key: str, url: str) -> dict[str, Any]:
    """Return the one object of the command: what the board says, whether it is good, and where."""
    return {**record, "ok": record["state"] in _GOOD, "key": key, "url": url}


def _show(record: Mapping[str, Any]) -> None:
    """Print what became of a submission: its scores and ranks, or why there are none."""
    print_line(f"submission  {record['key']}  {record['url']}")
    print_line(plain(f"state       {record['state']}{_charge(record)}"))
    for line in _reasons(record):
        print_line(line)
    scores, ranks = record.get("scores"), record.get("ranks")
    for name, score in scores.items() if isinstance(scores, dict) else ():
        rank = ranks.get(name) if isinstance(ranks, dict) else None
        words = f"   {rank.get('words')}" if isinstance(rank, dict) else ""
        number = f"{score:8.2f}" if isinstance(score, int | float) else "       -"
        print_line(plain(f"{name:12}{number}{words}"))


def _charge(record: Mapping[str, Any]) -> str:
    charged = record.get("charged")
    return "" if charged is None else ", charged" if charged else ", not charged"


def _reasons(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield why it was refused or failed, or why its score is not shown, and each fault."""
    if reason := record.get("reason"):
        yield from (plain(line) for line in str(reason).splitlines())
