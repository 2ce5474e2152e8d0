"""Members of a tar archive, plain or packed, read as one stream and never extracted.

tarfile takes a broken header, and the end of a file that was cut off, for the end of the archive;
here both are errors.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from pipeline.corpus.readers import base, records
from pipeline.corpus.readers.base import Record, Rejected
from pipeline.corpus.readers.files import members, streams

#: Long names and other headers of a tar are short; a longer one is an attack on memory.
_MAX_HEADER_BYTES: Final = 1024**2
_HEADERS: Final = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_BLOCK: Final = 512


class _Header(tarfile.TarInfo):
    """A header that is hostile, broken or absent raises ReadError; only the end mark ends."""

    @classmethod
    def frombuf(cls, buf: Any, encoding: str, errors: str) -> _Header:
        """Read one header block."""
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if bytes(buf) == bytes(_BLOCK):  # the end mark is a block of zeros
                raise
            raise tarfile.ReadError(str(error)) from None
        hostile = header.type in _HEADERS and header.size > _MAX_HEADER_BYTES
        if header.size < 0 or hostile or header.type == tarfile.GNUTYPE_SPARSE:
            raise tarfile.ReadError("bad header")
        return header


def scan(path: Path, suffix: str) -> Iterator[Record | Rejected]:
    """Stream the files with that suffix, in the archive's order; raises InputError."""
    count = 0
    with streams.opened(path) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive:
                for found in _members(path, archive, suffix):
                    yield found
                    count += 1
            _drain(stream)
        except (tarfile.TarError, OSError, ValueError, *streams.DAMAGE):
            raise members.damaged(path, count) from None


def _members(path: Path, archive: tarfile.TarFile, suffix: str) -> Iterator[Record | Rejected]:
    skipped = members.Skipped(path)
    for member in archive:
        archive.members = []  # type: ignore[attr-defined]  # it keeps every header that it saw
        is_large = member.size > base.MAX_RECORD_BYTES
        if is_large:
            skipped.add(member.size)
        name = members.name_of(member.name.encode("utf-8", "surrogateescape"))
        if member.isdir() and not members.leaves_folder(name):
            continue
        fault = members.refusal(name, suffix, plain=member.isreg())
        if fault is None and is_large:
            fault = members.too_large()
        file = f"{path.name}!{name}"
        if fault:
            yield records.rejected(fault, file, 1)
        else:
            yield Record(file, 1, _read(archive, member), path.name)


def _read(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(member)
    data = stream.read() if stream else b""
    if len(data) != member.size:
        raise EOFError
    return data


def _drain(stream: BinaryIO) -> None:
    """Read what follows the end mark, so that a packed stream's own end and checksum are seen."""
    while stream.read(1024 * 1024):
        pass
