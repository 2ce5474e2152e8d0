"""Places to write to are refused before a command works, where nothing can or may be written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.commands.outputs import check_file, check_folder, check_new_folder, check_page
from pipeline.core.errors import InputError

Check = Callable[[Path], None]
CHECKS: dict[str, Check] = {
    "file": lambda place: check_file("--out", place, force=False),
    "folder": lambda place: check_folder("--out", place),
    "new folder": check_new_folder,
    "page": lambda place: check_page("--out", place, "quality.json"),
}
EVERY = pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)


@EVERY
def test_a_place_below_new_folders_is_taken(check: Check, tmp_path: Path) -> None:
    check(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


@EVERY
def test_a_place_below_a_file_is_refused(check: Check, tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(InputError, match=r"--out \S+/b: cannot be written: \S+/a is a file"):
        check(tmp_path / "a" / "b")


@EVERY
def test_a_name_that_no_record_can_hold_is_refused(check: Check, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not UTF-8"):
        check(tmp_path / "a\udcff")


@EVERY
def test_a_place_of_somebody_else_is_refused(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)  # root may write anywhere
    with pytest.raises(InputError, match=r"cannot be written: \S+ takes no file of this user"):
        check(tmp_path / "new" / "a")


@EVERY
@pytest.mark.parametrize("key", ["release_hash", "corpus_hash"])
@pytest.mark.parametrize("place", ["1.0.0", "1.0.0/report", "1.0.0.private/report/new"])
def test_nothing_is_written_into_a_release(
    check: Check, tmp_path: Path, key: str, place: str
) -> None:
    (tmp_path / "1.0.0").mkdir()
    (tmp_path / "1.0.0" / "manifest.json").write_text(f'{{"{key}": "a"}}')
    with pytest.raises(InputError, match=r"lies in \S+, which never changes|is there|is a folder"):
        check(tmp_path / place)
    check(tmp_path / "1.0.1")


@pytest.mark.parametrize("text", ["", "[]", '{"files": {}}', "[" * 100_000])
def test_other_manifests_keep_nobody_away(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    check_folder("--out", tmp_path)
