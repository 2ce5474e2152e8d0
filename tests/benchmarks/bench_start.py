"""Starts against the imports that they cannot do without: of a build, and of cleaning a file.

    python tests/benchmarks/bench_start.py [--rounds N] [--json]

Each in processes of their own, in turn, N rounds (3), seconds of wall clock:

    imports     importing the plan, Prefect, its server and the stages, one after another
    first       a build of 100 reviews in a new work folder, with an empty cache
    later       the same in a new work folder, the cache as the first left it
    served      the same in a new work folder, with PREFECT_API_URL set
    again       the same with nothing to do, which starts no server
    light       importing the plan and the stages alone
    clean       `klue clean` of a file of 10 lines

A start is what a side takes beyond the seconds of its stages. Exit code 1 when the median of a
side, or of a ratio, is above its limit.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from real_reviews import load_texts
from results import ROOT, of_runs, parser_of, show

# What is imported: the plan of a build, Prefect, its server, and the stages of a worker.
PLAN = "import flows.build"
STAGES = "import pipeline.corpus.read, pipeline.corpus.duplicates, pipeline.corpus.signatures"
PREFECT = "from prefect import flow, task"
SERVER = "import uvicorn, prefect.server.api.server"
IMPORTS = {"imports": [PLAN, PREFECT, SERVER, STAGES], "light": [PLAN, STAGES]}
#: A side, what it is measured by, and how many times as long its start may take.
LIMITS = {
    ("first", "imports"): 1.3,
    ("later", "imports"): 1.0,
    ("served", "imports"): 0.7,
    ("again", "light"): 2.0,
    ("clean", "light"): 2.0,
}
#: The most seconds of a side.
SECONDS = {"first": 8.0, "later": 6.0, "served": 3.0, "clean": 6.0}
BUILD = """\
name: start
seed: 1
catalogue: {root}/data/catalogue.yaml
sources:
  nsmc:
    inputs:
      - path: raw
"""
Seconds = dict[str, list[float]]


def main() -> int:
    """Run all sides in turn, print seconds and ratios."""
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how many rounds (3)")
    given = parser.parse_args()
    from flows.engine.server import running

    wall: Seconds = {}
    source, texts = load_texts(100, repeat=True)
    for _ in range(given.rounds):
        with tempfile.TemporaryDirectory() as name, running(Path(name, "api")) as address:
            folder = Path(name)
            for side, commands in _sides(folder, texts).items():
                api = address if side == "served" else ""
                begin = time.perf_counter()
                work = sum(_run(folder, words, api) for words in commands)
                wall.setdefault(side, []).append(time.perf_counter() - begin - work)
    figures = [of_runs(name, each, "s", most=SECONDS.get(name)) for name, each in wall.items()]
    for (side, base), most in LIMITS.items():
        ratios = [a / b for a, b in zip(wall[side], wall[base], strict=True)]
        figures.append(of_runs(f"{side} against {base}", ratios, "times", most=most))
    return show(__doc__, figures, as_json=given.json, source=source)


def _sides(folder: Path, texts: list[str]) -> dict[str, list[list[str]]]:
    """Write the files; returns the command lines of every side."""
    (folder / "raw").mkdir()
    reviews = [
        {"review": text, "date": "14.05.06", "rating": "8", "author": "a", "review_id": str(n)}
        for n, text in enumerate(texts)
    ]
    rows = json.dumps([review | {"movie_id": "1"} for review in reviews])
    (folder / "raw" / "1.json").write_text(rows, "utf-8")
    (folder / "build.yaml").write_text(BUILD.format(root=ROOT), "utf-8")
    lines = [text.replace("\n", " ") for text in texts[:10]]
    (folder / "ten.txt").write_text("\n".join(lines), "utf-8")
    build = ["-m", "flows.cli", "build", str(folder / "build.yaml"), "--until", "corpus"]
    build += ["--workers", "2", "--json", "--work"]
    clean = ["-m", "flows.cli", "clean", str(folder / "ten.txt"), "--out", str(folder / "out")]
    return {
        "imports": [["-c", code] for code in IMPORTS["imports"]],
        "first": [[*build, str(folder / "first")]],
        "later": [[*build, str(folder / "later")]],
        "served": [[*build, str(folder / "served")]],
        "again": [[*build, str(folder / "later")]],
        "light": [["-c", code] for code in IMPORTS["light"]],
        "clean": [[*clean, "--json"]],
    }


def _run(folder: Path, words: list[str], api: str) -> float:
    """Run Python with these words; returns the seconds that its stages say they took."""
    known = {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")}
    environment = {**os.environ, **known, "PREFECT_API_URL": api}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a user's modules are compiled once
    command = [sys.executable, *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stderr}")
    stages = json.loads(done.stdout).get("stages", ()) if done.stdout else ()
    return float(sum(stage["seconds"] or 0 for stage in stages))


if __name__ == "__main__":
    sys.exit(main())
