"""Stages resume, skip, add up, and give the same bytes however they are run."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.core import running, stage, store
from pipeline.core.errors import ConservationError, RetryError, StoreError
from pipeline.core.pool import Workers


def _call(work: Path, **arguments: Any) -> stage.Call:
    params = {"shards": 7, **arguments.pop("params", {})}
    return stage.call("toy_stage", work=work, source="toy", params=params, arguments=arguments)


def _content(work: Path) -> tuple[str, str]:
    call = _call(work)
    manifest = store.read_manifest(call.folder)
    assert manifest is not None
    return call.fingerprint, manifest.content


def test_workers_do_not_change_a_byte(tmp_path: Path) -> None:
    running.complete(_call(tmp_path / "one"))
    with Workers(2):
        running.complete(_call(tmp_path / "two"))
    found = {_content(tmp_path / name) for name in ("one", "two")}
    assert len(found) == 1
    files = [sorted((tmp_path / n).rglob("*.parquet")) for n in ("one", "two")]
    assert [p.read_bytes() for p in files[0]] == [p.read_bytes() for p in files[1]]
    manifests = [next((tmp_path / n).rglob("manifest.json")).read_bytes() for n in ("one", "two")]
    assert manifests[0] == manifests[1]


def test_the_manifest_adds_up(tmp_path: Path) -> None:
    call = _call(tmp_path)
    running.complete(call)
    manifest = store.read_manifest(call.folder)
    assert manifest is not None
    counts = manifest.counts
    assert (counts.rows_in, counts.rows_out, counts.dropped) == (70, 46, 24)
    assert counts.rules == {"drop": {"toy.third@1": 24}}
    assert store.read_all(call.folder, "units").num_rows == 46
    left = {p.name.split("-")[0] for p in call.folder.iterdir()}
    assert left == {"units", "ledger", "manifest.json"}


def test_a_fall_keeps_finished_shards_and_the_next_run_goes_on(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.touch()
    call = _call(tmp_path / "fallen", trap=str(trap))
    with pytest.raises(RuntimeError):
        running.complete(call)
    partial = store.partial_of(call.folder)
    done = {p.name: p.stat().st_mtime_ns for p in partial.glob("*.parquet")}
    assert len(done) == 6  # units and ledger of three shards
    running.complete(call)
    assert {n: (call.folder / n).stat().st_mtime_ns for n in done} == done
    running.complete(_call(tmp_path / "whole"))
    assert _content(tmp_path / "fallen") == _content(tmp_path / "whole")


@pytest.mark.parametrize("kept", [0, 0.5])
@pytest.mark.parametrize("name", ["units-00001.parquet", f"00001{store.DONE}"])
def test_a_shard_whose_files_were_not_written_whole_is_made_again(
    tmp_path: Path, name: str, kept: float
) -> None:
    """As after a power cut: names may be there, and what they name not yet on the disk."""
    trap = tmp_path / "trap"
    trap.touch()
    call = _call(tmp_path / "fallen", trap=str(trap))
    with pytest.raises(RuntimeError):
        running.complete(call)
    path = store.partial_of(call.folder) / name
    os.truncate(path, int(kept * path.stat().st_size))
    running.complete(call)
    running.complete(_call(tmp_path / "whole"))
    assert _content(tmp_path / "fallen") == _content(tmp_path / "whole")
    assert call.done


def test_a_killed_worker_is_told_and_the_next_run_goes_on(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.touch()
    call = _call(tmp_path / "killed", trap=str(trap), kill=True)
    with pytest.raises(RetryError, match="run the same command again"), Workers(2):
        running.complete(call)
    with Workers(2):
        running.complete(call)
    running.complete(_call(tmp_path / "whole"))
    assert _content(tmp_path / "killed") == _content(tmp_path / "whole")


def test_a_finished_stage_is_not_run_again(tmp_path: Path) -> None:
    call = _call(tmp_path)
    running.complete(call)
    before = {p: p.stat().st_mtime_ns for p in call.folder.iterdir()}
    running.complete(call)
    assert {p: p.stat().st_mtime_ns for p in call.folder.iterdir()} == before


def test_settings_and_inputs_change_the_fingerprint_paths_do_not(tmp_path: Path) -> None:
    first = _call(tmp_path)
    assert _call(tmp_path / "elsewhere", trap="x").fingerprint == first.fingerprint
    assert _call(tmp_path, params={"shards": 8}).fingerprint != first.fingerprint
    other = stage.call("toy_stage", work=tmp_path, source="toy", raw=("d",), params={"shards": 7})
    assert other.fingerprint != first.fingerprint


def test_lost_rows_are_an_error_that_names_stage_source_and_shard(tmp_path: Path) -> None:
    with pytest.raises(ConservationError, match="toy toy 00000: 10 rows in"):
        running.complete(_call(tmp_path, params={"lose": 1}))


def test_a_shard_that_is_missing_at_the_end_is_an_error(tmp_path: Path) -> None:
    call = _call(tmp_path)
    running.prepare(call)
    total = running.run(call)
    next(store.partial_of(call.folder).glob(f"*{store.DONE}")).unlink()
    with pytest.raises(StoreError, match="6 of 7 shards"):
        running.finish(call, total)


def test_a_stage_killed_before_its_renaming_is_recovered(tmp_path: Path) -> None:
    call = _call(tmp_path)
    running.complete(call)
    call.folder.rename(store.partial_of(call.folder))  # as after the manifest, before the rename
    (store.partial_of(call.folder) / running.PREPARED).touch()
    before = {p.name for p in store.partial_of(call.folder).glob("*.parquet")}
    running.recover(call)
    assert call.done
    assert {p.name for p in call.folder.glob("*.parquet")} == before
    assert not (call.folder / running.PREPARED).exists()


def test_finishing_and_preparing_twice_changes_nothing(tmp_path: Path) -> None:
    call = _call(tmp_path)
    running.complete(call)
    running.finish(call, 7)
    running.prepare(call)
    assert not store.partial_of(call.folder).exists()


def test_a_worker_with_other_code_or_versions_refuses(tmp_path: Path) -> None:
    call = _call(tmp_path)
    old = replace(call, versions={**call.versions, "pyarrow": "0.0"})
    with pytest.raises(StoreError, match="other code or library versions"):
        running.complete(old)
    edited = replace(call, code={"toy_stage": "0"})
    with pytest.raises(StoreError, match="other code or library versions"):
        running.complete(edited)


def test_modules_chosen_at_run_time_enter_the_fingerprint(tmp_path: Path) -> None:
    plain = _call(tmp_path)
    chosen = stage.call(
        "toy_stage", work=tmp_path, source="toy", params={"shards": 7}, code=("pipeline.core.ids",)
    )
    assert chosen.fingerprint != plain.fingerprint


def test_a_unit_dropped_twice_for_another_one_lost_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConservationError, match="inputs and ends differ: lost"):
        running.complete(_call(tmp_path, params={"swap": True}))
