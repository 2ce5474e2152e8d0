"""Imports point downward: klue_rebuild, flows, tasks, generic stages, contracts, core."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pipeline.tasks import PACKAGES

ROOT = Path(__file__).resolve().parents[1]
ANNOTATION = ("export", "import", "status", "qualify", "simulate", "check", "audit", "aggregate")
SAMPLING = ("hypothesis-only", "tagger")
RELEASE = ("split", "fetch", "verify", "publish", "diff", "report", "convert", "explain")
MODELS = ("score", "train", "results", "export-eval")
#: What is not imported before it is needed.
HEAVY = {
    *("prefect", "kss", "pyarrow", "duckdb", "numpy", "torch", "pandas", "yaml", "httpx", "orjson"),
    *("scipy", "jinja2", "crowdkit", "tokenizers", "mecab", "sqlalchemy", "starlette"),
    *("uvicorn", "fsspec", "s3fs"),
}
#: The packages above `pipeline`, each of which may import those after it.
TOP = ("klue_rebuild", "flows")
FILES = sorted(path for name in (*TOP, "pipeline") for path in ROOT.glob(f"{name}/**/*.py"))
#: What a layer may import besides itself; every other folder of `pipeline` is a generic stage.
BELOW = {"core": set(), "contracts": {"core"}}
GENERIC = {"contracts", "core"}


def _layer(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if parts[0] in TOP else parts[1].removesuffix(".py")


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return what a module imports, and its constants."""
    kinds = ast.Import | ast.ImportFrom | ast.Constant
    found = ast.walk(ast.parse(path.read_text("utf-8")))
    return tuple(node for node in found if isinstance(node, kinds))


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """Return the dotted names of modules that a module imports, and of what it takes from them."""
    names: list[str] = []
    for node in _nodes(path):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(names)


def _wrong(path: Path) -> Iterator[str]:
    """Yield the layers that a module imports and may not."""
    layer = _layer(path)
    for name in _imports(path):
        parts = name.split(".")
        if parts[0] in TOP and layer not in TOP[: TOP.index(parts[0]) + 1]:
            yield parts[0]
        allowed = {layer, *BELOW.get(layer, GENERIC)}
        is_generic = parts[0] == "pipeline" and layer not in (*TOP, "tasks")
        if is_generic and len(parts) > 1 and parts[1] not in allowed:
            yield parts[1]


def test_imports_point_downward() -> None:
    found = {(path.relative_to(ROOT).as_posix(), layer) for path in FILES for layer in _wrong(path)}
    assert found == set()


def test_a_task_imports_no_other_task() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in ROOT.glob("pipeline/tasks/*/**/*.py")
        for name in _imports(path)
        if name.startswith("pipeline.tasks.")
        and name.split(".")[2] not in ("kinds", path.relative_to(ROOT).parts[2])
    }
    assert found == set()


def test_generic_modules_name_no_task() -> None:
    """A ninth task by code is a folder and a line: no other module knows its id."""
    names = {*PACKAGES, "ynat", "wos"}
    found = {
        (path.relative_to(ROOT).as_posix(), node.value)
        for path in FILES
        if _layer(path) not in ("flows", "tasks")
        for node in _nodes(path)
        if isinstance(node, ast.Constant) and node.value in names
    }
    assert found == set()


def test_only_flows_import_prefect_and_only_networks_torch() -> None:
    for path in FILES:
        found = {
            (node.names[0].name if isinstance(node, ast.Import) else node.module or "").split(".")[
                0
            ]
            for node in _nodes(path)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        if _layer(path) != "flows":
            assert not found & {"prefect", "distributed", "typer"}, path
        is_head = path.is_relative_to(ROOT / "pipeline/tasks") and "head" in path.as_posix()
        if _layer(path) != "training" and not is_head:
            assert "torch" not in found, path


def test_the_interface_is_light() -> None:
    """What a function needs is imported when it is called."""
    code = (
        "import sys, klue_rebuild; [getattr(klue_rebuild, name) for name in klue_rebuild.__all__]\n"
        f"assert not {HEAVY!r} & set(sys.modules), {HEAVY!r} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_help_is_light() -> None:
    """One process runs all commands; a heavy import is reported with the command that made it."""
    commands = [
        ["--help"],
        ["build", "--help"],
        ["init", "--help"],
        ["doctor", "--help"],
        ["store", "gc", "--help"],
        ["clean", "--help"],
        ["corpus", "--help"],
        ["decontaminate", "--help"],
        ["sources", "--help"],
        ["pii", "scan", "--help"],
        ["toxicity", "--help"],
        ["label-studio", "sync", "--help"],
        ["tokenizer", "train", "--help"],
        ["leaderboard", "init", "--help"],
        ["leaderboard", "token", "add", "--help"],
        ["leaderboard", "mark", "--help"],
        ["leaderboard", "publish", "--help"],
        ["leaderboard", "serve", "--help"],
        ["leaderboard", "rescore", "--help"],
        ["leaderboard", "close", "--help"],
        ["leaderboard", "submit", "--help"],
        *([name, "--help"] for name in (*ANNOTATION, *SAMPLING, *RELEASE, *MODELS)),
    ]
    code = (
        "import sys; from functools import cache; from typer import testing\n"
        "from flows.cli import app\n"
        "testing._get_command = cache(testing._get_command)\n"  # a parser is made once
        f"heavy = {HEAVY!r}\n"
        f"for arguments in {commands!r}:\n"
        "    result = testing.CliRunner().invoke(app, arguments)\n"
        "    assert result.exit_code == 0, (arguments, result.output)\n"
        "    assert not heavy & set(sys.modules), (arguments, heavy & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
