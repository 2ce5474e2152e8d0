"""Reviews cleaned per CPU second: the Arrow column path against the text-by-text path.

    python tests/benchmarks/bench_cleaning.py [--json] [--texts N]

Reads N reviews (200,000) of KLUE_DATA/raw/nsmc_raw.tar.zst or, without it, repeats the texts of
data/sample. All noise rules, ledger included, one core, no segmentation. Both paths take turns on
chunks of 20,000 texts, so that a change of clock speed hits both. Every kept text and every ledger
row is compared. Exit code 1 on a difference.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tarfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pyarrow as pa

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
CHUNK = 20_000


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--texts", type=int, default=200_000, help="how many texts (200000)")
    given = parser.parse_args()
    pa.set_cpu_count(1)
    source, texts = load_texts(given.texts)
    found = measure(texts) | {"source": source, "texts": len(texts)}
    sys.stdout.write((json.dumps(found) if given.json else describe(found)) + "\n")
    return 0 if found["different"] == 0 else 1


def load_texts(limit: int) -> tuple[str, list[str]]:
    """Return the name of the source and `limit` of its texts."""
    data = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data")
    archive = data / "raw" / "nsmc_raw.tar.zst"
    if archive.is_file():
        return "NSMC crawl", list(islice(read_reviews(archive), limit))
    lines = [  # a rating and a tab may stand before the text
        line.rpartition("\t")[2]
        for file in sorted((ROOT / "data" / "sample").rglob("*.txt"))
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines()
    ]
    if not lines:
        sys.exit(
            f"no texts: {archive} is absent, {ROOT / 'data' / 'sample'} has no *.txt; set KLUE_DATA"
        )
    return "data/sample, repeated", list(islice(cycle(lines), limit))


def read_reviews(archive: Path) -> Iterator[str]:
    """Yield the reviews in the order of the archive."""
    import zstandard

    with archive.open("rb") as packed:
        stream = io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(packed))
        with tarfile.open(fileobj=stream, mode="r|") as members:
            for member in members:
                content = members.extractfile(member) if member.name.endswith(".json") else None
                if content is not None:
                    yield from (row["review"] for row in json.load(content))


def measure(texts: list[str]) -> dict[str, float | int | str]:
    """Clean all texts both ways in turns; return reviews per CPU second, ratio, differences."""
    from pipeline.filters.noise import NOISE
    from pipeline.filters.rules import clean, clean_text

    seconds, kept, rows, different = [0.0, 0.0], 0, 0, 0
    for begin in range(0, len(texts), CHUNK):
        part = texts[begin : begin + CHUNK]
        names = [f"review-{begin + i}" for i in range(len(part))]
        table = pa.table({"id": names, "source": ["toy"] * len(part), "text": part})
        started = time.process_time()
        column, ledger = clean(table, NOISE)
        seconds[0] += time.process_time() - started
        started = time.process_time()
        single = [clean_text(text, NOISE) for text in part]
        seconds[1] += time.process_time() - started
        reference = [text for text, _ in single if text is not None]
        reasons = [event.reason for _, events in single for event in events.values()]
        different += column["text"].to_pylist() != reference
        different += ledger["reason"].to_pylist() != reasons
        kept += column.num_rows
        rows += ledger.num_rows
    return {
        "kept": kept,
        "ledger_rows": rows,
        "column_per_cpu_second": round(len(texts) / seconds[0]),
        "single_per_cpu_second": round(len(texts) / seconds[1]),
        "ratio": round(seconds[1] / seconds[0], 2),
        "different": different,
    }


def describe(found: dict[str, float | int | str]) -> str:
    """Return the figures as lines."""
    return (
        "{source}: {texts} texts, {kept} kept, {ledger_rows} ledger rows\n"
        "column       {column_per_cpu_second:>8} reviews per CPU second\n"
        "text by text {single_per_cpu_second:>8} reviews per CPU second\n"
        "ratio        {ratio:>8}\n"
        "chunks that differ: {different}"
    ).format(**found)


if __name__ == "__main__":
    sys.exit(main())
