"""One Prefect server for all builds of a test session: starting one takes longest of all."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import pytest
from filelock import FileLock
from shared_folder import shared_folder

from flows.engine import server


@pytest.fixture(scope="session", autouse=True)
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Name a server as a user's own one in PREFECT_API_URL; the first worker starts it."""
    if os.environ.get("PREFECT_API_URL"):
        yield
        return
    folder = shared_folder(tmp_path_factory) / "prefect-server"
    folder.mkdir(exist_ok=True)
    address = folder / "address"
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        users = stack.enter_context((folder / "users").open("w"))
        with FileLock(folder / "start.lock"):
            fcntl.flock(users, fcntl.LOCK_SH)
            if not address.exists():
                address.write_text(stack.enter_context(server.running(folder)), "utf-8")
                stack.callback(_wait_for_others, users, address)
        patch.setenv("PREFECT_API_URL", address.read_text("utf-8"))
        patch.setenv("PREFECT_HOME", str(tmp_path_factory.mktemp("prefect")))
        yield


def _wait_for_others(users: TextIO, address: Path) -> None:
    """Wait until no other worker uses the server; one that comes later starts its own."""
    fcntl.flock(users, fcntl.LOCK_EX)
    address.unlink()
