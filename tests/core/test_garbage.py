"""Outputs are listed with what they share, and removed whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pipeline.core import garbage

NAMES = ("read-0123456789abcdef", "read-0123456789abcdee.partial", "clean-0123456789abcdef")


def _store(work: Path) -> None:
    for name in NAMES:
        folder = work / "store" / "news" / name
        (folder / "inner").mkdir(parents=True)
        for n in range(5):
            (folder / f"units-{n}.parquet").write_bytes(b"x" * 100)
    for strange in ("notes", "read-1", "read-0123456789abcdef.old", ".read-0123456789abcdef"):
        (work / "store" / "news" / strange).mkdir()
    (work / "store" / "news" / "split-0123456789abcdef").symlink_to(work / "elsewhere")
    (work / "store" / "README").write_text("mine")


def test_outputs_are_folders_of_a_stage_and_a_fingerprint(tmp_path: Path) -> None:
    _store(tmp_path)
    found = garbage.outputs(tmp_path)
    assert [(o.folder.name, o.stage, o.source, o.finished) for o in found] == [
        ("clean-0123456789abcdef", "clean", "news", True),
        ("read-0123456789abcdee.partial", "read", "news", False),
        ("read-0123456789abcdef", "read", "news", True),
    ]
    assert found[1].final.name == "read-0123456789abcdee"
    assert garbage.outputs(tmp_path / "elsewhere") == []


def test_a_file_that_outputs_share_counts_once(tmp_path: Path) -> None:
    _store(tmp_path)
    first, second, _ = garbage.outputs(tmp_path)
    alone = garbage.sizes([first, second])
    (second.folder / "units-0.parquet").unlink()
    os.link(first.folder / "units-0.parquet", second.folder / "units-0.parquet")
    shared = garbage.sizes(garbage.outputs(tmp_path)[:2])
    assert (shared[0], shared[1]) == (alone[0], alone[1] - 100)


def test_what_is_removed_is_gone_and_all_else_is_there(tmp_path: Path) -> None:
    _store(tmp_path)
    found = garbage.outputs(tmp_path)
    garbage.remove(tmp_path, found[:2])
    assert garbage.outputs(tmp_path) == found[2:]
    left = {path.name for path in (tmp_path / "store" / "news").iterdir()}
    assert {"notes", "read-1", "split-0123456789abcdef", ".read-0123456789abcdef"} < left
    assert (tmp_path / "store" / "README").read_text() == "mine"


def test_killed_in_the_middle_no_half_of_an_output_stays(tmp_path: Path) -> None:
    _store(tmp_path)
    code = (
        "import os, shutil, signal, sys; from pathlib import Path\n"
        "from pipeline.core import garbage\n"
        "unlink, left = os.unlink, int(sys.argv[2])\n"
        "def fall(*args, **options):\n"
        "    global left; left -= 1\n"
        "    os.kill(os.getpid(), signal.SIGKILL) if left < 0 else unlink(*args, **options)\n"
        "os.unlink = fall\n"
        "garbage.remove(Path(sys.argv[1]), garbage.outputs(Path(sys.argv[1]))[:2])\n"
    )
    for files in (3, 4):
        words = [sys.executable, "-c", code, str(tmp_path), str(files)]
        assert subprocess.run(words, check=False).returncode < 0
        for output in garbage.outputs(tmp_path):
            assert len(list(output.folder.glob("*.parquet"))) == 5
    garbage.remove(tmp_path, [])
    left = {path.name for path in (tmp_path / "store" / "news").iterdir()}
    assert not [name for name in left if name.endswith(".removed")]


def test_the_folder_of_a_source_goes_with_its_last_output(tmp_path: Path) -> None:
    folder = tmp_path / "store" / "news" / NAMES[0]
    folder.mkdir(parents=True)
    garbage.remove(tmp_path, garbage.outputs(tmp_path))
    assert list((tmp_path / "store").iterdir()) == []
