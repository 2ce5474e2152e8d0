"""The user's own modules: imported from their folder, and part of fingerprints."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from pipeline.core import packages
from pipeline.core.fingerprint import of_code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(packages, "_folders", {})
    (tmp_path / "helper.py").write_text("STEP = 2\n")
    (tmp_path / "split.py").write_text("from klue_task_mine.helper import STEP\nSIZE = STEP * 2\n")
    packages.add_package("klue_task_mine", tmp_path)
    return tmp_path


def test_modules_of_a_folder_are_imported_under_its_name(folder: Path) -> None:
    assert import_module("klue_task_mine.split").SIZE == 4
    assert packages.packages() == {"klue_task_mine": folder}
    with pytest.raises(ModuleNotFoundError):
        import_module("klue_task_mine.absent")


def test_a_folder_may_change_its_place(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert import_module("klue_task_mine.split").SIZE == 4
    other = tmp_path_factory.mktemp("other")
    (other / "split.py").write_text("SIZE = 7\n")
    packages.add_package("klue_task_mine", other)
    assert import_module("klue_task_mine.split").SIZE == 7


def test_its_code_counts_wherever_it_lies(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    first = of_code("klue_task_mine.split")
    other = tmp_path_factory.mktemp("other")
    for path in folder.glob("*.py"):
        (other / path.name).write_text(path.read_text())
    packages.add_package("klue_task_mine", other)
    assert of_code("klue_task_mine.split") == first
    changed = tmp_path_factory.mktemp("changed")
    (changed / "split.py").write_text((folder / "split.py").read_text())
    (changed / "helper.py").write_text("STEP = 3\n")
    packages.add_package("klue_task_mine", changed)
    assert of_code("klue_task_mine.split") != first


class _Importing(dict[str, ModuleType]):
    """The loaded modules, of which another thread adds one whenever they are walked over."""

    def __iter__(self) -> Iterator[str]:
        for name in super().__iter__():
            yield name
            self[f"imported_meanwhile_{len(self)}"] = ModuleType("imported_meanwhile")


def test_another_thread_may_import_meanwhile(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {name: ModuleType(name) for name in ("klue_task_mine", "klue_task_mine.split", "other")}
    loaded = _Importing(old)
    monkeypatch.setattr(packages, "sys", SimpleNamespace(modules=loaded))
    packages.add_package("klue_task_mine", tmp_path / "moved")
    assert "klue_task_mine.split" not in loaded
    assert loaded["klue_task_mine"] is not old["klue_task_mine"]
    assert loaded["other"] is old["other"]
