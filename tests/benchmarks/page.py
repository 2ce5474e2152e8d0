"""Makes docs/benchmarks.md and its drawings from what `keep.py` kept in docs/benchmarks.

    python tests/benchmarks/page.py

Nobody edits figures by hand: a test compares the page with what this script makes. What needs
words stands in notes.md beside this script, a section for each benchmark.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import plots
from results import ROOT, Figure, measured, number, target

KEPT = ROOT / "docs" / "benchmarks"
PAGE = ROOT / "docs" / "benchmarks.md"
NOTES = Path(__file__).with_name("notes.md")
#: The highest exponent of cost of a stage, and how much the peak of a build may grow.
EXPONENT, GROWTH = 1.1, 1.1
Record = dict[str, Any]
INTRODUCTION = """\
# Benchmarks

`make bench` measures and writes this page; `make bench ONLY="pii start"` measures some, and
`ONLY=crawl`, `ONLY=dask` and `ONLY=scaling` what takes long and else stays as it was. What is
compared runs in turn on one machine. A figure in parentheses is the range of several runs, of which
the median stands before it.
Each section names its command, date, commit and machine; `load` is what ran when it ended (below 2
is quiet here), and a `+` after the commit says that changes were not committed yet. The records are
`docs/benchmarks/*.json`.
"""


def main() -> int:
    """Write the page."""
    write()
    return 0


def write() -> None:
    """Write the page and its drawings."""
    records = read_records()
    for name, drawing in drawings(records).items():
        (KEPT / name).write_text(drawing, "utf-8")
    PAGE.write_text(text(records, notes()), "utf-8")


def read_records() -> dict[str, Record]:
    """Return the kept records by name."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(KEPT.glob("*.json"))}


