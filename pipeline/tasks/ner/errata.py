"""Faults of tags that their characters prove: entities that begin or end with a blank."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.release.errata.patches import Finding
from pipeline.release.tables import Row
from pipeline.tasks.ner.official import spans_of, tags

_REASON = "an entity begins or ends with a blank"


def findings(row: Row) -> Iterator[Finding]:
    """Yield the tags that are others once no entity begins or ends with a blank."""
    spans = []
    for span in spans_of(row["ner_tags"]):
        text = "".join(row["tokens"][span["start"] : span["end"]])
        if not text.strip():
            continue
        start = span["start"] + len(text) - len(text.lstrip())
        spans.append({**span, "start": start, "end": start + len(text.strip())})
    wanted = tags(len(row["ner_tags"]), spans)
    for at, (old, new) in enumerate(zip(row["ner_tags"], wanted, strict=True)):
        if old != new:
            yield Finding("errata.tag@1", f"ner_tags.{at}", old, new, _REASON)
