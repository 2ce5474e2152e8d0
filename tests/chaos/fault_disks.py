"""Disks that refuse: full, or read-only, in the work directory or that of releases.

As root a small file system in memory is mounted; without that right a limit of the size of files
stands for a full disk, and permissions for a disk that is read-only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import ClassVar, Final

from build_watch import Ended, Run
from fault import Fault

_PAGE: Final = 4096
_PLENTY: Final = "1g"


def can_mount() -> bool:
    """Tell whether this process may mount: root, and not in a container that forbids it."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    place = Path("/tmp", f"klue-chaos-{os.getpid()}")
    place.mkdir()
    try:
        return _mount("-t", "tmpfs", "tmpfs", str(place)) and _unmount(place)
    finally:
        place.rmdir()


def _mount(*words: str) -> bool:
    return subprocess.run(["mount", *words], capture_output=True).returncode == 0


def _unmount(place: Path) -> bool:
    return subprocess.run(["umount", "-l", str(place)], capture_output=True).returncode == 0


class _Full(Fault):
    """A folder on a file system of its own, which is shrunk to a few free pages."""

    folder: ClassVar[str]
    #: As many bytes may still be written, drawn up to these.
    room: ClassVar[int]

    def prepare(self) -> dict[str, str]:
        place = self.site.folder / self.folder
        self._mounted = can_mount()
        if self._mounted:
            place.mkdir(exist_ok=True)
            aside = place.with_name(f"{self.folder}.aside")
            place.rename(aside)
            place.mkdir()
            _mount("-t", "tmpfs", "-o", f"size={_PLENTY}", "tmpfs", str(place))
            shutil.copytree(aside, place, dirs_exist_ok=True)
            shutil.rmtree(aside)
        return {}

    def limits(self) -> list[str]:
        most = _PAGE + int(self.round.draw("room") * self.room)
        return [] if self._mounted else [f"--fsize={most}"]

    def is_time(self) -> bool:
        return super().is_time() and self._mounted

    def strike(self, run: Run) -> bool:
        place = self.site.folder / self.folder
        status = os.statvfs(place)
        used = (status.f_blocks - status.f_bfree) * status.f_frsize
        room = int(self.round.draw("room") * self.room)
        self.deed = f"{room // 1024} KiB left in {self.folder}"
        return _mount("-o", f"remount,size={used + room + _PAGE}", str(place))

    def mend(self, ended: Ended) -> None:
        if self._mounted:
            place = self.site.folder / self.folder
            _mount("-o", f"remount,size={_PLENTY}", str(place))

    def clear(self) -> None:
        if self._mounted:
            _unmount(self.site.folder / self.folder)


class FullWork(_Full):
    """The disk of the work directory is full."""

    folder = "work"
    room = 1024 * 1024


class FullReleases(_Full):
    """The disk of the releases is full."""

    folder = "releases"
    room = 6 * 1024 * 1024

    def is_time(self) -> bool:
        return self._mounted


class ReadOnly(Fault):
    """A folder becomes read-only: the store, a part of it, Prefect's own, releases, or the work."""

    def prepare(self) -> dict[str, str]:
        self._place = self.site.folder / self.round.choose("place", self._places())
        self._mounted, self._modes = False, dict[Path, int]()
        for place in (self.site.work, self.site.releases):
            place.mkdir(exist_ok=True)
        if self._place == self.site.work:
            self._close()
        return {}

    def _places(self) -> list[str]:
        owner = self.round.choose("owner", self.site.missing).split("/")[1]
        return ["work", "releases", "work/prefect", "work/store", f"work/store/{owner}"]

    def is_time(self) -> bool:
        whole = self._place in (self.site.work, self.site.releases)
        return (whole or super().is_time()) and self._place.is_dir()

    def strike(self, run: Run) -> bool:
        return bool(self.deed) or self._close()

    def _close(self) -> bool:
        place = str(self._place)
        if can_mount():
            self._mounted = _mount("--bind", place, place)
            closed = self._mounted and _mount("-o", "remount,bind,ro", place)
            if self._mounted and not closed:
                _unmount(self._place)
                self._mounted = False
        else:
            for path in [p for p in (self._place, *self._place.rglob("*")) if p.is_dir()]:
                self._modes[path] = path.stat().st_mode
                path.chmod(0o500)
            closed = True
        if closed:
            self.deed = f"{self._place.relative_to(self.site.folder)} is read-only"
        return closed

    def mend(self, ended: Ended) -> None:
        self.clear()

    def clear(self) -> None:
        if self._mounted:
            _unmount(self._place)
        for path, mode in self._modes.items():
            path.chmod(mode & 0o777)
        self._mounted, self._modes = False, {}
