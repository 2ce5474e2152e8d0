"""What every benchmark prints: its figures with their targets, as lines or as one JSON object.

    {"about": "...", "command": "python tests/benchmarks/bench_pii.py", "commit": "...",
     "date": "2026-11-28", "machine": {"cores": 2, "memory_gib": 23.4, "processor": "x86_64",
     "python": "3.11.7", "load": 0.3}, "source": "NSMC crawl", "left_out": [],
     "figures": [{"what": "...", "value": 5.2, "low": 5.0, "high": 5.3, "unit": "times",
                  "least": 8, "most": null, "met": false}]}

`value` is a median where a figure was measured more than once, `low` and `high` are then the ends;
`least` or `most` is the target; `left_out` names what could not be measured here and why.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: Digits of a number that are kept.
DIGITS = 4


@dataclass(frozen=True)
class Figure:
    """What was measured, in one unit; `least` or `most` is the target, None where there is none."""

    what: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def met(self) -> bool | None:
        """Return whether the target is met, None without one."""
        if self.least is None and self.most is None:
            return None
        low = -float("inf") if self.least is None else self.least
        high = float("inf") if self.most is None else self.most
        return low <= self.value <= high

    def record(self) -> dict[str, Any]:
        """Return the figure as JSON has it."""
        ends = {"low": _short(self.low), "high": _short(self.high)}
        target = {"least": self.least, "most": self.most, "met": self.met}
        return {"what": self.what, "value": _short(self.value), **ends, "unit": self.unit, **target}


def of_runs(
    what: str,
    runs: Sequence[float],
    unit: str,
    *,
    least: float | None = None,
    most: float | None = None,
) -> Figure:
    """Return the median of runs as a figure."""
    low, high = (min(runs), max(runs)) if len(runs) > 1 else (None, None)
    return Figure(what, median(runs), unit, least, most, low, high)


def none_of(what: str, many: int) -> Figure:
    """Return a count of differences, of which none is allowed."""
    return Figure(what, many, "", most=0)


def parser_of(about: str | None) -> argparse.ArgumentParser:
    """Return a parser with `--json`; its help is the docstring of the script."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    sys.path.insert(0, str(ROOT))  # the checkout is measured, installed or not
    return parser


def show(
    about: str | None,
    figures: Sequence[Figure],
    *,
    as_json: bool,
    source: str = "",
    left_out: Sequence[str] = (),
    **more: Any,
) -> int:
    """Print the figures of a script with this docstring; return 1 where a target is missed.

    `more` is kept in the JSON object, for who wants to look closer.
    """
    if as_json:
        record = described(about) | {"source": source, "left_out": list(left_out)}
        record |= {"figures": [figure.record() for figure in figures], **more}
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
    else:
        rows = [figure.record() for figure in figures]
        lines = [source] if source else []
        lines += [f"{row['what']}: {measured(row)}{_verdict(row)}" for row in rows]
        lines += [f"left out: {what}" for what in left_out]
        sys.stdout.write("\n".join(lines) + "\n")
    return int(any(figure.met is False for figure in figures))


def described(about: str | None) -> dict[str, Any]:
    """Return what is measured, by which command, and the commit, date and machine."""
    words = [arg for arg in sys.argv[1:] if arg != "--json"]
    script = Path(sys.argv[0]).resolve().relative_to(ROOT).as_posix()
    return {
        "about": (about or "").splitlines()[0],
        "command": " ".join(["python", script, *words]),
        **circumstances(),
    }


def circumstances() -> dict[str, Any]:
    """Return the commit, the date and the machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "commit": _commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {
            "cores": len(os.sched_getaffinity(0)),
            "memory_gib": round(memory, 1),
            "processor": platform.machine(),
            "python": platform.python_version(),
            "load": round(os.getloadavg()[0], 1),
        },
    }


def measured(row: dict[str, Any]) -> str:
    """Return the value of a figure's record in words, with the ends of its runs."""
    ends = f"({number(row['low'])} to {number(row['high'])})" if row["low"] is not None else ""
    return " ".join(filter(None, (number(row["value"]), row["unit"], ends)))


def target(row: dict[str, Any]) -> str:
    """Return the target of a figure's record in words, '' without one."""
    if row["least"] is not None:
        return f"at least {number(row['least'])}"
    return "" if row["most"] is None else f"at most {number(row['most'])}"


def number(value: float) -> str:
    """Return a number as people read it: 1,234, 12.3, 0.0123."""
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _verdict(row: dict[str, Any]) -> str:
    if row["met"] is None:
        return ""
    return f" (target {target(row)}: {'met' if row['met'] else 'MISSED'})"


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")


def _commit() -> str:
    """Return the commit; a plus says that what is measured differs from it."""
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    code = [*git, "status", "--porcelain", "--", "pipeline", "flows", "data", "annotation_specs"]
    changed = subprocess.run(code, capture_output=True, text=True).stdout.strip()
    return head.stdout.strip() + ("+" if changed else "")
