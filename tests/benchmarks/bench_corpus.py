"""The whole corpus flow, read to deduplicated, against datatrove doing the same; two workers each.

    python tests/benchmarks/bench_corpus.py [--texts N] [--json]

Writes N reviews (10,000) of the NSMC crawl or, without it, of data/sample as two JSONL files. Then,
in turn, seconds of wall clock with start and imports:

    klue        `klue clean`: sentences, cleaning, personal data, near-duplicates, ledger and report
    datatrove   its reader, kiwi (its tokenizer for Korean) for sentences, a filter of what is not
                Korean, its PIIFormatter, MinHash over three words of kiwi, its writer

datatrove runs with the interpreter BENCH_PYTHON, which has tests/benchmarks/requirements.txt (`make
bench` makes one), and is left out without it. Exit code 1 when klue takes more than half as long.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from real_reviews import load_texts
from results import ROOT, Figure, parser_of, show

#: How many times as fast as datatrove the flow has to be.
TARGET = 2.0
WORKERS = 2


def main() -> int:
    """Write the files, run both sides on them, print seconds and the ratio."""
    parser = parser_of(__doc__)
    parser.add_argument("--texts", type=int, default=10_000, help="how many (10,000)")
    parser.add_argument("--datatrove", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.datatrove:
        run_datatrove(given.datatrove)
        return 0
    source, texts = load_texts(given.texts, repeat=True)
    other, left_out = os.environ.get("BENCH_PYTHON"), list[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder / "texts", texts)
        clean = ["-m", "flows.cli", "clean", folder / "texts", "--out", folder / "clean"]
        clean += ["--workers", str(WORKERS), "--json"]
        ours = _run(sys.executable, clean)
        figures = [
            Figure("klue clean", ours, "s"),
            Figure("klue clean: kept", _count(folder / "clean" / "sentences.jsonl"), "sentences"),
        ]
        if other:
            theirs = _run(other, [__file__, "--datatrove", folder])
            kept = _count(*(folder / "kept").glob("*.jsonl"))
            figures += [
                Figure("datatrove", theirs, "s"),
                Figure("datatrove: kept", kept, "sentences"),
                Figure("klue clean against datatrove", theirs / ours, "times as fast", TARGET),
            ]
        else:
            left_out.append("datatrove: BENCH_PYTHON is not set")
    source = f"{source}, {len(texts):,} texts, {WORKERS} workers"
    return show(__doc__, figures, as_json=given.json, source=source, left_out=left_out)


def _write(folder: Path, texts: list[str]) -> None:
    folder.mkdir()
    for part in range(WORKERS):
        lines = [
            json.dumps({"id": f"{part}-{n}", "text": text}, ensure_ascii=False) + "\n"
            for n, text in enumerate(texts[part::WORKERS])
        ]
        (folder / f"{part}.jsonl").write_text("".join(lines), "utf-8")


def _run(python: str, words: list[str | Path]) -> float:
    """Run Python with these words; returns the seconds."""
    begin = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [python, *words], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{words[0]} failed:\n{done.stderr}")
    return time.perf_counter() - begin


def _count(*files: Path) -> int:
    return sum(len(file.read_bytes().splitlines()) for file in files)


def run_datatrove(folder: Path) -> None:
    """Read, cut, filter, deduplicate and write with datatrove's own parts."""
    from datatrove.data import Document, DocumentsPipeline
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline import dedup
    from datatrove.pipeline.filters import LambdaFilter
    from datatrove.pipeline.formatters import PIIFormatter
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter
    from datatrove.utils.word_tokenizers import load_word_tokenizer

    korean = "kor_Hang"
    config = dedup.minhash.MinhashConfig(n_grams=3)

    def cut(data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        tokenizer = load_word_tokenizer(korean)
        for document in data:
            for n, sentence in enumerate(tokenizer.sent_tokenize(document.text)):
                yield Document(text=sentence, id=f"{document.id}-{n}")

    def is_korean(document: Document) -> bool:
        return any("가" <= letter <= "힣" for letter in document.text)

    def write(name: str) -> Any:
        return JsonlWriter(str(folder / name), compression=None)

    def read(name: str) -> Any:
        return JsonlReader(str(folder / name), compression=None)

    work = str(folder / "minhash")
    steps: list[tuple[list[Any], int]] = [
        ([read("texts"), cut, LambdaFilter(is_korean), PIIFormatter(), write("cut")], WORKERS),
        ([read("cut"), dedup.MinhashDedupSignature(f"{work}/signatures", config, korean)], WORKERS),
        (
            [dedup.MinhashDedupBuckets(f"{work}/signatures", f"{work}/buckets", config=config)],
            config.num_buckets,
        ),
        ([dedup.MinhashDedupCluster(f"{work}/buckets", f"{work}/remove", config=config)], 1),
        ([read("cut"), dedup.MinhashDedupFilter(f"{work}/remove"), write("kept")], WORKERS),
    ]
    for n, (pipeline, tasks) in enumerate(steps):
        LocalPipelineExecutor(
            pipeline, tasks=tasks, workers=WORKERS, logging_dir=str(folder / "logs" / str(n))
        ).run()


if __name__ == "__main__":
    sys.exit(main())
