"""What the store holds, and the removal of outputs: whole or not at all, whatever kills it.

A folder that is removed first gets a name that nothing reads, in one step. What a killed removal
left under such a name goes with the next.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Final

_NAME: Final = re.compile(r"(?P<stage>\w+)-[0-9a-f]{16}(?P<partial>\.partial)?")
_REMOVED: Final = ".removed"

#: Device and inode: a file that several outputs share has one.
_File = tuple[int, int]


@dataclass(frozen=True)
class Output:
    """The folder of one output of a stage; `time` is when it was last written, in seconds."""

    folder: Path
    stage: str
    finished: bool
    time: float
    files: dict[_File, int]

    @property
    def source(self) -> str:
        """Return the source, or the task, of the output."""
        return self.folder.parent.name

    @property
    def final(self) -> Path:
        """Return the folder that it is, or will be, when finished."""
        return self.folder.with_name(self.folder.name.removesuffix(".partial"))


def outputs(work: Path) -> list[Output]:
    """Return all outputs of a work directory, finished or not, by source and name.

    What is no output's folder, and what is a link, is passed over.
    """
    found = (
        (folder, match)
        for place in _folders(work / "store")
        for folder in _folders(place)
        if (match := _NAME.fullmatch(folder.name))
    )
    return [output for folder, match in found if (output := _output(folder, match))]


def _folders(place: Path) -> Iterator[Path]:
    paths = sorted(place.iterdir()) if place.is_dir() else []
    yield from (path for path in paths if path.is_dir() and not path.is_symlink())


def _output(folder: Path, match: re.Match[str]) -> Output | None:
    """Return an output, None if it is gone by now: a run may give it its final name meanwhile."""
    files, time = dict[_File, int](), 0.0
    with suppress(FileNotFoundError):
        time = folder.stat().st_mtime
        for path in folder.rglob("*"):
            with suppress(FileNotFoundError):
                status = path.lstat()
                files[status.st_dev, status.st_ino] = status.st_size
    return Output(folder, match["stage"], not match["partial"], time, files) if time else None


def sizes(found: Iterable[Output]) -> list[int]:
    """Return the bytes that each output adds to those before it: shared files count once."""
    seen: set[_File] = set()
    result = []
    for output in found:
        result.append(sum(size for file, size in output.files.items() if file not in seen))
        seen.update(output.files)
    return result


def remove(work: Path, unused: Collection[Output]) -> None:
    """Remove outputs of a work directory whose lock is held, and what killed removals left."""
    _sweep(work)
    for output in unused:
        output.folder.rename(output.folder.with_name(f".{output.folder.name}{_REMOVED}"))
    _sweep(work)


def _sweep(work: Path) -> None:
    for place in _folders(work / "store"):
        for folder in _folders(place):
            if folder.name.startswith(".") and folder.name.endswith(_REMOVED):
                rmtree(folder)
        with suppress(OSError):  # another source's outputs are there
            place.rmdir()
