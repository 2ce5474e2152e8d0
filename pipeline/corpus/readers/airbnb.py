"""Inside Airbnb guest reviews (``reviews.csv``, ``reviews.csv.gz``), the Korean ones.

The file holds reviews in every language: a text is Korean when Hangul letters are at least 30 % of
its letters and at least two are syllables. The reviewer's id and name are personal data and are not
read. `meta` holds the listing. Source: http://insideairbnb.com/get-the-data
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.core.errors import RecordError
from pipeline.corpus.readers import rows
from pipeline.corpus.readers.base import Document
from pipeline.corpus.readers.columns import Columns

MIN_HANGUL_SHARE: Final = 0.3
MIN_SYLLABLES: Final = 2

_SYLLABLE: Final = re.compile(r"[가-힣]")
_HANGUL: Final = re.compile(r"[가-힣ᄀ-ᇿㄱ-ㆎ]")
_COLUMNS: Final = Columns(
    {"key": "id", "text": "comments", "date": "date", "listing": "listing_id"}
)


def is_korean(text: str) -> bool:
    """Tell whether enough of a text's letters are Hangul."""
    letters = sum(map(str.isalpha, text))
    hangul = len(_HANGUL.findall(text))
    syllables = len(_SYLLABLE.findall(text))
    return syllables >= MIN_SYLLABLES and hangul >= MIN_HANGUL_SHARE * letters


def _korean(document: Document) -> Document:
    if not is_korean(document.text):
        raise RecordError("read.language@1", "fewer than 30 % of the letters are Hangul")
    return document


READER: Final = rows.Delimited(_COLUMNS, refine=_korean)
