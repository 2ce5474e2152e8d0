"""No command replaces a page or a file that it did not write."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app

VOTES = "item,annotator,label\na,x,1\na,y,1\nb,x,2\nb,y,1\n"
SCORES = "system,accuracy\none,80\ntwo,70\nthree,60\n"


def _klue(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    return result.exit_code, result.stderr


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, tuple[object, ...]]:
    """Return commands that write a page, without the folder, and the option of the folder last."""
    (tmp_path / "votes.csv").write_text(VOTES, "utf-8")
    for name in ("old.csv", "new.csv"):
        (tmp_path / name).write_text(SCORES, "utf-8")
    audit = ("audit", tmp_path / "votes.csv", "--level", "nominal", "--bootstrap", "0", "--html")
    compared = (tmp_path / "old.csv", tmp_path / "new.csv", "--draws", "10", "--out")
    return {
        "audit": audit,
        "compare-versions": ("compare-versions", *compared),
        "results": ("results", tmp_path, "--out"),
        "report": ("report", "--klue", tmp_path, "--out"),
    }


@pytest.mark.parametrize("command", ["audit", "compare-versions", "results", "report"])
def test_a_page_of_something_else_is_not_replaced(
    tmp_path: Path, commands: dict[str, tuple[object, ...]], command: str
) -> None:
    page = tmp_path / "mine" / "index.html"
    page.parent.mkdir()
    page.write_text("<p>mine", "utf-8")
    code, told = _klue(*commands[command], page.parent)
    assert code == 2
    assert "mine: holds an index.html of something else" in told
    assert "give another folder, or move it away" in told
    assert page.read_text("utf-8") == "<p>mine"
    assert [path.name for path in page.parent.iterdir()] == ["index.html"]


@pytest.mark.parametrize("command", ["audit", "compare-versions"])
def test_a_page_of_the_same_command_is_replaced(
    tmp_path: Path, commands: dict[str, tuple[object, ...]], command: str
) -> None:
    for _ in range(2):
        code, told = _klue(*commands[command], tmp_path / "page")
        assert code == 0, told
    others = commands["compare-versions" if command == "audit" else "audit"]
    assert _klue(*others, tmp_path / "page")[0] == 2


def test_a_file_with_the_name_of_clean_texts_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("가람시가 새 도서관을 열었다.\n", "utf-8")
    mine = tmp_path / "out" / "sentences.jsonl"
    mine.parent.mkdir()
    mine.write_text("mine", "utf-8")
    code, told = _klue("clean", tmp_path / "in.txt", "--out", mine.parent)
    assert code == 2
    assert "holds sentences.jsonl already; use --force" in told
    assert mine.read_text("utf-8") == "mine"
