"""Sentences per CPU second: kss called text by text against `split_sentences`, side by side.

    python tests/benchmarks/bench_segmentation.py [--json] [--texts N]

Reads N reviews (5,000) of KLUE_DATA/raw/nsmc_raw.tar.zst or, without it, the texts of data/sample.
Both take turns on chunks of 250 texts, so that a change of clock speed hits both. The first call of
each, which reads the dictionary, is not measured; every later one is. Every output is compared:
exit code 1 on a difference, or where `split_sentences` is less than 3 times as fast.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from real_reviews import run
from results import Figure, none_of

CHUNK = 250
TARGET = 3


def measure(texts: list[str]) -> list[Figure]:
    """Let both cut all texts in turns; return sentences per CPU second, ratio, differences."""
    import kss

    from pipeline.corpus.segmentation import split_sentences

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
    return [
        Figure("split_sentences", sentences / seconds[1], "sentences a CPU second"),
        Figure("kss.split_sentences", sentences / seconds[0], "sentences a CPU second"),
        Figure("against kss", seconds[0] / seconds[1], "times as fast", least=TARGET),
        none_of("texts cut differently", different),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, about=__doc__, texts=5_000, repeat=False))
