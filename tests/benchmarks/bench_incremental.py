"""What a build costs after a small change, against one from scratch: CPU seconds of its stages.

    python tests/benchmarks/bench_incremental.py [--files N] [--json]

N files (10) of 2,000 reviews each, of the NSMC crawl or, without it, of data/sample repeated, run
through the stages of the corpus, each time in a fresh process with one worker: all files in a new
work folder (scratch), all but one and then that one too (one new file), and all again without the
rule for hashtags (another rule). Stages of one source are all but the removal of duplicates, which
compares all units. Exit code 1 where one new file costs these stages more than a fifth of what all
N cost, or the outputs of both ways differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from real_reviews import load_texts
from results import ROOT, Figure, none_of, parser_of, show

REVIEWS = 2_000
#: The share of the cost of all files that one of ten may take.
SHARE = 0.2
ALL_UNITS = "dedup"
BUILD = """\
name: steps
seed: 1
catalogue: {root}/data/catalogue.yaml
{setting}sources:
  nsmc:
    inputs:
"""
Seconds = dict[str, float]


def main() -> int:
    """Run all ways and print what they cost."""
    parser = parser_of(__doc__)
    parser.add_argument("--files", type=int, default=10, help="how many (10)")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.build:
        sys.stdout.write(json.dumps(_run(given.build)))
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = _write(folder, given.files)
        scratch, outputs = _stages(folder, "scratch", given.files)
        _stages(folder, "steps", given.files - 1)
        added, others = _stages(folder, "steps", given.files)
        rule, _ = _stages(folder, "steps", given.files, "cleaning: {without: [noise.hashtag@1]}\n")
    figures = [*_figures("from scratch", scratch), *_figures("one new file", added)]
    figures += _figures("another noise rule", rule)
    ratio = _of_source(added) / _of_source(scratch)
    figures.append(Figure("one new file, stages of a source, by scratch", ratio, "", most=SHARE))
    figures.append(none_of("outputs that differ from scratch", len(set(outputs) ^ set(others))))
    source = f"{source}, {given.files} files of {REVIEWS:,} reviews"
    more = {"scratch": scratch, "one_new_file": added, "another_rule": rule}
    return show(__doc__, figures, as_json=given.json, source=source, **more)


def _figures(what: str, seconds: Seconds) -> list[Figure]:
    return [
        Figure(f"{what}: stages of a source", _of_source(seconds), "CPU s"),
        Figure(f"{what}: duplicates", seconds.get(ALL_UNITS, 0), "CPU s"),
    ]


def _of_source(seconds: Seconds) -> float:
    return sum(taken for stage, taken in seconds.items() if stage != ALL_UNITS)


def _write(folder: Path, files: int) -> str:
    source, texts = load_texts(files * REVIEWS, repeat=True)
    for number in range(files):
        rows = [
            {"review_id": f"{number}-{place}", "review": text, "date": "14.05.06", "rating": "8"}
            | {"author": "a", "movie_id": str(number)}
            for place, text in enumerate(texts[number * REVIEWS : (number + 1) * REVIEWS])
        ]
        path = folder / f"{number:03}.json"
        path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    return source


def _stages(folder: Path, work: str, files: int, setting: str = "") -> tuple[Seconds, list[str]]:
    """Run the stages in a fresh process; returns CPU seconds by stage, and digests of outputs."""
    inputs = [f"      - path: {folder}/{number:03}.json\n" for number in range(files)]
    build = folder / work / "build.yaml"
    build.parent.mkdir(exist_ok=True)
    build.write_text(BUILD.format(root=ROOT, setting=setting) + "".join(inputs), "utf-8")
    words = [sys.executable, __file__, "--build", str(build)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"a build failed:\n{done.stderr}")
    read = json.loads(done.stdout.splitlines()[-1])
    return read["seconds"], read["outputs"]


def _run(build: Path) -> dict[str, object]:
    from flows.plan.corpus import plan_corpus
    from pipeline.core import running
    from pipeline.core.fingerprint import of_file
    from pipeline.core.pool import Workers

    plan, seconds = plan_corpus(build, build.parent / "work"), Seconds()
    with Workers(1):
        for call in plan.calls:
            begin = time.process_time()
            running.complete(call)
            seconds[call.stage] = round(time.process_time() - begin, 3)
    paths = (path for call in plan.calls for path in sorted(call.folder.glob("*.parquet")))
    return {"seconds": seconds, "outputs": [f"{path.name} {of_file(path)}" for path in paths]}


if __name__ == "__main__":
    sys.exit(main())
