"""What options may be: choices, places to write to (older ones with --force); rows as JSONL."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from pipeline.core import store
from pipeline.core.files import MOST_BYTES, check_utf8, input_errors, refuse, regular_file

#: The page of a folder.
INDEX: Final = "index.html"
#: What the manifest of a release, or of a pretraining corpus, has beside its files.
_HASHES: Final = frozenset({"release_hash", "corpus_hash"})
#: What the name of a release's private folder ends in.
_PRIVATE: Final = ".private"


def check_choice(option: str, value: str | None, allowed: Collection[str]) -> None:
    """Raise InputError for a value that is given and not among those allowed."""
    is_wrong = value is not None and value not in allowed
    refuse(f"{option} {value!r}", (is_wrong, f"is not known; allowed: {', '.join(allowed)}"))


def require_folder(folder: Path, wanted: str) -> None:
    """Raise InputError for what is no folder; `wanted` says what to give."""
    fault = "is a file" if folder.exists() else "no such folder"
    refuse(folder, (not folder.is_dir(), f"{fault}; give {wanted}"))


def check_folder(
    option: str, folder: Path | None, names: Iterable[str] = (), *, force: bool = False
) -> None:
    """Raise InputError for a file in the place of a folder, and for a folder with such files."""
    if folder is None:
        return
    taken = "" if force else next((name for name in names if (folder / name).exists()), "")
    refuse(
        f"{option} {folder}",
        (folder.exists() and not folder.is_dir(), "is a file; give a folder, it may be new"),
        (taken, f"holds {taken} already; use --force to replace it"),
    )
    _check_writable(option, folder, folder)


def check_page(option: str, folder: Path | None, record: str) -> None:
    """Raise InputError as `check_folder`, and for an index.html of a user or of another command.

    Our own has the record of its numbers beside it, which is written before the page.
    """
    check_folder(option, folder)
    if folder is not None:
        is_other = os.path.lexists(folder / INDEX) and not (folder / record).is_file()
        fault = f"holds an {INDEX} of something else ({record} is not beside it)"
        refuse(f"{option} {folder}", (is_other, f"{fault}; give another folder, or move it away"))


def check_new_folder(out: Path, *, option: str = "--out") -> None:
    """Raise InputError for an --out that is there and not an empty folder."""
    taken = os.path.lexists(out) and (not out.is_dir() or any(out.iterdir()))
    refuse(f"{option} {out}", (taken, "is there and not empty; give a new or empty folder"))
    _check_writable(option, out, out.parent)


@contextmanager
def new_folder(out: Path, *, option: str = "--out") -> Iterator[Path]:
    """Give a folder that gets the name `out` when all is written, within one that does not stay."""
    with input_errors(f"{option} {out}", "written", "give another folder"):
        out.parent.mkdir(parents=True, exist_ok=True)
        temporary = TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.")
    with temporary as place:
        folder = Path(place) / "files"
        folder.mkdir()
        yield folder
        if out.exists():
            out.rmdir()  # it was empty
        folder.rename(out)


def check_file(option: str, file: Path | None, *, force: bool) -> None:
    """Raise InputError for a folder in the place of a file, and for a file that exists."""
    if file is None:
        return
    refuse(
        f"{option} {file}",
        (file.is_dir(), "is a folder; give the file to write"),
        (file.exists() and not force, "exists already; use --force to replace it"),
    )
    _check_writable(option, file, file.parent)


def _check_writable(option: str, place: Path, folder: Path) -> None:
    """Raise InputError where nothing can or may be written into a folder, which may be new.

    Into a release, its private folder or a pretraining corpus nothing may: their manifests list all
    files, so that `klue verify` would refuse them.
    """
    check_utf8(f"{option} {place}", str(place), "rename it")
    folder = Path(os.path.realpath(folder))
    there = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    sealed = next(filter(_is_sealed, (folder, *folder.parents)), None)
    refuse(
        f"{option} {place}",
        (sealed, f"lies in {sealed}, which never changes; give another"),
    )
    refuse(
        f"{option} {place}: cannot be written",
        (not there.is_dir(), f"{there} is a file; give another place"),
        (
            not os.access(there, os.W_OK | os.X_OK),
            f"{there} takes no file of this user; give another place, or change its permissions",
        ),
    )


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write an object a line, keys sorted, into a folder that may be new."""
    lines = (json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    store.write_text(path, "".join(f"{line}\n" for line in lines))


def _is_sealed(folder: Path) -> bool:
    """Tell whether a folder is a release, its private folder, or a pretraining corpus."""
    if folder.name.endswith(_PRIVATE):
        return _is_sealed(folder.with_name(folder.name.removesuffix(_PRIVATE)))
    try:
        manifest = json.loads(regular_file(folder / store.MANIFEST, most=MOST_BYTES).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(manifest, dict) and not _HASHES.isdisjoint(manifest)
