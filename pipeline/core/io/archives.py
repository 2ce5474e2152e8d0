"""Files of a folder or archive, read in sequence and never extracted.

The order is that of the archive for tar, and of the names for folders and zip. Names that would
leave the folder, links and devices are faults and never followed. tarfile takes a broken header,
and the end of a file that was cut off, for the end of the archive; here both are errors.
"""

from __future__ import annotations

import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

from pipeline.core.errors import InputError, RecordError
from pipeline.core.files import input_errors, refuse, walk
from pipeline.core.io import meter
from pipeline.core.io.inflation import ratio_fault
from pipeline.core.io.source import require_filled
from pipeline.core.io.streams import DamagedError, open_stream
from pipeline.core.wording import verb

#: Too large members of one archive may not add up to more: each byte must be inflated to get past.
MAX_SKIPPED_BYTES = 1024**3
#: Long names and other headers of a tar are short; a longer one is an attack on memory.
_MAX_HEADER_BYTES: Final = 1024**2
_TARS: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.zst", ".tar.xz")
#: The endings of archives.
ARCHIVES: Final = (".zip", *_TARS)
_HEADERS: Final = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
#: zipfile inflates the other methods without a bound on memory.
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class Member(NamedTuple):
    """A file: its name within the input, its bytes or the fault for which it is not read.

    `archive` is the name of the archive that holds it, "" for none; it is part of `file`
    (``archive.zip!folder/name.txt``).
    """

    file: str
    data: bytes | RecordError
    archive: str = ""


def read_members(path: Path, suffix: str | tuple[str, ...], limit: int) -> Iterator[Member]:
    """Stream the files of a folder, .zip or .tar (plain or packed), or a single file.

    Files with another suffix (lower case) or of more than `limit` bytes are faults. Raises
    InputError when the input is missing, empty, of another form, cut off, damaged, encrypted or a
    bomb.
    """
    if not path.is_dir():
        require_filled(path)
    members = _read_input(path, suffix, limit)
    first = next(members, None)
    if first is None:
        raise InputError(f"{path}: is empty: it holds no files; fetch it again")
    yield first
    yield from members


def _read_input(path: Path, suffix: str | tuple[str, ...], limit: int) -> Iterator[Member]:
    name = path.name.lower()
    if path.is_dir():
        return _read_folder(path, suffix, limit)
    if name.endswith(".zip"):
        return _read_zip(path, suffix, limit)
    if name.endswith(_TARS):
        return _read_tar(path, suffix, limit)
    if name.endswith(suffix):
        return iter([Member(decode_name(path.name), _read_file(path, limit))])
    wanted = (suffix,) if isinstance(suffix, str) else suffix
    allowed = ", ".join((*wanted, *ARCHIVES))
    raise InputError(f"{path}: this reader takes a folder or one of {allowed}")


def _read_folder(root: Path, suffix: str | tuple[str, ...], limit: int) -> Iterator[Member]:
    inside = root.resolve()
    try:
        paths = [(decode_name(p.relative_to(root).as_posix()), p) for p in walk(root)]
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read: {error.strerror}") from None
    for file, path in sorted(paths):
        real = Path(os.path.realpath(path))  # unlike resolve, it takes a link to itself
        plain = real.is_file() and real.is_relative_to(inside)
        yield Member(file, _refusal(file, suffix, plain=plain) or _read_file(path, limit))


def _read_file(path: Path, limit: int) -> bytes | RecordError:
    with input_errors(path, "read"), path.open("rb") as stream:
        data = stream.read(limit + 1)
    meter.count(len(data))
    return _check_size(data, limit)


def decode_name(name: str) -> str:
    """Return the name of a file here, whatever encoding its bytes have."""
    return _decode(os.fsencode(name))


def _decode(raw: bytes) -> str:
    """Return a file name as text: Korean archives hold names in UTF-8 or CP949."""
    for encoding in ("utf-8", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "backslashreplace")


def _leaves_folder(name: str) -> bool:
    parts = re.split(r"[/\\]", name)
    return parts[0] == "" or ".." in parts or re.match(r"[A-Za-z]:", name) is not None


def _refusal(name: str, suffix: str | tuple[str, ...], *, plain: bool) -> RecordError | None:
    """Return why a member is not read, judged by its name and kind; None if it is."""
    if _leaves_folder(name):
        return RecordError("file.archive_path@1", "the name leads out of the folder")
    if not plain:
        return RecordError("file.archive_path@1", "is a link, device or pipe")
    if not name.lower().endswith(suffix):
        wanted = suffix if isinstance(suffix, str) else ", ".join(suffix)
        return RecordError("file.not_a_record@1", f"is no {wanted} file")
    return None


def _check_size(data: bytes, limit: int) -> bytes | RecordError:
    return _too_large(limit) if len(data) > limit else data


