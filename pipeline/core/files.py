"""Files that are read or written whole, with errors that say which file and what to do."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final
from uuid import uuid4

from pipeline.core.errors import FatalError, InputError

#: A file that is read at once has no more bytes; official files of KLUE have less than a tenth.
MOST_BYTES: Final = 1024**3


def regular_file(path: Path, *, most: int | None = None) -> Path:
    """Return the path of a file that can be opened without harm; a link counts as its target.

    Raises OSError, with what to do as its text, for a device or pipe, which could hang the reader
    or never end, and for a file of more than `most` bytes; and as the system does for what is not
    there, a folder, and a link that leads to itself.
    """
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        problem = "is a device or pipe; write it to a file first"
        raise OSError(errno.EINVAL, problem, str(path))
    if most is not None and status.st_size > most:
        problem = f"{status.st_size:,} bytes are more than the {most:,} that are allowed"
        raise OSError(errno.EFBIG, problem, str(path))
    return path


def reason_of(error: Exception) -> str:
    """Return what the system says of an error, or else the error's kind: never what was read."""
    return getattr(error, "strerror", None) or type(error).__name__


@contextmanager
def input_errors(subject: object, deed: str, hint: str = "") -> Iterator[None]:
    """Turn an error of the system into an InputError: `subject` cannot be `deed` (read)."""
    try:
        yield
    except OSError as error:
        message = f"{subject}: cannot be {deed}: {error.strerror or error}"
        raise InputError(f"{message}; {hint}" if hint else message) from None


def refuse(subject: object, *checks: tuple[object, str]) -> None:
    """Raise InputError of `subject` with the first of these problems that it has, if it has any."""
    for is_there, problem in checks:
        if is_there:
            raise InputError(f"{subject}: {problem}")


def check_utf8(subject: str, text: str, advice: str = "type it in a shell of UTF-8") -> None:
    """Raise InputError of `subject` for a text that was given in bytes that are not UTF-8."""
    is_other = text.encode("utf-8", "ignore").decode() != text
    refuse(subject, (is_other, f"is not UTF-8; {advice}"))


def leads_out(path: str) -> bool:
    """Return whether a path of a manifest, or the key of an object, is none below a folder."""
    pure = PurePosixPath(path)
    return pure.is_absolute() or ".." in pure.parts or "\0" in path or not pure.parts


def walk(root: Path) -> Iterator[Path]:
    """Yield files, and links to folders, below a folder; raises OSError for what cannot be read."""

    def refuse(error: OSError) -> None:
        raise error

    for folder, folders, files in os.walk(root, onerror=refuse):
        yield from (Path(folder, name) for name in files)
        yield from (link for name in folders if (link := Path(folder, name)).is_symlink())


def make_private(place: Path) -> None:
    """Let the owner alone read a file, or a folder and all below it; links are left as they are.

    Raises OSError for what belongs to somebody else.
    """
    below = place.rglob("*") if place.is_dir() else ()
    for path in (place, *below):
        mode = 0o700 if path.is_dir() else 0o600
        with suppress(FileNotFoundError):  # a server's own files come and go
            if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) != mode:
                path.chmod(mode)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file beside `path`, which takes the place of `path` unless an error comes.

    Raises InputError when `path` cannot be replaced.
    """
    # Processes of several machines may have the same number, and write the same file.
    temporary = path.with_name(f".{path.name}.{uuid4().hex[:12]}")
    try:
        yield temporary
        with input_errors(path, "written"):
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def read_text(
    path: Path, wanted: str, *, most: int = MOST_BYTES, error: type[FatalError] = InputError
) -> str:
    """Return the text of a file of UTF-8, its line ends as they are, without a byte order mark.

    Raises `error` when it cannot be read or has more than `most` bytes; `wanted` says which file to
    give.
    """
    try:
        return regular_file(path, most=most).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise error(f"{path}: no such file; give {wanted}") from None
    except IsADirectoryError:
        raise error(f"{path}: is a folder; give {wanted}") from None
    except UnicodeDecodeError as fault:
        raise error(f"{path}: not UTF-8 (byte {fault.start}); save it as UTF-8") from None
    except OSError as fault:
        raise error(f"{path}: cannot be read: {fault.strerror}") from None
