"""A form with files, read while it arrives: fields in memory, files given away in parts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from pipeline.leaderboard.records import RefusedError

_PARTS: Final = 20
#: Bytes of all fields without files, and of the head of a part.
_MOST_FIELDS: Final = 32 * 1024
_MOST_HEAD: Final = 4 * 1024


@dataclass(frozen=True)
class Field:
    """A field without a file."""

    name: str
    value: str


@dataclass(frozen=True)
class Piece:
    """The next bytes of the file of a field; the first piece of each file is empty."""

    name: str
    data: bytes


class _Events:
    """What the parser found in the bytes it was given last."""

    def __init__(self) -> None:
        self.found: list[Field | Piece] = []
        self.ended = False
        self._parts = self._bytes = 0
        self._head: dict[bytes, bytes] = {}
        self._name = self._value = b""
        self._field = ""
        self._is_file = False
        self._text = bytearray()

    def begin(self) -> None:
        self._parts += 1
        if self._parts > _PARTS:
            raise RefusedError(422, f"the form has more than {_PARTS} fields")
        self._head, self._text = {}, bytearray()

    def header_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def header_end(self) -> None:
        self._head[self._name.lower()] = self._value
        self._name = self._value = b""

    def headers_end(self) -> None:
        _, options = parse_options_header(self._head.get(b"content-disposition", b""))
        self._field = options.get(b"name", b"").decode("utf-8", "replace")
        self._is_file = b"filename" in options
        if self._is_file:
            self.found.append(Piece(self._field, b""))

    def data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self.found.append(Piece(self._field, data[start:end]))
            return
        self._bytes += end - start
        if self._bytes > _MOST_FIELDS:
            raise RefusedError(413, f"the fields have more than {_MOST_FIELDS:,} bytes")
        self._text += data[start:end]

    def end(self) -> None:
        if not self._is_file:
            text = bytes(self._text).decode("utf-8", "replace")
            self.found.append(Field(self._field, text))

    def finish(self) -> None:
        self.ended = True


async def read_parts(request: Request) -> AsyncIterator[Field | Piece]:
    """Yield the fields and the pieces of the files of a form in their order.

    Raises RefusedError: 415 for another type of body, 422 for a form that cannot be read or ends
    too early.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary:
        raise RefusedError(415, "send the form as the page does")
    events = _Events()
    parser = _parser(boundary, events)
    async for chunk in request.stream():
        _write(parser, chunk)
        found, events.found = events.found, []
        for event in found:
            yield event
    if not events.ended:
        raise RefusedError(422, "the form ended too early; send it again")


def _parser(boundary: bytes, events: _Events) -> MultipartParser:
    try:
        return MultipartParser(
            boundary,
            {
                "on_part_begin": events.begin,
                "on_header_field": events.header_name,
                "on_header_value": events.header_value,
                "on_header_end": events.header_end,
                "on_headers_finished": events.headers_end,
                "on_part_data": events.data,
                "on_part_end": events.end,
                "on_end": events.finish,
            },
            max_header_size=_MOST_HEAD,
        )
    except FormParserError:
        raise RefusedError(422, "the form cannot be read; open the page again") from None


def _write(parser: MultipartParser, chunk: bytes) -> None:
    try:
        parser.write(chunk)
    except FormParserError:
        raise RefusedError(422, "the form cannot be read; open the page again") from None
