"""Sentences per CPU second: kss called text by text against `split_sentences`, side by side.

    python tests/benchmarks/bench_segmentation.py [--json] [--texts N]

Reads N reviews (5,000) of KLUE_DATA/raw/nsmc_raw.tar.zst or, without it, the texts of data/sample.
Both take turns on chunks of 250 texts, so that a change of clock speed hits both. The first call of
each, which reads the dictionary, is not measured; every later one is. Every output is compared:
exit code 1 on a difference, 0 otherwise.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
CHUNK = 250


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--texts", type=int, default=5_000, help="how many texts (5000)")
    given = parser.parse_args()
    source, texts = load_texts(given.texts)
    found = measure(texts) | {"source": source, "texts": len(texts)}
    sys.stdout.write((json.dumps(found) if given.json else describe(found)) + "\n")
    return 0 if found["different"] == 0 else 1


def load_texts(limit: int) -> tuple[str, list[str]]:
    """Return the name of the source and its first `limit` texts."""
    data = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data")
    archive = data / "raw" / "nsmc_raw.tar.zst"
    if archive.is_file():
        return "NSMC crawl", list(islice(read_reviews(archive), limit))
    lines = (
        line
        for file in sorted((ROOT / "data" / "sample").rglob("*.txt"))
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines()
    )
    texts = list(islice(filter(None, lines), limit))
    if not texts:
        sys.exit(
            f"no texts: {archive} is absent, {ROOT / 'data' / 'sample'} has no *.txt; set KLUE_DATA"
        )
    return "data/sample", texts


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
    """Let both cut all texts in turns; return sentences per CPU second, ratio, differences."""
    import kss

    from pipeline.ingest.segmentation import split_sentences

    def by_kss(text: str) -> list[str]:
        return list(kss.split_sentences(text, backend="mecab"))

    cutters: list[Callable[[str], list[str]]] = [by_kss, split_sentences]
    seconds, sentences, different = [0.0, 0.0], 0, 0
    for cut in cutters:
        cut("첫 호출은 사전을 읽는다. 재지 않는다.")
    for begin in range(0, len(texts), CHUNK):
        results = []
        for which, cut in enumerate(cutters):
            started = time.process_time()
            results.append([cut(text) for text in texts[begin : begin + CHUNK]])
            seconds[which] += time.process_time() - started
        sentences += sum(map(len, results[0]))
        different += sum(a != b for a, b in zip(*results, strict=True))
    return {
        "sentences": sentences,
        "kss_per_cpu_second": round(sentences / seconds[0], 1),
        "ours_per_cpu_second": round(sentences / seconds[1], 1),
        "ratio": round(seconds[0] / seconds[1], 2),
        "different": different,
    }


def describe(found: dict[str, float | int | str]) -> str:
    """Return the figures as lines."""
    return (
        "{source}: {texts} texts, {sentences} sentences\n"
        "kss   {kss_per_cpu_second:>9} sentences per CPU second\n"
        "ours  {ours_per_cpu_second:>9} sentences per CPU second\n"
        "ratio {ratio:>9}\n"
        "texts cut differently: {different}"
    ).format(**found)


if __name__ == "__main__":
    sys.exit(main())
