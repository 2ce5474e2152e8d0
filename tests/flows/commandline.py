"""The command line in a process of its own, forked from a server that has imported everything.

A command of a new interpreter spends seconds on imports. Children of the server start in the state
of a new interpreter after its imports: no thread, no open file, no build that ran before.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import runpy
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from multiprocessing import forkserver, util
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from flows.engine.server import SETTINGS

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["preloaded"])


def run(arguments: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `klue` in the folder of this process; returns what it printed.

    `environment` is added to that of this process. Prefect reads its settings when it is imported,
    so that a command with other settings of Prefect's own needs a new interpreter.
    """
    _start_server()
    with TemporaryDirectory() as folder:
        out, error = Path(folder, "out"), Path(folder, "error")
        variables = {**os.environ, **environment}
        work = (list(arguments), variables, str(Path.cwd()), str(out), str(error))
        process = _SERVER.Process(target=_klue, args=work)
        process.start()
        process.join()
        code = process.exitcode
        assert code is not None
        return subprocess.CompletedProcess(
            arguments, code, out.read_text("utf-8"), error.read_text("utf-8")
        )


@cache
def _start_server() -> None:
    """Start the server with the path of this process, and with the settings of Prefect in a run.

    It takes both from the environment alone, and Prefect reads its settings when it is imported.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SETTINGS.items():
            patch.setenv(name, value)
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        forkserver.ensure_running()


def _start_pool_server() -> None:
    """Fork the server of this command's own pool from this process, before it has threads.

    A server in a new interpreter would import for seconds what is imported here.
    """

    def fork(_: bytes, words: Sequence[str], descriptors: Sequence[int]) -> int:
        child = os.fork()
        if child:
            return child
        kept = [2, *sorted(descriptors), os.sysconf("SC_OPEN_MAX")]
        for low, high in pairwise(kept):
            os.closerange(low + 1, high)
        try:
            exec(words[-1])
        finally:
            os._exit(0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(util, "spawnv_passfds", fork)
        forkserver.set_forkserver_preload([])
        forkserver.ensure_running()


def _klue(
    arguments: list[str], environment: Mapping[str, str], folder: str, out: str, error: str
) -> None:
    flags = os.O_WRONLY | os.O_CREAT
    for number, file, mode in (
        (0, os.devnull, os.O_RDONLY),
        (1, out, flags),
        (2, error, flags),
    ):
        os.dup2(os.open(file, mode, 0o600), number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["klue", *arguments]
    if arguments[:1] == ["build"]:
        _start_pool_server()
    try:
        runpy.run_module("flows.cli", run_name="__main__", alter_sys=True)
    finally:
        atexit._run_exitfuncs()
