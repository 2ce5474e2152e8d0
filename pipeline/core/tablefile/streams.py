"""A text file as a stream of unpacked bytes, and the stream as blocks of whole lines."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import BinaryIO, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.core.errors import InputError
from pipeline.core.tablefile import batch
from pipeline.core.tablefile.source import (
    HEAD,
    Source,
    require_file,
    require_packing,
    require_text,
)

_PIECE: Final = 256 * 1024


class Block(NamedTuple):
    """Whole lines: the number of the first from 0, and their bytes; None for a line too long."""

    first: int
    data: bytes | None
    lines: int = 1


class Stream:
    """Unpacked bytes; raises InputError that says how far they could be read."""

    def __init__(self, source: Source, file: BinaryIO) -> None:
        """Take a file that was just opened."""
        self._source = source
        self._raw = file
        self._file = pa.CompressedInputStream(file, source.packing) if source.packing else file
        self._bytes = self._lines = 0
        self.bom = b""

    def read(self, size: int) -> bytes:
        """Return `size` bytes, or as many as are left; without the byte order mark."""
        first = not self._bytes
        data = self._read(size)
        if first and data.startswith(codecs.BOM_UTF8):
            self.bom = codecs.BOM_UTF8
            return data.removeprefix(self.bom)
        return data

    def _read(self, size: int) -> bytes:
        if not self._source.packing:
            data = self._raw.read(size)
            self._bytes += len(data)
            return data
        pieces: list[bytes] = []
        while size > 0 and (piece := self._unpack(min(size, _PIECE))):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _unpack(self, size: int) -> bytes:
        try:
            piece: bytes = self._file.read(size)
        except OSError as error:
            if error.errno is not None:
                raise
            fate = "cut off" if "runcated" in str(error) else "damaged"
            raise InputError(
                f"{self._source.path}: is {fate} after {self._lines:,} lines ({self._bytes:,} bytes"
                " unpacked); make or fetch it again"
            ) from None
        self._bytes += len(piece)
        self._lines += piece.count(b"\n")
        return piece


@contextmanager
def opened(source: Source) -> Iterator[Stream]:
    """Open a text file after a look at its head.

    Raises InputError when it is missing, a folder, unreadable, no text, damaged or cut off.
    """
    path = source.path
    try:
        require_file(path)
        with path.open("rb") as file:
            require_packing(source, file.read(4))
            file.seek(0)
            require_text(source, Stream(source, file)._read(HEAD))
        with path.open("rb") as file:
            yield Stream(source, file)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def blocks(stream: Stream) -> Iterator[Block]:
    """Cut a stream into blocks of whole lines, each of bounded bytes and lines.

    A line longer than `batch.LIMIT` is a block without data; no more of it is held than that.
    """
    limit = batch.LIMIT
    number, held, skipping = 0, b"", False
    size = min(batch.BYTES, limit)
    while chunk := stream.read(size):
        last = len(chunk) < size - len(stream.bom)
        if skipping:
            end = chunk.find(b"\n") + 1
            if not end:
                continue
            yield Block(number, None)
            number, skipping, chunk = number + 1, False, chunk[end:]
        cut = len(chunk) if last else chunk.rfind(b"\n") + 1
        if cut:
            for block in _pieces(number, held + chunk[:cut]):
                yield block
                number += block.lines
            held = chunk[cut:]
        else:
            held += chunk
        if len(held) > limit + 1:
            held, skipping = b"", True
    if skipping:
        yield Block(number, None)
    elif held:
        yield from _pieces(number, held)


def _pieces(number: int, data: bytes) -> Iterator[Block]:
    """Cut off a first line that is too long (no other can be), and every `ROWS` lines."""
    end = data.find(b"\n") + 1 or len(data)
    if end > batch.LIMIT and len(without_end(data[:end])) > batch.LIMIT:
        yield Block(number, None)
        number, data = number + 1, data[end:]
    if not data:
        return
    feeds = np.count_nonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    count = int(feeds) + (not data.endswith(b"\n"))
    ends = line_ends(data) if count > batch.ROWS else np.empty(0, np.int64)
    cuts = [0, *ends[batch.ROWS - 1 : -1 : batch.ROWS].tolist(), len(data)]
    for place, (start, stop) in enumerate(pairwise(cuts)):
        before = place * batch.ROWS
        piece = data if len(cuts) == 2 else data[start:stop]
        yield Block(number + before, piece, min(batch.ROWS, count - before))


def line_ends(data: bytes) -> npt.NDArray[np.int64]:
    """Return where each line ends, its line feed included; the last may lack it."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1
    return ends if data.endswith(b"\n") else np.append(ends, len(data))


def lines_of(data: bytes) -> list[bytes]:
    """Return the lines of a block with their ends; only a line feed ends a line."""
    *lines, last = data.split(b"\n")
    return [line + b"\n" for line in lines] + ([last] if last else [])


def without_end(line: bytes) -> bytes:
    """Return a line without its line feed, or carriage return and line feed."""
    return line[:-1].removesuffix(b"\r") if line.endswith(b"\n") else line
