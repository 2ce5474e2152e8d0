"""The store is atomic, locked, and tells damage."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import toy_stage

from pipeline.core import running, stage, store
from pipeline.core.errors import InputError, SchemaError, StoreError


def _finished(work: Path) -> stage.Call:
    call = stage.call("toy_stage", work=work, source="toy", params={"shards": 2})
    running.complete(call)
    return call


def test_a_table_that_breaks_its_schema_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(SchemaError):
        store.write_table(tmp_path, "kept", "00000", toy_stage.units(0, 2))
    assert list(tmp_path.iterdir()) == []


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    first = store.write_table(tmp_path, "units", "a", toy_stage.units(0, 500))
    again = store.write_table(tmp_path, "units", "b", toy_stage.units(0, 500))
    assert [v["sha256"] for v in first.values()] == [v["sha256"] for v in again.values()]


def test_some_columns_of_a_table_are_read_and_checked(tmp_path: Path) -> None:
    units = toy_stage.units(0, 5)
    store.write_table(tmp_path, "units", "a", units)
    (path,) = store.tables(tmp_path, "units")
    assert store.read_table(path, "units", ("text", "id")).equals(units.select(["text", "id"]))
    store.write_parquet(path, units.drop_columns(["text"]))
    with pytest.raises(StoreError, match="damaged"):
        store.read_table(path, "units", ("text", "id"))


@pytest.mark.parametrize("part", [1, 1000, 1 << 22])
def test_a_table_read_in_parts_is_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    monkeypatch.setattr(store, "_PART", part)
    for rows in (0, 1, 500):
        units = toy_stage.units(0, rows)
        store.write_table(tmp_path, "units", f"{rows}", units)
        path = tmp_path / f"units-{rows}.parquet"
        assert store.read_table(path, "units").equals(units)
        assert store.read_table(path, "units", ("text", "id")).equals(units.select(["text", "id"]))


def test_a_damaged_manifest_or_table_is_told_with_what_to_do(tmp_path: Path) -> None:
    call = _finished(tmp_path)
    table = store.tables(call.folder, "units")[0]
    table.write_bytes(table.read_bytes()[:100])
    with pytest.raises(StoreError, match=r"damaged.*remove its folder"):
        store.read_table(table, "units")
    (call.folder / store.MANIFEST).write_text("{")
    with pytest.raises(StoreError, match="unreadable"):
        _ = call.done


@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_a_table_that_is_missing_or_cut_off_is_never_taken_for_done(
    tmp_path: Path, damage: str
) -> None:
    call = _finished(tmp_path)
    table = store.tables(call.folder, "units")[1]
    if damage == "gone":
        table.unlink()
    else:
        table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(StoreError, match="missing or cut off; remove the folder and run again"):
        _ = call.done


def test_another_fingerprint_under_the_same_name_is_an_error(tmp_path: Path) -> None:
    call = _finished(tmp_path)
    path = call.folder / store.MANIFEST
    path.write_text(path.read_text().replace(call.fingerprint, call.fingerprint[::-1]))
    with pytest.raises(StoreError, match="another fingerprint"):
        _ = call.done


def test_two_runs_do_not_share_a_work_directory(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pipeline.core import store\n"
        "with store.lock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match="another run"), store.lock(tmp_path):
            pass
        other.kill()
    with store.lock(tmp_path):
        pass


def test_a_work_directory_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "work").touch()
    with (
        pytest.raises(InputError, match="cannot be used as work directory"),
        store.lock(tmp_path / "work"),
    ):
        pass


def _open_to_others(work: Path) -> list[str]:
    """Return what others may read, with its mode; the lock among it."""
    places = [work, *work.rglob("*")]
    modes = {place: stat.S_IMODE(place.stat().st_mode) for place in places}
    return [f"{place} {mode:o}" for place, mode in modes.items() if mode & 0o077]


def test_others_read_nothing_of_a_work_folder_whatever_the_umask(tmp_path: Path) -> None:
    work, before = tmp_path / "work", os.umask(0)
    try:
        with store.lock(work):
            _finished(work)
            (work / "builds").mkdir()
            store.write_json(work / "builds" / "mine.json", {})
    finally:
        os.umask(before)
    assert (work / "builds" / "mine.json").exists()
    assert _open_to_others(work) == []


def test_a_work_folder_that_others_could_read_is_closed(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    call = _finished(work)
    for place in (work, *work.rglob("*")):
        place.chmod(0o755 if place.is_dir() else 0o644)
    (work / "link").symlink_to(tmp_path)
    tmp_path.chmod(0o755)
    with store.lock(work):
        assert _open_to_others(call.folder) == []
    (work / "link").unlink()
    assert _open_to_others(work) == []
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_a_stage_that_is_not_finished_is_closed_too(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    call = stage.call("toy_stage", work=work, source="toy", params={"shards": 2})
    running.prepare(call)
    folder = store.partial_of(call.folder)
    folders = (folder, folder.parent, folder.parent.parent)
    assert [stat.S_IMODE(place.stat().st_mode) for place in folders] == [0o700] * 3
