"""What every stage costs at 1, 2, 4 and 8 times a size: CPU, peak memory, exponent of cost.

    python tests/benchmarks/bench_scaling.py [--parts corpus tasks matching]
        [--factors 1 2 4 8] [--base 0.05] [--tasks-share 1] [--json] [--out FILE]

Parts:

    corpus  the stages of the corpus on that share of the movies of the NSMC crawl in KLUE_DATA
    tasks   the stages of all tasks, from candidates to a published and verified release, with
            simulated answers, on shares of the official files and raw corpora
    matching  what the candidates of STS do with their pool: greedy matching looks at every pair, so
            its cost grows with the square. A source's pool has at most 20,000 sentences
            (sampling.pool of the spec), so that of the stage does not

A stage runs alone, in a fresh process with its modules loaded and one worker. Its CPU seconds are
those of all its threads; its peak is that of the process, interpreter and libraries included. The
exponent is the slope of log(CPU seconds) over log(rows read), by least squares, of the least time
where two shares gave the same rows; it is null where the stage takes less than 0.2 s at the first.
A stage runs at all sizes before the next one runs; one of less than 10 s runs twice, one whose
exponent is above the target up to three times more at all sizes, and the run of least CPU counts.
`--json` prints one object, `--out` writes it:

    {"machine": {...}, "commit": "...", "date": "...",
     "stages": [{"stage": "dedup", "unit": "units", "sizes": [...], "cpu_seconds": [...],
                 "wall_seconds": [...], "peak_mib": [...], "exponent": 1.03}],
     "within": [the same of what a stage does, as matching]}
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # the checkout is measured, installed or not

import scaling_inputs  # noqa: E402
from scaling_stages import EXPONENT, Row, exponent, measure_builds, measure_matching  # noqa: E402

#: Sentences that are matched into pairs: what the stage does with the pool of one source.
MATCHED = (6_000, 12_000, 24_000)


def table_of(runs: Sequence[dict[str, Row]]) -> list[dict[str, Any]]:
    """Return a record for each stage of all sizes; `runs` are the rows by stage, one run a size."""
    records = []
    for stage in runs[0]:
        rows = [run[stage] for run in runs if stage in run]
        sizes, seconds = [row.size for row in rows], [row.cpu_seconds for row in rows]
        records.append(
            {
                "stage": stage,
                "unit": rows[0].unit,
                "sizes": sizes,
                "cpu_seconds": [round(value, 3) for value in seconds],
                "wall_seconds": [round(row.wall_seconds, 3) for row in rows],
                "peak_mib": [round(row.peak_mib, 1) for row in rows],
                "exponent": exponent(sizes, seconds),
            }
        )
    return records


def measure_stages(
    write: Callable[[Path, float], Path], shares: Sequence[float], until: str
) -> list[dict[str, Any]]:
    """Return the records of all stages of a build; `write` makes its inputs at a share."""
    with tempfile.TemporaryDirectory() as name:
        builds = []
        for share in shares:
            folder = Path(name) / f"{share}"
            folder.mkdir()
            builds.append(write(folder, share))
        return table_of(measure_builds(builds, until))


def describe() -> dict[str, Any]:
    """Return what the figures were measured on: machine, commit, date."""
    git = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "machine": {
            "cores": len(os.sched_getaffinity(0)),
            "memory_gib": round(memory, 1),
            "processor": platform.machine(),
            "python": platform.python_version(),
            "load": round(os.getloadavg()[0], 1),
        },
        "commit": commit,
        "date": datetime.now(UTC).date().isoformat(),
    }


def report(found: dict[str, Any]) -> str:
    """Return the figures as lines of text."""
    lines = [f"{'stage':24} {'sizes':>24} {'CPU s':>28} {'peak MiB':>26} exponent"]
    for row in [*found["stages"], *found["within"]]:
        parts = [
            "/".join(f"{value:g}" for value in row[name])
            for name in ("sizes", "cpu_seconds", "peak_mib")
        ]
        slope = "-" if row["exponent"] is None else f"{row['exponent']:.2f}"
        lines.append(f"{row['stage']:24} {parts[0]:>24} {parts[1]:>28} {parts[2]:>26} {slope}")
    return "\n".join([*lines, *(f"MISSED: {fault}" for fault in faults(found))])


def faults(found: dict[str, Any]) -> list[str]:
    """Return the targets that were missed."""
    return [
        f"{row['stage']}: exponent {row['exponent']} is above {EXPONENT}"
        for row in [*found["stages"], *found["within"]]
        if (row["exponent"] or 0) > EXPONENT
    ]


def main() -> int:
    """Measure what was asked for; returns 1 where a target is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = ("corpus", "tasks", "matching")
    parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    parser.add_argument("--factors", nargs="+", type=float, default=[1, 2, 4, 8])
    parser.add_argument("--base", type=float, default=0.05, help="share of the data at factor 1")
    parser.add_argument(
        "--tasks-share", type=float, default=1, help="share of the tasks' data at the last factor"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--out", type=Path, help="write the object to this file too")
    given = parser.parse_args()
    if not scaling_inputs.CRAWL.is_file():
        sys.stdout.write(f"skipped: no crawl at {scaling_inputs.CRAWL}; set KLUE_DATA\n")
        return 0
    shares = [given.base * factor for factor in given.factors]
    whole = [given.tasks_share * factor / max(given.factors) for factor in given.factors]
    found: dict[str, Any] = {**describe(), "stages": [], "within": []}
    if "corpus" in given.parts:
        found["stages"] += measure_stages(scaling_inputs.write_corpus, shares, "corpus")
        _keep(found, given.out)
    if "tasks" in given.parts:
        found["stages"] += measure_stages(scaling_inputs.write_tasks, whole, "release")
        _keep(found, given.out)
    if "matching" in given.parts:
        found["within"] = table_of([measure_matching(size) for size in MATCHED])
        _keep(found, given.out)
    text = json.dumps(found, ensure_ascii=False) if given.json else report(found)
    sys.stdout.write(f"{text}\n")
    return int(bool(faults(found)))


def _keep(found: dict[str, Any], path: Path | None) -> None:
    """Write what was found so far: what comes next takes minutes, and may fail."""
    if path is not None:
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
