"""The server for the checks of this folder, and the samples of the exchange's own tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "annotation" / "exchange"))

from editor import browser  # noqa: F401 - a fixture
from studio_server import studio  # noqa: F401 - a fixture
