"""The released dev set of KLUE-DP, read apart from the project's own reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

Word = tuple[str, str, str]


def sentences(data_dir: Path) -> Iterator[tuple[str, str, list[Word]]]:
    """Yield source, text and words (form, lemmas, tags) of each sentence."""
    text = (data_dir / "klue" / "klue-dp-v1.1_dev.tsv").read_text("utf-8")
    for block in text.strip().split("\n\n"):
        lines = block.split("\n")
        head = next(line for line in lines if line.startswith("## klue-dp"))
        rows = [line.split("\t") for line in lines if not line.startswith("## ")]
        name, _, shown = head.removeprefix("## ").partition("\t")
        words = [(row[1], row[2], row[3]) for row in rows]
        yield name.rpartition("_")[2], shown.replace('\\"', '"'), words
