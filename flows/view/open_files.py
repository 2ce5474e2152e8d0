"""A limit of open files (`ulimit -n`) too small for a build is raised, or refused before it begins.

A process that can open no more files cannot start another, nor say clearly what failed: Python's
own servers of processes end with tracebacks.
"""

from __future__ import annotations

import resource
from typing import Final

from pipeline.core.errors import InputError

#: What a build opens at once: 57 on two Dask workers, 32 on processes here, measured.
_BUILD: Final = 96
#: What each more worker of a cluster adds: connections, pipes and a process.
_WORKER: Final = 16


def require_open_files(workers: int) -> None:
    """Let this process open as many files as a build on so many workers needs.

    Raises InputError where the system does not allow that.
    """
    needed = _BUILD + _WORKER * workers
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if _is_enough(soft, needed):
        return
    if not _is_enough(hard, needed):
        raise InputError(
            f"the limit of open files (ulimit -n) is {hard:,}, and a build on {workers} workers"
            f" needs {needed:,}; raise it (ulimit -n {needed}), or take fewer --workers"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def _is_enough(limit: int, needed: int) -> bool:
    return limit == resource.RLIM_INFINITY or limit >= needed
