"""What the workers of a test session have in common."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the temporary folder of the whole session, which all of its workers see."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
