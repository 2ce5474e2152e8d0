"""Shards of earlier calls are taken over, and the bytes are those of a store without history."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import keyed_stage
import pytest

from pipeline.core import reuse, running, stage, store
from pipeline.core.errors import RetryError
from pipeline.core.pool import Workers


def _call(work: Path, *numbers: int, source: str = "toy", **arguments: Any) -> stage.Call:
    arguments = {"log": str(work / "log"), **arguments}
    params = {"numbers": list(numbers)}
    return stage.call("keyed_stage", work=work, source=source, params=params, arguments=arguments)


def _complete(work: Path, *numbers: int, **options: Any) -> list[int]:
    """Complete a call; returns the numbers of the shards that ran, in order."""
    work.mkdir(exist_ok=True)
    call = _call(work, *numbers, **options)
    (work / "log").write_text("")
    running.complete(call)
    return sorted(map(int, (work / "log").read_text().split()))


def _contents(work: Path, *numbers: int) -> dict[str, bytes]:
    """Return the bytes of all files of a call, its manifest among them."""
    folder = _call(work, *numbers).folder
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _from_scratch(folder: Path, *numbers: int) -> dict[str, bytes]:
    _complete(folder / "scratch", *numbers)
    try:
        return _contents(folder / "scratch", *numbers)
    finally:
        shutil.rmtree(folder / "scratch")


def test_a_new_shard_runs_alone_wherever_it_stands(tmp_path: Path) -> None:
    work = tmp_path / "work"
    assert _complete(work, 1, 2, 3) == [1, 2, 3]
    assert _complete(work, 1, 9, 2, 3) == [9]
    assert _complete(work, 3, 1) == []
    for numbers in ((1, 2, 3), (1, 9, 2, 3), (3, 1)):
        assert _contents(work, *numbers) == _from_scratch(tmp_path, *numbers)


def test_the_counts_are_those_of_all_shards(tmp_path: Path) -> None:
    _complete(tmp_path, 1, 2)
    reported: list[int] = []
    call = _call(tmp_path, 1, 2, 3)
    running.complete(call, reported.append)
    manifest = store.read_manifest(call.folder)
    assert manifest is not None
    assert (manifest.counts.rows_in, manifest.counts.rows_out, sum(reported)) == (30, 30, 30)


def test_tables_are_shared_and_outlive_the_call_they_came_from(tmp_path: Path) -> None:
    _complete(tmp_path, 1, 2)
    _complete(tmp_path, 0, 1, 2)
    old, new = (_call(tmp_path, *numbers).folder for numbers in ((1, 2), (0, 1, 2)))
    assert (old / "units-00001.parquet").samefile(new / "units-00002.parquet")
    shutil.rmtree(old)
    assert _contents(tmp_path, 0, 1, 2) == _from_scratch(tmp_path, 0, 1, 2)


def test_without_links_tables_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    _complete(tmp_path, 1, 2)
    monkeypatch.setattr(os, "link", refuse)
    assert _complete(tmp_path, 1, 2, 3) == [3]
    assert _contents(tmp_path, 1, 2, 3) == _from_scratch(tmp_path, 1, 2, 3)


@pytest.mark.parametrize("damage", ["bit", "cut", "gone", "manifest"])
def test_what_is_damaged_is_made_again(tmp_path: Path, damage: str) -> None:
    _complete(tmp_path, 1, 2)
    folder = _call(tmp_path, 1, 2).folder
    table, manifest = folder / "units-00000.parquet", folder / store.MANIFEST
    data = table.read_bytes()
    if damage == "bit":
        table.write_bytes(data[:60] + bytes([data[60] ^ 1]) + data[61:])
    elif damage == "cut":
        table.write_bytes(data[:-1])
    elif damage == "gone":
        table.unlink()
    else:
        manifest.write_text("{")
    assert _complete(tmp_path, 1, 2, 3) == ([1, 3] if damage == "bit" else [1, 2, 3])
    assert _contents(tmp_path, 1, 2, 3) == _from_scratch(tmp_path, 1, 2, 3)


def test_other_sources_code_and_versions_have_other_keys(tmp_path: Path) -> None:
    call = _call(tmp_path, 1)
    (shard,) = keyed_stage.STAGE.shards(call)
    others = (
        replace(call, source="other"),
        replace(call, code={"keyed_stage": "0"}),
        replace(call, versions={**call.versions, "pyarrow": "0.0"}),
    )
    keys = {stage.shard_key(other, shard) for other in (call, *others)}
    keys.add(stage.shard_key(call, shard._replace(reads=2)))
    assert len(keys) == 5
    assert stage.shard_key(call, shard._replace(reads=None)) is None
    assert stage.shard_key(call, shard._replace(label="x", size=7)) in keys


def test_shards_of_a_killed_run_serve_another_call(tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    with pytest.raises(RetryError), Workers(2):
        running.complete(_call(tmp_path, 1, 2, 3, 4, 5, 6, 7, 8, kill=8))
    folder = store.partial_of(_call(tmp_path, 1, 2, 3, 4, 5, 6, 7, 8).folder)
    # not what a killed worker was writing, which has another name
    done = [path for path in folder.iterdir() if path.name.endswith(store.DONE)]
    assert done
    assert len(_complete(tmp_path, 0, 1, 2, 3, 4, 5, 6, 7)) == 8 - len(done)
    expected = _from_scratch(tmp_path, 0, 1, 2, 3, 4, 5, 6, 7)
    assert _contents(tmp_path, 0, 1, 2, 3, 4, 5, 6, 7) == expected


def test_a_damaged_marker_of_a_killed_run_is_passed_over(tmp_path: Path) -> None:
    call = _call(tmp_path, 1, 2)
    (tmp_path / "log").touch()
    running.prepare(call)
    running.run(call)
    (store.partial_of(call.folder) / f"00001{store.DONE}").write_text("")
    assert _complete(tmp_path, 1, 2, 3) == [2, 3]
    assert _contents(tmp_path, 1, 2, 3) == _from_scratch(tmp_path, 1, 2, 3)


def test_unfinished_shards_that_wait_for_a_verdict_serve_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyed_stage, "STAGE", replace(keyed_stage.STAGE, verify=lambda *_: None))
    call = _call(tmp_path, 1, 2)
    running.prepare(call)
    running.run(call)
    assert len(list(store.partial_of(call.folder).glob("*.done.json"))) == 2
    assert reuse.find_shards(_call(tmp_path, 1)) == {}
    running.finish(call, 2)
    assert len(reuse.find_shards(_call(tmp_path, 1))) == 2


def test_killed_while_it_takes_over_the_next_run_gives_the_same(tmp_path: Path) -> None:
    _complete(tmp_path / "work", *range(1, 6))
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from pipeline.core import reuse, running, stage\n"
        "link, left = reuse._link, int(sys.argv[2])\n"
        "def fall(*paths):\n"
        "    global left; left -= 1\n"
        "    os.kill(os.getpid(), signal.SIGKILL) if left < 0 else link(*paths)\n"
        "reuse._link = fall\n"
        "running.complete(stage.call('keyed_stage', work=Path(sys.argv[1]), source='toy',"
        " params={'numbers': [0, 1, 2, 3, 4, 5]}))\n"
    )
    for links in (1, 3, 7):
        words = [sys.executable, "-c", code, str(tmp_path / "work"), str(links)]
        path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
        killed = subprocess.run(words, check=False, env={**os.environ, "PYTHONPATH": path})
        assert killed.returncode < 0
    assert _complete(tmp_path / "work", *range(6)) == []  # 0 ran before the first kill
    assert _contents(tmp_path / "work", *range(6)) == _from_scratch(tmp_path, *range(6))


@pytest.mark.parametrize("seed", range(4))
def test_any_history_gives_the_bytes_of_none(tmp_path: Path, seed: int) -> None:
    draw, numbers, made = random.Random(seed), [1, 2, 3], set[int]()
    for _ in range(8):
        action = draw.choice(("add", "remove", "move", "forget"))
        if action == "add":
            numbers.insert(draw.randint(0, len(numbers)), max(numbers) + draw.randint(1, 3))
        elif action == "remove" and len(numbers) > 1:
            numbers.remove(draw.choice(numbers))
        elif action == "move":
            draw.shuffle(numbers)
        elif made:
            shutil.rmtree(tmp_path / "work" / "store")
            made.clear()
        ran = _complete(tmp_path / "work", *numbers)
        assert set(ran) == set(numbers) - made
        made |= set(numbers)
        assert _contents(tmp_path / "work", *numbers) == _from_scratch(tmp_path, *numbers)
