"""Faults of pairs that their sentences prove: entities that do not stand at their offsets."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.release.errata.offsets import nearest
from pipeline.release.errata.patches import Finding
from pipeline.release.tables import Row


def findings(row: Row) -> Iterator[Finding]:
    """Yield the offsets of entities that stand elsewhere in the sentence, or end elsewhere."""
    for name in ("subject_entity", "object_entity"):
        entity = row[name]
        start, word = entity["start_idx"], entity["word"]
        place, reason = nearest(row["sentence"], word, start) or (start, "")
        if place != start:
            yield Finding("errata.offset@1", f"{name}.start_idx", start, place, reason)
        end = place + len(word) - 1
        if row["sentence"].startswith(word, place) and entity["end_idx"] != end:
            why = reason or f"the word has {len(word)} characters"
            yield Finding("errata.offset@1", f"{name}.end_idx", entity["end_idx"], end, why)
