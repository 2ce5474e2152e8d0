"""The file of an own task where examples are written as official files."""

from __future__ import annotations

from pathlib import Path

from pipeline.contracts.official import documents
from pipeline.contracts.official.files import ReleaseFile
from pipeline.contracts.official.tables import Official, rows_of
from pipeline.contracts.task import Task


def write(official: Official, path: Path) -> None:
    """Write the items as a JSON list of objects: guid, source, the texts, and the label."""
    records = [
        {"guid": row.item, "source": row.source, **row.fields, "label": row.gold}
        for row in rows_of(official)
    ]
    documents.save_json(records, path, official.frame)


def file(task: Task) -> ReleaseFile:
    """Return how the file of an own task is named and made."""
    return ReleaseFile(task.config)
