"""`klue init`, and the command line where the project is installed and no checkout is seen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import mini
import pytest
from typer.testing import CliRunner

from flows.cli import app

#: What a wheel is built from.
PARTS = ("pipeline", "flows", "annotation_specs", "data")
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
WRITTEN = shutil.ignore_patterns("work", "releases", "runs", "__pycache__")


def test_it_writes_a_build_and_never_replaces_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    done = CliRunner().invoke(app, ["init", str(folder), "--json"])
    assert done.exit_code == 0, done.stderr
    names = ["build.yaml", "catalogue.yaml", "texts.jsonl"]
    assert json.loads(done.stdout) == {
        "build_file": str(folder / "build.yaml"),
        "files": [str(folder / name) for name in names],
    }
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(before) == names
    again = CliRunner().invoke(app, ["init", str(folder)])
    assert again.exit_code != 0
    assert "exists already" in again.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel of a copy of the project, and install it into a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in PARTS:
        shutil.copytree(mini.ROOT / name, folder / "source" / name, ignore=WRITTEN)
    for name in FILES:
        shutil.copy(mini.ROOT / name, folder / "source" / name)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", "out", "./source"]
    subprocess.run([*pip, *wheel], cwd=folder, check=True)
    (name,) = (folder / "out").glob("*.whl")
    install = ["install", "--no-deps", "--no-index", "--target", "installed", str(name)]
    subprocess.run([*pip, *install], cwd=folder, check=True)
    shutil.rmtree(folder / "source")
    return folder / "installed"


@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.full)])
def test_commands_run_where_there_is_no_checkout(
    installed: Path, tmp_path: Path, many: bool
) -> None:
    """Those that read the most of what is shipped, or many of those that read any."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout

    where = "import pipeline.core.resources as r, flows; print(r.DATA, flows.__file__)"
    assert run("-c", where).split() == [
        str(installed / "pipeline" / "shipped" / "data"),
        str(installed / "flows" / "__init__.py"),
    ]
    (tmp_path / "texts.txt").write_text("윤도경 씨의 번호는 010-1234-5678이다.\n", "utf-8")
    rows = [{"item": f"i{n}", "annotator": who, "label": "정치"} for n in range(3) for who in "abc"]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (tmp_path / "votes.jsonl").write_text(text, "utf-8")
    klue = ("-m", "flows.cli")
    assert "nsmc" in run(*klue, "sources", "list", "--json")
    if many:
        run(*klue, "pii", "scan", "texts.txt", "--json")
        run(*klue, "toxicity", "score", "texts.txt", "--out", "scores.jsonl", "--json")
        run(*klue, "tagger", "tag", "texts.txt", "--out", "tags.jsonl", "--json")
        run(*klue, "audit", "votes.jsonl", "--task", "tc", "--json")
        pilot = ("export", "nli", "--pilot", "--annotators", "a,b", "--to", "jsonl")
        assert json.loads(run(*klue, *pilot, "--work", "work", "--json"))["items"] >= 20
    build = json.loads(run(*klue, "init", "mine", "--json"))["build_file"]
    record = json.loads(run(*klue, "build", build, "--work", "work", "--json"))
    assert record["candidates"]["tc"]["items"] > 0
    assert record["batches"]