def notes() -> dict[str, str]:
    """Return what stands below each heading of the notes."""
    parts = re.split(r"^## (\S+)\n", NOTES.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {name: words.strip() for name, words in zip(parts[::2], parts[1::2], strict=True)}


def drawings(records: Mapping[str, Record]) -> dict[str, str]:
    """Return the drawings by the names of their files."""
    made = {}
    for name, record in records.items():
        rows = [*record.get("stages", ()), *record.get("within", ())]
        if any(row["exponent"] is not None for row in rows):
            made[f"{name}-cost.svg"] = plots.costs(rows)
        if record.get("tree"):
            made[f"{name}-memory.svg"] = plots.memory(record["tree"])
    return made


def text(records: Mapping[str, Record], words: Mapping[str, str]) -> str:
    """Return the page of these records; `words` are the notes by name."""
    parts = [INTRODUCTION, _summary(records)]
    parts += [_section(name, record, words.get(name, "")) for name, record in records.items()]
    parts += [f"## {name}\n\n{more}\n" for name, more in words.items() if name not in records]
    return "\n".join(parts)


def lines(name: str, record: Record) -> list[str]:
    """Return the figures of a record as lines for a terminal."""
    left = [f"left out: {what}" for what in record.get("left_out", [])]
    rows = [" | ".join(filter(None, _cells(row))) for row in figures(name, record)]
    return [_circumstances(record), *rows, *left]


def figures(name: str, record: Record) -> list[Record]:
    """Return the figures of a record; of one of growth the steepest stage and highest peak."""
    found: list[Record] = list(record.get("figures", ()))
    for kind, noun in (("stages", "stages"), ("within", "parts of stages")):
        slopes = {row["stage"]: row["exponent"] for row in record.get(kind, ()) if row["exponent"]}
        if slopes and "figures" not in record:
            worst = max(slopes, key=lambda stage: slopes[stage])
            what = f"highest exponent of cost of {len(slopes)} {noun} ({worst})"
            found.append(Figure(what, slopes[worst], "", most=EXPONENT).record())
    if record.get("tree") and "figures" not in record:
        peaks = [row["peak_mib"] for row in record["tree"]]
        what = f"highest peak of memory of {len(peaks)} sizes by that of the smallest"
        found.append(Figure(what, max(peaks) / peaks[0], "", most=GROWTH).record())
    if not found and not record.get("left_out"):
        raise ValueError(f"{name}: no figures; print them by results.show")
    return found


def _summary(records: Mapping[str, Record]) -> str:
    rows = [(name, row) for name, record in records.items() for row in figures(name, record)]
    aimed = [(name, row) for name, row in rows if row["met"] is not None]
    missed = [(name, row) for name, row in aimed if not row["met"]]
    said = f"{len(aimed) - len(missed)} of {len(aimed)} targets are met, {len(missed)} missed"
    listed = "".join(
        f"- [{name}](#{name}): {row['what']}: {measured(row)}, target {target(row)}\n"
        for name, row in missed
    )
    return f"{said}{':' if missed else '.'}\n" + (f"\n{listed}" if listed else "")


def _section(name: str, record: Record, words: str) -> str:
    script = f"tests/benchmarks/bench_{name}.py"
    about = record.get("about") or _first_line(ROOT / script)
    command = record.get("command") or f"python {script}"
    source = f" Texts: {record['source']}." if record.get("source") else ""
    parts = [f"## {name}", f"{about}{source}", f"`{command}`: {_circumstances(record)}"]
    rows = [_cells(row) for row in figures(name, record)]
    if rows:
        parts.append(_table(("what", "target", "measured", "met?"), rows))
    parts += _growth(name, record)
    if record.get("left_out"):
        parts.append(f"Left out: {'; '.join(record['left_out'])}.")
    return "\n\n".join([*parts, *filter(None, [words])]) + "\n"


def _first_line(script: Path) -> str:
    if not script.is_file():
        return ""
    return script.read_text("utf-8").removeprefix('"""').splitlines()[0]


def _circumstances(record: Record) -> str:
    machine = record["machine"]
    parts = [record["date"], f"commit {record['commit']}"]
    parts.append(f"{machine['cores']} cores ({machine['processor']})")
    parts.append(f"{machine['memory_gib']:.0f} GiB, Python {machine['python']}")
    parts.append(f"load {machine['load']:g}")
    if "seconds" in record:
        parts.append(f"took {record['seconds']} s ({record['cpu_seconds']} s of CPU)")
    return ", ".join(parts)


def _cells(row: Record) -> list[str]:
    verdict = {True: "yes", False: "**no**", None: ""}[row["met"]]
    return [row["what"], target(row), measured(row), verdict]


def _growth(name: str, record: Record) -> list[str]:
    """Return drawings and tables of how cost and memory grow with size."""
    parts, drawn = [], drawings({name: record})
    if f"{name}-cost.svg" in drawn:
        about = "CPU seconds over size, a panel for each stage; dashed: as size grows"
        parts.append(f"![{about}](benchmarks/{name}-cost.svg)")
    if f"{name}-memory.svg" in drawn:
        parts.append(f"![Peak of memory over size](benchmarks/{name}-memory.svg)")
    if stages := [*record.get("stages", ()), *record.get("within", ())]:
        heads = ("stage", "of", "size", "CPU s", "peak MiB", "exponent")
        parts.append(_table(heads, [_stage_cells(one) for one in stages]))
    if tree := record.get("tree"):
        rows = [[number(one["size"]), f"{number(one['peak_mib'])} MiB"] for one in tree]
        parts.append(_table(("size", "peak of all processes"), rows))
    return parts


def _stage_cells(stage: Record) -> list[str]:
    ends = [
        f"{number(stage[key][0])} to {number(stage[key][-1])}"
        for key in ("sizes", "cpu_seconds", "peak_mib")
    ]
    slope = "" if stage["exponent"] is None else f"{stage['exponent']:.2f}"
    return [stage["stage"], stage["unit"], *ends, slope]


def _table(heads: tuple[str, ...], rows: list[list[str]]) -> str:
    cells = [list(heads), ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


if __name__ == "__main__":
    sys.exit(main())
