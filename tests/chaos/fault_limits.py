"""What the system gives out: file descriptors, and the time."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from build_watch import Run
from fault import Fault

_SOURCE: Final = Path(__file__).with_name("clock_offset.c")


class FewDescriptors(Fault):
    """The build may open few files: from its start, or as few as it has open at the moment."""

    def prepare(self) -> dict[str, str]:
        self._early = self.round.draw("early") < 0.6
        self._most = int(20 * 12 ** self.round.draw("descriptors"))
        return {}

    def limits(self) -> list[str]:
        return [f"--nofile={self._most}"] if self._early else []

    def is_time(self) -> bool:
        self.deed = f"at most {self._most} open files from the start"
        return not self._early and super().is_time()

    def strike(self, run: Run) -> bool:
        with suppress(OSError):
            opened = len([*Path("/proc", str(run.main.pid), "fd").iterdir()])
            most = opened + self._most // 20
            resource.prlimit(run.main.pid, resource.RLIMIT_NOFILE, (most, most))
            self.deed = f"at most {most} open files from the moment, {opened} were"
        return True


class ClockJump(Fault):
    """The clock jumps by 400 days, forward or back."""

    @staticmethod
    def absence() -> str | None:
        """Name the compiler where there is none."""
        return None if _compiler() else "a C compiler (cc)"

    def prepare(self) -> dict[str, str]:
        self._clock, library = self.site.folder / "clock", self.site.folder / "clock.so"
        self._clock.write_bytes(bytes(8))
        words = [str(_compiler()), "-shared", "-fPIC", "-O1", "-o", str(library), str(_SOURCE)]
        subprocess.run(words, check=True)
        return {"LD_PRELOAD": str(library), "KLUE_CHAOS_CLOCK": str(self._clock)}

    def strike(self, run: Run) -> bool:
        seconds = self.round.choose("jump", [400 * 86400, -400 * 86400, 3600, -3600])
        with self._clock.open("r+b") as stream:  # in place: the file is mapped
            stream.write(seconds.to_bytes(8, sys.byteorder, signed=True))
        self.deed = f"clock {seconds:+,} s"
        return True


def _compiler() -> str | None:
    return shutil.which("cc")
