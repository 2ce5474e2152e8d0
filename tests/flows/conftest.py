"""One Prefect server for all builds of a test session: starting one takes longest of all."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from flows.engine import server


@pytest.fixture(scope="session", autouse=True)
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Start a server as a user's own one, and name it in PREFECT_API_URL."""
    if os.environ.get("PREFECT_API_URL"):
        yield
        return
    home = tmp_path_factory.mktemp("prefect")
    with pytest.MonkeyPatch.context() as patch, server.running(home) as address:
        patch.setenv("PREFECT_API_URL", address)
        patch.setenv("PREFECT_HOME", str(home / "prefect"))
        yield
