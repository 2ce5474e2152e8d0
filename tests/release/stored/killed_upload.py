"""A publisher that is killed, like a process whose machine is switched off, at a chosen write."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

from pipeline.core.objects.access import ObjectStore
from pipeline.core.objects.address import Address
from pipeline.release.stored.upload import publish

_SERVER = multiprocessing.get_context("forkserver")


def publish_until(release: Path, place: Address, private: Path, *, write: int, after: bool) -> int:
    """Publish in a process that kills itself before, or after, the n-th write; returns its code."""
    arguments = (dict(os.environ), release, place, private, write, after)
    process = _SERVER.Process(target=_publish, args=arguments)
    process.start()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def _publish(
    environment: dict[str, str],
    release: Path,
    place: Address,
    private: Path,
    write: int,
    after: bool,
) -> None:
    os.environ.update(environment)  # the server of forks may have started with another
    real, writes = ObjectStore.create, list[Address]()

    def create(self: ObjectStore, target: Address, content: Path | bytes) -> bool:
        writes.append(target)
        is_last = len(writes) == write
        if is_last and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        created = real(self, target, content)
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)
        return created

    ObjectStore.create = create  # type: ignore[method-assign]
    publish(release, place, private)
