"""Translators: each takes a Korean text to a pivot language and back.

A kind of translator is a module of this package that `TRANSLATORS` names. A journal keeps the
answers of a service or a checkpoint, so that no text is asked and paid for twice.
"""

from __future__ import annotations

import fcntl
import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from io import FileIO
from itertools import takewhile
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.contracts.official.tables import Problem
from pipeline.core.errors import InputError, RetryError
from pipeline.core.fingerprint import of_value
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.registry import Registry
from pipeline.sampling.draft import Refusal

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


@dataclass(frozen=True)
class Translator:
    """Takes a Korean text to another language and back.

    - `name`: its identity: kind, checkpoint or service, languages and style.
    - `offers(text)`: whether it has or can make a translation of a text; costs nothing.
    - `round_trip(text)`: the translation of a text that it offers. Raises RecordError when this
      text cannot be translated, InputError when none can be, and RetryError when a later run may
      go on.
    - `problems`: the unusable lines of its file.
    """

    name: str
    offers: Callable[[str], bool]
    round_trip: Callable[[str], RoundTrip]
    problems: tuple[Problem, ...] = ()


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


def translation_refusal(text: str, back: str, *, stretch: float = inf) -> Refusal | None:
    """Return why a text and its way back make no pair, or None.

    The way back is refused if it has no Korean, or the letters of the text alone, or if it is more
    than `stretch` times longer or shorter than the text.
    """
    if not re.search(r"[가-힣]", unicodedata.normalize("NFC", back)):
        return Refusal(UNTRANSLATED, "the way back holds no Korean")
    if letters(text) == letters(back):
        return Refusal("sts.unchanged@1", "the way back has the same letters and digits")
    times = len(back) / max(len(text), 1)
    if 1 / stretch <= times <= stretch:
        return None
    reason = f"the way back is {times:.2f} times as long, {1 / stretch:.2f} to {stretch} may be"
    return Refusal("sts.stretched@1", reason, times)


def letters(text: str) -> str:
    """Return the letters and digits of a text, without case, width or any mark between them."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


@dataclass(frozen=True)
class Journal:
    """The answers of one translator in a folder, open during a ``with`` block of `open_journal`.

    One file a translator, one JSON object a line: {"answer", "from", "key", "to"}. The key is a
    digest of the translator's name, the two languages and the text. A line is on the disk before
    its answer is used. A last line without its end was left by a killed run and is removed. So a
    process that is killed loses only the one answer that it was waiting for.

    One process at a time holds it; others wait. So the pace of requests is kept, and the next
    process has the answers that one process paid for.
    """

    path: Path
    translator: str
    stream: FileIO
    answers: dict[str, str]

    def get(self, text: str, source: str, target: str) -> str | None:
        """Return the answer that was given for a text, or None."""
        return self.answers.get(self._key(text, source, target))

    def put(self, text: str, source: str, target: str, answer: str) -> None:
        """Keep an answer; it is on the disk when this returns.

        Raises RetryError when it cannot be written: further answers would be paid for and lost.
        """
        key = self._key(text, source, target)
        line = canonical({"answer": answer, "from": source, "key": key, "to": target})
        left = memoryview(line.encode() + b"\n")
        try:
            while left:
                left = left[self.stream.write(left) :]
            os.fsync(self.stream.fileno())
        except OSError as error:
            raise RetryError(
                f"{self.path}: an answer cannot be kept: {error.strerror}; make room and run again"
            ) from None
        self.answers[key] = answer

    def _key(self, text: str, source: str, target: str) -> str:
        return of_value([self.translator, source, target, text])


@contextmanager
def open_journal(folder: Path, translator: str) -> Iterator[Journal]:
    """Open the journal of a translator, by its name; folder and file are created.

    Raises InputError for a folder that cannot be used and for a damaged line.
    """
    path = folder / f"{of_value(translator)[:16]}.jsonl"
    with ExitStack() as opened:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            private = FileIO(path, "a", opener=lambda name, flags: os.open(name, flags, 0o600))
            stream = opened.enter_context(private)
            fcntl.flock(stream, fcntl.LOCK_EX)
            place = os.open(folder, os.O_RDONLY)
            opened.callback(os.close, place)
            os.fsync(place)  # the name of a new file must be on the disk, too
            with path.open("rb") as lines:
                whole = list(takewhile(lambda line: line.endswith(b"\n"), lines))
            answers = dict(_answer(line, f"{path}:{n}") for n, line in enumerate(whole, start=1))
            stream.truncate(sum(map(len, whole)))
        except OSError as error:
            raise InputError(
                f"{path}: the journal of translations cannot be used: {error.strerror};"
                " mend the folder or its rights"
            ) from None
        yield Journal(path, translator, stream, answers)


def _answer(line: bytes, place: str) -> tuple[str, str]:
    try:
        record = parsed(line.decode())
        key, answer = record["key"], record["answer"]
        if not isinstance(key, str) or not isinstance(answer, str):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(
            f"{place}: not a line of a journal of translations; remove the line (its text is then"
            " translated again)"
        ) from None
    return key, answer


def two_step(
    name: str, pivot: str, step: Callable[[str, str, str], str], journal: Journal
) -> Translator:
    """Return a translator that asks `step` for the pivot and then for the way back.

    `step` translates a text from one language to another. Answers in the journal are not asked
    again: a run that stopped between the two steps goes on with the second. An empty pivot ends the
    trip with an empty way back.
    """

    def translate(text: str, source: str, target: str) -> str:
        answer = journal.get(text, source, target)
        if answer is None:
            answer = step(text, source, target)
            journal.put(text, source, target, answer)
        return answer

    def round_trip(text: str) -> RoundTrip:
        between = translate(text, KOREAN, pivot)
        return RoundTrip(between, translate(between, pivot, KOREAN) if between.strip() else "")

    return Translator(name, lambda text: bool(text.strip()), round_trip)
