"""What a command takes: seconds of wall clock, CPU seconds, and the peak of its largest process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from results import ROOT

#: The process adopts what a command leaves behind (PR_SET_CHILD_SUBREAPER): the CPU of workers
#: whose parent did not wait for them would be missing else.
_MEASURE = """
import ctypes, json, os, resource, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
begin = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
wall = time.perf_counter() - begin
end = time.monotonic() + 60
try:
    while time.monotonic() < end:
        if os.waitpid(-1, os.WNOHANG) == (0, 0):
            time.sleep(0.05)
except ChildProcessError:
    pass
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stderr.write(done.stderr if done.returncode else "")
cpu = used.ru_utime + used.ru_stime
print(json.dumps({"wall": wall, "cpu": cpu, "peak": used.ru_maxrss * 1024, "out": done.stdout}))
sys.exit(done.returncode)
"""


class Usage(NamedTuple):
    """Seconds of wall clock, CPU seconds, bytes of the largest process, what was printed."""

    wall: float
    cpu: float
    peak: int
    out: str


def klue(words: Sequence[object], *, environment: Mapping[str, str] | None = None) -> Usage:
    """Run a command of this checkout, or of that in PYTHONPATH; ends the script if it fails."""
    command = [sys.executable, "-c", _MEASURE, sys.executable, "-m", "flows.cli", *map(str, words)]
    known = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
    # The folder is one without packages: what lies there would be imported first.
    done = subprocess.run(command, cwd="/", env=known, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"klue {' '.join(map(str, words))} failed:\n{done.stderr}")
    return Usage(**json.loads(done.stdout))
