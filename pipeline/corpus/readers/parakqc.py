"""ParaKQC: spoken questions and commands, ``TOPIC<TAB>ACT<TAB>text`` a line.

Ten consecutive lines say the same thing in other words: `meta` holds their `intent`, the number of
the ten in the file as published, so that a broken line still counts a place. It also holds `topic`
and `act` (numbers) and their names. There is no key.
Source: Cho et al. 2020, "Discourse Component to Sentence (DC2S)"; https://github.com/warnikchow/paraKQC
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.core.errors import RecordError
from pipeline.corpus.readers import records
from pipeline.corpus.readers.base import Document, Options, Record, Rejected
from pipeline.corpus.readers.files import streams

takes: Final = frozenset({"encoding"})

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


def scan(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream the lines."""
    return streams.scan_lines(path, options)


def parse(record: Record, options: Options) -> Iterator[Document | Rejected]:
    """Turn one line into its document."""
    return records.one(record, lambda: _document(record, options))


def intent(line: int) -> str:
    """Return the intent of a line number from 1, as published."""
    return f"{(line - 1) // LINES_PER_INTENT:06d}"


def _document(record: Record, options: Options) -> Document:
    line = records.decode(record.data, options)
    if not line or line.isspace():
        raise RecordError("read.empty@1", "the line is blank")
    topic, act, text = _fields(line)
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


def _fields(line: str) -> tuple[str, str, str]:
    fields = line.split("\t")
    if len(fields) != 3:
        reason = f"has {len(fields)} fields; topic, act and text are wanted, with tabs between"
        raise RecordError("read.malformed@1", reason)
    topic, act, text = fields
    if topic not in TOPICS or act not in ACTS:
        raise RecordError("read.malformed@1", "topic and act must be numbers from 0 to 3")
    return topic, act, text
