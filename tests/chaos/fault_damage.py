"""Files that are not what they were: of a finished stage in the store, and raw ones."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Final

from build_watch import Ended, Run
from fault import Fault

#: The inputs in a build file.
_RAW: Final = re.compile(r"- path: \.\./raw/(\S+)")


class DamagedShard(Fault):
    """A file of a finished stage is cut off, emptied, gone, or has zeros where data were."""

    damages = True

    def prepare(self) -> dict[str, str]:
        done = [o for o in self.reference.outputs if o not in self.site.missing]
        read = [folder for folder in done if self._is_read(folder)]
        folder = self.site.work / self.round.choose("folder", read or done or [""])
        files = sorted(p for p in folder.glob("*") if p.is_file())
        if not done or not files:
            self.deed = "nothing was finished that could be damaged"
            return {}
        path = self.round.choose("file", files)
        damage = self.round.choose("damage", ["cut", "cut", "emptied", "removed", "zeroed"])
        _damage(path, damage, self.round.draw("left"))
        self.deed = f"{path.parent.parent.name}/{path.parent.name}/{path.name} {damage}"
        return {}

    def _is_read(self, folder: str) -> bool:
        """Tell whether an output is one that a missing output reads from."""
        return any(
            folder.rpartition("-")[2]
            in (self.reference.site.work / missing / "manifest.json").read_text("utf-8")
            for missing in self.site.missing
        )

    def mend(self, ended: Ended) -> None:
        self.follow(ended)


class CutRawFile(Fault):
    """A raw file is cut off: before the build, or while it runs."""

    ends = frozenset({"same", "error", "other input"})

    def prepare(self) -> dict[str, str]:
        text = self.site.file.read_text("utf-8")
        used = [self.site.raw / name for name in _RAW.findall(text)]
        files = sorted(p for place in used for p in _files(place))
        self._path = self.round.choose("raw", files)
        self._whole = self._path.read_bytes()
        self._early = self.round.draw("early") < 0.5
        if self._early:
            self._cut()
        return {}

    def is_time(self) -> bool:
        return not self._early and super().is_time()

    def strike(self, run: Run) -> bool:
        self._cut()
        return True

    def _cut(self) -> None:
        _damage(self._path, "cut", self.round.draw("left"))
        moment = "before" if self._early else "during"
        self.deed = f"{self._path.relative_to(self.site.raw)} cut {moment} the build"

    def mend(self, ended: Ended) -> None:
        """Put the file back, and take away a release that was built of the cut one."""
        self._path.write_bytes(self._whole)
        if ended.code == 0:
            shutil.rmtree(self.site.releases, ignore_errors=True)


def _files(place: Path) -> list[Path]:
    return [p for p in place.rglob("*") if p.is_file()] if place.is_dir() else [place]


def _damage(path: Path, damage: str, share: float) -> None:
    size = path.stat().st_size
    if damage == "removed":
        path.unlink()
    elif damage == "zeroed":
        begin = int(share * size)
        with path.open("r+b") as stream:
            stream.seek(begin)
            stream.write(bytes(min(512, size - begin)))
    else:
        os.truncate(path, 0 if damage == "emptied" else int(share * size))
