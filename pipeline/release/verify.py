"""`klue verify`: whether a release is what its manifest says, and keeps what releases promise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from pipeline.core.errors import StoreError
from pipeline.release.checks import contents, declarations, secrecy
from pipeline.release.checks.subject import Check, Subject
from pipeline.release.manifest import private_folder, read_manifest

CHECKS: Final[dict[str, Callable[[Subject], Check]]] = {
    "files": declarations.files,
    "release_hash": declarations.whole_hash,
    "tables": contents.tables,
    "guids": contents.guids,
    "labels": contents.labels,
    "places": contents.places,
    "test_labels": secrecy.no_labels,
    "judgements": secrecy.judgements,
    "annotators": secrecy.annotators,
    "private_files": declarations.private_files,
    "private_labels": declarations.private_labels,
    "counts": declarations.counts,
    "leaks": declarations.leaks,
    "cards": declarations.cards,
}


def verify(folder: Path, private: Path | None = None) -> list[Check]:
    """Check a release; whatever was done to its files, this raises nothing.

    `private` is its private folder, the one beside it if none is given. The first check is that of
    the manifest, without which there are no others. Those that need the private folder hold where
    it is absent, and say so.
    """
    try:
        manifest = read_manifest(folder)
    except StoreError as error:
        return [Check("manifest", False, str(error))]
    except Exception as error:  # a path that no system call takes
        return [Check("manifest", False, f"{folder}: cannot be read ({type(error).__name__})")]
    beside = private if private is not None else private_folder(folder)
    subject = Subject(folder.resolve(), manifest, beside if beside.is_dir() else None)
    release = f"{manifest.name} {manifest.version}, format {manifest.format}"
    return [Check("manifest", True, release), *(_run(name, subject) for name in CHECKS)]


def _run(name: str, subject: Subject) -> Check:
    """Run a check; a file that it cannot read, or that is not what it was, is what it found."""
    try:
        return CHECKS[name](subject)
    except StoreError as error:
        return Check(name, False, str(error))
    except Exception as error:  # files may hold anything at all
        return Check(name, False, f"could not be checked: {type(error).__name__} in a damaged file")
