"""Installs what the commands need, and nothing that no command loads; `make build` runs it.

    .venv/bin/python tools/light_install.py

kss asks for a second analyser, tables of English sounds, a test runner and more, 225 MB that its
rules for sentences never touch (pipeline/corpus/kss/parts.py). pip installs all that a package asks
for, or nothing. So pip is asked what a whole installation would be, the packages that only kss asks
for are left out, and the others are installed at just these versions. `pip check` then names what
kss lacks; `pip install -e . -c constraints.txt` is the same with all of it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = "klue-rebuild"
#: What is needed of all that a package asks for.
NEEDED: Mapping[str, frozenset[str]] = {"kss": frozenset({"emoji"})}


def main() -> int:
    """Install; returns the exit status of pip."""
    project = ["--constraint", str(ROOT / "constraints.txt"), "--editable", str(ROOT)]
    asked = _pip("--dry-run", "--ignore-installed", "--report", "-", *project, capture=True)
    packages = {
        canonicalize_name(entry["metadata"]["name"]): entry["metadata"]
        for entry in json.loads(asked.stdout or '{"install": []}')["install"]
    }
    if asked.returncode or PROJECT not in packages:
        return asked.returncode or 1
    pins = [f"{name}=={packages[name]['version']}" for name in sorted(needed(packages))]
    others = _pip("--no-deps", *(pin for pin in pins if not pin.startswith(f"{PROJECT}==")))
    return others.returncode or _pip("--no-deps", *project).returncode


def needed(packages: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the names of the packages that are reached from the project; `packages` by name."""
    reached: set[tuple[str, str]] = set()
    waiting = [(PROJECT, "")]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in reached or name not in packages:
            continue
        reached.add((name, extra))
        for requirement in map(Requirement, packages[name].get("requires_dist", [])):
            wanted = canonicalize_name(requirement.name)
            is_left_out = name in NEEDED and wanted not in NEEDED[name]
            marker = requirement.marker
            if not is_left_out and (marker is None or marker.evaluate({"extra": extra})):
                waiting += [(wanted, part) for part in ("", *requirement.extras)]
    return {name for name, _ in reached}


def _pip(*arguments: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    out = subprocess.PIPE if capture else None
    return subprocess.run([*command, *arguments], stdout=out, text=True)


if __name__ == "__main__":
    sys.exit(main())
