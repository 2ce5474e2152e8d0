"""Both kinds of stores for the tests of this folder."""

from __future__ import annotations

import moto_store
import pytest

from pipeline.core.objects.address import Address


@pytest.fixture(params=["memory", "s3"])
def any_bucket(request: pytest.FixtureRequest) -> Address:
    """A new bucket of a store in memory, and of moto."""
    if request.param == "memory":
        return moto_store.memory_bucket()
    bucket: Address = request.getfixturevalue("bucket")
    return bucket
