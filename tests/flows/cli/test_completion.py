"""Shells answer at the first Tab, whether `klue` is on the PATH or called by its path."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
#: The command of the tree in which this test lies; an installed one may run another.
_KLUE = """\
#!{python}
import sys
sys.path.insert(0, {root!r})
from flows.main import main
main()
"""
#: What the shells offer is printed; `compdef` would only register the function for a next Tab.
_ZSH = """
fpath=({folder} $fpath); autoload -Uz _klue
_arguments() {{ print -r -- "$@"; }}
compdef() {{ print registered; }}
words=({klue} {typed}); CURRENT=$#words
_klue
"""
_BASH = """
source {folder}/klue.sh; COMP_WORDS=({klue} {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_klue_completion {klue}; echo "${{COMPREPLY[@]}}"
"""


def _offers(shell: str, typed: str, folder: Path) -> str:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    klue = folder / "klue"
    klue.write_text(_KLUE.format(python=sys.executable, root=str(ROOT)), "utf-8")
    klue.chmod(0o755)
    command = [str(klue), "--show-completion", shell]
    # Named to Typer, which else asks which shell started it.
    detect = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    script = subprocess.run(command, env=detect, capture_output=True, text=True, check=True)
    name, steps, options = (
        ("_klue", _ZSH, ["-f", "-c"]) if shell == "zsh" else ("klue.sh", _BASH, ["-c"])
    )
    (folder / name).write_text(script.stdout, "utf-8")
    steps = steps.format(folder=folder, klue=klue, typed=typed)
    done = subprocess.run([shell, *options, steps], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize(
    ("typed", "offered"),
    [pytest.param("aud", "audit", marks=pytest.mark.full), ("audit --level ordi", "ordinal")],
)
def test_commands_and_values_are_offered(
    shell: str, typed: str, offered: str, tmp_path: Path
) -> None:
    assert offered in _offers(shell, typed, tmp_path)
