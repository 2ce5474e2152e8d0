"""Alpha with 1,000 resamples against one point estimate of the krippendorff package.

    python tests/benchmarks/bench_agreement.py [--json] [--runs N]

Tables of votes as large as the paper's, drawn anew, each in a process of its own: 31,000 items with
5 of 546 annotators (3 labels, and scores from 0 to 5), 67,000 with 3 of 13 (7 labels), 40,000 with
3 of 163 (30 labels), 5,000 items of 5 continuous scores at all three levels of numbers; and every
coefficient of 125,000 anonymous votes. Seconds are the median of N runs (5) from coded votes to the
interval, memory is the peak of resident memory above what the process held before. The package gets
its table of counts ready-made, and is run once, without resamples, which it does not have; of
continuous scores it gets the first 100 items, since it makes an array of items x values x values.
Exit code 1 where the two differ by more than 1e-9 or a target of the project is missed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from results import ROOT, Figure, parser_of, show

RESAMPLES = 1000
#: Units of which the package gets the continuous scores.
FEW = 100
MIB = 2**20


@dataclass(frozen=True)
class Table:
    """Votes to draw (`labels` 0: continuous scores), and what the project promises for them."""

    units: int
    votes: int
    raters: int
    labels: int
    level: str
    seconds: float | None = None
    mib: float | None = None
    every: bool = False


TABLES = {
    "31,000 x 5 of 546, 3 labels": Table(31_000, 5, 546, 3, "nominal", 0.2, 200),
    "31,000 x 5 of 546, scores": Table(31_000, 5, 546, 6, "interval", 0.2, 200),
    "67,000 x 3 of 13, 7 labels": Table(67_000, 3, 13, 7, "nominal", 0.5),
    "40,000 x 3 of 163, 30 labels": Table(40_000, 3, 163, 30, "nominal", 1.5),
    "5,000 x 5 continuous, ordinal": Table(5_000, 5, 20, 0, "ordinal"),
    "5,000 x 5 continuous, interval": Table(5_000, 5, 20, 0, "interval"),
    "5,000 x 5 continuous, ratio": Table(5_000, 5, 20, 0, "ratio"),
    "25,000 x 5 anonymous, everything": Table(25_000, 5, 0, 3, "nominal", 1.0, None, True),
}


def main() -> int:
    """Run every table in a process of its own and print what it took."""
    parser = parser_of(__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how many (5)")
    parser.add_argument("--table", choices=TABLES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.table:
        sys.stdout.write(json.dumps(measure(TABLES[given.table], given.runs)))
        return 0
    found = {name: _apart(name, given.runs) for name in TABLES}
    figures = [figure for name, one in found.items() for figure in _figures(name, one)]
    return show(__doc__, figures, as_json=given.json, tables=found)


def _apart(name: str, runs: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--table", name, "--runs", str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr}")
    read: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return read


def _figures(name: str, one: dict[str, Any]) -> list[Figure]:
    table, times = TABLES[name], one["ratio"]
    return [
        Figure(f"{name}: 1,000 resamples", one["seconds"], "s", most=table.seconds),
        Figure(f"{name}: memory", one["mib"], "MiB", most=table.mib),
        Figure(f"{name}: point estimate against the package", times, "times as fast"),
        Figure(f"{name}: difference from the package", one["difference"], "", most=1e-9),
    ]


def measure(table: Table, runs: int) -> dict[str, Any]:
    """Return seconds and memory of both sides, and by how much their estimates differ."""
    sys.path.insert(0, str(ROOT))  # the checkout is measured, installed or not
    import_module("scipy.sparse")
    import_module("scipy.special")
    from pipeline.agreement.coefficients.alpha import krippendorff_alpha
    from pipeline.agreement.coefficients.chance import all_coefficients

    votes = draw(table)
    if table.every:
        resampled: Callable[[], Any] = lambda: all_coefficients(  # noqa: E731
            replace(votes), level=table.level, bootstrap=RESAMPLES
        )
    else:
        resampled = lambda: krippendorff_alpha(  # noqa: E731
            replace(votes), level=table.level, bootstrap=RESAMPLES
        )
    before = _peak(reset=True)
    seconds = median(_seconds(resampled)[0] for _ in range(runs))
    memory = (_peak() - before) / MIB
    some = votes if table.labels else first(votes, FEW)
    timed = [_seconds(lambda: krippendorff_alpha(replace(some), level=table.level))
             for _ in range(runs)]  # fmt: skip
    theirs, value = package(some, table.level)
    point = median(taken for taken, _ in timed)
    return {
        "seconds": round(seconds, 4),
        "mib": round(memory, 1),
        "point_seconds": round(point, 5),
        "package_seconds": round(theirs, 4),
        "ratio": round(theirs / point, 2),
        "difference": abs(timed[0][1].value - value),
    }


def draw(table: Table) -> Any:
    """Draw votes of which four in five are right; a continuous score is its unit's plus noise."""
    import numpy as np

    from pipeline.agreement.votes.ratings import Ratings

    chance = np.random.default_rng(1)
    shape = (table.units, table.votes)
    if table.labels:
        truth = chance.integers(0, table.labels, (table.units, 1))
        value = np.where(chance.random(shape) < 0.8, truth, chance.integers(0, table.labels, shape))
        values: tuple[Any, ...] = tuple(range(table.labels))
    else:
        scores = chance.uniform(0, 5, (table.units, 1)) + chance.uniform(0, 1, shape)
        numbers, codes = np.unique(scores, return_inverse=True)
        value, values = codes.reshape(shape), tuple(numbers.tolist())
    rater = np.full(shape, -1, np.int32)
    for row in rater if table.raters else ():
        row[:] = chance.choice(table.raters, table.votes, replace=False)
    return Ratings(
        np.repeat(np.arange(table.units), table.votes).astype(np.int32),
        rater.ravel(),
        value.ravel().astype(np.int32),
        tuple(map(str, range(table.units))),
        tuple(map(str, range(table.raters))),
        values,
    )


def first(votes: Any, units: int) -> Any:
    """Return the votes of the first units, with the values that they use."""
    import numpy as np

    kept = votes.only(votes.unit < units)
    used, value = np.unique(kept.value, return_inverse=True)
    values = tuple(votes.values[code] for code in used)
    return replace(kept, value=value.astype(np.int32), units=votes.units[:units], values=values)


def package(votes: Any, level: str) -> tuple[float, float]:
    """Return the seconds of the package's point estimate and its value."""
    import krippendorff
    import numpy as np

    counts = np.zeros((len(votes.units), len(votes.values)), np.int64)
    np.add.at(counts, (votes.unit, votes.value), 1)
    domain = np.array(votes.values, np.float64)
    return _seconds(
        lambda: krippendorff.alpha(
            value_counts=counts, value_domain=domain, level_of_measurement=level
        )
    )


def _seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    found = work()
    return time.perf_counter() - begin, found


def _peak(*, reset: bool = False) -> int:
    """Return the peak of resident memory in bytes (Linux); `reset` lowers it to that of now."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    sys.exit(main())
