"""The user's cache may be absent, damaged or read-only: nothing depends on it."""

from pathlib import Path

import pytest

from pipeline.core.user_cache import cache_folder, keep_values, load_values


def test_values_are_kept_between_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert load_values("x.json") == {}
    keep_values("x.json", {"a": ["가", 1]})
    assert load_values("x.json") == {"a": ["가", 1]}
    assert [path.name for path in cache_folder().iterdir()] == ["x.json"]


def test_the_variable_must_name_a_whole_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the specification of base directories says: a relative path is ignored."""
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert cache_folder() == Path("/home/somebody/.cache/klue-rebuild")


@pytest.mark.parametrize(
    "content", ["", '{"a": ', "[1]", "\x00"], ids=["empty", "cut", "list", "0"]
)
def test_a_damaged_file_is_as_none(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache_folder().mkdir()
    (cache_folder() / "x.json").write_text(content)
    assert load_values("x.json") == {}


def test_a_folder_that_cannot_be_written_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    keep_values("x.json", {"a": 1})
    assert load_values("x.json") == {}
