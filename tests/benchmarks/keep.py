"""Runs benchmarks and keeps what they measured: docs/benchmarks/NAME.json, then the page.

    python tests/benchmarks/keep.py [NAME ...]

NAME is `pii` for bench_pii.py; without names all run, one after another, but those that take a
quarter of an hour or more (`LONG`). A benchmark that had to leave something out, such as a
comparison whose package is absent, keeps its older file if that has more. Exit code 1 where a
target is missed or a benchmark failed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import page
from results import ROOT, circumstances

SCRIPTS = {
    path.stem.removeprefix("bench_"): path
    for path in sorted(Path(__file__).parent.glob("bench_*.py"))
}
#: Those that run when they are named.
LONG = frozenset({"crawl", "dask", "scaling"})


def main() -> int:
    """Run what was asked for, keep the results and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="those to run (all but the long ones)"
    )
    names = parser.parse_args().names or [name for name in SCRIPTS if name not in LONG]
    if unknown := sorted(set(names) - set(SCRIPTS)):
        parser.error(f"no benchmark: {', '.join(unknown)}; there are {', '.join(SCRIPTS)}")
    page.KEPT.mkdir(exist_ok=True)
    codes = []
    for name in names:
        codes.append(_keep(name))
        page.write()  # after each: a run that is stopped leaves a page that fits
    return int(any(codes))


def _keep(name: str) -> int:
    """Run one benchmark and keep its record; returns 1 where it failed or missed a target."""
    sys.stdout.write(f"== {name}\n")
    sys.stdout.flush()
    begin, before = time.perf_counter(), _cpu_of_children()
    words = [sys.executable, str(SCRIPTS[name]), "--json"]
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    seconds, cpu = time.perf_counter() - begin, _cpu_of_children() - before
    path = page.KEPT / f"{name}.json"
    try:
        record: dict[str, Any] = circumstances() | json.loads(done.stdout)
        record |= {"seconds": round(seconds), "cpu_seconds": round(cpu)}
        shown = page.lines(name, record)
    except (ValueError, KeyError, TypeError) as error:
        why = f"no record of a benchmark ({type(error).__name__}), exit code {done.returncode}"
        sys.stdout.write(f"{done.stdout}nothing is kept: {why}\n")
        return 1
    sys.stdout.write("".join(f"{line}\n" for line in shown))
    if is_less(record, path):
        sys.stdout.write(f"{path.relative_to(ROOT)} stays: it has what was left out here\n")
    else:
        path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", "utf-8")
    sys.stdout.write(f"{seconds:.0f} s, {cpu:.0f} s of CPU\n")
    return int(done.returncode != 0)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def is_less(record: dict[str, Any], path: Path) -> bool:
    """Return whether a record leaves out what the kept one at `path` has."""
    if not path.is_file():
        return False
    before = json.loads(path.read_text("utf-8")).get("left_out", [])
    return not set(record.get("left_out", [])) <= set(before)


if __name__ == "__main__":
    sys.exit(main())
