"""Data and weights that several tests share, small enough to be made by the tests themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from comments import SMALL, rows, write_tsv

from pipeline.corpus.toxicity.release import Release, train_release


@pytest.fixture(scope="session")
def train_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return 240 made-up labelled comments."""
    return write_tsv(tmp_path_factory.mktemp("labelled") / "train.tsv", rows(240))


@pytest.fixture(scope="session")
def dev_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return 60 others."""
    others = [row | {"comments": row["comments"] + "!"} for row in rows(60, seed=1)]
    return write_tsv(tmp_path_factory.mktemp("labelled") / "dev.tsv", others)


@pytest.fixture(scope="session")
def weights(
    tmp_path_factory: pytest.TempPathFactory, train_file: Path, dev_file: Path
) -> tuple[Path, Release]:
    """Return a folder of small weights trained on these, and what was made."""
    folder = tmp_path_factory.mktemp("weights")
    return folder, train_release(train_file, dev_file, folder, recipe=SMALL)
