"""Peak memory of a build on two sizes of the same corpus: it must not grow with the corpus.

    python tests/benchmarks/bench_memory.py [--shares 0.05 0.1] [--json]

Builds that share of the movies of the NSMC crawl in KLUE_DATA, each in a work directory of its own
with two workers, and prints the peak resident size of the largest process of each run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import zstandard

ROOT = Path(__file__).resolve().parents[2]
BUILD = """\
name: memory
seed: 1
catalogue: {root}/data/catalogue.yaml
sources:
  nsmc:
    inputs:
      - path: raw
"""
PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
sys.stderr.write(done.stderr if done.returncode else "")
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def unpack(crawl: Path, folder: Path, share: float) -> int:
    """Write that share of the movies below `folder`, evenly spread; returns how many."""
    (folder / "raw").mkdir(parents=True)
    every = max(1, round(1 / share))
    with crawl.open("rb") as packed:
        stream = zstandard.ZstdDecompressor().stream_reader(packed)
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            movies = (member for member in archive if member.isfile())
            taken = 0
            for number, member in enumerate(movies):
                content = archive.extractfile(member)
                if number % every == 0 and content is not None:
                    (folder / "raw" / Path(member.name).name).write_bytes(content.read())
                    taken += 1
    return taken


def peak(folder: Path) -> float:
    """Build what lies in `folder`; returns the largest process's peak in MiB."""
    (folder / "memory.yaml").write_text(BUILD.format(root=ROOT), "utf-8")
    klue = [sys.executable, "-m", "flows.cli", "build", str(folder / "memory.yaml")]
    words = [*klue, "--until", "corpus", "--work", str(folder / "work"), "--workers", "2", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(done.stdout) / 1024


def main() -> int:
    """Measure both shares and print them with their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shares", nargs=2, type=float, default=[0.05, 0.1])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    data = os.environ.get("KLUE_DATA", str(ROOT.parent / "shared" / "data"))
    crawl = Path(data) / "raw" / "nsmc_raw.tar.zst"
    if not crawl.exists():
        sys.stdout.write(f"skipped: no crawl at {crawl}; set KLUE_DATA\n")
        return 0
    found = []
    for share in arguments.shares:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            movies = unpack(crawl, folder, share)
            found.append({"movies": movies, "peak_mib": round(peak(folder), 1)})
    ratio = found[1]["peak_mib"] / found[0]["peak_mib"]
    if arguments.json:
        sys.stdout.write(json.dumps({"runs": found, "ratio": round(ratio, 3)}) + "\n")
    else:
        for run in found:
            sys.stdout.write(f"{run['movies']:6} movies: peak {run['peak_mib']:.0f} MiB\n")
        sys.stdout.write(f"ratio {ratio:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
