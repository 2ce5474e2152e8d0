"""The journal of a translator's answers, so that no text is asked and paid for twice.

One file a translator, one JSON object a line: {"answer", "from", "key", "to"}. The key is a digest
of the translator's name, the two languages and the text. A line is on the disk before its answer is
used. A last line without its end was left by a killed run and is removed. So a process that is
killed loses only the one answer that it was waiting for.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from pipeline.core.errors import InputError, RetryError
from pipeline.core.fingerprint import of_value
from pipeline.core.jsontext import canonical, parsed
from pipeline.tasks.sts.translation.translator import KOREAN, Problem, RoundTrip


class Journal:
    """The answers of one translator in a folder, open during a ``with`` block.

    One process at a time holds it; others wait. So the pace of requests is kept, and the next
    process has the answers that one process paid for.
    """

    def __init__(self, folder: Path, translator: str) -> None:
        """Name the file for a translator's name; its folder is created when the block begins."""
        self.path = folder / f"{of_value(translator)[:16]}.jsonl"
        self._translator = translator
        self._answers: dict[str, str] = {}
        self._stream: BinaryIO | None = None

    def __enter__(self) -> Journal:
        try:
            self._open()
        except OSError as error:
            self._close()
            raise InputError(
                f"{self.path}: the journal of translations cannot be used: {error.strerror};"
                " mend the folder or its rights"
            ) from None
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self._close()

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, text: str, source: str, target: str) -> str | None:
        """Return the answer that was given for a text, or None."""
        return self._answers.get(self._key(text, source, target))

    def put(self, text: str, source: str, target: str, answer: str) -> None:
        """Keep an answer; it is on the disk when this returns.

        Raises RetryError when it cannot be written: further answers would be paid for and lost.
        """
        assert self._stream is not None, "the journal is not open"
        key = self._key(text, source, target)
        line = canonical({"answer": answer, "from": source, "key": key, "to": target})
        left = memoryview(line.encode() + b"\n")
        try:
            while left:
                left = left[self._stream.write(left) :]
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise RetryError(
                f"{self.path}: an answer cannot be kept: {error.strerror}; make room and run again"
            ) from None
        self._answers[key] = answer

    def _key(self, text: str, source: str, target: str) -> str:
        return of_value([self._translator, source, target, text])

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._stream = os.fdopen(descriptor, "ab", buffering=0)
        fcntl.flock(self._stream, fcntl.LOCK_EX)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the name of a new file must be on the disk, too
        finally:
            os.close(folder)
        end = 0
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    break
                end += len(line)
                self._read(number, line)
        self._stream.truncate(end)

    def _read(self, number: int, line: bytes) -> None:
        try:
            record = parsed(line.decode())
            key, answer = record["key"], record["answer"]
            if not isinstance(key, str) or not isinstance(answer, str):
                raise TypeError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(
                f"{self.path}:{number}: not a line of a journal of translations; remove the line"
                " (its text is then translated again)"
            ) from None
        self._answers[key] = answer

    def _close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None


@dataclass(frozen=True)
class TwoStep:
    """A translator that asks `step` for the pivot and then for the way back.

    `step` translates a text from one language to another. Answers in the journal are not asked
    again: a run that stopped between the two steps goes on with the second.
    """

    name: str
    pivot: str
    step: Callable[[str, str, str], str]
    journal: Journal
    problems: tuple[Problem, ...] = ()

    def offers(self, text: str) -> bool:
        """Tell whether there is anything to translate."""
        return bool(text.strip())

    def round_trip(self, text: str) -> RoundTrip:
        """Translate a text; an empty pivot ends the trip with an empty way back."""
        pivot = self._translate(text, KOREAN, self.pivot)
        if not pivot.strip():
            return RoundTrip(pivot, "")
        return RoundTrip(pivot, self._translate(pivot, self.pivot, KOREAN))

    def _translate(self, text: str, source: str, target: str) -> str:
        answer = self.journal.get(text, source, target)
        if answer is None:
            answer = self.step(text, source, target)
            self.journal.put(text, source, target, answer)
        return answer
