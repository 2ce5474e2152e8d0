"""Counts modules and statements (syntax nodes) of the code, so that size is not a matter of layout.

    python tools/count_code.py [REVISION]      # of the working tree, and what changed since

A statement is a node of `ast.stmt`: a docstring is one, a line broken in three is one. Modules
without a statement are not counted.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("pipeline", "flows", "klue_rebuild")
#: No module is longer than that.
MOST_LINES = 300


def statements(source: str) -> int:
    """Return the number of statements of a source text."""
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))


def working_tree() -> Iterator[tuple[str, str]]:
    """Yield path and text of every module of the working tree."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def revision(name: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of every module of a revision."""
    listed = _git("ls-tree", "-r", "--name-only", name, "--", *PACKAGES).splitlines()
    for path in listed:
        if path.endswith(".py"):
            yield path, _git("show", f"{name}:{path}")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    return done.stdout.decode()


def count(modules: Iterable[tuple[str, str]]) -> tuple[Counter[str], Counter[str]]:
    """Return the statements and the modules of each package (two folders deep)."""
    total, files = Counter[str](), Counter[str]()
    for path, source in modules:
        found = statements(source)
        package = "/".join(path.split("/")[:-1][:2])
        if found:
            total[package] += found
            files[package] += 1
    return total, files


def main() -> int:
    """Print the counts; returns 1 where a module is too long."""
    total, files = count(working_tree())
    before, files_before = count(revision(sys.argv[1])) if len(sys.argv) > 1 else (None, None)
    for package in sorted(total):
        sys.stdout.write(
            f"{package:24} {total[package]:7,} statements {files[package]:4} modules\n"
        )
    line = f"{'all':24} {total.total():7,} statements {files.total():4} modules"
    if before is not None and files_before is not None:
        line += (
            f"; {total.total() - before.total():+,} and {files.total() - files_before.total():+}"
        )
    sys.stdout.write(line + "\n")
    long = [(p, n) for p, text in working_tree() if (n := text.count("\n")) > MOST_LINES]
    for path, lines in long:
        sys.stdout.write(f"{path} has {lines} lines; {MOST_LINES} are allowed\n")
    return int(bool(long))


if __name__ == "__main__":
    sys.exit(main())
