"""JSONL: one JSON object a line; a blank line is no row and goes to quarantine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import NoneType
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa
import pyarrow.json as pj

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io import batch, streams
from pipeline.core.io.source import Source, require_column
from pipeline.core.jsontext import (
    count_keys,
    has_so_many_keys,
    refuse_constant,
    repeats_a_key,
)

#: Numbers that a double may not hold are kept as they are spelt.
_PRECISE: Final = re.compile(rb"[\d.]{16}")
#: A row may be nested this deep and be written again by orjson, whose own limit is 254.
_DEPTH: Final = 200
#: Lines whose keys an error about the column of texts lists, and bytes in front of a word.
_LOOK: Final = 100
#: How Arrow reads what nobody asked for, and the most columns that it reads so.
_TYPES: Final = {
    str: pa.string(),
    NoneType: pa.string(),
    bool: pa.bool_(),
    int: pa.float64(),
    float: pa.float64(),
}
_COLUMNS: Final = 32


def json_lines(table: pa.Table) -> bytes:
    """Return the rows of a table as objects, one a line."""
    batches = table.to_batches(max_chunksize=batch.ROWS)
    return b"".join(orjson.dumps(row) + b"\n" for part in batches for row in part.to_pylist())


class JsonLines:
    """Reads objects; by Arrow where that is sure to see what orjson would, line by line."""

    def __init__(self, source: Source, columns: Sequence[str]) -> None:
        self._source, self._names = source, [source.text, *columns]
        self._types = dict.fromkeys(self._names, pa.string())

    def block(self, data: bytes, ends: npt.NDArray[np.int64]) -> list[pa.StringArray] | None:
        """Return the columns of whole lines, or None unless all are surely good."""
        if not (
            _one_object_a_line(data, ends) and _has_no_word(data) and _is_flat(data, len(ends))
        ):
            return None
        try:
            batch.check_text(data)
            table = self._read(data)
        except (pa.ArrowInvalid, orjson.JSONDecodeError):
            return None
        columns = [pa.concat_arrays(table.column(name).chunks) for name in self._names]
        texts = columns[0]
        if len(texts) != len(ends) or texts.null_count:
            return None
        content = texts.buffers()[2]
        return None if content and b"\0" in content.to_pybytes() else columns

    def _read(self, data: bytes) -> pa.Table:
        """Return the columns of lines in which no object has a key twice.

        Arrow refuses a key given twice only in columns that it reads: it reads all of the first
        line, where these are few and flat and no line has others. Raises ArrowInvalid or
        JSONDecodeError unless all lines are surely good.
        """
        others = _column_types(orjson.loads(data[: data.find(b"\n") + 1 or None]))
        if others is not None:
            with suppress(pa.ArrowInvalid):
                return _read_columns(data, others | self._types, "error")
        table = _read_columns(data, self._types, "ignore")
        if not has_so_many_keys(data, count_keys(list(map(orjson.loads, data.splitlines())))):
            raise pa.ArrowInvalid("a key may be given twice")
        return table

    def line(self, line: bytes) -> list[str | None]:
        """Return the values of one line; raises RecordError."""
        record = load(line)
        text = text_of(record, self._source.text)
        return [text, *(_spelt(record.get(name)) for name in self._names[1:])]

    def check_first(self, data: bytes) -> None:
        """Raise InputError when the first lines are objects without the text column."""
        names: dict[str, None] = {}
        for line in streams.split_lines(data)[:_LOOK]:
            with suppress(RecordError):
                names |= dict.fromkeys(load(streams.without_end(line)))
        if names:
            require_column(self._source, list(names))


def read_objects(path: Path, limit: int | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSONL file with the numbers of their lines; blank lines are left out.

    Raises InputError as `read_text_lines`, and with ``file:line`` for a line that is no object.
    """
    for number, line in streams.read_text_lines(path, limit):
        try:
            yield number, load(line.encode())
        except RecordError as fault:
            raise InputError(f"{path}:{number}: {fault.reason}; correct the line") from None


def load(line: bytes) -> dict[str, Any]:
    """Return the object of a line; raises RecordError for anything else."""
    text = batch.decode(line)
    if not text or text.isspace():
        raise batch.blank()
    value = _value(text)
    if line.count(b"{") + line.count(b"[") > _DEPTH:
        try:
            orjson.dumps(value)
        except orjson.JSONEncodeError:
            raise batch.malformed("is nested too deeply") from None
    if not isinstance(value, dict):
        raise batch.malformed(f"is a JSON {type(value).__name__}, not an object")
    if repeats_a_key(line, value):
        raise batch.malformed("has a key more than once")
    return value


