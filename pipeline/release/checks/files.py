"""Every file is as the manifest says, and no other; the private folder is whole and closed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pipeline.core.errors import StoreError
from pipeline.core.fingerprint import of_file, printable
from pipeline.core.store import MANIFEST
from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.manifest import Entry, Files, digest_of, read_private_manifest, release_hash
from pipeline.release.tables import COLUMNS, hidden


def files(subject: Subject) -> Check:
    """Compare sizes and digests of all files with the manifest."""
    listed = subject.manifest.files
    return judged("files", differences(subject.folder, listed), f"{len(listed):,} files as listed")


def whole_hash(subject: Subject) -> Check:
    """Compute the release hash again out of all else in the manifest."""
    manifest = subject.manifest
    made = release_hash(manifest)
    wrong = made != manifest.release_hash
    difference = f"the manifest says {manifest.release_hash[:12]}, its content makes {made[:12]}"
    return judged("release_hash", [difference] if wrong else [], made)


def differences(folder: Path, listed: Files) -> Iterator[str]:
    """Yield what differs between a folder and the entries of its manifest."""
    for path, entry in sorted(listed.items()):
        if _leads_out(path):
            yield f"{path!r} leads out of the release"
        elif fault := _differs(folder / path, entry):
            yield f"{path} {fault}"
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


_ABSENT = "the private folder is not here; not checked"


def private_files(subject: Subject) -> Check:
    """Look at the modes of the private files, and compare them with both manifests."""
    if subject.private is None:
        return Check("private_files", True, _ABSENT)
    faults = [*_modes(subject.private), *_contents(subject, subject.private)]
    return judged("private_files", faults, "as listed, and readable by their owner alone")


def private_labels(subject: Subject) -> Check:
    """Look for test examples without a private label, and for labels of others."""
    if subject.private is None:
        return Check("private_labels", True, "test labels are not here; not checked")
    faults = (fault for config, _ in subject.configs for fault in _labels(subject, config))
    return judged("private_labels", faults, "every test example has its label, and no other one")


def closed(folder: Path) -> bool:
    """Tell whether private files are readable by their owner alone."""
    return next(_modes(folder), None) is None


def _modes(folder: Path) -> Iterator[str]:
    for place in [folder, *sorted(folder.rglob("*"))]:
        wanted = 0o700 if place.is_dir() else 0o600
        found = stat.S_IMODE(place.stat().st_mode)
        if found != wanted:
            name = printable(place.relative_to(folder.parent).as_posix())
            yield f"{name} has the mode {found:04o}; {wanted:04o} is wanted (chmod)"


def _contents(subject: Subject, folder: Path) -> Iterator[str]:
    try:
        manifest = read_private_manifest(folder)
    except StoreError as error:
        yield str(error)
        return
    yield from (f"private {fault}" for fault in differences(folder, manifest.files))
    if digest_of(manifest.files) != subject.manifest.private.digest:
        yield "the private files are not those of this release: their digest is another"
    if manifest.manifest != of_file(subject.folder / MANIFEST):
        yield f"{MANIFEST} was changed after the private files were written"


def _labels(subject: Subject, config: str) -> Iterator[str]:
    task, path = subject.manifest.tasks[config].task, f"labels/{config}.parquet"
    public, private = subject.split(config, "test"), subject.table(path, private=True)
    if not private.schema.equals(COLUMNS[task].schema):
        yield f"{path} has other columns than its config"
    elif private["guid"].to_pylist() != public["guid"].to_pylist():
        yield f"{path} is not about the test examples"
    elif not hidden(private, task).equals(hidden(public, task)):
        yield f"{path} has other texts than the test file"
