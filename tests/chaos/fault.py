"""What a fault is: what it does before a build, at its moment, and how its user mends it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import ClassVar, Final

from build_site import Reference, Site
from build_watch import Ended, Run
from round_draw import Round

_NAMED: Final = re.compile(r"/\S*?/store/[^/\s]+/[^/\s:;,]+")


class Fault:
    """A fault of one round; those below override what they do.

    `engines` are those that it strikes on, `ends` how a build under it may end: with the `same`
    bytes, in an `error`, `killed`, or built of an `other input`.
    """

    engines: ClassVar[tuple[str, ...]] = ("local", "dask")
    ends: ClassVar[frozenset[str]] = frozenset({"same", "error"})
    #: Whether files are damaged, so that an error tells its user what to remove.
    damages: ClassVar[bool] = False

    def __init__(self, site: Site, chosen: Round, reference: Reference) -> None:
        """Take the site of a round, and the build that nothing disturbs."""
        self.site = site
        self.round = chosen
        self.reference = reference
        #: What was done, in words.
        self.deed = ""

    @staticmethod
    def absence() -> str | None:
        """Return what this machine lacks for the fault, None if nothing."""
        return None

    def prepare(self) -> dict[str, str]:
        """Do what comes before the build; returns what its environment has more."""
        return {}

    def limits(self) -> list[str]:
        """Return the limits that the build starts under, as options of prlimit."""
        return []

    def is_time(self) -> bool:
        """Tell whether the moment of the round has come."""
        if self.round.publishing and not self.round.from_nothing:
            return any(self.site.releases.glob("*/*"))
        due = int(self.round.moment * len(self.site.missing))
        return self.site.committed() >= due

    def strike(self, run: Run) -> bool:
        """Strike; returns whether that is done, else it is called again."""
        return True

    def mend(self, ended: Ended) -> None:
        """Do what the user does before the same command is run again."""

    def follow(self, ended: Ended) -> None:
        """Remove the folder of the store that an error names, as it advises."""
        match = _NAMED.search(str((ended.record or {}).get("error", "")))
        if match and Path(match[0]).is_relative_to(self.site.work):
            shutil.rmtree(match[0], ignore_errors=True)

    def clear(self) -> None:
        """Leave nothing behind that removing the folder would not remove."""
