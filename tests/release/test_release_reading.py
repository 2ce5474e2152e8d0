"""Reading a release: the splits that a later version keeps to, and rows with private labels."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import small_release as small

from pipeline.core.errors import InputError, StoreError
from pipeline.release.manifest import private_folder
from pipeline.release.reading import read_split, released_splits
from pipeline.release.writing import write


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a release of two tasks."""
    tasks = [small.task_material(task) for task in ("nli", "dst")]
    return write(small.material(tmp_path, *tasks), tmp_path / "mini" / "1.0.0").folder


def test_every_example_has_the_split_that_it_was_given(release: Path) -> None:
    found = released_splits(release)
    assert set(found) == {"nli", "dst"}
    for task, splits in found.items():
        given = small.examples(task)
        wanted = dict(zip(given["id"].to_pylist(), given["split"].to_pylist(), strict=True))
        assert splits == wanted


def test_guids_are_by_split_and_in_order(release: Path) -> None:
    found = released_splits(release)["nli"]
    assert list(found.values()) == ["train"] * 4 + ["dev"] * 2 + ["test"] * 2
    for split in ("train", "dev", "test"):
        names = [guid for guid, own in found.items() if own == split]
        assert names == sorted(names)


def test_labels_of_test_come_from_the_private_folder_on_request(release: Path) -> None:
    for name in ("nli", "wos", "dst"):
        public, private = (read_split(release, name, "test", labels=one) for one in (False, True))
        assert public["guid"].equals(private["guid"])
    assert read_split(release, "nli", "test")["label"].null_count == 2
    labels = read_split(release, "nli", "test", labels=True)["label"].to_pylist()
    assert labels == ["entailment", "contradiction"]
    assert read_split(release, "nli", "dev", labels=True)["label"].null_count == 0


def test_some_columns_only(release: Path) -> None:
    assert read_split(release, "nli", "train", columns=["label"]).column_names == ["label"]


def test_without_the_private_folder_there_are_no_labels(release: Path) -> None:
    shutil.rmtree(private_folder(release))
    with pytest.raises(StoreError, match="is not there"):
        read_split(release, "nli", "test", labels=True)
    assert read_split(release, "nli", "test").num_rows == 2


def test_a_task_that_is_not_in_the_release_or_nowhere(release: Path) -> None:
    with pytest.raises(StoreError, match="is not there"):
        read_split(release, "ynat", "train")
    with pytest.raises(InputError, match="unknown task"):
        read_split(release, "xyz", "train")


def test_damaged_files_are_one_error(release: Path) -> None:
    path = release / "nli" / "train.parquet"
    other = pq.read_table(release / "wos" / "train.parquet")
    pq.write_table(other, path)
    with pytest.raises(StoreError, match="other columns"):
        read_split(release, "nli", "train")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(StoreError, match="damaged"):
        released_splits(release)
