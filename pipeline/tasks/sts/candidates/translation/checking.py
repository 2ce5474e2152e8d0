"""What a round trip must be to make a candidate: Korean, and not the sentence it began with."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from pipeline.core.errors import RecordError

UNCHANGED: Final = "sts.unchanged@1"
UNTRANSLATED: Final = "sts.untranslated@1"
_SYLLABLE: Final = re.compile(r"[가-힣]")


def check(text: str, back: str) -> None:
    """Raise RecordError for a way back without Korean, or with the letters of the text alone."""
    if not _SYLLABLE.search(unicodedata.normalize("NFC", back)):
        raise RecordError(UNTRANSLATED, "the way back holds no Korean")
    if letters(text) == letters(back):
        raise RecordError(UNCHANGED, "the way back has the same letters and digits")


def letters(text: str) -> str:
    """Return the letters and digits of a text, without case, width or any mark between them."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())
