"""What the benchmarks share: texts that people wrote, the command line and the report."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tarfile
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
Found = dict[str, float | int | str]


def run(
    measure: Callable[[list[str]], Found], report: str, *, about: str, texts: int, repeat: bool
) -> int:
    """Read the command line, measure, print; return 1 if `measure` found something `different`.

    `report` is a format string for what `measure` found, `source` and `texts`. `texts` is how many
    are read if the user does not say.
    """
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--texts", type=int, default=texts, help=f"how many texts ({texts})")
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT))  # the checkout is measured, installed or not
    source, read = load_texts(given.texts, repeat=repeat)
    found = measure(read) | {"source": source, "texts": len(read)}
    sys.stdout.write((json.dumps(found) if given.json else report.format(**found)) + "\n")
    return 0 if found["different"] == 0 else 1


def load_texts(limit: int, *, repeat: bool) -> tuple[str, list[str]]:
    """Return the name of the source and its first `limit` texts.

    That is the NSMC crawl or, without it, the sample corpora; these over and over with `repeat`.
    """
    data = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data")
    archive = data / "raw" / "nsmc_raw.tar.zst"
    if archive.is_file():
        return "NSMC crawl", list(islice(read_reviews(archive), limit))
    sample = ROOT / "data" / "sample"
    lines = [  # a rating and a tab may stand before the text
        line.rpartition("\t")[2]
        for file in sorted(sample.rglob("*.txt"))
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines()
    ]
    if not any(lines):
        sys.exit(f"no texts: {archive} is absent, {sample} has no *.txt; set KLUE_DATA")
    some = filter(None, cycle(lines) if repeat else lines)
    return "data/sample, repeated" if repeat else "data/sample", list(islice(some, limit))


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
