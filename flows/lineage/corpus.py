"""The life of a unit, a document or a section: where it was read, and what touched it."""

from __future__ import annotations

from flows.lineage.outputs import Outputs, Step
from flows.lineage.tasks import drawn
from pipeline.pii.detect import mask


def unit(outputs: Outputs, name: str, source: str, kind: str) -> list[Step]:
    rows = outputs.rows("segment", source, "units", "id", name)
    if not rows:
        return outputs.ledger("segment", source, name)
    unit = rows[0]
    where = f"code points {unit['start']} to {unit['end']} of {unit['document']}"
    steps = outputs.origin(unit["document"], source)
    steps.append(Step("segment", None, unit["kind"], f"{where}: {mask(unit['text'])}"))
    steps += outputs.ledger("clean", source, name)
    cleaned = outputs.rows("clean", source, "units", "id", name)
    if cleaned and cleaned[0]["text"] != unit["text"]:
        steps.append(Step("clean", None, "result", mask(cleaned[0]["text"])))
    steps += outputs.ledger("pii", source, name)
    for row in outputs.rows("score", source, "scores", "unit", name):
        detail = f"gender bias {row['gender_bias']:g}, hate {row['hate']:g}"
        steps.append(Step("score", None, "scored", detail))
    steps += outputs.ledger("toxicity", source, name)
    steps += outputs.ledger("dedup", "all", name)
    for kept in outputs.rows("dedup", "all", "kept", "id", name):
        others = outputs.rows("dedup", "all", "kept", "cluster", kept["cluster"])
        detail = f"cluster {kept['cluster']} of {len(others)}"
        steps.append(Step("dedup", None, "kept", detail))
        steps += drawn(outputs, name, kind)
    return steps


def document(outputs: Outputs, name: str, source: str) -> list[Step]:
    steps = outputs.origin(name, source)
    if not steps:
        return []
    units = outputs.rows("segment", source, "units", "document", name)
    kept = outputs.rows("dedup", "all", "kept", "document", name)
    if units:
        detail = f"{len(units)} units, {len(kept)} kept: " + " ".join(u["id"] for u in units)
        steps.append(Step("segment", None, "cut", detail))
    return steps + outputs.ledger("segment", source, name)


def section(outputs: Outputs, name: str, source: str) -> list[Step]:
    rows = outputs.rows("segment", source, "sections", "id", name)
    if not rows:
        return []
    members = [member["id"] for member in rows[0]["sentences"]]
    kept = {row["id"] for row in outputs.rows_in("dedup", "all", "kept", "id", members)}
    lost = [member for member in members if member not in kept]
    title = f"section {mask(rows[0]['title'])!r}" if rows[0]["title"] else "untitled section"
    detail = f"{title} of {rows[0]['document']}: {len(members)} sentences, {len(lost)} lost"
    return [
        *outputs.origin(rows[0]["document"], source),
        Step("segment", None, "section", " ".join([detail, *lost])),
        *drawn(outputs, name, "section"),
    ]
