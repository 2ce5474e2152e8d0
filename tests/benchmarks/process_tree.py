"""Peak memory of a process with all its descendants, sampled while it runs.

The memory of a tree is the sum of the proportional set sizes (PSS) of its processes at one moment:
pages that several processes share count in parts. Files that were only read are not counted.
"""

from __future__ import annotations

import resource
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

#: Seconds between two samples.
INTERVAL = 0.2


class Usage(NamedTuple):
    """What a command took: peak of the tree in MiB, CPU seconds of all processes, seconds."""

    peak_mib: float
    cpu_seconds: float
    wall_seconds: float
    output: str


def run_measured(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Usage:
    """Run a command in a folder and measure its tree; raises CalledProcessError if it fails."""
    begin, before = perf_counter(), _cpu_of_children()
    with (
        (folder / "output.txt").open("w+") as output,
        (folder / "errors.txt").open("w+") as errors,
        subprocess.Popen(
            words, cwd=folder, env=dict(environment), stdout=output, stderr=errors
        ) as process,
    ):
        peak, ended = [0], threading.Event()
        sampler = threading.Thread(target=_sample, args=(process.pid, peak, ended))
        sampler.start()
        process.wait()
        ended.set()
        sampler.join()
        output.seek(0)
        errors.seek(0)
        text, complaint = output.read(), errors.read()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(words), text, complaint)
    cpu = _cpu_of_children() - before
    return Usage(peak[0] / 2**20, cpu, perf_counter() - begin, text)


def memory_of_tree(root: int) -> int:
    """Return the PSS in bytes of a process and its descendants, those that ended left out."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and (parent := _parent(entry)) is not None:
            children.setdefault(parent, []).append(int(entry.name))
    waiting, total = [root], 0
    while waiting:
        pid = waiting.pop()
        waiting += children.get(pid, [])
        total += _pss(pid)
    return total


def _sample(root: int, peak: list[int], ended: threading.Event) -> None:
    while not ended.wait(INTERVAL):
        peak[0] = max(peak[0], memory_of_tree(root))


def _parent(entry: Path) -> int | None:
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None


def _pss(pid: int) -> int:
    """Return the PSS of a process in bytes; 0 once it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    fields = {name: rest for name, _, rest in (line.partition(":") for line in lines)}
    kilobytes = int(fields["Pss"].split()[0])
    return kilobytes * 1024


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
