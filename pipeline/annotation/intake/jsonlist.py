"""A JSON list of votes, record by record, so that half a file still gives half the votes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from pipeline.annotation.intake.raw import RawVote, Refused
from pipeline.core.io import streams
from pipeline.core.io.source import Source

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_RULE: Final = "file.malformed@1"


def read(source: Source) -> Iterator[RawVote | Refused]:
    """Read a list of objects; `line` is the number of the record.

    Where the list breaks off or is not JSON, the records before are votes, and one more `Refused`
    stands for the rest, with the line of the file in its reason. Holds the whole file.
    """
    name = source.path.name
    text, cut = _text(source)
    number, broken = 0, False
    for number, (place, value) in enumerate(_records(text), start=1):
        if isinstance(value, _Fault):
            broken = True
            line = text.count("\n", 0, place) + 1
            yield Refused(name, number, _RULE, f"{cut or value.words}, on line {line} of the file")
        elif value.twice:
            yield Refused(name, number, _RULE, "a key is given twice in one object")
        elif not isinstance(value.value, dict):
            kind = type(value.value).__name__
            yield Refused(name, number, _RULE, f"is a JSON {kind}, not an object")
        else:
            yield RawVote(name, number, value.value)
    if cut and not broken:
        yield Refused(name, number + 1, _RULE, cut)


class _Fault:
    def __init__(self, what: str) -> None:
        self.words = f"{what}; nothing of the list is read from here on"


class _Record:
    def __init__(self, value: Any, *, twice: bool) -> None:
        self.value, self.twice = value, twice


def _text(source: Source) -> tuple[str, str]:
    """Return the text of a file up to the first byte that is none, and what to say of that."""
    with streams.open_text(source) as stream:
        data = b"".join(iter(lambda: stream.read(1 << 22), b""))
    try:
        return data.decode(), ""
    except UnicodeDecodeError as error:
        told = f"byte {error.start} is not UTF-8; nothing of the list is read from there on"
        return data[: error.start].decode(), told


def _records(text: str) -> Iterator[tuple[int, _Record | _Fault]]:
    """Yield each record of a list, and at most one fault, with its place in the text."""
    twice: list[bool] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice.append(True)
        return found

    decoder = json.JSONDecoder(object_pairs_hook=once)
    place = _skip(text, text.index("[") + 1)
    if text[place : place + 1] == "]":
        yield from _end(text, place)
        return
    while True:
        try:
            value, after = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            cut = (
                "the list breaks off" if place == len(text) else "the record is cut off or no JSON"
            )
            yield place, _Fault(cut)
            return
        yield place, _Record(value, twice=bool(twice))
        twice.clear()
        place = _skip(text, after)
        if text[place : place + 1] != ",":
            yield from _end(text, place)
            return
        place = _skip(text, place + 1)


def _end(text: str, place: int) -> Iterator[tuple[int, _Fault]]:
    if text[place : place + 1] != "]":
        what = "the list breaks off" if place == len(text) else "a comma or ] is missing"
        yield place, _Fault(what)
    elif _skip(text, place + 1) < len(text):
        yield place + 1, _Fault("something follows the list")


def _skip(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place
