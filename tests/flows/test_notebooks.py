"""The notebooks run, cell by cell, on the sample release; they are stored without output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib
import pytest
import release_stories as stories

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(ROOT.glob("docs/notebooks/*.ipynb"))


def _cells(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.full
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(
    path: Path,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matplotlib.use("agg")
    from matplotlib import pyplot

    releases = tmp_path / "data" / "releases"
    releases.mkdir(parents=True)
    (releases / "sample").symlink_to(stories.sample(tmp_path_factory).release.parent)
    (tmp_path / "docs" / "notebooks").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "docs" / "notebooks")
    names: dict[str, Any] = {}
    for number, cell in enumerate(_cells(path)):
        exec(compile("".join(cell["source"]), f"{path.name} cell {number}", "exec"), names)
    assert pyplot.get_fignums()
    pyplot.close("all")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_hold_no_output(path: Path) -> None:
    for cell in _cells(path):
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
