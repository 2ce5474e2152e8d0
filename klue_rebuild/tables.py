"""Tables that are given to a function, as files that the commands read; and frames of results.

A frame's own types become those of the files: text, numbers, lists. The column that cannot is
named, its values never are.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, runtime_checkable

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.extras import install_command
from pipeline.core.files import refuse

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from typing_extensions import TypeIs


@runtime_checkable
class ArrowStream(Protocol):
    """A table of any library that gives its rows as an Arrow stream: polars, duckdb, pyarrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as a capsule (Arrow's PyCapsule interface)."""


#: A place of a file system.
Place: TypeAlias = "str | os.PathLike[str]"
#: Several of them.
Places: TypeAlias = "list[str] | list[Path] | tuple[Place, ...]"
#: A table, or the file that holds one.
Data: TypeAlias = "pd.DataFrame | ArrowStream | Place"

WANTED: Final = (
    "give a pandas DataFrame, a table with an Arrow stream (polars, duckdb, pyarrow), or a path"
)


def is_place(data: object) -> TypeIs[Place]:
    """Tell whether data is the path of a file or folder rather than a table."""
    return isinstance(data, str | os.PathLike)


def is_frame(data: object) -> TypeIs[pd.DataFrame]:
    """Tell whether data is a pandas frame, without importing pandas for it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def held(data: Data, name: str) -> Data:
    """Return data whose rows can be read again: a path, a frame, or an Arrow table of a stream.

    Raises InputError for what is none of these.
    """
    if is_place(data) or is_frame(data):
        return data
    if not isinstance(data, ArrowStream):
        raise InputError(f"table `{name}`: is {type(data).__name__}; {WANTED}")
    import pyarrow as pa

    try:
        table: ArrowStream = pa.table(data)
    except pa.ArrowException:  # the stream of one column
        raise InputError(f"table `{name}`: is {type(data).__name__}; {WANTED}") from None
    return table


def column_names(data: Data, name: str) -> list[str]:
    """Return the names of the columns of a table. Raises InputError for what is no table."""
    table: Any = held(data, name)
    refuse(f"table `{name}`", (is_place(table), "is a path; give a table"))
    return list(map(str, table.columns if is_frame(table) else table.column_names))


def pandas_frame(data: Data, name: str) -> pd.DataFrame:
    """Return a table as a pandas frame, one that is a frame as it is.

    Raises InputError for what is no table.
    """
    table: Any = held(data, name)
    refuse(f"table `{name}`", (is_place(table), "is a path; give a table"))
    return table if is_frame(table) else frame_of(table)


def frame_of(table: pa.Table) -> pd.DataFrame:
    """Return a table as a pandas frame. Raises MissingDependencyError without pandas."""
    try:
        import pandas  # noqa: F401 - whether it is there
    except ImportError:
        raise MissingDependencyError("pandas", install_command("pandas")) from None
    frame: pd.DataFrame = table.to_pandas()
    return frame


def frame_of_rows(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Return rows as a pandas frame with these columns, which are there without any row too."""
    import pandas as pd

    names = list(columns)
    return pd.DataFrame([{name: row.get(name) for name in names} for row in rows], columns=names)


def with_texts(
    frame: pd.DataFrame, places: Sequence[int], column: str, texts: Sequence[str | None]
) -> pd.DataFrame:
    """Return these rows of a frame, under their index and with all columns, with other texts."""
    rows = frame.iloc[list(places)].copy()
    rows.isetitem(list(map(str, frame.columns)).index(column), list(texts))
    return rows


def arrow_table(data: Data, name: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Return a table, or these columns of it, with the types of the project's files.

    Raises InputError for what is no table, for a column that is missing or there twice, and for
    one whose values have no common type.
    """
    import pyarrow as pa

    table: Any = held(data, name)
    chosen = _chosen(column_names(table, name), name, columns)
    if is_frame(table):
        _find_pandas()
        arrays = [_array(table, place, name) for place, column in chosen]
    else:
        arrays = [_plain(table.column(place)) for place, _ in chosen]
    return pa.table(arrays, names=[column for _, column in chosen])


def _find_pandas() -> None:
    """Let Arrow ask for pandas again, which it did not find before (pipeline/core/light_arrow.py).

    Until then it reads a column as any sequence, by the labels of its index.
    """
    import pyarrow as pa

    pa.table({}).to_pandas()


def _chosen(
    names: Sequence[str], name: str, columns: Sequence[str] | None
) -> list[tuple[int, str]]:
    from pipeline.core.io.column_names import show_names

    chosen = []
    for column in dict.fromkeys(columns if columns is not None else names):
        places = [place for place, other in enumerate(names) if other == column]
        fault = f"has {len(places)} columns {column!r}" if places else f"has no column {column!r}"
        refuse(f"table `{name}`", (len(places) != 1, f"{fault}; it has: {show_names(names)}"))
        chosen.append((places[0], column))
    return chosen


def _array(frame: pd.DataFrame, place: int, name: str) -> pa.ChunkedArray:
    import pyarrow as pa

    try:
        table = pa.Table.from_pandas(frame.iloc[:, [place]], preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        row, kinds = _first_other(frame.iloc[:, place])
        where = f" (the first other one in row {row})" if row is not None else ""
        raise InputError(
            f"table `{name}`: column {str(frame.columns[place])!r} holds values of several or"
            f" unknown types: {', '.join(kinds)}{where}; give them one type"
        ) from None  # Arrow's own message would show the value
    return _plain(table.column(0))


def _first_other(series: pd.Series[Any]) -> tuple[int | None, list[str]]:
    """Return the first row whose value has another type than those before, and the types."""
    types: dict[str, int] = {}
    for row, value in enumerate(series):
        if value is not None and value == value:  # noqa: PLR0124 - a gap is NaN
            types.setdefault(type(value).__name__, row)
    places = list(types.values())
    return (places[1] if len(places) > 1 else None), list(types)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa

    kind = _plain_type(column.type)
    if pa.types.is_null(kind):
        kind = pa.string()
    if pa.types.is_dictionary(column.type):  # Arrow has no cast of one of views
        return pa.chunked_array([pa.array(column.to_pylist(), kind)])
    return column.cast(kind) if kind != column.type else column


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type that files have: no views, no large offsets, no dictionary."""
    import pyarrow as pa

    types = pa.types
    if types.is_large_string(kind) or types.is_string_view(kind):
        return pa.string()
    if types.is_dictionary(kind):
        return _plain_type(kind.value_type)
    if types.is_large_list(kind) or types.is_list(kind) or types.is_fixed_size_list(kind):
        return pa.list_(_plain_type(kind.value_type))
    if types.is_struct(kind):
        return pa.struct([pa.field(field.name, _plain_type(field.type)) for field in kind])
    return kind


def write_table(path: Path, table: pa.Table) -> Path:
    """Write a table as Parquet, or as an object a row where the path ends in .jsonl."""
    import pyarrow.parquet as pq

    if path.suffix != ".jsonl":
        pq.write_table(table, path)
        return path
    with path.open("w", encoding="utf-8") as stream:
        for row in (row for batch in table.to_batches() for row in batch.to_pylist()):
            given = {key: value for key, value in row.items() if value is not None}
            stream.write(json.dumps(given, ensure_ascii=False, default=_date) + "\n")
    return path


def _date(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise InputError(f"a value is {type(value).__name__}; give text, numbers, lists or objects")
