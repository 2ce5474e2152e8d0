"""Fingerprints follow content: of files, folders, values and code."""

from __future__ import annotations

import ast
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


def test_a_link_is_its_target_and_what_that_holds(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "a")
    (folder / "loop").symlink_to("loop")
    first = fingerprint.of_path(folder)
    (tmp_path / "a").write_text("2")
    assert fingerprint.of_path(folder) != first


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
        fingerprint._of_code.cache_clear()
        return fingerprint.of_code("pipeline.top")

    first = digest()
    (package / "other.py").write_text("X = 2\n")
    assert digest() == first
    (package / "low.py").write_text("X = 2\n")
    assert digest() != first
    fingerprint._of_code.cache_clear()


def test_a_source_is_parsed_once_for_all_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    parsed: list[bytes] = []
    parse = ast.parse

    def digest() -> str:
        """Return the digest of a module as a new process would."""
        for memory in (fingerprint._of_code, fingerprint._parse, fingerprint._parsed):
            memory.cache_clear()
        return fingerprint.of_code("pipeline.core.ids")

    monkeypatch.setattr(ast, "parse", lambda source: (parsed.append(source), parse(source))[1])
    first = digest()
    assert parsed
    parsed.clear()
    assert digest() == first
    assert not parsed
    [file] = (tmp_path / "klue-rebuild").iterdir()
    file.write_text("{}")
    assert digest() == first
    assert parsed


WORDS = """
from dataclasses import dataclass

@dataclass
class Item:
    name: str
    size: int = 3

def total(items, start=0):
    count = start
    for item in items:
        count += item.size
    return count
"""
REWORDED = '''
"""A module docstring."""
from dataclasses import dataclass  # a comment


@dataclass
class Item:
    """A class docstring."""

    name: str
    size: int = 3


def total(
    items: list[Item],
    start: int = 0,
) -> int:
    """A function docstring."""
    unused: int
    count: int = start
    for item in items:
        count += item.size
    return count
'''


def _behaviour(source: str) -> str:
    return fingerprint.of_behaviour(ast.parse(source))


def test_words_and_layout_of_code_do_not_count() -> None:
    assert _behaviour(WORDS) == _behaviour(REWORDED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("start=0", "start=1"),
        ("size: int = 3", "size: int = 4"),
        ("name: str", "name: bytes"),
        ("item.size", "item.name"),
        ("count += ", "count -= "),
        ("count = start", "total = start"),
        ("@dataclass\n", ""),
        ("return count", "return None"),
        ("start=0", "start='0'"),
    ],
)
def test_what_code_does_counts(old: str, new: str) -> None:
    assert old in WORDS
    assert _behaviour(WORDS.replace(old, new)) != _behaviour(WORDS)


def test_all_of_the_code_is_told_apart_by_what_it_does() -> None:
    """Two modules of this project with one digest would be one module written twice."""
    found: dict[str, Path] = {}
    for path in sorted((fingerprint.ROOT / "pipeline").rglob("*.py")):
        tree = ast.parse(path.read_bytes())
        if any(not isinstance(node, ast.Expr) for node in tree.body):
            digest = fingerprint.of_behaviour(tree)
            assert digest not in found, f"{path} does what {found.get(digest)} does"
            found[digest] = path
