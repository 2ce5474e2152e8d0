"""The one guard of paths that a manifest names: files of the release itself, as it lists them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

from pipeline.core.errors import StoreError
from pipeline.core.files import leads_out, reason_of, regular_file

#: Manifests, specs and cards have a few megabytes at most.
MOST_BYTES: Final = 64 * 1024**2


class Sized(Protocol):
    """What a manifest lists of a file."""

    bytes: int


def file_fault(folder: Path, path: str, entry: Sized | None = None) -> str:
    """Say why a path of a release is not read, or "" if it can be.

    It is read if it lies inside the folder, no part of it is a link, it is a regular file, and it
    has the size that is listed.
    """
    pure = PurePosixPath(path)
    if leads_out(path):
        return "leads out of the release"
    places = [folder.joinpath(*pure.parts[:end]) for end in range(1, len(pure.parts) + 1)]
    try:
        if any(place.is_symlink() for place in places):
            return "is a link"
        size = regular_file(folder / path).stat().st_size
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return "is not there"
    except OSError as error:
        return reason_of(error)
    if entry is not None and size != entry.bytes:
        return f"has {size:,} bytes, {entry.bytes:,} are listed"
    return ""


def released_file(folder: Path, path: str, files: Mapping[str, Sized]) -> Path:
    """Return a file of a release that can be read; raises StoreError with the fault of others."""
    if fault := file_fault(folder, path, files.get(path)):
        raise StoreError(f"{path!r} {fault}" if fault.startswith("leads") else f"{path} {fault}")
    return folder / path
