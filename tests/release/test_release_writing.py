"""Writing a release: the same bytes every time, all or nothing, never over what is there."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import small_release as small

from pipeline.contracts.registry import TASKS
from pipeline.core import schemas, store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_file
from pipeline.release import folder
from pipeline.release.manifest import private_folder, read_manifest
from pipeline.release.material import Material, TaskMaterial
from pipeline.release.verify import verify
from pipeline.release.writing import write

ROOT = Path(__file__).resolve().parents[2]


def _tree(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _one(folder: Path, **other: Any) -> Material:
    return small.material(folder, small.task_material("tc"), **other)


def _with_another_vote(material: Material) -> Material:
    task = material.tasks["ynat"]
    rows = task.votes.to_pylist()
    rows[0]["label"] = '["스포츠"]'
    return replace(material, tasks={"ynat": replace(task, votes=schemas.build("votes", rows))})


def _release(folder: Path) -> Path:
    return folder / "mini" / "1.0.0"


def _reversed(table: pa.Table) -> pa.Table:
    """Return the rows backwards, in pieces of another size."""
    backwards = table.take(pa.array(range(table.num_rows - 1, -1, -1)))
    return pa.concat_tables([backwards.slice(0, 1), backwards.slice(1)])


def _backwards(one: TaskMaterial) -> TaskMaterial:
    return replace(
        one,
        examples=_reversed(one.examples),
        votes=_reversed(one.votes),
        gold=_reversed(one.gold),
        leaks=_reversed(one.leaks),
        ledgers={stage: _reversed(table) for stage, table in reversed(one.ledgers.items())},
    )


def test_two_folders_and_any_order_of_rows_give_the_same_bytes(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there" / "deeper"
    first = small.material(here)
    second = small.material(there)
    second = replace(
        second,
        tasks={config: _backwards(one) for config, one in second.tasks.items()},
        corpus={stage: paths[::-1] for stage, paths in second.corpus.items()},
        texts=dict(reversed(second.texts.items())),
    )
    left, right = write(first, _release(here)), write(second, _release(there))
    assert left.release_hash == right.release_hash
    assert _tree(left.folder.parent) == _tree(right.folder.parent)
    assert len(_tree(left.folder.parent)) > 100


def test_it_holds_what_the_design_says(tmp_path: Path) -> None:
    folder = write(small.material(tmp_path), _release(tmp_path)).folder
    public, private = set(_tree(folder)), set(_tree(private_folder(folder)))
    for config in (task.config for task in TASKS.values()):
        assert {f"{config}/{name}.parquet" for name in ("train", "validation", "test")} <= public
        assert {f"votes/{config}.parquet", f"ledger/{config}/constraints.parquet"} <= public
        assert {f"{part}/{config}.parquet" for part in ("labels", "votes", "gold")} <= private
    assert {"manifest.json", "README.md", "report/index.html", "ledger/corpus/clean.parquet"} <= (
        public
    )
    listed = read_manifest(folder).files
    assert public == {*listed, "manifest.json"}
    for path, entry in listed.items():
        assert (of_file(folder / path), (folder / path).stat().st_size) == (
            entry.sha256,
            entry.bytes,
        )


def test_the_private_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        folder = write(_one(tmp_path), _release(tmp_path)).folder
    finally:
        os.umask(before)
    private = private_folder(folder)
    modes = {stat.S_IMODE(p.stat().st_mode) for p in private.rglob("*") if p.is_file()}
    folders = {stat.S_IMODE(p.stat().st_mode) for p in [private, *private.rglob("*/")]}
    assert (modes, folders) == ({0o600}, {0o700})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o777


def test_private_labels_are_those_of_the_test_examples(tmp_path: Path) -> None:
    folder = write(_one(tmp_path), _release(tmp_path)).folder
    labels = pq.read_table(private_folder(folder) / "labels" / "ynat.parquet")
    assert sorted(labels["label"].to_pylist()) == ["사회", "세계"]
    assert pq.read_table(folder / "ynat" / "test.parquet")["label"].null_count == 2


def test_the_ledger_of_the_corpus_is_by_source_and_shard(tmp_path: Path) -> None:
    folder = write(_one(tmp_path), _release(tmp_path)).folder
    table = pq.read_table(folder / "ledger" / "corpus" / "clean.parquet")
    assert table.schema.equals(schemas.LEDGER)
    units = [unit.rpartition("-")[0] + unit[-1] for unit in table["unit"].to_pylist()]
    assert units == ["airbnb0", "airbnb1", "yna0"]


def test_the_bytes_of_a_ledger_do_not_tell_how_its_rows_were_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "ROWS", 4)
    row = small.ledger_row("", "clean", "noise.empty@1", "drop", "?")
    whole = schemas.build("ledger", [{**row, "unit": f"u{i:02d}"} for i in range(11)])
    for cut in (1, 3, 5, 11):
        parts = iter([whole.slice(i, cut) for i in range(0, 11, cut)])
        found = list(folder._even(parts))
        assert pa.concat_tables(found).equals(whole)
        groups = [rows for one in found for rows in _groups(one.num_rows)]
        assert groups == [4, 4, 3]
    assert not list(folder._even(iter([whole.slice(0, 0)])))


def _groups(rows: int) -> list[int]:
    return [min(4, rows - at) for at in range(0, rows, 4)]


def test_the_same_again_changes_nothing(tmp_path: Path) -> None:
    first = write(_one(tmp_path), _release(tmp_path))
    times = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("mini/**/*")}
    again = write(_one(tmp_path), _release(tmp_path))
    assert (first.new, again.new) == (True, False)
    assert again.release_hash == first.release_hash
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("mini/**/*")} == times


def test_other_content_under_a_version_is_refused(tmp_path: Path) -> None:
    first = write(_one(tmp_path), _release(tmp_path))
    before = _tree(tmp_path / "mini")
    with pytest.raises(StoreError, match=r"version 1\.0\.0 is there with other content") as caught:
        write(_with_another_vote(_one(tmp_path)), _release(tmp_path))
    assert first.release_hash[:12] in str(caught.value)
    assert "raise `release.version` in the build file" in str(caught.value)
    assert _tree(tmp_path / "mini") == before


def test_one_vote_changes_only_the_votes(tmp_path: Path) -> None:
    first = write(_one(tmp_path), tmp_path / "a" / "1.0.0")
    second = write(_with_another_vote(_one(tmp_path)), tmp_path / "b" / "1.0.0")
    left, right = read_manifest(first.folder), read_manifest(second.folder)
    changed = {path for path, entry in left.files.items() if right.files[path] != entry}
    assert changed == {"votes/ynat.parquet", "croissant.json"}  # the latter tells digests
    assert left.release_hash != right.release_hash
    assert left.private != right.private  # which holds all votes as they were given


def test_a_private_change_changes_the_release_hash(tmp_path: Path) -> None:
    material = _one(tmp_path)
    task = material.tasks["ynat"]
    rows = task.votes.to_pylist()
    place = next(i for i, one in enumerate(rows) if one["item"] == small.guid("tc", 6))
    rows[place]["label"] = '["정치"]'
    other = replace(material, tasks={"ynat": replace(task, votes=schemas.build("votes", rows))})
    left = write(material, tmp_path / "a" / "1.0.0")
    right = write(other, tmp_path / "b" / "1.0.0")
    assert read_manifest(left.folder).files == read_manifest(right.folder).files
    assert left.release_hash != right.release_hash


def test_the_croissant_file_tells_the_digests_of_all_tables(tmp_path: Path) -> None:
    folder = write(_one(tmp_path), _release(tmp_path)).folder
    card = json.loads((folder / "croissant.json").read_text("utf-8"))
    told = {one["@id"]: one["sha256"] for one in card["distribution"] if "sha256" in one}
    assert told["ynat/train.parquet"] == of_file(folder / "ynat" / "train.parquet")
    assert set(told) == {path for path in read_manifest(folder).files if path.endswith(".parquet")}


@pytest.mark.parametrize(
    "path",
    ["manifest.json", "ynat/train.parquet", "../x.md", "/x.md", "a/../b.md", "a//b.md", "./c.md"],
)
def test_a_text_may_not_lie_outside_or_where_a_file_is(tmp_path: Path, path: str) -> None:
    material = replace(_one(tmp_path), texts={path: "x"})
    with pytest.raises(InputError):
        write(material, _release(tmp_path))
    assert not list(tmp_path.glob("mini/*")) and not list(tmp_path.glob("mini/.*"))


@pytest.mark.parametrize("after", range(0, 20, 3))
def test_a_full_disk_leaves_nothing_and_touches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    write(_one(tmp_path), _release(tmp_path))
    before = _tree(tmp_path / "mini")
    later = _one(tmp_path, version="1.1.0")
    _fill(monkeypatch, after)
    with pytest.raises(StoreError, match=r"No space left on device.*untouched; make room"):
        write(later, tmp_path / "mini" / "1.1.0")
    assert _tree(tmp_path / "mini") == before
    assert sorted(p.name for p in (tmp_path / "mini").iterdir()) == ["1.0.0", "1.0.0.private"]


def _fill(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let the disk be full after so many files."""
    written = []

    def fill(place: object, name: str, path_of: Callable[..., Path]) -> None:
        real = getattr(place, name)

        def full(*given: Any) -> None:
            written.append(path := path_of(*given))
            if len(written) > after:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(b"half")
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real(*given)

        monkeypatch.setattr(place, name, full)

    fill(folder.FolderWriter, "stream", lambda writer, path, *_: writer.root / path)
    fill(store, "write_text", lambda path, _: path)


