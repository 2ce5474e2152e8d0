"""Files as streams of unpacked bytes, and streams as lines."""

from __future__ import annotations

import codecs
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import pyarrow as pa

from pipeline.core.errors import InputError, RecordError
from pipeline.core.files import input_errors, refuse
from pipeline.core.io import batch, meter
from pipeline.core.io.inflation import lines_fault, ratio_fault
from pipeline.core.io.source import HEAD, PACKED, Source, require_file, require_text
from pipeline.core.wording import count

_PIECE: Final = 256 * 1024
#: What unpacking may take: the dictionary of `xz -9` has 64 MiB; zstd has the same bound by itself.
_MEMORY: Final = 128 * 1024**2
_MAGIC: Final = {"gzip": b"\x1f\x8b", "bz2": b"BZh", "zstd": b"\x28\xb5\x2f\xfd", "xz": b"\xfd7zX"}

#: A line's number from 1 and its bytes with the line end; None for a line that is too long.
Line = tuple[int, bytes | None]


class DamagedError(InputError):
    """A packed file is cut off or damaged."""


class Stream:
    """Unpacked bytes of a file.

    Raises DamagedError that says how far they could be read, and InputError for a bomb and for more
    than `most` bytes.
    """

    def __init__(self, path: Path, file: BinaryIO, most: int | None = None) -> None:
        codec = {".tgz": "gzip", ".xz": "xz", **PACKED}.get(path.suffix.lower())
        if codec:
            head = file.read(4)
            if head and not head.startswith(_MAGIC[codec]):
                raise InputError(f"{path}: is no {path.suffix} file; rename it to what it is")
            file.seek(0)
        self.path = path
        self._raw = file
        self._unpacked = _unpacked(file, codec) if codec else None
        self._bytes = self._lines = self._place = 0
        self._most = most
        self.bom = b""

    def read(self, size: int) -> bytes:
        """Return `size` bytes, or as many as are left; without the byte order mark."""
        at_start = not self._bytes
        data = self._read(size)
        if at_start and data.startswith(codecs.BOM_UTF8):
            self.bom = codecs.BOM_UTF8
            return data.removeprefix(self.bom)
        return data

    def _read(self, size: int) -> bytes:
        if self._unpacked is None:
            data = self._raw.read(size)
            self._bytes += len(data)
            meter.count(len(data))
            self._refuse(ratio_fault(self._bytes, self._bytes, self._most))
            return data
        pieces: list[bytes] = []
        while size > 0 and (piece := self._unpack(self._unpacked, min(size, _PIECE))):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _unpack(self, unpacked: _Xz | pa.CompressedInputStream, size: int) -> bytes:
        try:
            piece: bytes = unpacked.read(size)
        except (OSError, EOFError, lzma.LZMAError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            if "emory" in str(error):
                raise InputError(
                    f"{self.path}: takes more than {_MEMORY // 1024**2} MiB of memory to unpack;"
                    " pack it anew with a smaller window or dictionary (as `zstd` and `xz -9` do)"
                ) from None
            is_cut = isinstance(error, EOFError) or "runcated" in str(error)
            fate = "cut off" if is_cut else "damaged"
            read = f"{count(self._lines, 'line')} ({count(self._bytes, 'byte')} unpacked)"
            raise DamagedError(
                f"{self.path}: is {fate} after {read}; make or fetch it again"
            ) from None
        self._bytes += len(piece)
        self._lines += piece.count(b"\n")
        place, self._place = self._place, self._raw.tell()
        meter.count(self._place - place)
        self._refuse(ratio_fault(self._bytes, self._place, self._most))
        return piece

    def _refuse(self, fault: str) -> None:
        refuse(self.path, (fault, fault))


class _Xz:
    """Unpacks streams of xz, one after another, in bounded memory, which LZMAFile does not."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._rest = file, b""
        self._decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, _MEMORY)

    def read(self, size: int) -> bytes:
        """Return some bytes, at most `size`, or none at the end."""
        while not self._decoder.eof or self._begin_stream():
            data = b""
            if self._decoder.needs_input:
                data, self._rest = self._rest or self._file.read(_PIECE), b""
                if not data:
                    raise EOFError
            if piece := self._decoder.decompress(data, size):
                return piece
        return b""

    def _begin_stream(self) -> bool:
        rest = self._decoder.unused_data.lstrip(b"\0")  # streams are padded by zeros
        while not rest and (more := self._file.read(_PIECE)):
            rest = more.lstrip(b"\0")
        if rest:
            self._rest, self._decoder = rest, lzma.LZMADecompressor(lzma.FORMAT_XZ, _MEMORY)
        return bool(rest)


def _unpacked(file: BinaryIO, codec: str) -> _Xz | pa.CompressedInputStream:
    return _Xz(file) if codec == "xz" else pa.CompressedInputStream(file, codec)


@contextmanager
def open_stream(path: Path, *, most: int | None = None) -> Iterator[Stream]:
    """Open a plain, .gz, .tgz, .bz2, .xz or .zst file as one stream of unpacked bytes.

    Raises InputError when it is missing, a folder, unreadable, damaged, cut off or a bomb, and for
    more than `most` bytes.
    """
    with input_errors(path, "read"):
        require_file(path)
        with path.open("rb") as file:
            yield Stream(path, file, most)


@contextmanager
def open_text(source: Source, *, most: int | None = None) -> Iterator[Stream]:
    """Open a text file; raises InputError as `open_stream`, and when its head is no text."""
    with open_stream(source.path) as stream:
        require_text(source, stream.read(HEAD))
    with open_stream(source.path, most=most) as stream:
        yield stream


def read_blocks(stream: Stream, limit: int | None = None) -> Iterator[Line]:
    """Cut a stream into blocks of whole lines, with the number of their first line.

    A line of more than `limit` bytes (by default `batch.LIMIT`), its end not counted, is a block of
    its own, is None, and is never held as a whole. Raises InputError for a flood of blank lines.
    """
    limit = batch.LIMIT if limit is None else limit
    number, held, is_long, total = 1, b"", False, 0
    size = min(batch.BYTES, limit)
    while piece := stream.read(size):
        total += len(piece)
        fault = lines_fault(number - 1 + piece.count(b"\n"), total)
        refuse(stream.path, (fault, fault))
        data, is_last = held + piece, len(piece) < size - len(stream.bom)
        # No other line than the first can be too long.
        end = data.find(b"\n") + 1 or (len(data) if is_last else 0)
        if end and (is_long or len(without_end(data[:end])) > limit):
            yield number, None
            number, data, is_long = number + 1, data[end:], False
        cut = len(data) if is_last else data.rfind(b"\n") + 1
        if cut:
            yield number, data[:cut]
            number += batch.count_lines(data)
        held = data[cut:]
        if is_long or len(held) > limit + 1:
            held, is_long = b"", True
    if held or is_long:
        yield number, None if is_long or len(held) > limit else held


def read_lines(stream: Stream, limit: int | None = None) -> Iterator[Line]:
    """Yield the lines of a stream with their numbers; None for one of more than `limit` bytes."""
    for number, data in read_blocks(stream, limit):
        if data is None:
            yield number, None
        else:
            yield from enumerate(split_lines(data), number)


def read_text_lines(path: Path, limit: int | None = None) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file of UTF-8 that are not blank: numbers from 1, texts without end.

    Raises InputError as `open_stream`, and with ``file:line`` for a line that is longer than
    `limit` bytes or no UTF-8.
    """
    with open_stream(path) as stream:
        for number, line in read_lines(stream, limit):
            try:
                if line is None:
                    raise batch.too_long("line", limit)
                text = batch.decode(without_end(line))
            except RecordError as fault:
                raise InputError(f"{path}:{number}: {fault.reason}; correct the line") from None
            if text and not text.isspace():
                yield number, text


def split_lines(data: bytes) -> list[bytes]:
    """Return the lines of a block with their ends; only a line feed ends a line."""
    *lines, last = data.split(b"\n")
    return [line + b"\n" for line in lines] + ([last] if last else [])


def split_without_ends(data: bytes) -> list[bytes]:
    """Return the lines of a block without their ends, as `without_end` of each."""
    *lines, last = data.split(b"\n")
    if b"\r" in data:
        lines = [line.removesuffix(b"\r") for line in lines]
    return lines + [last] * bool(last)


def without_end(line: bytes) -> bytes:
    """Return a line without its line feed, or carriage return and line feed."""
    return line[:-1].removesuffix(b"\r") if line.endswith(b"\n") else line
