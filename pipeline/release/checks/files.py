"""Every file is there as the manifest says, and no other; the hash of the release follows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pipeline.core.fingerprint import of_file, printable
from pipeline.core.store import MANIFEST
from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.manifest import Entry, Files, release_hash


def files(subject: Subject) -> Check:
    """Compare sizes and digests of all files with the manifest."""
    listed = subject.manifest.files
    return judged("files", differences(subject.folder, listed), f"{len(listed):,} files as listed")


def whole_hash(subject: Subject) -> Check:
    """Compute the release hash out of all else that the manifest tells again."""
    manifest = subject.manifest
    made = release_hash(manifest)
    wrong = made != manifest.release_hash
    told = f"the manifest says {manifest.release_hash[:12]}, what it tells makes {made[:12]}"
    return judged("release_hash", [told] if wrong else [], made)


def differences(folder: Path, listed: Files) -> Iterator[str]:
    """Yield what differs between a folder and the entries of its manifest."""
    for path, entry in sorted(listed.items()):
        if _leads_out(path):
            yield f"{path!r} leads out of the release"
        elif told := _differs(folder / path, entry):
            yield f"{path} {told}"
    for path in sorted(_walk(folder)):
        if path not in listed and path != MANIFEST:
            yield f"{printable(path)} is not in the manifest"


def _leads_out(path: str) -> bool:
    pure = PurePosixPath(path)
    return pure.is_absolute() or ".." in pure.parts or "\0" in path


def _differs(path: Path, entry: Entry) -> str | None:
    if path.is_symlink():
        return "is a link"
    if not path.is_file():
        return "is not there"
    if path.stat().st_size != entry.bytes:
        return f"has {path.stat().st_size:,} bytes, {entry.bytes:,} are listed"
    return None if of_file(path) == entry.sha256 else "has other content than listed"


def _walk(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in [*names, *links])
