"""Pages of a MediaWiki XML export, plain or .bz2 (multistream too), .gz, .zst; also Wikinews.

The key is the page id and the date that of the revision. Pages outside namespace 0, redirects,
pages of another content model and pages without prose are dropped; a page above `MAX_PAGE_BYTES` is
quarantined. Who wrote a revision is not read. In an export with histories the last revision counts.

The text is the prose alone, section by section with an empty line between; headings are in
`sections`, not in the text. See `wikitext` for what counts as prose. The sections 각주, 외부 링크,
같이 보기, 참고 문헌 and their like (`backmatter.TITLES`) hold lists of links and are left out
with their subsections; so are sections without any prose.
Source: https://www.mediawiki.org/wiki/Help:Export
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson

from pipeline.core.errors import RecordError
from pipeline.corpus.readers import records
from pipeline.corpus.readers.base import Document, Options, Record, RecordReader, Rejected, rejected
from pipeline.corpus.readers.wiki import export, page

#: MediaWiki itself saves no page above 2 MiB; the parser's time grows with the page.
MAX_PAGE_BYTES = 2 * 1024 * 1024

_REDIRECT: Final = ("#redirect", "#넘겨주기")


def _scan(path: Path, options: Options) -> Iterator[Record | Rejected]:  # noqa: ARG001
    """Stream the pages; the line of a record is the page's number in the file, from 1."""
    for number, found in enumerate(export.pages(path, max_text=MAX_PAGE_BYTES), start=1):
        if found.too_large:
            fault = RecordError("read.too_large@1", f"the page is above {MAX_PAGE_BYTES:,} bytes")
            yield rejected(fault, path.name, number)
        else:
            yield Record(path.name, number, orjson.dumps(found.fields))


def _document(record: Record, options: Options) -> Document:  # noqa: ARG001
    fields = orjson.loads(record.data)
    for name in ("title", "ns", "id"):
        if not fields.get(name):
            raise RecordError("read.missing_field@1", f"the page has no <{name}>")
    _check_kind(fields)
    article = page.read(fields.get("text", ""), fields["title"])
    return Document(
        key=fields["id"],
        text=records.full_text(article.text),
        file=record.file,
        line=record.line,
        title=fields["title"],
        date=records.iso_date(fields.get("timestamp", "")),
        sections=article.sections,
        infoboxes=article.infoboxes,
    )


def _check_kind(fields: dict[str, Any]) -> None:
    if fields["ns"] != "0":
        raise RecordError("read.namespace@1", "is outside the article namespace")
    start = fields.get("text", "")[:20].lstrip().lower()
    if "redirect" in fields or start.startswith(_REDIRECT):
        raise RecordError("read.redirect@1", "only points to another page")
    if fields.get("model", "wikitext") != "wikitext":
        raise RecordError("read.not_a_record@1", "is no wikitext")


READER: Final = RecordReader(_scan, _document)
