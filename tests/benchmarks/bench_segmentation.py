"""Sentences per CPU second: kss called text by text against `split_sentences`, side by side.

    python tests/benchmarks/bench_segmentation.py [--json] [--texts N]

Reads N reviews (5,000) of KLUE_DATA/raw/nsmc_raw.tar.zst or, without it, the texts of data/sample.
Both take turns on chunks of 250 texts, so that a change of clock speed hits both. The first call of
each, which reads the dictionary, is not measured; every later one is. Every output is compared:
exit code 1 on a difference, 0 otherwise.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from real_reviews import Found, run

CHUNK = 250
REPORT = """{source}: {texts} texts, {sentences} sentences
kss   {kss_per_cpu_second:>9} sentences per CPU second
ours  {ours_per_cpu_second:>9} sentences per CPU second
ratio {ratio:>9}
texts cut differently: {different}"""


def measure(texts: list[str]) -> Found:
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
    return {
        "sentences": sentences,
        "kss_per_cpu_second": round(sentences / seconds[0], 1),
        "ours_per_cpu_second": round(sentences / seconds[1], 1),
        "ratio": round(seconds[0] / seconds[1], 2),
        "different": different,
    }


if __name__ == "__main__":
    sys.exit(run(measure, REPORT, about=__doc__, texts=5_000, repeat=False))
