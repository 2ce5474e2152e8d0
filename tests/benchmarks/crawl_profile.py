"""What the stages of a corpus spend their CPU on, by sampling the main thread of one process.

A timer of CPU time interrupts the process. The CPU since the last interrupt, of all threads, goes
to the innermost part of `PARTS` that the main thread is in. An interrupt waits until a call into C
returns, so that a long one gets its whole time, and counts as the function that called it.
"""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import tarfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from results import ROOT

#: Seconds of CPU between two samples.
INTERVAL = 0.005
#: Parts by the ends of files, or parts of their paths, and functions ('' is all), innermost first.
PARTS: tuple[tuple[str, str, str], ...] = (
    ("analyser (mecab)", "corpus/kss/engine.py", "_morphemes"),
    ("Parquet and ledger, written and read", "core/store.py", ""),
    ("Parquet and ledger, written and read", "pyarrow/parquet/", ""),
    ("sentences around the analyser", "corpus/kss/", ""),
    ("sentences around the analyser", "/kss/", ""),
    ("sentences around the analyser", "corpus/segmentation.py", ""),
    ("sentences around the analyser", "corpus/segment.py", ""),
    ("reading and unpacking", "corpus/readers/", ""),
    ("reading and unpacking", "core/io/", ""),
    ("reading and unpacking", "/tarfile.py", ""),
    ("reading and unpacking", "corpus/read.py", ""),
    ("joins", "corpus/select.py", ""),
    ("joins", "corpus/duplicates.py", ""),
    ("joins", "corpus/similar_pairs.py", ""),
    ("joins", "corpus/exact_repeats.py", ""),
    ("joins", "corpus/clusters.py", ""),
    ("joins", "core/partitions.py", ""),
    ("joins", "core/numbered.py", ""),
    ("signatures", "corpus/signatures.py", ""),
    ("noise rules", "corpus/rules/", ""),
    ("noise rules", "corpus/cleaning.py", ""),
    ("personal data", "pipeline/pii/", ""),
    ("toxicity", "corpus/toxicity/", ""),
)
REST = "the rest: imports, running of calls, digests"
_CHILD = "--profile-here"


@dataclass(frozen=True)
class Profile:
    """CPU seconds by part, of all, and of both floors."""

    seconds: dict[str, float]
    total: float
    reading: float
    analysing: float


def profiled(build: Path) -> Profile:
    """Run the stages of a build's corpus in a process of their own and return its profile."""
    words = [sys.executable, __file__, _CHILD, str(build)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"the profile failed:\n{done.stderr}")
    return Profile(**json.loads(done.stdout.splitlines()[-1]))


class Sampler:
    """Gives the CPU of this process to parts while it is entered."""

    def __init__(self) -> None:
        """Begin with no samples."""
        self.seconds: dict[str, float] = {}
        self._last = 0.0

    def __enter__(self) -> Sampler:
        """Start the timer."""
        self._last = time.process_time()
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        now = time.process_time()
        part = part_of(frame)
        self.seconds[part] = self.seconds.get(part, 0.0) + now - self._last
        self._last = now


def part_of(frame: FrameType | None) -> str:
    """Return the part of the innermost frame that is in one."""
    while frame is not None:
        path, function = frame.f_code.co_filename, frame.f_code.co_name
        for part, place, name in PARTS:
            if place in path and name in ("", function):
                return part
        frame = frame.f_back
    return REST


def _profile_here(build: Path) -> dict[str, Any]:
    sys.path.insert(0, str(ROOT))
    from flows.engine.run import run_here
    from flows.plan.corpus import plan_corpus
    from pipeline.core.pool import Workers

    plan = plan_corpus(build, build.parent / "work")
    begin = time.process_time()
    with Sampler() as sampler, Workers(1):
        run_here(plan.calls)
    total = time.process_time() - begin
    archive = build.read_text("utf-8").rpartition("path: ")[2].strip()
    folders = {call.stage: call.folder for call in plan.calls}
    seconds = dict(sorted(sampler.seconds.items(), key=lambda item: -item[1]))
    reading, analysing = _read(Path(archive)), _analyse(folders["select"])
    return {"seconds": seconds, "total": total, "reading": reading, "analysing": analysing}


def _read(archive: Path) -> float:
    """Return the CPU seconds of unpacking an archive to the bytes of its files."""
    import zstandard

    begin = time.process_time()
    with archive.open("rb") as packed:
        stream = io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(packed), 2**20)
        with tarfile.open(fileobj=stream, mode="r|") as members:
            for member in members:
                if (file := members.extractfile(member)) is not None:
                    file.read()
    return time.process_time() - begin


def _analyse(documents: Path) -> float:
    """Return the CPU seconds of mecab's calls for all texts of a stage's output."""
    import pyarrow.parquet as pq

    from pipeline.core import store
    from pipeline.corpus.kss import engine

    seconds = 0.0
    for path in store.tables(documents, "documents"):
        texts = pq.read_table(path, columns=["text"])["text"].to_pylist()
        given = [part for text in texts for part in text.splitlines() if part.strip()]
        begin = time.process_time()
        for part in given:
            engine._morphemes(part)
        seconds += time.process_time() - begin
    return seconds


if __name__ == "__main__" and sys.argv[1:2] == [_CHILD]:
    sys.stdout.write(json.dumps(_profile_here(Path(sys.argv[2]))) + "\n")
