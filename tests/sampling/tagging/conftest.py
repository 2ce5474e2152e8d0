"""A small tagger that several tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_up import OFFICIAL, rows, write

from pipeline.sampling.tagging.training import Trained, train


@pytest.fixture(scope="session")
def labelled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return 60 made-up labelled texts."""
    return write(tmp_path_factory.mktemp("labelled") / "items.jsonl", rows(60))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, labelled_file: Path) -> tuple[Path, Trained]:
    """Return the folder of a tagger trained on these, and what was made."""
    folder = tmp_path_factory.mktemp("tagger")
    return folder, train([labelled_file], folder, official=OFFICIAL)
