"""Readers of single corpora: movie reviews (NSMC), spoken requests (ParaKQC) and guest reviews.

NSMC, the NAVER movie reviews as crawled: one JSON file a movie, in a folder, .zip or .tar (also
packed). A file is a list of reviews. The key is the review's id; `meta` holds rating (1 to 10) and
movie. The author is personal data and is not kept. Source: https://github.com/e9t/nsmc

PARAKQC, spoken questions and commands: ``TOPIC<TAB>ACT<TAB>text`` a line. Ten consecutive lines
say the same thing in other words: `meta` holds their `intent`, the number of the ten in the file as
published, so that a broken line still counts a place. It also holds `topic` and `act` (numbers) and
their names. There is no key. Source: Cho et al. 2020, "Discourse Component to Sentence (DC2S)";
https://github.com/warnikchow/paraKQC

AIRBNB, the Korean guest reviews of Inside Airbnb (``reviews.csv``, ``reviews.csv.gz``). The file
holds reviews in every language: a text is Korean when Hangul letters are at least 30 % of its
letters and at least two are syllables. The reviewer's id and name are personal data and are not
read. `meta` holds the listing. Source: http://insideairbnb.com/get-the-data
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import RecordError
from pipeline.corpus.readers import lines, records, rows
from pipeline.corpus.readers.base import Document, Options, Record, RecordReader, Rejected, rejected

#: Lines that share an intent.
LINES_PER_INTENT: Final = 10

#: Names by number; each was checked against what the file's sentences are about.
TOPICS: Final = {"0": "e-mail", "1": "scheduling", "2": "smart home", "3": "weather"}
ACTS: Final = {
    "0": "alternative question",
    "1": "wh-question",
    "2": "prohibition",
    "3": "strong requirement",
}

MIN_HANGUL_SHARE: Final = 0.3
MIN_SYLLABLES: Final = 2

_SYLLABLE: Final = re.compile(r"[가-힣]")
_HANGUL: Final = re.compile(r"[가-힣ᄀ-ᇿㄱ-ㆎ]")
_REVIEW: Final = rows.Columns(
    {"key": "id", "text": "comments", "date": "date", "listing": "listing_id"}
)


class Nsmc:
    """Reads the files of NSMC."""

    takes: Final = frozenset({"encoding"})

    def scan(self, path: Path, options: Options) -> Iterator[Record | Rejected]:  # noqa: ARG002
        """Stream the files, one a movie."""
        return lines.scan_files(path, ".json")

    def parse(self, record: Record, options: Options) -> Iterator[Document | Rejected]:
        """Turn one movie's file into a document for each review; `line` numbers them from 1."""
        try:
            reviews = records.load_json(record.data, options, leniently=True)
            if not isinstance(reviews, list):
                reason = f"is a JSON {type(reviews).__name__}, not a list of reviews"
                raise RecordError("read.malformed@1", reason)
            if not reviews:
                raise RecordError("read.empty@1", "the list holds no review")
        except RecordError as fault:
            yield rejected(fault, record.file, record.line)
            return
        for line, review in enumerate(reviews, start=1):
            try:
                yield _review(review, record.file, line)
            except RecordError as fault:
                yield rejected(fault, record.file, line)


def _review(review: Any, file: str, line: int) -> Document:
    values = records.as_object(review)
    key = records.name_field(values, "review_id")
    if key is None:
        raise RecordError("read.missing_field@1", "has no field 'review_id'")
    text = records.full_text(records.text_field(values, "review"))
    date = records.short_date(records.name_field(values, "date") or "")
    about = {
        "rating": records.name_field(values, "rating"),
        "movie": records.name_field(values, "movie_id"),
    }
    meta = tuple((name, value) for name, value in about.items() if value is not None)
    return Document(key, text, file, line, date=date, meta=meta)


def intent(line: int) -> str:
    """Return the intent of a line number from 1, as published."""
    return f"{(line - 1) // LINES_PER_INTENT:06d}"


def _request(record: Record, options: Options) -> Document:
    line = records.decode(record.data, options)
    if not line or line.isspace():
        raise RecordError("read.empty@1", "the line is blank")
    topic, act, text = _request_fields(line)
    meta = {
        "topic": topic,
        "topic_name": TOPICS[topic],
        "act": act,
        "act_name": ACTS[act],
        "intent": intent(record.line),
    }
    return Document(
        key="",
        text=records.full_text(text),
        file=record.file,
        line=record.line,
        meta=tuple(meta.items()),
    )


def _request_fields(line: str) -> tuple[str, str, str]:
    fields = line.split("\t")
    if len(fields) != 3:
        reason = f"has {len(fields)} fields; topic, act and text are wanted, with tabs between"
        raise RecordError("read.malformed@1", reason)
    topic, act, text = fields
    if topic not in TOPICS or act not in ACTS:
        raise RecordError("read.malformed@1", "topic and act must be numbers from 0 to 3")
    return topic, act, text


def is_korean(text: str) -> bool:
    """Return whether enough of a text's letters are Hangul."""
    letters = sum(map(str.isalpha, text))
    hangul = len(_HANGUL.findall(text))
    syllables = len(_SYLLABLE.findall(text))
    return syllables >= MIN_SYLLABLES and hangul >= MIN_HANGUL_SHARE * letters


def _korean(document: Document) -> Document:
    if not is_korean(document.text):
        raise RecordError("read.language@1", "fewer than 30 % of the letters are Hangul")
    return document


NSMC: Final = Nsmc()
PARAKQC: Final = RecordReader(lines.scan_lines, _request, frozenset({"encoding"}))
AIRBNB: Final = rows.Delimited(_REVIEW, refine=_korean)
