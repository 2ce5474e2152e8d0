"""A process that has imported and loaded what jobs need, and forks a child for each job.

A new Python that imports Arrow takes a second or more; a forked child takes milliseconds. The
server has one thread, no connection to a database and an environment of its own. It answers one
request at a time, a line of JSON each, and ends with its client.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pkgutil import resolve_name
from types import TracebackType
from typing import Any, Final, Protocol

from flows.leaderboard.limited_process import (
    Limits,
    Outcome,
    die_with_parent,
    hide_memory,
    place_of,
    run_limited,
)

#: What a server knows of its environment: no thread beside its own, and where Python is.
_KEPT: Final = (
    *("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV"),
    *("HOME", "XDG_CACHE_HOME", "TMPDIR"),
)
_ENVIRONMENT: Final = {
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "PYTHONDONTWRITEBYTECODE": "1",
}


class Job(Protocol):
    """What is done for a request. `prepare` runs in the server and keeps what others need too."""

    def prepare(self, arguments: Mapping[str, Any]) -> Any:
        """Load what the job needs and others will need again; nothing that a stranger sent."""

    def run(self, prepared: Any, arguments: Mapping[str, Any]) -> Any:
        """Do the job in a child with limits; return a JSON value."""


class JobClient:
    """Runs jobs by a server of its own, which is started anew if it ends."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> JobClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the server and what it runs."""
        server, self._server = self._server, None
        if server is not None:
            server.kill()
            server.communicate()

    def run(self, job: str, arguments: Mapping[str, Any], limits: Limits) -> Outcome:
        """Run a job, given as MODULE:NAME, with limits."""
        request = {"job": job, "arguments": dict(arguments), "limits": asdict(limits)}
        server = self._started()
        assert server.stdin is not None and server.stdout is not None  # they are pipes
        try:
            server.stdin.write(json.dumps(request).encode() + b"\n")
            server.stdin.flush()
            answer = server.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer.endswith(b"\n"):
            self.close()
            return Outcome("crashed", "the process that runs jobs has ended")
        return Outcome(**json.loads(answer))

    def _started(self) -> subprocess.Popen[bytes]:
        if self._server is None or self._server.poll() is not None:
            self.close()
            self._server = subprocess.Popen(
                [sys.executable, "-m", __name__, str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={
                    **{name: os.environ[name] for name in _KEPT if name in os.environ},
                    **_ENVIRONMENT,
                },
            )
        return self._server


def serve(parent: int) -> None:
    """Answer requests on standard input until it ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the client ends this process
    die_with_parent(parent)
    hide_memory()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin.buffer:
        answers.write(json.dumps(asdict(_answer(json.loads(line)))).encode() + b"\n")
        answers.flush()


def _answer(request: Mapping[str, Any]) -> Outcome:
    try:
        job: Job = resolve_name(request["job"])
        prepared = job.prepare(request["arguments"])
    except Exception as error:
        return Outcome("crashed", f"before it began: {place_of(error)}")
    return run_limited(
        partial(job.run, prepared, request["arguments"]), Limits(**request["limits"])
    )


if __name__ == "__main__":
    serve(int(sys.argv[1]))
