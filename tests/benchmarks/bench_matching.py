"""Greedy sentence matching of 2,500 to 40,000 real sentences: what it costs, and that it is exact.

    python tests/benchmarks/bench_matching.py [--json] [--runs N] [--sizes N ...]

The sentences are the distinct premises and hypotheses of Airbnb and policy in KLUE-NLI, then NSMC
reviews, all of 20 to 100 characters (without KLUE_DATA what data/sample has). Every size and
algorithm runs in a process of its own on one core, with rougeL; seconds are the median of N runs
(1), memory is the peak of resident memory, and how far it is above what the process held before.
The reference with rouge-score matches 500 sentences both ways by both scores, which must be the
same pairs, and is timed on them and on 1,000. Exit code 1 where pairs differ, or 20,000 sentences
take 15 s or more from text to pairs by the default.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

from results import ROOT, Figure, none_of, parser_of, show

SIZES = (2_500, 5_000, 10_000, 20_000, 40_000)
CHECKED, TIMED = 500, 1_000
TARGET, SECONDS = 20_000, 15.0
MIB = 2**20
ALGORITHMS = ("anchors", "global")


def main() -> int:
    """Measure every size and the reference, and print what they took."""
    parser = parser_of(__doc__)
    parser.add_argument("--runs", type=int, default=1, help="how many (1)")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="sentences")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        algorithm, size = given.one
        found = compare() if algorithm == "reference" else measure(algorithm, int(size), given.runs)
        sys.stdout.write(json.dumps(found))
        return 0
    rows = [_apart(a, size, given.runs) for size in given.sizes for a in ALGORITHMS]
    reference = _apart("reference", CHECKED, 1)
    figures = [figure for row in rows for figure in _figures(row)]
    figures += [
        Figure(f"{int(size):,} sentences, rouge-score's reference", seconds, "s")
        for size, seconds in reference["seconds"].items()
    ]
    figures.append(none_of("pairs that differ from the reference", reference["different"]))
    return show(__doc__, figures, as_json=given.json, matching=rows)


def _apart(algorithm: str, size: int, runs: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--one", algorithm, str(size), "--runs", str(runs)]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.exit(f"{algorithm} {size} failed:\n{done.stderr}")
    read: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return read


def measure(algorithm: Any, size: int, runs: int) -> dict[str, Any]:
    """Return what the matching of `size` sentences takes, and in how many pairs LCS was run."""
    from pipeline.tasks.sts import matching
    from pipeline.tasks.sts.matching import match_sentences

    texts = load(size)
    begin = time.perf_counter()
    tokens = [matching.content_words(text) for text in texts]
    analysis = time.perf_counter() - begin
    before, taken = _peak(reset=True), list[float]()
    for _ in range(runs):
        begin = time.perf_counter()
        found = match_sentences(tokens, order=order(len(texts)), algorithm=algorithm)
        taken.append(time.perf_counter() - begin)
    peak = _peak()
    with mock.patch.object(matching, "lcs_length", wraps=matching.lcs_length) as run:
        match_sentences(tokens, order=order(len(texts)), algorithm=algorithm)
    return {
        "algorithm": algorithm,
        "sentences": len(texts),
        "pairs": len(found),
        "tokens": round(sum(map(len, tokens)) / len(tokens), 1),
        "analysis_seconds": round(analysis, 2),
        "seconds": round(median(taken), 2),
        "mib": round((peak - before) / MIB, 1),
        "peak_mib": round(peak / MIB, 1),
        "lcs_share": run.call_count / (len(texts) * (len(texts) - 1) / 2),
    }


def compare() -> dict[str, Any]:
    """Return in how many pairs the reference differs, and what it takes."""
    sys.path.insert(0, str(ROOT / "tests" / "tasks" / "sts"))
    import reference_matching as reference

    from pipeline.tasks.sts.matching import match_sentences

    different, tokenizer, seconds = 0, reference.KoreanTokenizer(), dict[int, float]()
    sample = load(100 * CHECKED)[:: max(1, len(load(100 * CHECKED)) // CHECKED)][:CHECKED]
    tokens = [tokenizer.tokenize(text) for text in sample]
    places: Any = order(len(sample))
    for rouge in ("rouge1", "rougeL"):
        for algorithm in ALGORITHMS:
            way: Any = {"order": places, "algorithm": algorithm, "rouge": rouge}
            pairs = zip(reference.match(sample, **way), match_sentences(tokens, **way), strict=True)
            different += sum(theirs != ours for theirs, ours in pairs)
    for size in (CHECKED, TIMED):
        texts = load(size)
        begin = time.perf_counter()
        reference.match(texts, order=order(len(texts)))
        seconds[len(texts)] = round(time.perf_counter() - begin, 2)
    return {"different": different, "seconds": seconds}


def order(size: int) -> list[int]:
    """Return the places of the anchors by keyed draw."""
    from pipeline.core.ids import draw

    return sorted(range(size), key=lambda place: draw(1, "bench", str(place)))


def load(size: int) -> list[str]:
    """Return up to `size` distinct sentences."""
    return list(islice(dict.fromkeys(t for t in _texts() if 20 <= len(t) <= 100), size))


def _texts() -> Any:
    from real_reviews import load_texts

    data = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data")
    for part in ("train", "dev"):
        path = data / "klue" / f"klue-nli-v1.1_{part}.json"
        for row in json.loads(path.read_text("utf-8")) if path.is_file() else ():
            if row.get("genre", row.get("source")) in ("airbnb", "policy"):
                yield from (row["premise"], row["hypothesis"])
    yield from load_texts(150_000, repeat=False)[1]


def _figures(row: dict[str, Any]) -> list[Figure]:
    what = f"{row['sentences']:,} sentences, {row['algorithm']}"
    by_default = row["algorithm"] == "anchors" and row["sentences"] == TARGET
    whole = row["seconds"] + row["analysis_seconds"]
    return [
        Figure(f"{what}: from text to pairs", whole, "s", most=SECONDS if by_default else None),
        Figure(f"{what}: matching alone", row["seconds"], "s"),
        Figure(f"{what}: memory of its own", row["mib"], "MiB"),
    ]


def _peak(*, reset: bool = False) -> int:
    """Return the peak of resident memory in bytes (Linux); `reset` lowers it to that of now."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    sys.exit(main())
