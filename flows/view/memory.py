"""A limit of address space (`ulimit -v`) too small for a command is refused before it begins.

Below what they need, libraries in C end the process, or wait, without a word that could be passed
on: neither an error nor the object of `--json` would come.
"""

from __future__ import annotations

import resource
from typing import Final

from pipeline.core.errors import InputError

_GIB: Final = 1024**3
#: What commands need that read files: with 0.5 GiB not all libraries load.
LIGHT: Final = 1 * _GIB
#: What DuckDB, Prefect, scikit-learn or a model beside them need: 2.5 GiB on two cores, measured.
HEAVY: Final = 3 * _GIB


def require_address_space(needed: int) -> None:
    """Raise InputError where this process may take less address space than it needs, in bytes."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < needed:
        raise InputError(
            f"out of memory: the limit of address space (ulimit -v) is {limit // 1024:,} kB, and"
            f" this command needs {needed // 1024:,}; run `ulimit -v unlimited`, or bound the"
            " memory in use instead (a container or cgroup does)"
        )
