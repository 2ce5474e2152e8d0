"""Imports point downward only: flows -> stages -> tasks -> core (docs/design.md)."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.core.fingerprint import imports

ROOT = Path(__file__).resolve().parents[1]
LOWER = {"core", "tasks"}
ANNOTATION = ("export", "import", "status", "qualify", "simulate", "check", "audit", "aggregate")
SAMPLING = ("hypothesis-only", "tagger")
RELEASE = ("split", "verify", "diff", "report", "convert", "explain")
MODELS = ("score", "train", "results")
FILES = sorted([*ROOT.glob("pipeline/**/*.py"), *ROOT.glob("flows/**/*.py")])


def _layer(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return "flows" if parts[0] == "flows" else parts[1].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_imports_point_downward(path: Path) -> None:
    layer = _layer(path)
    for name in imports(path.read_text("utf-8")):
        parts = name.split(".")
        if parts[0] == "flows":
            assert layer == "flows", f"{path} imports {name}"
        elif layer == "core" and len(parts) > 1:
            assert parts[1] == "core", f"{path} imports {name}"
        elif layer == "tasks" and len(parts) > 1:
            assert parts[1] in LOWER, f"{path} imports {name}"
        elif layer != "flows" and len(parts) > 1:
            assert parts[1] in {layer, *LOWER}, f"stage {layer} imports stage {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_only_flows_import_prefect(path: Path) -> None:
    found = {
        (node.names[0].name if isinstance(node, ast.Import) else node.module or "").split(".")[0]
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    if _layer(path) != "flows":
        assert not found & {"prefect", "prefect_dask", "typer"}
    if _layer(path) != "baseline":
        assert "torch" not in found


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["build", "--help"],
        ["sources", "--help"],
        ["pii", "scan", "--help"],
        ["toxicity", "--help"],
        *([name, "--help"] for name in (*ANNOTATION, *SAMPLING, *RELEASE, *MODELS)),
    ],
)
def test_help_is_light(arguments: list[str]) -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from flows.cli import app;"
        f"result = CliRunner().invoke(app, {arguments!r}); assert result.exit_code == 0;"
        "heavy = {'prefect', 'kss', 'pyarrow', 'duckdb', 'numpy', 'torch', 'pandas', 'yaml',"
        " 'httpx', 'orjson', 'scipy', 'plotly', 'jinja2', 'crowdkit'} & set(sys.modules);"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
