"""Write the sample corpora, each in the format of its source, and gold.jsonl beside them.

    python data/sample/make_sample.py [--out DIR]

The same texts give the same bytes every time: all choices are keyed draws (draws.py), and the
archives carry no clock time. Without --out the corpora go to data/sample/corpora and gold.jsonl
to data/sample; with it, all of them go to DIR.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import articles
import pretraining
import reviews
import short_lines
from material import Corpus, gold_bytes

BUILDERS: tuple[Callable[[], Corpus], ...] = (
    short_lines.build_yna,
    articles.build_wikipedia,
    articles.build_wikinews,
    articles.build_wikitree,
    articles.build_policy,
    articles.build_ked,
    articles.build_acrofan,
    short_lines.build_parakqc,
    reviews.build_airbnb,
    reviews.build_nsmc,
    pretraining.build_modu,
    pretraining.build_cc100,
    pretraining.build_namuwiki,
    pretraining.build_newscrawl,
    pretraining.build_petitions,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build all sources and write them below the output directory."""
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: data/sample/corpora")
    given: Path | None = parser.parse_args(arguments).out
    corpora = [build() for build in BUILDERS]
    for corpus in corpora:
        _write(corpus, given or here / "corpora")
    gold = [row for corpus in corpora for row in corpus.gold]
    ((given or here) / "gold.jsonl").write_bytes(gold_bytes(gold))
    sys.stdout.write(_summary(corpora))
    return 0


def _write(corpus: Corpus, out: Path) -> None:
    for name, data in sorted(corpus.files.items()):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _summary(corpora: Sequence[Corpus]) -> str:
    lines = [f"{'source':<10} {'records':>7} {'files':>5} {'gold':>5}\n"]
    for c in corpora:
        lines.append(f"{c.source:<10} {c.records:>7} {len(c.files):>5} {len(c.gold):>5}\n")
    return "".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
