"""Faults of questions that their passages prove: answers that do not stand at their offsets."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.release.errata.offsets import nearest
from pipeline.release.errata.patches import Finding
from pipeline.release.tables import Row


def findings(row: Row) -> Iterator[Finding]:
    """Yield answers of a question that stand elsewhere in the passage."""
    for name in ("answers", "plausible_answers"):
        pairs = zip(row[name]["answer_start"], row[name]["text"], strict=True)
        for at, (start, text) in enumerate(pairs):
            if place := nearest(row["context"], text, start):
                field = f"{name}.answer_start.{at}"
                yield Finding("errata.offset@1", field, start, *place)
