"""Fixtures that several test files share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No test depends on wall-clock time, and a failure must be there again in the next run.
settings.register_profile("klue", deadline=None, derandomize=True)
settings.load_profile("klue")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Return the folder of real data, or skip; KLUE_REQUIRE_DATA=1 makes its absence a failure."""
    given = os.environ.get("KLUE_DATA")
    path = Path(given) if given else ROOT.parent / "shared" / "data"
    if (path / "raw").is_dir():
        return path
    reason = f"no real data: {path}/raw is absent; set KLUE_DATA to the folder that holds raw/"
    if os.environ.get("KLUE_REQUIRE_DATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
