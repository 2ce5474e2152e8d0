"""Official files of a release on the disk: those of private labels are for their owner alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
import small_release as small

from pipeline.contracts.official import files
from pipeline.contracts.official.tables import Official
from pipeline.core.errors import InputError
from pipeline.release import official, tables


def _found() -> Official:
    rows = tables.rows(small.examples("sts"), "sts", labels=True)
    return official.official("sts", tables.examples_of(rows, "sts"))


def test_a_private_file_is_never_open_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is closed while it is written, whatever the mask of the process."""
    real, modes = official.write_official, []

    def write_official(found: Official, path: Path) -> None:
        real(found, path)
        modes.append(stat.S_IMODE(path.parent.stat().st_mode))

    monkeypatch.setattr(official, "write_official", write_official)
    before = os.umask(0)
    try:
        official.write(_found(), tmp_path / "test.json", private=True)
        official.write(_found(), tmp_path / "train.json")
    finally:
        os.umask(before)
    assert modes[0] == 0o700
    assert stat.S_IMODE((tmp_path / "test.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "train.json").stat().st_mode) == 0o666
    assert sorted(one.name for one in tmp_path.iterdir()) == ["test.json", "train.json"]
    assert (tmp_path / "test.json").read_bytes() == (tmp_path / "train.json").read_bytes()
    assert files.read_official("sts", tmp_path / "test.json").items.num_rows == 8


def test_a_private_file_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        official.write(_found(), tmp_path / "absent" / "test.json", private=True)
