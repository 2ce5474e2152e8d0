"""The small knowledge base, for the tests of this folder and of those in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from small_knowledge import base

from pipeline.tasks.re.knowledge import Knowledge


@pytest.fixture
def known(tmp_path: Path) -> Iterator[Knowledge]:
    """Return the knowledge base of a few triples, open for reading."""
    with base(tmp_path) as found:
        yield found
