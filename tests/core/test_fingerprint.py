"""Fingerprints follow content: of files, folders, values and code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.core import fingerprint


def test_a_folder_is_its_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("2")
    first = fingerprint.of_path(tmp_path)
    os.utime(tmp_path / "a", (1, 1))
    assert fingerprint.of_path(tmp_path) == first
    (tmp_path / "a").rename(tmp_path / "c")
    assert fingerprint.of_path(tmp_path) != first


def test_a_file_is_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    # FIPS 180-2, appendix B.1
    assert fingerprint.of_path(path).startswith("ba7816bf8f01cfea414140de5dae2223")


def test_values_do_not_depend_on_key_order() -> None:
    assert fingerprint.of_value({"a": 1, "b": [2]}) == fingerprint.of_value({"b": [2], "a": 1})
    assert fingerprint.of_value({"a": 1}) != fingerprint.of_value({"a": "1"})


def test_code_is_the_module_and_all_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprint, "ROOT", tmp_path)
    package = tmp_path / "pipeline"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "low.py").write_text("X = 1\n")
    (package / "mid.py").write_text("from pipeline import low\n")
    (package / "top.py").write_text("import json\nfrom pipeline.mid import low\n")
    (package / "other.py").write_text("X = 1\n")

    def digest() -> str:
        fingerprint.of_code.cache_clear()
        return fingerprint.of_code("pipeline.top")

    first = digest()
    (package / "other.py").write_text("X = 2\n")
    assert digest() == first
    (package / "low.py").write_text("X = 2\n")
    assert digest() != first
    fingerprint.of_code.cache_clear()
