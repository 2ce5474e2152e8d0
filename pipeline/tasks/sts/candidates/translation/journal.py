"""What a translator has answered so far, so that nothing is asked and paid for twice.

One file a translator, one JSON object a line: {"answer", "from", "key", "to"}. The key is a digest
of the translator's name, the two languages and the text. A line is on the disk before its answer is
used. A last line without its end is what a killed run left: it is taken off. So a process that
is killed loses the one answer that it was waiting for, and no other.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from pipeline.core.errors import InputError, RetryError
from pipeline.core.fingerprint import of_value
from pipeline.core.jsontext import canonical, parsed


class Journal:
    """The answers of one translator in a folder, for the length of a ``with`` block.

    One process at a time holds it; others wait at the door. So the pace of requests is kept, and
    what one process paid for is there for the next.
    """

    def __init__(self, folder: Path, translator: str) -> None:
        """Take the folder, which is made if need be, and the translator's name."""
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

        Raises RetryError when it cannot be written: asking on would lose what is paid for.
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
        self._sync_name()
        end = 0
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    break
                end += len(line)
                self._read(number, line)
        self._stream.truncate(end)

    def _sync_name(self) -> None:
        """Bring the name of a new file to the disk, too."""
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _read(self, number: int, line: bytes) -> None:
        try:
            found = parsed(line.decode())
            key, answer = found["key"], found["answer"]
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
