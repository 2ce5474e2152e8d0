"""Readers of single corpora: NSMC, ParaKQC, Airbnb, and the texts of official KLUE files.

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

KLUE_TEXTS, the texts of one source out of an official KLUE file, without the answers. Texts that
annotators or machines wrote are not read: TEXTS in the part `official` of a task names the fields.
A text that several records share is one document, under the guid of the first and, where a record
holds several texts, the field's name. `line` is the number of the record among those that can be
read. `section` is the press category, or the section in the address of the article. A record that
cannot be read is left out under every source, since its source is unknown. `only` is the source, by
the project's name (policy) or the file's (policy_briefing, airbnb-rtt). Official files are small:
one is held in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import orjson
import pyarrow as pa
import regex

from pipeline.contracts.official.files import detect_task, read_official
from pipeline.contracts.official.tables import Problem, SourceTexts
from pipeline.contracts.parts import load_part
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count
from pipeline.corpus.readers import lines, records, rows
from pipeline.corpus.readers.base import (
    Document,
    Options,
    Reader,
    Record,
    Rejected,
    record_reader,
    rejected,
)

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
_HANGUL: Final = regex.compile(r"\p{Hangul}")
_REVIEW: Final = records.Columns(
    {"key": "id", "text": "comments", "date": "date", "listing": "listing_id"}
)


def _scan_movies(path: Path, options: Options) -> Iterator[Record | Rejected]:  # noqa: ARG001
    """Stream the files of NSMC, one a movie."""
    return lines.scan_files(path, ".json")


def _reviews(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one movie's file into a document for each review; `line` numbers them from 1."""
    try:
        reviews = records.load_json(record.data, options, leniently=True)
        if not isinstance(reviews, list):
            raise RecordError(
                "read.malformed@1", f"is a JSON {type(reviews).__name__}, not a list of reviews"
            )
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
    fields = line.split("\t")
    if len(fields) != 3:
        raise RecordError(
            "read.malformed@1",
            f"has {count(len(fields), 'field')}; topic, act and text are wanted, with tabs between",
        )
    topic, act, text = fields
    if topic not in TOPICS or act not in ACTS:
        raise RecordError("read.malformed@1", "topic and act must be numbers from 0 to 3")
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


NSMC: Final = Reader(_scan_movies, _reviews, frozenset({"encoding"}))
PARAKQC: Final = record_reader(lines.scan_lines, _request, frozenset({"encoding"}))
AIRBNB: Final = rows.delimited(_REVIEW, refine=_korean)


#: Sections of the newspaper by the number in an article's address; sports has a site of its own.
_SECTIONS: Final = {
    "100": "정치",
    "101": "경제",
    "102": "사회",
    "103": "생활문화",
    "104": "세계",
    "105": "IT과학",
}
_SPORTS: Final = ("sports.news.naver.com", "스포츠")
_Item = dict[str, Any]


def _scan_official(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the distinct texts of the source.

    Raises InputError for a file that is no official one or holds nothing of the source.
    """
    task = detect_task(path)
    texts: SourceTexts = load_part(task, "official").TEXTS
    items, problems = _read_texts(task, path, path.stat().st_mtime_ns)
    for problem in problems:
        if not problem.rule.startswith("official.kept."):
            yield rejected(RecordError("read.malformed@1", problem.reason), path.name, problem.line)
    sources: set[str] = set()
    seen: set[str] = set()
    rows = chain.from_iterable(b.to_pylist() for b in items.to_batches(max_chunksize=1024))
    for number, item in enumerate(rows, start=1):
        meta = parsed(item["meta"])
        names = {name for name in (item["source"], meta.get("source")) if name}
        sources |= names
        if options.only in names or not (options.only or names):
            yield from _records(task, texts, item, meta, seen, (path.name, number))
    if not seen:
        raise _nothing_read(path, options.only, sources)


@lru_cache(maxsize=8)
def _read_texts(task: str, path: Path, _changed: int) -> tuple[pa.Table, list[Problem]]:
    """Return the items of a file without votes and gold: a build reads it for several sources."""
    official = read_official(task, path)
    columns = ["item", "fields", "source", "sampler", "meta"]
    return official.items.select(columns), official.problems


def _records(
    task: str, texts: SourceTexts, item: _Item, meta: _Item, seen: set[str], place: tuple[str, int]
) -> Iterator[Record]:
    fields = parsed(item["fields"])
    for field in texts.exceptions.get(item["sampler"], texts.fields):
        text = fields[field]
        if text in seen:
            continue
        seen.add(text)
        values = {
            "key": f"{item['item']}.{field}" if len(texts.fields) > 1 else item["item"],
            "text": text,
            "title": fields.get(texts.title),
            "date": meta.get("date"),
            "section": _section(meta),
            "url": meta.get("url"),
            "task": task,
            "sampler": item["sampler"],
        }
        present = {name: value for name, value in values.items() if value not in (None, "")}
        yield Record(*place, orjson.dumps(present))


def _section(meta: _Item) -> str | None:
    named = meta.get("predefined_news_category") or meta.get("news_category")
    if isinstance(named, str) or not meta.get("url"):
        return named if isinstance(named, str) else None
    try:
        address = urlsplit(meta["url"])
    except ValueError:
        return None
    if address.hostname == _SPORTS[0]:
        return _SPORTS[1]
    return _SECTIONS.get(parse_qs(address.query).get("sid1", [""])[0])


def _nothing_read(path: Path, only: str, sources: set[str]) -> InputError:
    if not sources:
        return InputError(f"{path}: does not say the sources of its texts; leave `only` out")
    problem = f"holds no text of the source {only!r}" if only else "says of each text whose it is"
    return InputError(f"{path}: {problem}; set `only` to one of: {', '.join(sorted(sources))}")


def _document(record: Record, options: Options) -> Document:  # noqa: ARG001
    return records.document(orjson.loads(record.data), record, {})


KLUE_TEXTS: Final = record_reader(_scan_official, _document, frozenset({"only"}))
