"""Translators: each takes a Korean text to a pivot language and back.

A kind of translator is a module of this package that `TRANSLATORS` names. A journal keeps the
answers of a service or a checkpoint, so that no text is asked and paid for twice.
"""

from __future__ import annotations

import fcntl
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

from pipeline.core.errors import InputError, RecordError, RetryError
from pipeline.core.fingerprint import of_value
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.registry import Registry

#: The language of the texts.
KOREAN: Final = "ko"
#: The rule of texts that cannot be translated.
UNTRANSLATED: Final = "sts.untranslated@1"
#: Those of a translator in a build file (build_inputs.py) as plain data, with whole paths.
Settings = Mapping[str, Any]


class RoundTrip(NamedTuple):
    """A text in the pivot language, where it is known, and back in Korean."""

    pivot: str | None
    back: str


class Problem(NamedTuple):
    """An unusable line of a translator's file: its number from 1, the rule, the reason."""

    line: int
    rule: str
    reason: str


class Translator(Protocol):
    """Takes a Korean text to another language and back."""

    @property
    def name(self) -> str:
        """Its identity: kind, checkpoint or service, languages and style."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The unusable lines of its file; () for a translator without one."""

    def offers(self, text: str) -> bool:
        """Tell whether it has or can make a translation of a text; costs nothing."""

    def round_trip(self, text: str) -> RoundTrip:
        """Translate a text that it offers.

        Raises RecordError when this text cannot be translated, InputError when none can be, and
        RetryError when a later run may go on.
        """


@dataclass(frozen=True)
class Kind:
    """A kind of translator.

    - `identity(settings)`: the translator's name. Loads no model and asks no service; raises
      InputError for a file or checkpoint that is not there, MissingDependencyError for a library
      that is not installed.
    - `open(settings, journal)`: opens the translator; `journal` is the folder of its answers.
      Raises InputError when it cannot be used: keys, files, checkpoints.
    - `check(settings)`: raises InputError for what a run needs and does not have, such as a key.
    """

    identity: Callable[[Settings], str]
    open: Callable[[Settings, Path], AbstractContextManager[Translator]]
    check: Callable[[Settings], object] = lambda _settings: None


#: The kinds of translator by name.
TRANSLATORS: Final[Registry[Kind]] = Registry(
    "translator",
    {
        "file": f"{__name__}.ready:KIND",
        "papago": f"{__name__}.papago:KIND",
        "seq2seq": f"{__name__}.seq2seq:KIND",
    },
)


def translator_identity(settings: Settings) -> dict[str, Any]:
    """Return what decides the translations: kind, name (with digests of files), languages, style.

    Raises the errors of `Kind.identity`.
    """
    kind = settings["kind"]
    return {
        "kind": kind,
        "name": TRANSLATORS[kind].identity(settings),
        "format": settings["format"] if kind == "file" else None,
        "pivot": settings["pivot"],
        "honorific": None if kind == "seq2seq" else settings["honorific"],
    }


def open_translator(settings: Settings, journal: Path) -> AbstractContextManager[Translator]:
    """Open the translator of the settings; see `Kind.open`."""
    return TRANSLATORS[settings["kind"]].open(settings, journal)


def languages(settings: Settings, *, styled: bool = True) -> str:
    """Return the part of a translator's name with the languages and the style of its way back."""
    style = "+honorific" if settings["honorific"] else "+plain"
    return f"{KOREAN}-{settings['pivot']}-{KOREAN}{style if styled else ''}"


def check_translation(text: str, back: str) -> None:
    """Raise RecordError for a way back without Korean, or with the letters of the text alone."""
    if not re.search(r"[가-힣]", unicodedata.normalize("NFC", back)):
        raise RecordError(UNTRANSLATED, "the way back holds no Korean")
    if letters(text) == letters(back):
        raise RecordError("sts.unchanged@1", "the way back has the same letters and digits")


def letters(text: str) -> str:
    """Return the letters and digits of a text, without case, width or any mark between them."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


class Journal:
    """The answers of one translator in a folder, open during a ``with`` block.

    One file a translator, one JSON object a line: {"answer", "from", "key", "to"}. The key is a
    digest of the translator's name, the two languages and the text. A line is on the disk before
    its answer is used. A last line without its end was left by a killed run and is removed. So a
    process that is killed loses only the one answer that it was waiting for.

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
        except BaseException as error:
            self.__exit__()
            if not isinstance(error, OSError):
                raise
            raise InputError(
                f"{self.path}: the journal of translations cannot be used: {error.strerror};"
                " mend the folder or its rights"
            ) from None
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

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