def _value(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if "infinity" in error.msg:  # a number that no double holds is JSON all the same
            with suppress(ValueError, RecursionError):
                return json.loads(text, parse_constant=refuse_constant)
        raise fault_of(error) from None


def fault_of(error: orjson.JSONDecodeError) -> RecordError:
    """Return the fault of a text that is no JSON, or holds what is no text."""
    if "surrogate" in error.msg:
        reason = "holds half of a surrogate pair, which is no character"
        return RecordError("file.encoding@1", reason)
    return batch.malformed(f"is not JSON: {error.msg.split(':')[0]} at character {error.pos}")


def text_of(record: Mapping[str, object], name: str) -> str:
    """Return the text of a record; raises RecordError when there is none."""
    value = record.get(name)
    if value is None:
        reason = f"column {name!r} is null" if name in record else f"no {name!r}"
        raise RecordError("file.missing@1", reason)
    if not isinstance(value, str):
        reason = f"column {name!r} must be text, given: {type(value).__name__}"
        raise RecordError("file.missing@1", reason)
    if "\0" in value:
        raise batch.nul()
    return value


def dump(line: bytes, changes: Mapping[str, object]) -> bytes:
    """Return a line (without end) with some values changed or added, its keys in their order."""
    if not _PRECISE.search(line):
        with suppress(orjson.JSONDecodeError):  # over a number that no double holds
            return orjson.dumps(orjson.loads(line) | changes)
    record = json.loads(line, parse_int=orjson.Fragment, parse_float=orjson.Fragment)
    return orjson.dumps(record | changes)


def _spelt(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return orjson.dumps(value).decode()


def _column_types(row: object) -> dict[str, pa.DataType] | None:
    """Return how Arrow reads the values of a row, or None if they are many or not flat."""
    values = row if isinstance(row, dict) else {}
    types = {name: _TYPES.get(type(value)) for name, value in values.items()}
    flat = {name: kind for name, kind in types.items() if kind is not None}
    return flat if 0 < len(flat) == len(types) <= _COLUMNS else None


def _read_columns(data: bytes, types: Mapping[str, pa.DataType], others: str) -> pa.Table:
    # A block of the size of the data is one piece: rows cannot be cut, order cannot change.
    how = pj.ReadOptions(use_threads=False, block_size=len(data) + 1)
    schema = pa.schema(list(types.items()))
    parse = pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior=others)
    return pj.read_json(pa.BufferReader(data), how, parse)


def _one_object_a_line(data: bytes, ends: npt.NDArray[np.int64]) -> bool:
    """Return whether each line begins and ends with a brace: no value then goes over a line's end.

    After a line that ends in a brace, only an object's or array's next part could follow within
    the same value, and none of them begins with a brace.
    """
    if not data.startswith(b"{") or not data.endswith((b"}", b"}\n", b"}\r\n")):
        return False
    octets = np.frombuffer(data, np.uint8)
    inner = ends[:-1]
    last = octets[inner - 2]
    last = np.where(last == ord("\r"), octets[inner - 3], last)
    return bool((octets[inner] == ord("{")).all() and (last == ord("}")).all())


def _has_no_word(data: bytes) -> bool:
    """Return whether there is surely no NaN or infinity, which Arrow takes for numbers.

    As a value it stands behind a colon, a comma or a bracket; in a text it hardly does.
    """
    octets = np.frombuffer(data, np.uint8)
    # Capitals are few in Korean: to look at what follows them is quicker than a search.
    for word in (b"NaN", b"Inf"):
        places = np.flatnonzero(octets[: -len(word)] == word[0])
        for n in range(1, len(word)):
            places = places[octets[places + n] == word[n]]
        fronts = (data[max(0, place - _LOOK) : place] for place in places.tolist())
        before = (front.rstrip(b" \t\r\n-") for front in fronts)
        if any(not text or text.endswith((b":", b",", b"[")) for text in before):
            return False
    return True


def _is_flat(data: bytes, count: int) -> bool:
    """Return whether no line can be nested deeper than orjson writes."""
    octets = np.frombuffer(data, np.uint8)
    opening = sum(np.count_nonzero(octets == mark) for mark in b"{[")
    if opening <= count + _DEPTH:
        return True
    return all(n.count(b"{") + n.count(b"[") <= _DEPTH for n in data.split(b"\n"))
