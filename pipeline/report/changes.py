"""What the tables of an older release held, to be marked beside those of a newer one.

Tables are matched by their ids, columns by their names, rows by the texts in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pipeline.report.record import Cell, Table


@dataclass(frozen=True)
class OlderRow:
    """The cells of the older release in a row, or that it had no such row."""

    cells: Sequence[Cell] = ()

    @property
    def is_new(self) -> bool:
        """Tell whether the older release has no such row."""
        return not self.cells


@dataclass(frozen=True)
class Older:
    """The tables of an older release, as plain data, by their ids; and its overview by section."""

    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    overview: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def rows(self, table: Table) -> list[OlderRow | None]:
        """Return what the older release has of each row; None where nothing can be compared.

        A row that stands there twice, and one of a table without numbers, cannot be.
        """
        old = self.tables.get(table.id)
        if old is None or all(column.form == "text" for column in table.columns):
            return [None] * len(table.rows)
        names = {column["name"]: place for place, column in enumerate(old["columns"])}
        texts = [column.name for column in table.columns if column.form == "text"]
        if not texts or not set(texts) <= names.keys():
            return [None] * len(table.rows)
        own_places = [i for i, column in enumerate(table.columns) if column.form == "text"]
        old_places = [names[name] for name in texts]
        old_rows = {_key(row, old_places): row for row in old["rows"]}
        counts = Counter(_key(row, own_places) for row in table.rows)
        at = [names.get(column.name) for column in table.columns]
        return [
            self._row(old_rows.get(key), at) if counts[key] == 1 else None
            for key in (_key(row, own_places) for row in table.rows)
        ]

    @staticmethod
    def _row(row: Sequence[Cell] | None, at: Sequence[int | None]) -> OlderRow:
        if row is None:
            return OlderRow()
        return OlderRow([None if place is None else row[place] for place in at])


NOTHING: Final = Older()


def older(record: Mapping[str, Any]) -> Older:
    """Return what a record, as it is read from its file, has to compare with."""
    tables = {table["id"]: table for table in _tables(record.get("sections", ()))}
    return Older(tables, {row["section"]: row for row in record.get("overview", ())})


def _tables(sections: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for section in sections:
        yield from section["tables"]
        yield from _tables(section["parts"])


def _key(row: Sequence[Cell], places: Sequence[int]) -> tuple[Cell, ...]:
    return tuple(row[place] for place in places)
