"""Measures what an installation takes on the disk, and what each extra adds to it.

    .venv/bin/python tools/measure_extras.py      # writes data/extras.json, for `klue doctor`

Counted are the files of the distributions that are installed here and needed (`light_install`),
compiled modules too, in MB of 10**6 bytes. An extra that is not installed keeps its figure.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from light_install import PROJECT, canonicalize_name, needed

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "data" / "extras.json"
Packages = dict[str, dict[str, Any]]


def main() -> int:
    """Measure and write."""
    installed = {canonicalize_name(d.metadata["Name"]): d for d in distributions()}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    packages: Packages = {
        name: {"requires_dist": d.requires or []} for name, d in installed.items()
    }
    core = _reached(packages, settings["dependencies"])
    result = json.loads(RESULT.read_text("utf-8")) if RESULT.is_file() else {"extras": {}}
    result["core"] = _entry(installed, core)
    for extra, asked in settings["optional-dependencies"].items():
        if all(_name(requirement) in installed for requirement in asked):
            more = _reached(packages, [*settings["dependencies"], *asked]) - core
            result["extras"][extra] = _entry(installed, more)
    RESULT.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", "utf-8")
    return 0


def _reached(packages: Packages, asked: Iterable[str]) -> set[str]:
    return needed({**packages, PROJECT: {"requires_dist": list(asked)}}) - {PROJECT}


def _entry(installed: dict[str, Distribution], names: set[str]) -> dict[str, int]:
    size = sum(_bytes(installed[name]) for name in names)
    return {"packages": len(names), "megabytes": round(size / 1e6)}


def _bytes(distribution: Distribution) -> int:
    paths = (Path(str(file.locate())) for file in distribution.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file())


def _name(requirement: str) -> str:
    return canonicalize_name(re.split(r"[^\w.-]", requirement)[0])


if __name__ == "__main__":
    sys.exit(main())
