"""Files that are read or written whole, with errors that say which file and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.core.errors import FatalError, InputError


@contextmanager
def input_errors(what: object, deed: str, hint: str = "") -> Iterator[None]:
    """Turn an error of the system into an InputError: `what` cannot be `deed` (read, written)."""
    try:
        yield
    except OSError as error:
        message = f"{what}: cannot be {deed}: {error.strerror or error}"
        raise InputError(f"{message}; {hint}" if hint else message) from None


def refuse(what: object, *checks: tuple[object, str]) -> None:
    """Raise InputError of `what` with the first of these problems that it has, if it has any."""
    for is_there, problem in checks:
        if is_there:
            raise InputError(f"{what}: {problem}")


def walk(root: Path) -> Iterator[Path]:
    """Yield files, and links to folders, below a folder; raises OSError for what cannot be read."""

    def refuse(error: OSError) -> None:
        raise error

    for folder, folders, files in os.walk(root, onerror=refuse):
        yield from (Path(folder, name) for name in files)
        yield from (link for name in folders if (link := Path(folder, name)).is_symlink())


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file beside `path`, which takes the place of `path` unless an error comes.

    Raises InputError when `path` cannot be replaced.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield temporary
        with input_errors(path, "written"):
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def read_text(path: Path, wanted: str, *, error: type[FatalError] = InputError) -> str:
    """Return the text of a file of UTF-8, its line ends as they are, without a byte order mark.

    Raises `error` when it cannot be read; `wanted` says which file to give.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise error(f"{path}: no such file; give {wanted}") from None
    except IsADirectoryError:
        raise error(f"{path}: is a folder; give {wanted}") from None
    except UnicodeDecodeError as fault:
        raise error(f"{path}: not UTF-8 (byte {fault.start}); save it as UTF-8") from None
    except OSError as fault:
        raise error(f"{path}: cannot be read: {fault.strerror}") from None
