"""The private folder: closed to others, whole, and with a label for every test example."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

from pipeline.core.errors import StoreError
from pipeline.core.fingerprint import of_file, printable
from pipeline.core.store import MANIFEST
from pipeline.release import tables
from pipeline.release.checks.files import differences
from pipeline.release.checks.subject import Check, Subject, judged
from pipeline.release.manifest import digest_of, read_private_manifest
from pipeline.release.tables import COLUMNS

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
    yield from (f"private {told}" for told in differences(folder, manifest.files))
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
    elif not tables.hidden(private, task).equals(tables.hidden(public, task)):
        yield f"{path} has other texts than the test file"
