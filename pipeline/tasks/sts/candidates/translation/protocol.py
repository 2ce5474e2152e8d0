"""What a translator is: who takes a Korean text to a pivot language and back."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

#: The language of the texts.
KOREAN: Final = "ko"


class RoundTrip(NamedTuple):
    """A text in the pivot language, where it is known, and back in Korean."""

    pivot: str | None
    back: str


class Problem(NamedTuple):
    """What of a translator's own file cannot be used: its line from 1, the rule, the reason."""

    line: int
    rule: str
    reason: str


class Translator(Protocol):
    """What takes a Korean text to another language and back."""

    @property
    def name(self) -> str:
        """Its identity: kind, checkpoint or service, languages and style."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What of its file cannot be used; () for a translator without one."""

    def offers(self, text: str) -> bool:
        """Tell whether it has or can make a translation of a text; costs nothing."""

    def round_trip(self, text: str) -> RoundTrip:
        """Translate a text that it offers.

        Raises RecordError when this text cannot be translated, InputError when none can be, and
        RetryError when a later run may go on.
        """


def languages(pivot: str, *, honorific: bool | None) -> str:
    """Return the part of a translator's name that says languages and style of its way back."""
    style = {True: "+honorific", False: "+plain", None: ""}[honorific]
    return f"{KOREAN}-{pivot}-{KOREAN}{style}"
