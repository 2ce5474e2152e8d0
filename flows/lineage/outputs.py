"""The stored tables of one build, looked up by id, and what they tell as steps of a life."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from pipeline.core import store
from pipeline.core.errors import StoreError
from pipeline.pii.detect import mask

Row = dict[str, Any]

#: A key of letters and digits that is shorter than any number of a person is shown as it is.
PLAIN = 9
#: The stage that draws candidates; its source is a task.
SAMPLING = "candidates"


@dataclass(frozen=True)
class Step:
    """One thing that happened: at which stage, by which rule (if any), and what of it."""

    stage: str
    rule: str | None
    action: str
    detail: str


class Outputs:
    """The outputs of one build by stage and source; of a stage that ran twice, the last."""

    def __init__(self, work: Path, pointer: Row) -> None:
        """Take the work directory, and of the build the calls and where its release is, if any."""
        self.release: str | None = pointer.get("release")
        self.folders = {
            (call["stage"], call["source"]): work / call["folder"] for call in pointer["calls"]
        }

    def reads(self, task: str, source: str, kind: str) -> bool:
        """Tell whether a task draws from units of that kind of a source."""
        made = store.read_manifest(self.folders[SAMPLING, task])
        given = made.params["sources"].get(source) if made is not None else None
        wanted = "section" if task == "mrc" else given and given["kind"]
        return given is not None and wanted == kind

    def origin(self, document: str, source: str) -> list[Step]:
        """Tell in which file and line a document was found, and why it was left out if it was."""
        steps = []
        for row in self.rows("read", source, "documents", "id", document):
            title = f", titled {mask(row['title'])!r}" if row["title"] else ""
            key = (
                row["key"] if row["key"].isalnum() and len(row["key"]) < PLAIN else mask(row["key"])
            )
            where = f"{row['file']} line {row['line']}, key {key}{title}"
            steps.append(Step("read", None, "found", where))
        return steps + self.ledger("select", source, document)

    def ledger(self, stage: str, source: str, name: str) -> list[Step]:
        """Tell the decisions of a stage about an id."""
        return [
            Step(stage, row["rule"], row["action"], _detail(row))
            for row in self.rows(stage, source, "ledger", "unit", name)
        ]

    def rows(self, stage: str, source: str, table: str, column: str, value: str) -> list[Row]:
        """Return the rows of a stage's table that have a value in a column."""
        return self.rows_in(stage, source, table, column, [value])

    def rows_in(
        self, stage: str, source: str, table: str, column: str, values: list[str]
    ) -> list[Row]:
        """Return the rows of a stage's table that have one of several values in a column."""
        folder = self.folders.get((stage, source))
        paths = sorted(folder.glob(f"{table}-*.parquet")) if folder else []
        if not paths:
            return []
        try:
            data = ds.dataset([str(path) for path in paths])
            found: list[Row] = data.to_table(filter=pc.field(column).isin(values)).to_pylist()
        except (pa.ArrowException, OSError):
            raise StoreError(
                f"{folder}: holds a damaged table; remove it and build again"
            ) from None
        return found


def _detail(row: Row) -> str:
    detail = str(row["reason"])
    if row["score"] is not None:
        detail += f" (score {row['score']:g})"
    if row["file"]:
        detail += f" at {row['file']} line {row['line']}"
    return detail
