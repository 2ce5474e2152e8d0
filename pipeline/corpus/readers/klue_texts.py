"""The texts of one source out of an official KLUE file, without the answers.

Texts that annotators or machines wrote are not read: TEXTS in the part `official` of a task names
the fields that are. A text that several records share is one document, under the guid of the first
and, where a record holds several texts, the field's name. `line` is the number of the record among
those that can be read. `section` is the press category, or the section in the address of the
article. A record that cannot be read is left out under every source, since its source is unknown.

`only` is the source, by the project's name (policy) or the file's (policy_briefing, airbnb-rtt).
Official files are small: one is held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import orjson

from pipeline.contracts.official.files import detect_task, read_official
from pipeline.contracts.official.tables import SourceTexts
from pipeline.contracts.parts import load_part
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import parsed
from pipeline.corpus.readers import records
from pipeline.corpus.readers.base import Document, Options, Record, RecordReader, Rejected, rejected

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


def _scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the distinct texts of the source.

    Raises InputError for a file that is no official one or holds nothing of the source.
    """
    task = detect_task(path)
    texts: SourceTexts = load_part(task, "official").TEXTS
    official = read_official(task, path)
    for problem in official.problems:
        if not problem.rule.startswith("official.kept."):
            fault = RecordError("read.malformed@1", problem.reason)
            yield rejected(fault, path.name, problem.line)
    items = official.items.select(["item", "fields", "source", "sampler", "meta"])
    sources: set[str] = set()
    seen: set[str] = set()
    number = 0
    for batch in items.to_batches(max_chunksize=1024):
        for item in batch.to_pylist():
            number += 1
            meta = parsed(item["meta"])
            names = {name for name in (item["source"], meta.get("source")) if name}
            sources |= names
            if options.only in names or not (options.only or names):
                yield from _records(task, texts, item, meta, seen, (path.name, number))
    if not seen:
        raise _nothing_read(path, options.only, sources)


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


READER: Final = RecordReader(_scan, _document, frozenset({"only"}))
