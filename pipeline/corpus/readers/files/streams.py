"""Files as streams of bytes and lines: decompressed, bounded in memory, guarded against bombs."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

import zstandard

from pipeline.core.errors import InputError, RecordError
from pipeline.corpus.readers import base, records
from pipeline.corpus.readers.base import Options, Record, Rejected

#: What the decompressors raise over a file that is cut off or damaged.
DAMAGE: Final = (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError)

#: Encodings in which no byte of a longer character looks like a line end, quote or delimiter.
ENCODINGS: Final = ("utf-8", "cp949", "euc-kr", "ascii")

#: A stream that inflates beyond both is a bomb: real text stays far below the ratio.
BOMB_BYTES = 1024**3
BOMB_RATIO = 1000

_CHUNK: Final = 128 * 1024


class _ZstdSource(io.RawIOBase):
    """Decompressed bytes of a .zst file that raises EOFError when a frame is cut off.

    The library's own stream reader ends silently there. Input goes in by 1 KiB, because one block
    of 4 bytes may hold 128 KiB: a piece never grows beyond 32 MiB.
    """

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._fresh = True
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            piece = self._frame.unused_data if self._frame.eof else b""
            piece = piece or self._raw.read(1024)
            if not piece and (self._fresh or self._frame.eof):
                return 0
            if not piece:
                raise EOFError("the last frame has no end")
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
            self._ready = memoryview(self._frame.decompress(piece))
            self._fresh = False
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count


class _Guard(io.RawIOBase):
    """Passes bytes on and raises InputError once they outgrow their compressed file."""

    def __init__(self, source: io.RawIOBase | BinaryIO, raw: BinaryIO, path: Path) -> None:
        self._source = source
        self._raw = raw
        self._path = path
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = cast(BinaryIO, self._source).readinto(buffer)  # type: ignore[attr-defined]
        self._count += count
        check_ratio(self._path, self._count, self._raw.tell())
        return cast(int, count)


def check_ratio(path: Path, inflated: int, packed: int) -> None:
    """Raise InputError when so many bytes out of so few can only be a bomb."""
    if inflated > BOMB_BYTES and inflated > BOMB_RATIO * max(packed, 1):
        raise InputError(
            f"{path}: inflates to more than {inflated:,} bytes out of {packed:,}: no corpus does"
            " that; fetch it again from a source that you trust"
        )


_INFLATE: Final[dict[str, Callable[[BinaryIO], io.RawIOBase | BinaryIO]]] = {
    ".gz": lambda raw: cast(BinaryIO, gzip.GzipFile(fileobj=raw)),
    ".tgz": lambda raw: cast(BinaryIO, gzip.GzipFile(fileobj=raw)),
    ".bz2": lambda raw: cast(BinaryIO, bz2.BZ2File(raw)),
    ".zst": _ZstdSource,
}


def require_file(path: Path) -> None:
    """Raise InputError unless the path is a file that holds at least one byte."""
    if not path.exists():
        raise InputError(f"{path}: no such file; check the source's path or fetch it")
    if path.is_dir():
        raise InputError(f"{path}: is a folder; this reader takes one file")
    if not path.is_file():
        raise InputError(f"{path}: is a device or pipe; this reader takes one file")
    if path.stat().st_size == 0:
        raise InputError(f"{path}: is empty; fetch it again")


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a plain, .gz, .bz2 or .zst file as one stream of decompressed bytes.

    Raises InputError when the file is missing, a folder, empty, cut off, damaged or a bomb.
    """
    require_file(path)
    try:
        with path.open("rb") as raw:
            inflate = _INFLATE.get(path.suffix.lower())
            if inflate is None:
                yield cast(BinaryIO, raw)
            else:
                guard = _Guard(inflate(cast(BinaryIO, raw)), cast(BinaryIO, raw), path)
                yield cast(BinaryIO, io.BufferedReader(guard, _CHUNK))
    except EOFError:
        raise InputError(f"{path}: is cut off; fetch it again") from None
    except DAMAGE:
        raise InputError(f"{path}: is damaged or no {path.suffix} file; fetch it again") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def check_encoding(path: Path, options: Options) -> None:
    """Raise InputError unless the options name an encoding that lines can be cut in."""
    try:
        name = codecs.lookup(options.encoding).name.replace("_", "-")
    except LookupError:
        name = ""
    if name not in ENCODINGS:
        raise InputError(
            f"{path}: encoding {options.encoding!r} is not supported; allowed:"
            f" {', '.join(ENCODINGS)}; convert the file to UTF-8"
        )


def lines(path: Path, options: Options) -> Iterator[tuple[int, bytes | None]]:
    """Yield (number from 1, line with its end) of a file; None for a line above the cap.

    No more than the cap is held in memory. A byte order mark before the first line is removed.
    """
    check_encoding(path, options)
    with opened(path) as stream:
        line = _first_line(path, stream)
        number = 1
        while line != b"":
            yield number, line
            number += 1
            line = _next_line(stream)


def _first_line(path: Path, stream: BinaryIO) -> bytes | None:
    line = _next_line(stream)
    if line is None:
        return None
    if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{path}: looks like UTF-16; convert the file to UTF-8")
    line = line.removeprefix(codecs.BOM_UTF8) or _next_line(stream)
    if line == b"":
        raise InputError(f"{path}: is empty; fetch it again")
    return line


def _next_line(stream: BinaryIO) -> bytes | None:
    """Return the next line, b"" at the end, or None after running past one that is too long."""
    limit = base.MAX_RECORD_BYTES
    line = stream.readline(limit + 1)
    if len(line) <= limit or line.endswith(b"\n"):
        return line
    while line and not line.endswith(b"\n"):
        line = stream.readline(_CHUNK)
    return None


def without_end(line: bytes) -> bytes:
    """Return a line without its line feed, or carriage return and line feed."""
    return line[:-1].removesuffix(b"\r") if line.endswith(b"\n") else line


def scan_lines(path: Path, options: Options) -> Iterator[Record | Rejected]:
    """Stream every line of a file as a record; a line above the cap is rejected."""
    for number, line in lines(path, options):
        if line is None:
            yield records.rejected(too_long(), path.name, number)
        else:
            yield Record(path.name, number, without_end(line))


def too_long() -> RecordError:
    """Return the fault of a line above the cap."""
    return RecordError(
        "read.too_long@1", f"the line is longer than {base.MAX_RECORD_BYTES:,} bytes"
    )
