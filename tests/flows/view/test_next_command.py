from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from flows.view.next_command import command_line


@pytest.mark.parametrize(
    ("called", "name"),
    [("./.venv/bin/klue", "./.venv/bin/klue"), ("klue", "klue"), ("/x/pytest", "klue")],
)
def test_a_suggested_command_can_be_pasted(
    called: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [called, "clean"])
    line = command_line("build", Path("내 자료 폴더/build.yaml"), "--work", "it's")
    assert shlex.split(line) == [name, "build", "내 자료 폴더/build.yaml", "--work", "it's"]
