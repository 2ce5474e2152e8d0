"""`klue verify`: whether a release is what its manifest says, and keeps what releases promise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pipeline.core import steps
from pipeline.core.errors import FatalError, StoreError
from pipeline.core.wording import count, verb
from pipeline.release.checks import contents, declarations, secrecy
from pipeline.release.checks.subject import Check, Subject
from pipeline.release.manifest import private_folder, read_manifest

#: So many faults are named in full.
_SHOWN: Final = 3
#: By the names of checks, what yields their faults, and what they say where there is none.
Checks = Mapping[str, tuple[Callable[[Subject], Iterator[str]], str | Callable[[Subject], str]]]
CHECKS: Final[Checks] = {
    "files": (declarations.files, lambda s: f"{count(len(s.manifest.files), 'file')} as listed"),
    "release_hash": (declarations.whole_hash, lambda s: s.manifest.release_hash),
    "tables": (contents.tables, "all have their columns and rows"),
    "guids": (contents.guids, "every guid is there once, in order"),
    "labels": (contents.labels, contents.labels_detail),
    "places": (contents.places, contents.places_detail),
    "test_labels": (secrecy.no_labels, "no test file holds a label, or what betrays it"),
    "judgements": (
        secrecy.judgements,
        lambda s: (
            "votes and ledgers are about nothing closed"
            + ("" if s.private else "; items without a split are known to the private files only")
        ),
    ),
    "annotators": (secrecy.annotators, secrecy.annotators_detail),
    "private_files": (
        declarations.private_files,
        lambda s: (
            "as listed, and readable by their owner alone"
            if s.private
            else "the private folder is not here; not checked"
        ),
    ),
    "private_labels": (
        declarations.private_labels,
        lambda s: (
            "every test example has its label, and no other one"
            if s.private
            else "test labels are not here; not checked"
        ),
    ),
    "counts": (
        declarations.counts,
        lambda s: (
            f"{count(n := len(s.manifest.stages), 'call')} of stages {verb(n, 'adds', 'add')} up,"
            " with their ledgers"
        ),
    ),
    "leaks": (declarations.leaks, "no leak that stops a release"),
    "cards": (declarations.cards, "name every config"),
}


def verify(
    folder: Path, private: Path | None = None, *, more: Checks = MappingProxyType({})
) -> list[Check]:
    """Check a release; whatever was done to its files, this raises nothing.

    `private` is its private folder, the one beside it if none is given; `more` are checks of what
    this layer knows nothing of. The first check is that of
    the manifest, without which there are no others. Those that need the private folder hold where
    it is absent, and say so.
    """
    try:
        manifest = read_manifest(folder)
    except FatalError as error:
        return [Check("manifest", False, str(error))]
    except Exception as error:  # a path that no system call takes
        return [Check("manifest", False, f"{folder}: cannot be read ({type(error).__name__})")]
    beside = private if private is not None else private_folder(folder)
    subject = Subject(folder.resolve(), manifest, beside if beside.is_dir() else None)
    release = f"{manifest.name} {manifest.version}, format {manifest.format}"
    checks = {**CHECKS, **more}
    counted = steps.counted("checks", checks.items(), len(checks))
    return [
        Check("manifest", True, release),
        *(run_check(name, subject, check) for name, check in counted),
    ]


def run_check(name: str, subject: Any, check: Any) -> Check:
    """Run a check; a file that it cannot read, or that is not what it was, is a fault."""
    find_faults, detail = check
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
