"""Files of a folder or archive, one record each, read in sequence and never extracted.

Order is that of the archive for tar, and of the names for folders and zip. Names that would leave
the folder, links and devices are rejected and never followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.core.errors import InputError
from pipeline.corpus.readers import records
from pipeline.corpus.readers.base import Record, Rejected
from pipeline.corpus.readers.files import members, streams, tars, zips

_TARS: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.zst")


def scan_files(path: Path, suffix: str) -> Iterator[Record | Rejected]:
    """Stream the files with that suffix (lower case) of a folder, .zip, .tar (plain or packed).

    A single file with the suffix is taken too. Other files are rejected, folders passed over.
    Raises InputError when the input is missing, empty, of another form, cut off, damaged,
    encrypted or a bomb.
    """
    if not path.is_dir():
        streams.require_file(path)
    found = _form(path, suffix)
    first = next(found, None)
    if first is None:
        raise InputError(f"{path}: is empty: it holds no files; fetch it again")
    yield first
    yield from found


def _form(path: Path, suffix: str) -> Iterator[Record | Rejected]:
    name = path.name.lower()
    if path.is_dir():
        return _folder(path, suffix)
    if name.endswith(".zip"):
        return zips.scan(path, suffix)
    if name.endswith(_TARS):
        return tars.scan(path, suffix)
    if name.endswith(suffix):
        return iter([_read(path, members.name_of(os.fsencode(path.name)))])
    allowed = ", ".join((suffix, ".zip", *_TARS))
    raise InputError(f"{path}: this reader takes a folder or one of {allowed}")


def _folder(root: Path, suffix: str) -> Iterator[Record | Rejected]:
    inside = root.resolve()
    for path, file in sorted(_walk(root), key=lambda found: found[1]):
        real = Path(os.path.realpath(path))  # unlike resolve, it takes a link to itself
        plain = real.is_file() and real.is_relative_to(inside)
        fault = members.refusal(file, suffix, plain=plain)
        yield records.rejected(fault, file, 1) if fault else _read(path, file)


def _walk(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield (path, name within the root) of files, and of links to folders: none is followed."""
    for folder, folders, files in os.walk(root, onerror=_refuse):
        here = Path(folder)
        links = [name for name in folders if (here / name).is_symlink()]
        for name in (*files, *links):
            path = here / name
            yield path, members.name_of(os.fsencode(path.relative_to(root).as_posix()))


def _refuse(error: OSError) -> None:
    raise InputError(f"{error.filename}: cannot be read: {error.strerror}")


def _read(path: Path, file: str) -> Record | Rejected:
    try:
        with path.open("rb") as stream:
            return members.record(members.read(stream), file)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
