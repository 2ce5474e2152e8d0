"""The protocol of a translator: it takes a Korean text to a pivot language and back."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple, Protocol

from pipeline.core.errors import RecordError

#: The language of the texts.
KOREAN: Final = "ko"
#: The rule of texts that cannot be translated.
UNTRANSLATED: Final = "sts.untranslated@1"


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


def languages(pivot: str, *, honorific: bool | None) -> str:
    """Return the part of a translator's name with the languages and the style of its way back."""
    style = {True: "+honorific", False: "+plain", None: ""}[honorific]
    return f"{KOREAN}-{pivot}-{KOREAN}{style}"


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
