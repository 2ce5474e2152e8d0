"""Checkpoints as files: what enters their digest, and names in the cache of the model hub."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from pipeline.core import checkpoint
from pipeline.core.checkpoint import digest_of
from pipeline.core.errors import InputError, MissingDependencyError

VERSIONS = {"torch": "2.9.1+cpu", "transformers": "5.1.0", "tokenizers": "0.22.0"}
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def versions(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Pretend that the libraries are installed: nothing here runs them."""
    given = dict(VERSIONS)

    def version(name: str) -> str:
        if name not in given:
            raise metadata.PackageNotFoundError(name)
        return given[name]

    monkeypatch.setattr(checkpoint, "version", version)
    return given


def _checkpoint(folder: Path, weights: str = "w") -> Path:
    folder.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json", "vocab.txt"):
        (folder / name).write_text(name, "utf-8")
    (folder / "model.safetensors").write_text(weights, "utf-8")
    return folder


def _digest(bias: object, hate: object) -> str:
    return digest_of(str(bias), str(hate))


def test_digest_is_that_of_the_files(tmp_path: Path) -> None:
    one, two = _checkpoint(tmp_path / "one"), _checkpoint(tmp_path / "two", "v")
    digest = _digest(one, two)
    assert len(digest) == 64
    assert digest == _digest(_checkpoint(tmp_path / "copy"), two)
    assert digest != _digest(two, one)
    (one / "README.md").write_text("notes", "utf-8")
    (one / "optimizer.pt").write_text("state", "utf-8")
    assert digest == _digest(one, two)


@pytest.mark.parametrize(
    "name", ["config.json", "tokenizer.json", "vocab.txt", "model.safetensors"]
)
def test_every_file_that_decides_shows(tmp_path: Path, name: str) -> None:
    one, two = _checkpoint(tmp_path / "one"), _checkpoint(tmp_path / "two")
    before = _digest(one, two)
    (two / name).write_text("other", "utf-8")
    assert _digest(one, two) != before


def test_links_are_what_they_point_to(tmp_path: Path) -> None:
    """The cache of the hub holds links to files with other names."""
    one = _checkpoint(tmp_path / "one")
    linked = tmp_path / "linked"
    linked.mkdir()
    for path in one.iterdir():
        (linked / path.name).symlink_to(path)
    assert _digest(linked, one) == _digest(one, one)


def test_library_versions_show_and_their_builds_do_not(
    tmp_path: Path, versions: dict[str, str]
) -> None:
    one = _checkpoint(tmp_path / "one")
    before = _digest(one, one)
    versions["torch"] = "2.9.1+cu128"
    assert _digest(one, one) == before
    versions["torch"] = "2.9.2+cpu"
    assert _digest(one, one) != before
    del versions["torch"]
    with pytest.raises(MissingDependencyError, match="torch, needed by models of transformers"):
        _digest(one, one)


@pytest.mark.parametrize("lacking", ["config.json", "model.safetensors"])
def test_a_folder_without_a_checkpoint_is_told(tmp_path: Path, lacking: str) -> None:
    one = _checkpoint(tmp_path / "one")
    (one / lacking).unlink()
    with pytest.raises(InputError, match=r"one: holds no checkpoint; needed: config\.json"):
        _digest(one, one)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache of the hub."""
    reason = "the part `train` is not installed"
    constants = pytest.importorskip("huggingface_hub.constants", reason=reason)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def test_names_are_looked_up_in_the_cache(hub: Path, tmp_path: Path) -> None:
    one = _checkpoint(tmp_path / "one")
    stored = hub / "models--team--hate"
    snapshot = _checkpoint(stored / "snapshots" / COMMIT)
    (stored / "refs").mkdir()
    (stored / "refs" / "main").write_text(COMMIT, "utf-8")
    assert checkpoint.folder_of("team/hate") == snapshot
    assert _digest(one, "team/hate") == _digest(one, one)


@pytest.mark.parametrize("name", ["team/hate", "/no/such/folder", "./none", "a--b"])
def test_names_that_are_not_there_are_told(hub: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"neither a folder nor .* download the model first"):
        _digest(name, name)
