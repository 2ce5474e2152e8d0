"""What the pages of a Parquet file hold, by their own headers, before a table is read.

The footer of a hostile file may claim less than its pages hold, and one long value of a dictionary
may stand for millions of rows; Arrow believes both. A page's header is a struct of Thrift's compact
protocol (https://github.com/apache/parquet-format).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.core.io.inflation import ratio_fault, values_fault

#: How much of a header is read first, and the longest that Arrow reads.
_HEADER, _MAX_HEADER = 512, 16 * 1024**2
#: A header has fewer fields, and structs within structs, than this.
_FIELDS, _DEPTH = 32, 4
#: Kinds of pages.
_DATA, _DICTIONARY, _DATA_V2 = 0, 2, 3
#: The fields of a page's header.
_KIND, _UNPACKED, _BYTES = 1, 2, 3
_HEADER_OF: Final = {_DATA: 5, _DICTIONARY: 7, _DATA_V2: 8}
#: The encoding of texts by what each shares with the one before.
_DELTA: Final = 7


@dataclass
class Column:
    """A column of a Parquet file: all its values, and a bound of their bytes.

    `longest` is a bound of the bytes of a value where values may stand for more than they take in
    the file, else 0. `repeated` says that a row may have more than one.
    """

    path: str
    repeated: bool
    values: int = 0
    longest: int = 0


class _Page(NamedTuple):
    """A page: where its content begins, its bytes there and unpacked, its values, their form."""

    kind: int
    start: int
    size: int
    unpacked: int
    values: int
    encoding: int


def read_columns(
    file: BinaryIO, metadata: pq.FileMetaData, most: int | None = None
) -> tuple[list[Column], str]:
    """Return the columns of a Parquet file, and what is wrong with how they inflate, or "".

    Pages that unpack to more than `most` bytes are wrong too. Raises ArrowInvalid for pages that
    cannot be read.
    """
    size, unpacked = os.fstat(file.fileno()).st_size, 0
    schema = metadata.schema
    leaves = [schema.column(place) for place in range(metadata.num_columns)]
    columns = [Column(leaf.path, leaf.max_repetition_level > 0) for leaf in leaves]
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for place, column in enumerate(columns):
            chunk = group.column(place)
            for page in _pages(file, chunk):
                unpacked += page.unpacked
                column.values += page.values * (page.kind != _DICTIONARY)
                if fault := ratio_fault(unpacked, size, most) or values_fault(column.values, size):
                    return columns, fault
                column.longest = max(column.longest, _longest(file, page, chunk))
    for column in columns:
        if column.repeated and (fault := ratio_fault(column.values * column.longest, size)):
            return columns, fault
    return columns, ""


def _pages(file: BinaryIO, chunk: pq.ColumnChunkMetaData) -> Iterator[_Page]:
    """Yield the pages that Arrow reads of a chunk: until they have the values that it claims."""
    place, values = chunk.data_page_offset, 0
    if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < place:
        place = chunk.dictionary_page_offset
    while values < chunk.num_values:
        page = _page(file, place)
        place = page.start + page.size
        values += page.values * (page.kind != _DICTIONARY)
        yield page


def _page(file: BinaryIO, place: int) -> _Page:
    size = _HEADER
    while True:
        file.seek(place)
        header = _Header(file.read(size))
        try:
            fields = header.struct(_DEPTH)
            break
        except IndexError:
            if len(header.data) < size or size > _MAX_HEADER:
                raise pa.ArrowInvalid("a page has no header") from None
            size *= 2
    try:
        kind, unpacked, packed = fields[_KIND], fields[_UNPACKED], fields[_BYTES]
        inner = fields[_HEADER_OF[kind]] if kind in _HEADER_OF else {}
        values, encoding = inner.get(1, 0), inner.get(4 if kind == _DATA_V2 else 2, 0)
    except (KeyError, AttributeError, TypeError):
        raise pa.ArrowInvalid("a page has another header") from None
    if min(unpacked, packed, values) < 0:
        raise pa.ArrowInvalid("a page has a size below 0")
    return _Page(kind, place + header.place, packed, unpacked, values, encoding)


def _longest(file: BinaryIO, page: _Page, chunk: pq.ColumnChunkMetaData) -> int:
    """Return a bound of the bytes of a value that other values of the page may repeat."""
    if chunk.physical_type not in ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"):
        return 0
    if page.kind != _DICTIONARY:
        return page.unpacked if page.encoding == _DELTA else 0
    if chunk.physical_type != "BYTE_ARRAY":
        return page.unpacked // max(page.values, 1)
    file.seek(page.start)
    data: bytes = file.read(page.size)
    codec = chunk.compression.lower()
    if codec != "uncompressed":
        codec = "lz4_raw" if codec == "lz4" else codec
        try:
            data = pa.Codec(codec).decompress(data, page.unpacked).to_pybytes()
        except (pa.ArrowException, OSError):  # damaged, or lz4 in frames of its own
            return page.unpacked
    place = longest = 0
    while place < len(data):
        length = int.from_bytes(data[place : place + 4], "little")
        longest, place = max(longest, length), place + 4 + length
    return longest


class _Header:
    """Reads a struct of Thrift's compact protocol; raises IndexError where the bytes end."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def struct(self, depth: int) -> dict[int, Any]:
        """Return the fields by their numbers: whole numbers and structs, None for all else."""
        fields: dict[int, Any] = {}
        number = 0
        for _ in range(_FIELDS * (depth > 0)):
            if not (head := self._byte()):
                return fields
            number = number + (head >> 4) if head >> 4 else self._number()
            fields[number] = self._value(head & 0xF, depth)
        raise pa.ArrowInvalid("a page has another header")

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (4, 5, 6):
            return self._number()
        if kind == 12:
            return self.struct(depth - 1)
        if kind == 8:
            length = self._varint()
            self.place += length
        elif kind in (3, 7):
            self.place += 1 if kind == 3 else 8
        elif kind not in (1, 2):
            raise pa.ArrowInvalid("a page has another header")
        return None

    def _number(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 64, 7):
            octet = self._byte()
            value |= (octet & 0x7F) << shift
            if octet < 0x80:
                return value
        raise pa.ArrowInvalid("a page has another header")

    def _byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]
