"""Processes that are killed: a worker, the build itself, the Prefect server, a Dask worker."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final

from build_site import Reference, Site
from build_watch import Ended, Process, Run
from fault import Fault
from round_draw import Round

#: As many files may not be on the disk yet when a machine stops.
_NEWEST: Final = 12


class _Kill(Fault):
    """Kill processes of a kind, one after another; a killed one is not killed again."""

    kind: ClassVar[str]
    most: ClassVar[int] = 1

    def __init__(self, site: Site, chosen: Round, reference: Reference) -> None:
        """Take the site of a round; how many are killed is drawn."""
        super().__init__(site, chosen, reference)
        self._killed: list[int] = []
        self._many = 1 + int(chosen.draw("kills") * self.most)

    def strike(self, run: Run) -> bool:
        alive = [p for p in run.processes(self.kind) if p.pid not in self._killed]
        if alive:
            self._kill(self.round.choose(f"victim {len(self._killed)}", alive))
        return len(self._killed) == self._many

    def _kill(self, process: Process) -> None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
            self._killed.append(process.pid)
            self.deed = f"{len(self._killed)} of kind {self.kind} killed"


class KilledWorker(_Kill):
    """A worker process is killed, as by the kernel when memory runs out; up to three times."""

    kind = "worker"
    most = 3
    engines = ("local",)


class LostDaskWorker(_Kill):
    """A worker of a Dask cluster is killed, up to twice; the cluster starts another."""

    kind = "worker"
    most = 2
    engines = ("dask",)


class KilledServer(_Kill):
    """The Prefect server of the build is killed, up to three times."""

    kind = "server"
    most = 3


class KilledBuild(_Kill):
    """The build's own process is killed."""

    kind = "main"
    ends = frozenset({"same", "killed"})


class LostWrites(KilledBuild):
    """The machine stops: the build is killed, and one of the newest files is not whole."""

    damages = True

    def mend(self, ended: Ended) -> None:
        files = [p for p in (self.site.work / "store").rglob("*") if p.is_file()]
        if newest := sorted(files, key=_written)[-_NEWEST:]:
            file = self.round.choose("lost", newest)
            os.truncate(file, int(self.round.draw("left") * file.stat().st_size))
            self.deed += f", {file.parent.name}/{file.name} cut off"


def _written(path: Path) -> tuple[int, str]:
    return path.stat().st_mtime_ns, str(path)
