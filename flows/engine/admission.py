"""What a worker of a cluster must have before it does any work of a build, and how it does it.

A worker is looked at when a build starts and, if it joins later, with the first item it gets.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pipeline.core.errors import ClusterError
from pipeline.core.fingerprint import of_code, of_value
from pipeline.core.packages import add_packages
from pipeline.core.pool import collect_as
from pipeline.core.stage import Call, versions_of

if TYPE_CHECKING:
    from distributed import Worker

#: About when this process loaded its first module of this project.
_BEGUN: Final = time.time()
#: What a worker must have in the same version beside what a stage computes with.
_TRANSPORT: Final = ("dask", "distributed")
_PROJECT: Final = "klue-rebuild"


class Mark(NamedTuple):
    """A file in the work directory, and what the build wrote into it."""

    path: Path
    token: str


class Requirements(NamedTuple):
    """What a worker must have: installation and files as the process of the build has them.

    `paths` are the files that calls read, with their length in bytes, and folders, with their
    number of entries. `collections` are the thresholds of garbage collection, which it takes over.
    """

    versions: dict[str, str]
    code: dict[str, str]
    packages: dict[str, str]
    mark: Mark
    paths: dict[str, int]
    collections: tuple[int, int, int]


def requirements_of(calls: Iterable[Call], mark: Mark) -> Requirements:
    """Return what a worker must have for these calls."""
    code, packages, distributions = dict[str, str](), dict[str, str](), {*_TRANSPORT}
    paths = dict[str, int]()
    for call in calls:
        code |= call.code
        packages |= call.packages
        distributions |= call.versions.keys() - {"python", "unicode"}
        paths |= {str(path): _extent(path) for path in _paths_in(call.arguments) if path.exists()}
    versions = versions_of(tuple(sorted(distributions))) | {_PROJECT: _project()}
    return Requirements(versions, code, packages, mark, paths, gc.get_threshold())


def _paths_in(value: object) -> Iterator[Path]:
    """Yield the absolute paths that the arguments of a call name."""
    if isinstance(value, str) and value.startswith("/"):
        yield Path(value)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _paths_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _paths_in(each)


def _extent(path: Path) -> int:
    return len([*path.iterdir()]) if path.is_dir() else path.stat().st_size


def _project() -> str:
    try:
        return version(_PROJECT)
    except PackageNotFoundError:
        return "absent"


def find_faults(required: Requirements, dask_worker: Worker) -> list[str]:
    """Return what is wrong with the worker that this runs on, each with its and the build's side.

    It is called through `Client.run`, which gives it the worker.
    """
    add_packages(required.packages)
    return [
        *_installation_faults(required),
        *_file_faults(required),
        *_thread_faults(dask_worker.state.nthreads),
    ]


def _installation_faults(required: Requirements) -> Iterator[str]:
    names = tuple(sorted(required.versions.keys() - {"python", "unicode", _PROJECT}))
    versions = versions_of(names) | {_PROJECT: _project()}
    for name, wanted in required.versions.items():
        if versions[name] != wanted:
            yield f"{name} is {versions[name]} there, {wanted} here"
    code = {module: _digest(module) for module in required.code}
    if others := [module for module in code if code[module] != required.code[module]]:
        yield (
            f"the code of {_PROJECT} is {of_value(code)[:12]} there,"
            f" {of_value(required.code)[:12]} here; {others[0]} differs"
            + (f", and {len(others) - 1} more" if others[1:] else "")
        )
    elif edited := _edited():
        yield f"{edited} has changed since the worker started, which may run the code before"


def _digest(module: str) -> str:
    try:
        return of_code(module)
    except (OSError, ValueError, SyntaxError):
        return "absent"


def _edited() -> str | None:
    """Return a loaded module of this project whose source is newer than this process."""
    for name, module in sorted(sys.modules.copy().items()):
        file = getattr(module, "__file__", None)
        if file and name.startswith(("pipeline.", "flows.")):
            path = Path(file)
            if path.exists() and path.stat().st_mtime > _BEGUN:
                return name
    return None


def _file_faults(required: Requirements) -> Iterator[str]:
    path, token = required.mark
    try:
        seen = path.read_text("utf-8")
    except OSError as error:
        yield f"it does not see the work directory {path.parent} ({error.strerror})"
        return
    if seen != token:
        yield f"another disk lies at the work directory {path.parent}"
    elif not os.access(path.parent, os.W_OK | os.X_OK):
        yield f"it may not write into the work directory {path.parent}"
    for name, extent in required.paths.items():
        try:
            if _extent(Path(name)) != extent:
                yield f"{name} is another file there"
        except OSError as error:
            yield f"it cannot read {name} ({error.strerror})"


def _thread_faults(threads: int) -> Iterator[str]:
    if threads != 1:
        yield (
            f"it has {threads} threads, and stages take one a process; start it with"
            f" --nworkers {threads} --nthreads 1"
        )


def refusal(worker: str, faults: list[str]) -> ClusterError:
    """Return the error that tells what is wrong with a worker, and what to do."""
    more = f"; and {len(faults) - 3} more" if faults[3:] else ""
    return ClusterError(
        f"worker {worker}: {'; '.join(faults[:3])}{more}; give it the installation, user and file"
        " system of this process, restart it, and run the same command again: finished shards are"
        " kept"
    )


def run_item(required: bytes, work: bytes) -> Any:
    """Return function(item) on a worker, both pickled as a pair.

    Raises ClusterError on a worker that lacks what is required.
    """
    _admit(required)
    function, item = pickle.loads(work)
    return function(item)


@lru_cache(maxsize=16)
def _admit(required: bytes) -> None:
    """Look at this worker, once for each build; the cache keeps no error."""
    from distributed import get_worker

    worker, requirements = get_worker(), pickle.loads(required)
    if faults := find_faults(requirements, worker):
        raise refusal(worker.address, faults)
    collect_as(requirements.collections)