def _too_large(limit: int) -> RecordError:
    return RecordError("file.too_large@1", f"holds more than {limit:,} bytes")


def _check_skipped(path: Path, size: int) -> None:
    if size > MAX_SKIPPED_BYTES:
        raise InputError(
            f"{path}: members that are too large to read take more than {MAX_SKIPPED_BYTES:,}"
            " bytes; unpack it and give the folder"
        )


def _damage_error(path: Path, count: int) -> InputError:
    return InputError(
        f"{path}: is damaged or cut off after {count:,} {verb(count, 'member', 'members')}; fetch"
        " it again"
    )


def _read_zip(path: Path, suffix: str | tuple[str, ...], limit: int) -> Iterator[Member]:
    count = 0
    try:
        with zipfile.ZipFile(path) as archive:
            for member in _zip_members(path, archive, suffix, limit):
                yield member
                count += 1
    except NotImplementedError:
        raise InputError(f"{path}: is of an unusual kind (encrypted?); pack it anew") from None
    except (zipfile.BadZipFile, EOFError, zlib.error, OSError, ValueError):
        raise _damage_error(path, count) from None


def _zip_members(
    path: Path, archive: zipfile.ZipFile, suffix: str | tuple[str, ...], limit: int
) -> Iterator[Member]:
    packed = path.stat().st_size
    inflated = skipped = 0
    for info in sorted(archive.infolist(), key=_zip_name):
        name = _zip_name(info)
        if info.is_dir() and not _leaves_folder(name):
            continue
        kind = stat.S_IFMT(info.external_attr >> 16)
        fault = _refusal(name, suffix, plain=kind in (0, stat.S_IFREG))
        file = f"{path.name}!{name}"
        if fault:
            yield Member(file, fault, path.name)
            continue
        data = _read_zipped(path, archive, info, limit + 1)
        meter.count(info.compress_size)
        inflated += len(data)
        bomb = ratio_fault(inflated, packed)
        refuse(path, (bomb, bomb))
        if len(data) > limit:
            skipped += len(data)
            _check_skipped(path, skipped)
        yield Member(file, _check_size(data, limit), path.name)


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Return a member's name; without the UTF-8 flag, zipfile has read its bytes as CP437."""
    if info.flag_bits & 0x800:
        return info.filename
    return _decode(info.filename.encode("cp437", "replace"))


def _read_zipped(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo, size: int) -> bytes:
    """Read a member up to a size; the size in its header is not trusted."""
    refuse(
        path,
        (info.flag_bits & 0x1, "is encrypted; unpack it with its password first"),
        (
            info.compress_type not in _METHODS,
            "is packed by an unusual method; pack it anew with deflate",
        ),
    )
    with archive.open(info) as stream:
        return stream.read(size)


class _Header(tarfile.TarInfo):
    """A header that is hostile, broken or absent raises ReadError; only the end mark ends."""

    @classmethod
    def frombuf(cls, buf: Any, encoding: str, errors: str) -> _Header:
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if bytes(buf) == bytes(tarfile.BLOCKSIZE):  # the end mark is a block of zeros
                raise
            raise tarfile.ReadError(str(error)) from None
        hostile = header.type in _HEADERS and header.size > _MAX_HEADER_BYTES
        if header.size < 0 or hostile or header.type == tarfile.GNUTYPE_SPARSE:
            raise tarfile.ReadError("bad header")
        return header


def _read_tar(path: Path, suffix: str | tuple[str, ...], limit: int) -> Iterator[Member]:
    count = 0
    with open_stream(path) as stream:
        file = cast(IO[bytes], stream)  # it only reads
        try:
            with tarfile.open(fileobj=file, mode="r|", tarinfo=_Header) as archive:
                for member in _tar_members(path, archive, suffix, limit):
                    yield member
                    count += 1
            while stream.read(1024 * 1024):
                pass  # a packed stream's own end and checksum come after the end mark
        except (tarfile.TarError, OSError, ValueError, EOFError, DamagedError):
            raise _damage_error(path, count) from None


def _tar_members(
    path: Path, archive: tarfile.TarFile, suffix: str | tuple[str, ...], limit: int
) -> Iterator[Member]:
    skipped = 0
    for member in archive:
        archive.members = []  # type: ignore[attr-defined]  # it keeps every header that it saw
        if member.size > limit:
            skipped += member.size
            _check_skipped(path, skipped)
        name = _decode(member.name.encode("utf-8", "surrogateescape"))
        if member.isdir() and not _leaves_folder(name):
            continue
        fault = _refusal(name, suffix, plain=member.isreg())
        if fault is None and member.size > limit:
            fault = _too_large(limit)
        yield Member(f"{path.name}!{name}", fault or _read_tarred(archive, member), path.name)


def _read_tarred(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(member)
    data = stream.read() if stream else b""
    if len(data) != member.size:
        raise EOFError
    return data
