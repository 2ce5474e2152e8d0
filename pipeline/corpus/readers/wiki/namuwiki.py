"""NAMUWIKI, the dump of Namuwiki: one JSON list of pages, read page by page.

A page has `namespace`, `title`, `text` in namumark and `contributors`, who are personal data and
are not read. Pages outside the article namespace (0; 문서 in later dumps) and redirects are left
out. The key is the title. Source: the dump of March 2, 2020, https://namu.wiki
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.core.errors import RecordError
from pipeline.corpus.readers import records
from pipeline.corpus.readers.base import Document, Options, Record, record_reader
from pipeline.corpus.readers.objects import scan_objects
from pipeline.corpus.readers.wiki.namumark import page_of

#: What dumps call the namespace of articles.
_ARTICLES: Final = frozenset({"0", "문서", "", None})
_REDIRECT: Final = re.compile(r"\s*#(?:redirect|넘겨주기)\s", re.IGNORECASE)


def _document(record: Record, options: Options) -> Document:
    values = records.as_object(records.load_json(record.data, options))
    title = records.name_field(values, "title")
    if title is None:
        raise RecordError("read.missing_field@1", "has no field 'title'")
    if records.name_field(values, "namespace") not in _ARTICLES:
        raise RecordError("read.namespace@1", "is no article")
    code = records.full_text(records.text_field(values, "text"))
    if _REDIRECT.match(code):
        raise RecordError("read.redirect@1", "points to another page")
    text, sections = page_of(code)
    records.full_text(text)
    return Document(title, text, record.file, record.line, title=title, sections=sections)


READER: Final = record_reader(scan_objects, _document)