def test_a_folder_that_cannot_be_made_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "mini").write_text("a file")
    with pytest.raises(StoreError, match=r"cannot be written: .*give another --releases"):
        write(_one(tmp_path), _release(tmp_path))


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_when_the_last_rename_fails_nothing_has_its_final_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    real = Path.rename

    def rename(path: Path, target: Path) -> Path:
        if path.name == ".1.0.0.partial":
            raise error
        return real(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", rename)
        with pytest.raises((KeyboardInterrupt, StoreError)):
            write(_one(tmp_path), _release(tmp_path))
    assert not list((tmp_path / "mini").iterdir())
    assert write(_with_another_vote(_one(tmp_path)), _release(tmp_path)).new


@pytest.mark.parametrize("name", [".1.0.0.partial", ".1.0.0.private.partial"])
def test_an_interrupt_just_after_a_rename_leaves_a_whole_release_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    real = Path.rename

    def rename(path: Path, target: Path) -> Path:
        found = real(path, target)
        if path.name == name:
            raise KeyboardInterrupt
        return found

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", rename)
        with pytest.raises(KeyboardInterrupt):
            write(_one(tmp_path), _release(tmp_path))
    there = sorted(one.name for one in (tmp_path / "mini").iterdir())
    assert there == (["1.0.0", "1.0.0.private"] if name == ".1.0.0.partial" else [])
    assert all(one.ok for one in verify(_release(tmp_path))) is bool(there)
    assert write(_one(tmp_path), _release(tmp_path)).new is not bool(there)


def test_a_release_can_be_verified_before_it_has_its_name(tmp_path: Path) -> None:
    seen: list[bool] = []

    def check(public: Path, private: Path) -> None:
        found = verify(public, private)
        seen.extend(one.ok for one in found)
        assert "not checked" not in str(found)
        assert not _release(tmp_path).exists()
        assert not private_folder(_release(tmp_path)).exists()

    assert write(_one(tmp_path), _release(tmp_path), check=check).new
    assert seen and all(seen)


def test_a_check_that_raises_leaves_everything_as_it_was(tmp_path: Path) -> None:
    def check(public: Path, private: Path) -> None:
        raise StoreError(f"{len(list(public.iterdir()))} and {len(list(private.iterdir()))}")

    for before in ([], ["1.0.0", "1.0.0.private"]):
        with pytest.raises(StoreError, match=r"^\d+ and \d+$"):
            write(_one(tmp_path, version="1.1.0"), tmp_path / "mini" / "1.1.0", check=check)
        assert sorted(one.name for one in (tmp_path / "mini").iterdir()) == before
        write(_one(tmp_path), _release(tmp_path))


def test_constraints_that_count_labels_of_few_test_examples_are_private(tmp_path: Path) -> None:
    row = {"task": "tc", "wanted": 1.0, "found": 1.0, "met": True, "binds": False, "detail": "사회"}
    rows = [{**row, "name": name} for name in ("label_share", "size")]
    task = small.task_material("tc", constraints=schemas.build("constraints", rows))
    folder = write(small.material(tmp_path, task), _release(tmp_path)).folder
    path = Path("ledger") / "ynat" / "constraints.parquet"
    public, private = (pq.read_table(one / path) for one in (folder, private_folder(folder)))
    assert public["name"].to_pylist() == ["size"]
    assert private.equals(task.constraints)


def test_no_public_file_holds_the_id_of_an_annotator(tmp_path: Path) -> None:
    """By the bytes of texts and all values of tables, apart from the code that checks it."""
    folder = write(small.material(tmp_path), _release(tmp_path)).folder
    for path, content in _tree(folder).items():
        is_table = path.endswith(".parquet")
        told = str(pq.read_table(folder / path).to_pylist()) if is_table else content.decode()
        assert not [one for one in (*small.PEOPLE, small.INSPECTOR) if one in told], path


KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import small_release as small
from pipeline.release.writing import write
folder, real = Path(sys.argv[1]), Path.rename
def rename(path, target):
    if path.name == ".1.0.0.partial":
        os._exit(9)
    return real(path, target)
Path.rename = rename
write(small.material(folder, small.task_material("tc")), folder / "mini" / "1.0.0")
"""


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """Return a folder in which a run was killed between its two renames."""
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(Path(__file__).parent)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 9, done.stderr
    names = sorted(p.name for p in (tmp_path / "mini").iterdir())
    assert names == [".1.0.0.partial", "1.0.0.private"]
    return tmp_path


def test_after_a_kill_between_the_renames_the_same_run_ends_it(killed: Path) -> None:
    assert write(_one(killed), _release(killed)).new
    undisturbed = write(_one(killed), killed / "other" / "1.0.0").folder.parent
    assert _tree(killed / "mini") == _tree(undisturbed)
    assert sorted(p.name for p in (killed / "mini").iterdir()) == ["1.0.0", "1.0.0.private"]


def test_after_a_kill_other_content_takes_the_place(killed: Path) -> None:
    assert write(_with_another_vote(_one(killed)), _release(killed)).new
    assert not list((killed / "mini").glob(".*"))


def test_private_files_whose_release_was_taken_away_are_not_removed(tmp_path: Path) -> None:
    folder = write(_one(tmp_path), _release(tmp_path)).folder
    folder.rename(tmp_path / "elsewhere")
    before = _tree(private_folder(folder))
    with pytest.raises(StoreError, match="private files of a release that is not there"):
        write(_with_another_vote(_one(tmp_path)), _release(tmp_path))
    assert _tree(private_folder(folder)) == before
    assert write(_one(tmp_path), _release(tmp_path)).new


def test_a_killed_run_does_not_make_other_private_files_its_own(killed: Path) -> None:
    """Only what the killed run itself named is removed: its manifest is in the private one."""
    private = killed / "mini" / "1.0.0.private" / "manifest.json"
    data = json.loads(private.read_text("utf-8"))
    private.write_text(json.dumps({**data, "manifest": "0" * 64}), "utf-8")
    with pytest.raises(StoreError, match="private files of a release that is not there"):
        write(_with_another_vote(_one(killed)), _release(killed))
    assert private.exists()


def test_a_release_whose_private_files_were_taken_away_is_not_made_again(tmp_path: Path) -> None:
    folder = write(_one(tmp_path), _release(tmp_path)).folder
    private_folder(folder).rename(tmp_path / "safe")
    assert not write(_one(tmp_path), _release(tmp_path)).new
    assert not private_folder(folder).exists()


def test_a_folder_that_is_no_release_is_not_written_over(tmp_path: Path) -> None:
    _release(tmp_path).mkdir(parents=True)
    (_release(tmp_path) / "mine.txt").write_text("keep")
    with pytest.raises(StoreError, match="no release is there"):
        write(_one(tmp_path), _release(tmp_path))
    assert _tree(tmp_path / "mini") == {"1.0.0/mine.txt": b"keep"}


def test_two_runs_do_not_write_beside_each_other(tmp_path: Path) -> None:
    (tmp_path / "mini").mkdir()
    handle = os.open(tmp_path / "mini", os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match="another run writes a release there"):
            write(_one(tmp_path), _release(tmp_path))
    finally:
        os.close(handle)
    assert write(_one(tmp_path), _release(tmp_path)).new
