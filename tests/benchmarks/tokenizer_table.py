"""Table 35 on real text: tokenizers trained on reviews, measured on texts that trained none.

    .venv/bin/python tests/benchmarks/tokenizer_table.py [--reviews 150000] [--out DIR]

They are trained on the first reviews of the NSMC crawl, and measured on 50,000 others, on petitions
and on headlines of KLUE-TC. Needs the real data (KLUE_DATA). Prints a table for each in Markdown;
`--out` keeps the tokenizers.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from real_reviews import ROOT, load_texts

KINDS: Final = (
    ("plain", "wordpiece"),
    ("klue", "wordpiece"),
    ("aligned", "wordpiece"),
    ("plain", "bpe"),
    ("plain", "unigram"),
    ("aligned", "unigram"),
)
MEASURED: Final = 50_000
FIGURES: Final = ("fertility", "continued", "unknown", "precision", "recall")
_DATA: Final = Path(os.environ.get("KLUE_DATA") or ROOT.parent / "shared" / "data")
_TITLES: Final = "klue/ynat-v1.1_train36547_dev9107_titles.csv"


def klue(*arguments: object) -> dict[str, Any]:
    """Run a command of this checkout; returns its JSON."""
    command = [sys.executable, "-m", "flows.cli", *map(str, arguments), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def write(path: Path, texts: Iterable[str]) -> Path:
    """Write texts, each a line."""
    path.write_text("".join(" ".join(text.split()) + "\n" for text in texts), "utf-8")
    return path


def train(texts: Path, out: Path) -> list[Path]:
    """Train a tokenizer of each kind on the same texts, unless it is there."""
    folders = [out / "-".join(kind) for kind in KINDS]
    for (recipe, algorithm), folder in zip(KINDS, folders, strict=True):
        if not folder.exists():
            options = ("--recipe", recipe, "--algorithm", algorithm, "--out", folder)
            klue("tokenizer", "train", texts, *options)
    return folders


def main() -> None:
    """Train, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reviews", type=int, default=150_000)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    _, reviews = load_texts(given.reviews + MEASURED, repeat=False)
    petitions = sorted((_DATA / "raw" / "petitions").glob("*.jsonl"))
    with TemporaryDirectory() as temporary:
        place = Path(temporary)
        out = given.out or place / "tokenizers"
        folders = train(write(place / "train.txt", reviews[: given.reviews]), out)
        options = [word for folder in folders for word in ("--tokenizer", folder)]
        unread = write(place / "unread.txt", reviews[given.reviews :])
        for name, inputs in (
            ("other reviews", (unread,)),
            ("petitions", (*petitions, "--text-column", "content")),
            ("headlines", (_DATA / _TITLES, "--text-column", "title")),
        ):
            show(name, klue("tokenizer", "stats", *inputs, *options))


def show(name: str, record: dict[str, Any]) -> None:
    """Print the figures of all tokenizers on some texts."""
    write_line = sys.stdout.write
    write_line(f"\n{name}: {record['words']:,} words of {record['texts']:,} texts\n\n")
    write_line(f"| tokenizer | {' | '.join(FIGURES)} | tokens a second |\n|:--{'|--:' * 6}|\n")
    for row in record["tokenizers"]:
        cells = [f"{row[figure]:.3f}" for figure in FIGURES]
        speed = f"{row['tokens_per_second']:,.0f}"
        write_line(f"| {Path(row['tokenizer']).name} | {' | '.join(cells)} | {speed} |\n")
    for row in record["tokenizers"]:
        write_line(f"\n{Path(row['tokenizer']).name}: {' / '.join(row['example'])}")
    write_line("\n")


if __name__ == "__main__":
    main()
