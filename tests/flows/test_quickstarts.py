"""The quickstarts run from top to bottom in what a fresh clone has."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(ROOT.glob("docs/start/*.md"))
#: Stands for what a reader fills in.
FILL_IN = re.compile(r"\b[A-Z]{2,}\b")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the data of the repository, and the installation that runs this."""
    place = tmp_path_factory.mktemp("clone")
    made = shutil.ignore_patterns("work", "releases", "private", "runs", "__pycache__")
    shutil.copytree(ROOT / "data", place / "data", ignore=made)
    (place / ".venv").symlink_to(Path(sys.prefix))
    return place


def commands(page: Path) -> list[list[str]]:
    """Return the commands of a page; `make build` without its first half, the installation."""
    blocks = re.findall(r"```bash\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    build = ".venv/bin/klue build data/builds/sample.yaml"
    return [
        shlex.split(line.replace("make build", build))
        for line in lines
        if line and not FILL_IN.search(line)
    ]


@pytest.mark.full
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_quickstart_runs(page: Path, clone: Path) -> None:
    told = page.read_text("utf-8")
    assert commands(page)[0][1] == "build"
    for words in commands(page):
        done = subprocess.run(words, cwd=clone, capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stderr[-2000:]}"
    written = re.findall(r"`((?:cleaned|audit|gold|split|data/releases)/?[\w./-]*)`", told)
    assert written
    for path in written:
        assert (clone / path).exists(), f"{page.name} names {path}"
