"""`klue publish`: the folder that the hub is given, and releases that it must never get."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from annotation_stories import bad, good, klue

sys.path.append(str(Path(__file__).parents[2] / "release"))

import small_release as small

from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import FILES
from pipeline.release.cards import texts
from pipeline.release.manifest import private_folder
from pipeline.release.tables import COLUMNS
from pipeline.release.writing import write

ROWS = {"train": 4, "validation": 2, "test": 2}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("published")
    material = small.material(base)
    material = replace(material, facts=replace(material.facts, simulated=True))
    material = replace(material, texts={**material.texts, **texts(material.facts)})
    return write(material, base / "mini" / "1.0.0").folder


@pytest.fixture
def release(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "mini" / "1.0.0")
    return tmp_path / "mini" / "1.0.0"


def _files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder, by path."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_folder_is_the_release_without_anything_private(whole: Path, tmp_path: Path) -> None:
    record = good("publish", whole, "--to", tmp_path / "hub")
    assert _files(tmp_path / "hub") == _files(whole)
    assert record["files"] == len(_files(whole))
    assert record["configs"] == sorted(task.config for task in TASKS.values())
    labels = {path.name for path in private_folder(whole).glob("labels/*")}
    assert labels and not (tmp_path / "hub" / "labels").exists()
    upload, tag = record["commands"]
    assert f" {tmp_path / 'hub'} . --repo-type dataset" in upload
    assert tag.endswith("1.0.0 --repo-type dataset")


def test_what_is_printed_says_that_nothing_was_sent(whole: Path, tmp_path: Path) -> None:
    done = klue("publish", whole, "--to", tmp_path / "hub")
    assert done.exit_code == 0
    assert "nothing was sent" in done.stdout
    assert "simulated no person labelled these examples" in done.stdout
    assert "The annotation is simulated" in (tmp_path / "hub" / "README.md").read_text("utf-8")


def test_datasets_finds_configs_splits_and_label_names_and_no_label_of_test(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    hub = str(tmp_path / "hub")
    good("publish", whole, "--to", hub)
    assert set(datasets.get_dataset_config_names(hub)) == {t.config for t in TASKS.values()}
    classes = 0
    for task in TASKS.values():
        found: Any = datasets.load_dataset(hub, task.config, cache_dir=str(tmp_path / "cache"))
        assert {name: len(split) for name, split in found.items()} == ROWS
        assert set(found) == set(FILES.values())
        for path in COLUMNS[task.id].hidden_in_test:
            assert not list(_values(found["test"].to_list(), path.split(".")))
        label = found["train"].features.get("label")
        if isinstance(label, datasets.ClassLabel):
            classes += 1
            assert all(0 <= row < len(label.names) for row in found["train"]["label"])
    assert classes >= 3  # topics, inferences, relations


def _values(value: Any, path: list[str]) -> Any:
    """Yield what is not null at a path, through lists."""
    if isinstance(value, list):
        for item in value:
            yield from _values(item, path)
    elif isinstance(value, dict):
        names = path[:1] or list(value)
        for name in names:
            yield from _values(value[name], path[1:])
    elif value is not None:
        yield value


def _leftover(release: Path) -> None:
    (release / ".README.md.77").write_bytes(b"x")


def _private_within(release: Path) -> None:
    shutil.copytree(release / "sts", release / "1.0.0.private" / "labels")


def _damaged(release: Path) -> None:
    (release / "sts" / "train.parquet").write_bytes(b"PAR1")


def _open_labels(release: Path) -> None:
    shutil.copy(release / "ynat" / "train.parquet", release / "ynat" / "test.parquet")


def _link(release: Path) -> None:
    card = release / "LICENSE.md"
    card.rename(release.parent / "elsewhere")
    card.symlink_to(release.parent / "elsewhere")


@pytest.mark.thin(2)
@pytest.mark.parametrize("fault", [_leftover, _private_within, _damaged, _open_labels, _link])
def test_a_release_that_does_not_verify_is_not_laid_out(
    release: Path, tmp_path: Path, fault: Any
) -> None:
    fault(release)
    told = bad("publish", release, "--to", tmp_path / "hub", code=1)
    assert "does not verify" in told and f"klue verify {release}" in told
    assert [path.name for path in tmp_path.iterdir()] == ["mini"]


def test_places_that_are_refused(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert "not empty" in bad("publish", whole, "--to", tmp_path / "full")
    before = _files(whole)
    assert "never changes" in bad("publish", whole, "--to", whole / "hub")
    assert _files(whole) == before
    assert "file system" in bad("publish", whole, "--to", "s3://bucket/hub")
    private = private_folder(whole)
    assert "private files" in bad("publish", private, "--to", tmp_path / "hub")
    assert "no such folder" in bad("publish", tmp_path / "none", "--to", tmp_path / "hub")
    (tmp_path / "empty").mkdir()
    told = bad("publish", tmp_path / "empty", "--to", tmp_path / "hub")
    assert "no release is there" in told
