"""What a score depends on besides its files: the code that computes it and its libraries."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Final

from pipeline.contracts.parts import part_modules
from pipeline.core.fingerprint import of_code, of_value

#: Libraries that decide numbers.
LIBRARIES: Final = ("numpy", "scipy", "scikit-learn", "pyarrow")
#: What computes a score, a gain and a rank.
_CODE: Final = "flows.leaderboard.scoring"
_PARTS: Final = ("columns", "scorer")


def scorer_version(tasks: Iterable[str]) -> str:
    """Return the SHA-256 of the code that scores these tasks, and of its libraries' versions.

    The code is that of pipeline/scoring and of each task's reading and scoring, with all that they
    import.
    """
    return _digest(tuple(sorted(tasks)))


@cache
def _digest(tasks: tuple[str, ...]) -> str:
    modules = [_CODE, *(name for task in tasks for name in part_modules(task, *_PARTS))]
    libraries = {name: version(name) for name in LIBRARIES}
    return of_value([libraries, {name: of_code(name) for name in modules}])
