"""A stream of records in chunks, the shards of what is not cut into ranges.

A chunk is closed by its size, and where a file of a folder or archive ends that its own name and
size choose: so a new file moves the chunks around it, and not all that follow (content-defined
chunking, as in Muthitacharoen, Chen and Mazieres 2001, "A low-bandwidth network file system").
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from pipeline.corpus.readers import ranges
from pipeline.corpus.readers.base import Record, Rejected

Chunk = list[Record | Rejected]


def cut_stream(stream: Iterator[Record | Rejected], path: Path) -> Iterator[Chunk]:
    """Yield the records of an input in chunks, in order."""
    chunk: Chunk = []
    file, size, size_of_file = "", 0, 0
    for item in stream:
        if item.file != file:
            if chunk and _closes(_name_within(file, path), size_of_file):
                yield chunk
                chunk, size = [], 0
            file, size_of_file = item.file, 0
        chunk.append(item)
        length = len(item.data) if isinstance(item, Record) else 0
        size, size_of_file = size + length, size_of_file + length
        if size >= ranges.BYTES or len(chunk) >= ranges.RECORDS:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _closes(name: str, size: int) -> bool:
    """Tell whether a chunk ends with a file: with one of `ranges.BYTES` bytes, on the average."""
    draw = int.from_bytes(sha256(name.encode("utf-8", "backslashreplace")).digest()[:8])
    return draw * ranges.BYTES < size * 2**64


def digest_of(chunk: Chunk, path: Path) -> str:
    """Return the SHA-256 of the records of an input, whatever name the input itself has."""
    digest = sha256()
    for item in chunk:
        place = [_name_within(item.file, path), item.line]
        data = item.data if isinstance(item, Record) else b""
        rest = (
            [_name_within(item.archive, path), len(data)]
            if isinstance(item, Record)
            else [item.rule, item.action, item.reason, "rejected"]
        )
        digest.update(json.dumps([*place, *rest]).encode() + b"\n" + data)
    return digest.hexdigest()


def _name_within(file: str, path: Path) -> str:
    """Return a name that tells the files of an input apart, without that of the input itself."""
    own, mark, member = file.partition("!")
    return f"{mark}{member}" if own == path.name else f"/{file}"
