"""MODU, the corpora of the National Institute of Korean Language: written, spoken, messages.

A file is one JSON object whose `document` lists documents with `id`, `metadata` and either
`paragraph` (newspapers, books, web) or `utterance` (spoken language, messages). Their items have
the text as `form`. A paragraph is a line of the text, and so is a message; spoken utterances, which
end where a speaker takes a breath, are joined to turns. Authors and speakers are personal data and
are not kept. A folder or archive of such files is read too.

Source: https://kli.korean.go.kr/corpus (on request)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

from pipeline.core.errors import RecordError
from pipeline.corpus.readers import records
from pipeline.corpus.readers.base import Document, Options, Reader, Record, record_reader
from pipeline.corpus.readers.files import files_reader
from pipeline.corpus.readers.objects import scan_list

#: What an utterance has that was sent and not said.
_SENT: Final = "time"
_Item = dict[str, Any]


def _document(record: Record, options: Options) -> Document:
    values = records.as_object(records.load_json(record.data, options))
    about = values.get("metadata")
    about = about if isinstance(about, dict) else {}
    key = records.name_field(values, "id")
    if key is None:
        raise RecordError("read.missing_field@1", "has no field 'id'")
    return Document(
        key=key,
        text=records.full_text("\n".join(_lines(values))),
        file=record.file,
        line=record.line,
        title=records.name_field(about, "title"),
        date=records.iso_date(records.name_field(about, "date") or ""),
        section=records.name_field(about, "topic"),
    )


def _lines(values: _Item) -> Iterator[str]:
    """Yield the paragraphs, messages or turns of a document."""
    if "paragraph" in values:
        yield from map(_form, _items(values, "paragraph"))
        return
    utterances = _items(values, "utterance")
    if any(_SENT in item for item in utterances):
        yield from map(_form, utterances)
        return
    turns = groupby(utterances, key=lambda item: str(item.get("speaker_id")))
    yield from (" ".join(filter(None, map(_form, turn))) for _, turn in turns)


def _items(values: _Item, name: str) -> list[_Item]:
    items = values.get(name)
    if items is None:
        raise RecordError("read.missing_field@1", "has neither 'paragraph' nor 'utterance'")
    if not isinstance(items, list):
        raise RecordError("read.malformed@1", f"field {name!r} must be a list")
    return [records.as_object(item) for item in items]


def _form(item: _Item) -> str:
    return records.text_field(item, "form").strip()


_FILE: Final = record_reader(scan_list("document"), _document)
MODU: Final[Reader] = files_reader({".json": _FILE}, takes=frozenset({"pattern"}))
