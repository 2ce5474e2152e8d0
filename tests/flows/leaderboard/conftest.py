"""Fixtures of tests of a leaderboard's processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes import the jobs of this folder."""
    folders = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, folders)))
