"""What cleaning wrote, as frames: its units and ledger, by row of the table that was given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from klue_rebuild.tables import frame_of, with_texts

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

#: What a unit has beside its text; the table it came from says the rest.
_OF_TABLE: Final = ("text", "source", "document", "file", "line")


def units_and_ledger(out: Path, file: Path) -> tuple[pa.Table, pa.Table]:
    """Return the file of units, and the ledger with the file and line of every row."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from flows.lineage.outputs import builds_of
    from flows.publish.corpus import places

    (outputs,) = builds_of(out / "work")
    where = pa.concat_tables(places(outputs), promote_options="permissive")
    ledger = pq.read_table(out / "ledger.parquet")
    found = where.take(pc.index_in(ledger["unit"], value_set=where["id"]))
    for name in ("file", "line"):
        column = pc.coalesce(ledger[name], found[name])
        ledger = ledger.set_column(ledger.schema.get_field_index(name), name, column)
    return pq.read_table(file), ledger


def table_frames(
    frame: pd.DataFrame, column: str, units: pa.Table, ledger: pa.Table
) -> dict[str, Any]:
    """Return rows, units and ledger of a table, each by the place of its row in the table."""
    import pyarrow.compute as pc

    ordered = units.sort_by([("line", "ascending"), ("ordinal", "ascending")])
    places = pc.subtract(ordered["line"], 1)
    facts = ordered.drop_columns([name for name in _OF_TABLE if name in ordered.column_names])
    decisions = ledger.drop_columns(["file", "line", "source"])
    return {
        "rows": with_texts(frame, places.to_pylist(), column, ordered["text"].to_pylist()),
        "units": frame_of(facts.add_column(0, "row", places)),
        "ledger": frame_of(decisions.add_column(0, "row", pc.subtract(ledger["line"], 1))),
    }
