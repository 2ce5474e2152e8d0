"""Where models come from, and what is said of those that are not there."""

from __future__ import annotations

import shutil
from pathlib import Path

import huggingface_hub
import pytest
from checkpoints import bert
from huggingface_hub import constants

from pipeline.core.errors import InputError
from pipeline.training.source import source


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a whole checkpoint."""
    return bert(tmp_path / "model", "MaskedLM")


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache of the hub, and no network."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path / "hub"


def in_cache(hub: Path, folder: Path) -> Path:
    """Put files into the cache as the client of the hub does; return where they lie."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    stored = hub / "models--team--small"
    shutil.copytree(folder, stored / "snapshots" / commit)
    (stored / "refs").mkdir()
    (stored / "refs" / "main").write_text(commit, "utf-8")
    return stored / "snapshots" / commit


def test_folder(folder: Path, tmp_path: Path) -> None:
    made = source(str(folder))
    assert (made.name, made.size, made.folder) == (str(folder), None, folder)
    copy = shutil.copytree(folder, tmp_path / "copy")
    assert source(str(copy)).digest == made.digest
    config = (copy / "config.json").read_text("utf-8")
    (copy / "config.json").write_text(config.replace("gelu", "relu"), "utf-8")
    assert source(str(copy)).digest != made.digest


def test_scratch() -> None:
    tiny, mini = source("scratch:tiny"), source("scratch:mini")
    assert tiny.size is not None
    assert tiny.folder is None
    assert tiny.digest == source("scratch:tiny").digest != mini.digest


@pytest.mark.parametrize("name", ["scratch:huge", "scratch:", "scratch:Tiny"])
def test_unknown_size(name: str) -> None:
    with pytest.raises(InputError, match=r"no size .* allowed: scratch:tiny, scratch:mini, scr"):
        source(name)


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        ("config.json", "holds no checkpoint"),
        ("model.safetensors", "holds no checkpoint"),
        ("tokenizer.json", "there is no tokenizer beside its weights"),
    ],
)
def test_folder_that_lacks_something(folder: Path, lacking: str, told: str) -> None:
    (folder / lacking).unlink()
    with pytest.raises(InputError, match=told):
        source(str(folder))


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize("name", ["team/small", "no/such/folder", "./none", "a--b"])
def test_name_that_is_not_there(name: str) -> None:
    with pytest.raises(InputError, match=rf"{name}: neither .* --download, or run: hf download"):
        source(name, download=False)
    with pytest.raises(InputError, match=rf"{name}: neither .* path, or run: hf download {name}$"):
        source(name)  # for those who have no such option


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize("name", ["team/small", "no/such/folder"])
def test_name_that_cannot_be_downloaded(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=rf"{name}: .* cannot be downloaded \(\w+Error\); corr"):
        source(name, download=True)
    assert capfd.readouterr() == ("", "")


def test_name_in_the_cache_needs_no_network(hub: Path, folder: Path) -> None:
    stored = in_cache(hub, folder)
    for download in (False, True):
        made = source("team/small", download=download)
        assert (made.name, made.folder) == ("team/small", stored)
        assert made.digest == source(str(folder)).digest


def served(monkeypatch: pytest.MonkeyPatch, hub: Path, folder: Path) -> list[list[str]]:
    """Let the hub have a model; return the list of what is asked for."""
    asked: list[list[str]] = []

    def download(name: str, *, allow_patterns: list[str], ignore_patterns: str) -> str:
        assert (name, ignore_patterns) == ("team/small", "*/*")
        asked.append(allow_patterns)
        held = hub / "served"
        held.mkdir(parents=True, exist_ok=True)
        for pattern in allow_patterns:
            for path in folder.glob(pattern):
                shutil.copy(path, held)
        return str(held)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    return asked


def test_download(monkeypatch: pytest.MonkeyPatch, hub: Path, folder: Path) -> None:
    asked = served(monkeypatch, hub, folder)
    assert source("team/small", download=True).digest == source(str(folder)).digest
    assert asked == [["*.json", "*.txt", "*.model", "*.safetensors"]]


def test_weights_of_an_older_form_are_downloaded_too(
    monkeypatch: pytest.MonkeyPatch, hub: Path, folder: Path
) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    asked = served(monkeypatch, hub, folder)
    assert source("team/small", download=True).folder == hub / "served"
    assert [forms[-1] for forms in asked] == ["*.safetensors", "pytorch_model*.bin"]


def test_half_a_model_in_the_cache_is_downloaded_anew(
    monkeypatch: pytest.MonkeyPatch, hub: Path, folder: Path
) -> None:
    (in_cache(hub, folder) / "model.safetensors").unlink()
    with pytest.raises(InputError, match="holds no checkpoint"):
        source("team/small")
    served(monkeypatch, hub, folder)
    assert source("team/small", download=True).folder == hub / "served"
