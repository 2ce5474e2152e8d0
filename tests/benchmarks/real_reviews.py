"""What the benchmarks share: texts that people wrote."""

from __future__ import annotations

import io
import json
import os
import sys
import tarfile
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

from results import ROOT, Figure, parser_of, show


def run(
    measure: Callable[[list[str]], list[Figure]], *, about: str | None, texts: int, repeat: bool
) -> int:
    """Read the command line, measure texts, print; return 1 where a target is missed.

    `texts` is how many are read if the user does not say.
    """
    parser = parser_of(about)
    parser.add_argument("--texts", type=int, default=texts, help=f"how many texts ({texts})")
    given = parser.parse_args()
    source, read = load_texts(given.texts, repeat=repeat)
    figures = measure(read)
    return show(about, figures, as_json=given.json, source=f"{source}, {len(read):,} texts")


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
