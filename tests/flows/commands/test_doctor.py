"""`klue doctor`: what it says of packages, extras and what lies around them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path

import pytest
from annotation_stories import failed, good, klue

from flows.commands import doctor
from pipeline.core import morphology
from pipeline.core.errors import MissingDependencyError
from pipeline.core.extras import install_command

ROOT = Path(__file__).resolve().parents[3]
Remove = Callable[..., None]


@pytest.fixture
def remove(monkeypatch: pytest.MonkeyPatch) -> Remove:
    """Let some packages not be installed."""

    def without(*names: str) -> None:
        def version(name: str) -> str:
            if name in names:
                raise PackageNotFoundError(name)
            # two that `make test` does not install
            return "1" if name in ("pygamma-agreement", "mkdocs-material") else installed(name)

        monkeypatch.setattr(doctor, "version", version)

    return without


def test_every_extra_has_a_use_and_a_size() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    sizes = json.loads((ROOT / "data" / "extras.json").read_text("utf-8"))
    extras = settings["optional-dependencies"]
    assert list(doctor.NEEDED_FOR) == list(extras)
    assert sizes["extras"].keys() == extras.keys()
    assert sizes["core"]["megabytes"] > max(
        size["megabytes"] for name, size in sizes["extras"].items() if name not in ("train", "dev")
    )


def test_a_whole_installation_is_well(remove: Remove) -> None:
    remove()
    record = good("doctor")
    assert record["ok"] and record["core"]["lacks"] == []
    assert all(extra["installed"] for extra in record["extras"].values())


def test_a_missing_extra_is_named_with_its_size_and_use_and_is_no_failure(remove: Remove) -> None:
    remove("s3fs", "tokenizers", "torch")
    record = good("doctor")
    assert record["ok"]
    # moto's own need of s3fs is none of ours: dev lists the package itself
    lacks = {name: extra["lacks"] for name, extra in record["extras"].items() if extra["lacks"]}
    assert lacks == {"s3": ["s3fs"], "train": ["tokenizers", "torch"], "dev": ["s3fs"]}
    assert all(record["extras"][name]["megabytes"] > 0 for name in lacks)
    shown = klue("doctor").stdout
    assert "no: tokenizers, torch" in shown and install_command("NAME") in shown


def test_a_package_of_every_installation_that_is_missing_is_a_failure(remove: Remove) -> None:
    remove("kss")
    assert failed("doctor")["core"]["lacks"] == ["kss"]
    assert "core: lacks kss" in klue("doctor").stdout


def test_a_dictionary_that_cannot_be_used_is_a_failure_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: str) -> None:
        raise MissingDependencyError("python-mecab-ko", "pip")

    monkeypatch.setattr(morphology, "morphemes", fail)
    place = failed("doctor")["around"]["mecab dictionary"]
    assert place == {
        "found": None,
        "hint": "python-mecab-ko is not installed; install it with: pip",
    }


def test_the_folder_of_raw_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for value, found in ((str(tmp_path), True), (str(tmp_path / "none"), False), ("", False)):
        monkeypatch.setenv("KLUE_DATA", value)
        place = good("doctor")["around"]["KLUE_DATA"]
        assert (place["found"] == value) is found
        assert (place["hint"] is None) is found


def test_fonts_and_browsers_by_what_the_system_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    around = good("doctor")["around"]
    assert around["Korean font"]["found"] is None and around["browser"]["found"] is None
    for name, text in (("fc-list", "echo 'Made Up,가상체'"), ("firefox", "exit 1")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    around = good("doctor")["around"]
    assert around["Korean font"]["found"] == "Made Up"
    assert around["browser"]["found"] == str(tmp_path / "firefox")
