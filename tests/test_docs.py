"""What the documentation shows is true: its commands run, its examples load, its links lead on."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from pipeline.contracts.build_inputs import load_build
from pipeline.release.writing import write

sys.path.append(str(Path(__file__).parent / "release"))

import small_release

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *ROOT.glob("docs/**/*.md")])
#: Pages whose commands run one after another as readers run them: tests/flows/test_quickstarts.py.
STORIES = sorted(ROOT.glob("docs/start/*.md"))
#: Stands for what a reader fills in; the command is then only asked for its help.
FILL_IN = re.compile(r"\b[A-Z]{2,}\b|/path/to|real\.yaml")
#: Pages that `make docs` makes, whose links MkDocs checks.
GENERATED = re.compile(r"reference/|decisions/index\.md")


def _blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def _commands(pages: Sequence[Path] = PAGES) -> list[str]:
    lines = [
        line for page in pages for block in _blocks(page, "bash") for line in block.split("\n")
    ]
    return sorted({line.split("#")[0].strip() for line in lines if re.search(r"\bklue\b", line)})


@pytest.mark.parametrize(
    "line", [c for c in _commands() if "pip install" not in c and "--install-completion" not in c]
)
def test_commands_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [w for w in shlex.split(line) if "=" not in w or w.startswith("-")]
    assert words[0] in {"klue", ".venv/bin/klue"}
    arguments = words[1:]
    builds = "build" in arguments and "--dry-run" not in arguments
    if builds or FILL_IN.search(line) or line in _commands(STORIES):
        arguments = [*_command(arguments), "--help"]
    elif arguments[0] in {"build", "export", "import", "qualify", "simulate", "status"}:
        arguments += ["--work", str(tmp_path)]
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output


def _command(words: list[str]) -> list[str]:
    """Return the command itself: two words where the first is a group of commands."""
    groups = {
        *(
            "errata",
            "knowledge",
            "label-studio",
            "leaderboard",
            "pii",
            "sources",
            "store",
            "tagger",
            "tokenizer",
            "toxicity",
        )
    }
    return words[: 2 if words[0] in groups else 1]


def _shown() -> dict[tuple[str, ...], set[str]]:
    """Return the options that the documentation shows, by command."""
    found: dict[tuple[str, ...], set[str]] = {}
    for line in _commands():
        if "pip install" not in line:
            words = line.partition("klue ")[2].split()
            options = {word for word in words if word.startswith("--")}
            found.setdefault(tuple(_command(words)), set()).update(options)
    return found


@pytest.mark.parametrize("command", sorted(_shown()), ids=" ".join)
def test_options_that_are_shown_exist(command: tuple[str, ...]) -> None:
    width = {"COLUMNS": "200", "TERM": "dumb"}
    result = CliRunner().invoke(app, [*command, "--help"], env=width)
    for option in sorted(_shown()[command]):
        assert option in result.output, f"{option} is in the documentation, but not in --help"


def test_the_example_of_a_build_file_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLUE_DATA", str(ROOT))
    (block,) = _blocks(ROOT / "docs" / "data-format.md", "yaml")
    path = tmp_path / "example.yaml"
    path.write_text(block, "utf-8")
    assert load_build(path).name == "mine"


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_python_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page run one after another, where a small release stands for the sample."""
    write(small_release.material(tmp_path), tmp_path / "mini" / "1.0.0")
    (tmp_path / "data" / "releases").mkdir(parents=True)
    (tmp_path / "data" / "releases" / "sample").symlink_to(tmp_path / "mini")
    monkeypatch.chdir(tmp_path)
    blocks = _blocks(ROOT / page, "python")
    assert blocks
    exec("\n".join(blocks), {})


@pytest.mark.parametrize("page", [p for p in PAGES if _blocks(p, "python")], ids=lambda p: p.name)
def test_python_is_python(page: Path) -> None:
    """The blocks that need a cluster, a server or a model are only read, and what they import."""
    for block in _blocks(page, "python"):
        for node in ast.walk(compile(block, page.name, "exec", ast.PyCF_ONLY_AST)):
            if isinstance(node, ast.ImportFrom) and node.module.startswith(("klue", "pipeline")):
                module = import_module(node.module)
                assert all(hasattr(module, name.name) for name in node.names)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_and_paths_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in link and not GENERATED.match(link):
            assert (page.parent / link).exists(), f"{page.name} links {link}"
    for path in re.findall(r"`((?:pipeline|flows|tests|docs|data)/[\w./-]+)`", text):
        if not path.startswith(("data/work", "data/releases", "data/private")):
            assert (ROOT / path).exists(), f"{page.name} names {path}"


@pytest.mark.parametrize("path", sorted(ROOT.glob("data/builds/*.yaml")), ids=lambda p: p.name)
def test_shipped_build_files_load(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLUE_DATA", str(ROOT))
    assert load_build(path).name == path.stem
