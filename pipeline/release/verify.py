"""`klue verify`: whether a release is what its manifest says, and keeps what releases promise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from pipeline.core.errors import SpecError, StoreError
from pipeline.release.checks import contents, declarations, secrecy
from pipeline.release.checks.subject import Check, Subject
from pipeline.release.manifest import private_folder, read_manifest

#: So many faults are named in full.
_SHOWN: Final = 3
#: By the names of checks, what yields their faults, and what they say where there is none.
CHECKS: Final[
    dict[str, tuple[Callable[[Subject], Iterator[str]], str | Callable[[Subject], str]]]
] = {
    "files": (declarations.files, lambda s: f"{len(s.manifest.files):,} files as listed"),
    "release_hash": (declarations.whole_hash, lambda s: s.manifest.release_hash),
    "tables": (contents.tables, contents.tables_detail),
    "guids": (contents.guids, contents.guids_detail),
    "labels": (contents.labels, contents.labels_detail),
    "places": (contents.places, "every span, head, answer and state fits its text"),
    "test_labels": (secrecy.no_labels, "no test file holds a label, or what betrays it"),
    "judgements": (secrecy.judgements, secrecy.judgements_detail),
    "annotators": (secrecy.annotators, secrecy.annotators_detail),
    "private_files": (declarations.private_files, declarations.private_files_detail),
    "private_labels": (declarations.private_labels, declarations.private_labels_detail),
    "counts": (declarations.counts, declarations.counts_detail),
    "leaks": (declarations.leaks, "no leak that stops a release"),
    "cards": (declarations.cards, "name every config"),
}


def verify(folder: Path, private: Path | None = None) -> list[Check]:
    """Check a release; whatever was done to its files, this raises nothing.

    `private` is its private folder, the one beside it if none is given. The first check is that of
    the manifest, without which there are no others. Those that need the private folder hold where
    it is absent, and say so.
    """
    try:
        manifest = read_manifest(folder)
    except (StoreError, SpecError) as error:
        return [Check("manifest", False, str(error))]
    except Exception as error:  # a path that no system call takes
        return [Check("manifest", False, f"{folder}: cannot be read ({type(error).__name__})")]
    beside = private if private is not None else private_folder(folder)
    subject = Subject(folder.resolve(), manifest, beside if beside.is_dir() else None)
    release = f"{manifest.name} {manifest.version}, format {manifest.format}"
    return [Check("manifest", True, release), *(_run(name, subject) for name in CHECKS)]


def _run(name: str, subject: Subject) -> Check:
    """Run a check; a file that it cannot read, or that is not what it was, is a fault."""
    find_faults, detail = CHECKS[name]
    try:
        faults = list(find_faults(subject))
        if not faults:
            return Check(name, True, detail if isinstance(detail, str) else detail(subject))
    except StoreError as error:
        return Check(name, False, str(error))
    except Exception as error:  # files may hold anything at all
        return Check(name, False, f"could not be checked: {type(error).__name__} in a damaged file")
    more = f"; and {len(faults) - _SHOWN:,} more" if len(faults) > _SHOWN else ""
    return Check(name, False, "; ".join(faults[:_SHOWN]) + more)
