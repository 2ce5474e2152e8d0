"""One object store for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import moto_store
import pytest

from pipeline.core.objects.address import Address


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of moto's server."""
    with moto_store.running() as address:
        yield address


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch) -> Address:
    """A new bucket of that server, which the environment names."""
    moto_store.point_at(monkeypatch, server)
    return moto_store.new_bucket()


@pytest.fixture(params=["memory", "s3"])
def any_bucket(request: pytest.FixtureRequest) -> Address:
    """A new bucket of a store in memory, and of moto."""
    if request.param == "memory":
        return moto_store.memory_bucket()
    bucket: Address = request.getfixturevalue("bucket")
    return bucket
