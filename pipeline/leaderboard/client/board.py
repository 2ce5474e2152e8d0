"""A board as a submitter's program sees it: its tasks, quota, submissions and their outcome."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any, Final, TypeVar

from pipeline.core.errors import InputError, RetryError
from pipeline.core.fingerprint import of_file
from pipeline.core.io.source import form_of
from pipeline.core.web_address import is_readable_on_the_way
from pipeline.leaderboard.client.transport import AnsweredError, LostError, Transport

#: Attempts before giving up, and seconds before the second (they double).
ATTEMPTS: Final = 4
PAUSE: Final = 1.0
#: No server makes a client wait longer before it asks again, in seconds.
_LONGEST_PAUSE: Final = 60.0
_BLOCK: Final = 1 << 20
_FORMAT: Final = "klue-board-"
_PACKED: Final = {".gz": "gz", ".zst": "zst"}

T = TypeVar("T")
#: Called with a message for people.
Notify = Callable[[str], None]
#: Called with the number of bytes that were sent since the last call; negative to begin again.
Advance = Callable[[int], None]


@dataclass(frozen=True)
class Predictions:
    """A file to send: its size, and its form in the words of the API."""

    path: Path
    size: int
    query: Mapping[str, str]


def predictions_at(path: Path) -> Predictions:
    """Return a file that can be sent; its rows are checked by the board.

    Raises InputError for what is no file, an empty one, and a form that no board takes.
    """
    if not path.is_file():
        problem = "is not a file" if path.exists() else "no such file"
        raise InputError(f"{path}: {problem}; give a file of predictions, .jsonl or .parquet")
    packed = _PACKED.get(path.suffix.lower(), "")
    form = form_of(path)
    if form not in ("jsonl", "parquet") or (path.suffix.lower() in (".bz2", ".xz")):
        raise InputError(
            f"{path}: a board takes .jsonl (also packed: .jsonl.gz, .jsonl.zst) and .parquet"
        )
    if not (size := path.stat().st_size):
        raise InputError(f"{path}: is empty; give one prediction for each test example")
    return Predictions(path, size, {"form": form, **({"packed": packed} if packed else {})})


class BoardClient:
    """A connection to one board, which is checked first; used in a `with` statement."""

    def __init__(self, url: str, token: str, notify: Notify) -> None:
        """Send nothing yet; `notify` hears of what is insecure or tried again."""
        self._transport, self._notify = Transport(url, token), notify
        self.url = url

    def __enter__(self) -> BoardClient:
        """Check that a board answers at the address before it gets the token."""
        if is_readable_on_the_way(self.url):
            self._notify(
                f"warning: {self.url} is reached without encryption: whoever listens on the way"
                " reads the token and the predictions; give an address with https://"
            )
        try:
            self.tasks = self._read_tasks()
        except BaseException:
            self._transport.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self._transport.close()

    def quota(self, task: str) -> dict[str, Any]:
        """Return what the submitter may still send for a task; raises InputError for another."""
        if task not in self.tasks:
            raise InputError(
                f"--task {task!r}: not on this board; its tasks: {', '.join(self.tasks)}"
            )
        quotas = self._repeat(lambda: self._transport.get("/api/quota")).get("quotas")
        for quota in quotas if isinstance(quotas, list) else ():
            if isinstance(quota, dict) and quota.get("task") == task:
                return quota
        raise self._form_error("/api/quota")

    def submit(
        self,
        predictions: Predictions,
        dev: Predictions | None,
        description: Mapping[str, str],
        advance: Advance,
    ) -> str:
        """Send predictions (those on dev first); return the key of the submission.

        When the connection is lost, all is sent again: if the board has the file already, it says
        as what. Raises RetryError after all attempts.
        """
        was_sent = False

        def send() -> str:
            nonlocal was_sent
            query = {**predictions.query, **description}
            if dev is not None:
                reply = self._post("/api/dev-files", dev, dev.query, advance)
                query["dev_file"] = self._text(reply, "dev_file", "/api/dev-files")
            was_sent, again = True, was_sent
            if again:  # the board names what it has before it asks whether anything is left
                query["digest"] = of_file(predictions.path)
            try:
                reply = self._post("/api/submissions", predictions, query, advance)
            except AnsweredError as error:
                if not again or not error.submission:
                    raise
                self._notify(f"the board had received the file, as {error.submission}")
                return error.submission
            return self._text(reply, "key", "/api/submissions")

        return self._repeat(send)

    def submission(self, key: str) -> dict[str, Any]:
        """Return the state of a submission."""
        path = f"/api/submissions/{key}"
        record = self._repeat(lambda: self._transport.get(path))
        self._text(record, "state", path)
        return record

    def _read_tasks(self) -> list[str]:
        record: dict[str, Any] = {}
        with suppress(AnsweredError):
            record = self._repeat(
                lambda: self._transport.get("/board.json", with_token=False), attempts=1
            )
        tasks = record.get("tasks")
        if not str(record.get("format")).startswith(_FORMAT) or not isinstance(tasks, list):
            raise InputError(
                f"{self.url}: answers, but is no KLUE leaderboard (/board.json names no board);"
                " --board is the address at which a board answers, as its pages show it"
            )
        return [str(task["id"]) for task in tasks if isinstance(task, dict) and "id" in task]

    def _post(
        self, path: str, file: Predictions, query: Mapping[str, str], advance: Advance
    ) -> dict[str, Any]:
        sent = 0

        def blocks() -> Iterator[bytes]:
            nonlocal sent
            left = file.size
            with file.path.open("rb") as stream:
                while left and (block := stream.read(min(left, _BLOCK))):
                    yield block
                    left -= len(block)
                    sent += len(block)
                    advance(len(block))
            if left:
                raise InputError(f"{file.path}: became shorter while it was sent; send it again")

        try:
            return self._transport.post(path, query, blocks(), size=file.size)
        except LostError:
            advance(-sent)
            raise

    def _repeat(self, step: Callable[[], T], *, attempts: int = ATTEMPTS) -> T:
        """Return what a step returns, tried again while the connection fails."""
        for attempt in range(1, attempts):
            try:
                return step()
            except LostError as error:
                self._notify(f"{error}; attempt {attempt + 1} of {attempts} follows")
                pause = PAUSE * 2 ** (attempt - 1) if error.after is None else error.after
                sleep(min(pause, _LONGEST_PAUSE))
        try:
            return step()
        except LostError as error:
            again = "; run the same command again: nothing is counted twice" if attempts > 1 else ""
            raise RetryError(f"{error}{again}") from None

    def _text(self, record: Mapping[str, Any], name: str, path: str) -> str:
        value = record.get(name)
        if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", value):
            raise self._form_error(path)
        return value

    def _form_error(self, path: str) -> InputError:
        return InputError(
            f"{self.url}{path}: the answer is not in the form of a KLUE leaderboard; is it of"
            " another version?"
        )
