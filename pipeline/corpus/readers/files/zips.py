"""Members of a zip archive, read one by one and never extracted."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.core.errors import InputError
from pipeline.corpus.readers import records
from pipeline.corpus.readers.base import Record, Rejected
from pipeline.corpus.readers.files import members, streams

#: zipfile inflates the other methods without a bound on memory.
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def scan(path: Path, suffix: str) -> Iterator[Record | Rejected]:
    """Stream the files with that suffix, in the order of names; raises InputError."""
    count = 0
    try:
        with zipfile.ZipFile(path) as archive:
            for found in _members(path, archive, suffix):
                yield found
                count += 1
    except NotImplementedError:
        raise InputError(f"{path}: is of an unusual kind (encrypted?); pack it anew") from None
    except (zipfile.BadZipFile, EOFError, zlib.error, OSError, ValueError):
        raise members.damaged(path, count) from None


def _members(path: Path, archive: zipfile.ZipFile, suffix: str) -> Iterator[Record | Rejected]:
    packed = path.stat().st_size
    inflated, skipped = 0, members.Skipped(path)
    for info in sorted(archive.infolist(), key=_name):
        name = _name(info)
        if info.is_dir() and not members.leaves_folder(name):
            continue
        kind = stat.S_IFMT(info.external_attr >> 16)
        fault = members.refusal(name, suffix, plain=kind in (0, stat.S_IFREG))
        file = f"{path.name}!{name}"
        if fault:
            yield records.rejected(fault, file, 1)
            continue
        data = _read(path, archive, info)
        inflated += len(data)
        streams.check_ratio(path, inflated, packed)
        found = members.record(data, file, path.name)
        if isinstance(found, Rejected):
            skipped.add(len(data))
        yield found


def _name(info: zipfile.ZipInfo) -> str:
    """Return a member's name; without the UTF-8 flag, zipfile has read its bytes as CP437."""
    if info.flag_bits & 0x800:
        return info.filename
    return members.name_of(info.filename.encode("cp437", "replace"))


def _read(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.flag_bits & 0x1:
        raise InputError(f"{path}: is encrypted; unpack it with its password first")
    if info.compress_type not in _METHODS:
        raise InputError(f"{path}: is packed by an unusual method; pack it anew with deflate")
    with archive.open(info) as stream:
        return members.read(stream)
