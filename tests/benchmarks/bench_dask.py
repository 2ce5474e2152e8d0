"""The corpus on a Dask cluster of this machine against local processes; two workers each.

    python tests/benchmarks/bench_dask.py [--texts N] [--rounds N] [--json]

Writes N reviews (623,000, which are 1,000,000 sentences) of the NSMC crawl in KLUE_DATA or, without
it, of data/sample, in files of 50 as the crawl has them, and builds their corpus with both engines
in turn, each time in a new work directory, in N rounds (2). Prints the seconds of wall clock, with
start and imports. Exit code 1 when the median of the ratios is above 1.15, or a byte of the
two stores differs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from real_reviews import load_texts
from results import ROOT, none_of, of_runs, parser_of, show

#: How many times as long a build on Dask may take.
LIMIT = 1.15
ENGINES = ("local", "dask")
BUILD = """\
name: dask
seed: 1
catalogue: {root}/data/catalogue.yaml
sources:
  nsmc:
    inputs:
      - path: raw
"""


def main() -> int:
    """Build with both engines in turn; print seconds and their ratio."""
    parser = parser_of(__doc__)
    parser.add_argument("--texts", type=int, default=623_000, help="how many (623,000)")
    parser.add_argument("--rounds", type=int, default=2, help="how many rounds (2)")
    given = parser.parse_args()
    source, texts = load_texts(given.texts, repeat=True)
    wall: dict[str, list[float]] = {engine: [] for engine in ENGINES}
    sentences = different = 0
    with tempfile.TemporaryDirectory() as name:
        _write(Path(name), texts)
        for number in range(given.rounds):
            with tempfile.TemporaryDirectory(dir=name) as folder:
                for engine in ENGINES if number % 2 == 0 else ENGINES[::-1]:
                    seconds, record = _build(Path(name), engine, Path(folder, engine))
                    wall[engine].append(seconds)
                sentences = next(s["rows_out"] for s in record["stages"] if s["stage"] == "segment")
                different += _differences(*(Path(folder, engine, "store") for engine in ENGINES))
    figures = [of_runs(engine, seconds, "s") for engine, seconds in wall.items()]
    ratios = [dask / local for local, dask in zip(wall["local"], wall["dask"], strict=True)]
    figures.append(of_runs("dask against local", ratios, "times as long", most=LIMIT))
    figures.append(none_of("files of the stores that differ", different))
    source = f"{source}, {len(texts):,} texts, {sentences:,} sentences and whole texts"
    return show(__doc__, figures, as_json=given.json, source=source)


def _write(folder: Path, texts: list[str]) -> None:
    """Write the texts as reviews of films, and the build file."""
    (folder / "raw").mkdir()
    for film in range(0, len(texts), 50):
        reviews = [
            {
                "review": text,
                "date": "14.05.06",
                "rating": "8",
                "author": "a",
                "review_id": str(film + n),
                "movie_id": str(film),
            }
            for n, text in enumerate(texts[film : film + 50])
        ]
        content = json.dumps(reviews, ensure_ascii=False)
        (folder / "raw" / f"{film}.json").write_text(content, "utf-8")
    (folder / "build.yaml").write_text(BUILD.format(root=ROOT), "utf-8")


def _build(folder: Path, engine: str, work: Path) -> tuple[float, dict[str, Any]]:
    """Build the corpus in a new work directory; returns the seconds and the record."""
    words = [sys.executable, "-m", "flows.cli", "build", str(folder / "build.yaml"), "--json"]
    words += ["--until", "corpus", "--work", str(work), "--workers", "2", "--engine", engine]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PREFECT_API_URL": ""}
    begin = time.perf_counter()
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stderr}")
    return time.perf_counter() - begin, json.loads(done.stdout)


def _differences(here: Path, there: Path) -> int:
    """Count the files that one store lacks, or that differ by a byte."""
    left, right = (
        {path.relative_to(store): path for path in store.rglob("*") if path.is_file()}
        for store in (here, there)
    )
    common = left.keys() & right.keys()
    differ = sum(left[name].read_bytes() != right[name].read_bytes() for name in common)
    return differ + len(left.keys() ^ right.keys())


if __name__ == "__main__":
    sys.exit(main())
