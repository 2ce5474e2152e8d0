"""Files as they come in: counted while they stream, on the disk before anything is said of them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pipeline.core.files import walk
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import RefusedError, Upload

#: The forms of files by their first bytes, and the endings of their names. Packed JSONL is
#: unpacked, up to the limit of the board, by the process that checks it.
_PACKED: Final = {b"\x1f\x8b": "jsonl.gz", b"\x28\xb5\x2f\xfd": "jsonl.zst", b"PAR1": "parquet"}
FORMS: Final = ("jsonl", *_PACKED.values())
#: Archives, and other ways of packing: by their first bytes.
_ARCHIVES: Final = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!",
    b"BZh",
    b"\xfd7zXZ",
)
#: So many first bytes are kept to know the form; a tar file names itself at 257.
_HEAD: Final = 512


def new_key() -> str:
    """Return a key that nobody can guess: 20 characters of 0-9 and a-f."""
    return secrets.token_hex(10)


class IncomingFile:
    """A file that is being received, within `with`.

    Unless it is kept it is removed at the end. One that was kept is removed if the block ends with
    a RefusedError: the submission was refused before it was stored. After any other exception it
    stays, for its submission may have been stored; `remove_leftovers` knows.
    """

    def __init__(self, layout: Layout, *, most: int) -> None:
        """Take the board, and the most bytes that the file may have."""
        self._layout = layout
        self._most = most
        self._bytes = 0
        self._digest = sha256()
        self._head = b""
        self._path = layout.incoming / new_key()
        self._kept: Path | None = None

    def __enter__(self) -> Self:
        self._file = os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        shared = (
            self._layout.incoming.stat().st_mode & 0o040
        )  # who reads the folder reads its files
        os.fchmod(self._file, 0o600 | shared)
        return self

    def write(self, chunk: bytes) -> None:
        """Write the next bytes. Raises RefusedError (413) for one byte more than allowed."""
        if self._bytes + len(chunk) > self._most:
            raise RefusedError(
                413, f"the file has more than the {self._most:,} bytes that are allowed"
            )
        self._bytes += len(chunk)
        self._digest.update(chunk)
        if len(self._head) < _HEAD:
            self._head += chunk[: _HEAD - len(self._head)]
        view = memoryview(chunk)
        while view:
            view = view[os.write(self._file, view) :]

    def keep(self, key: str, *, form: str | None = None, dev: bool = False) -> Upload:
        """Give the file its place among the submissions, on the disk, and return what it is.

        `form` is what the submitter says: jsonl or parquet; `dev` are predictions of dev. Raises
        RefusedError (422) for an empty file, an archive, and a file of another form.
        """
        ending = form_of(self._head)
        told = ending.partition(".")[0]
        if form is not None and form != told:
            raise RefusedError(422, f"form: the file is {told}, not {form[:20]!r}; name its form")
        name = f"{key}.dev.{ending}" if dev else f"{key}.{ending}"
        os.fsync(self._file)
        self._kept = self._layout.submissions / name
        self._path.rename(self._kept)
        _sync(self._layout.submissions)
        return Upload(name, self._bytes, self._digest.hexdigest())

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)
        if self._kept is None:
            self._path.unlink(missing_ok=True)
        elif isinstance(error, RefusedError):
            self._kept.unlink(missing_ok=True)


def form_of(head: bytes) -> str:
    """Return the ending of a file by its first bytes; raises RefusedError (422) as `keep` does."""
    if not head:
        raise RefusedError(422, "the file is empty; send one line, or row, for each guid of test")
    if head.startswith(_ARCHIVES) or head[257:262] == b"ustar":
        raise RefusedError(
            422, "the file is an archive; send the predictions themselves, as JSONL or Parquet"
        )
    return next((form for magic, form in _PACKED.items() if head.startswith(magic)), "jsonl")


def remove_leftovers(layout: Layout, known: Collection[str]) -> list[str]:
    """Remove what a killed process left, before a board takes submissions; return the names.

    That is all of `incoming`, and files that no submission names: `known` are those that one does.
    """
    left = [*walk(layout.incoming), *(p for p in walk(layout.submissions) if p.name not in known)]
    for path in left:
        path.unlink()
    return sorted(path.name for path in left)


def _sync(folder: Path) -> None:
    """Write the names of a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
