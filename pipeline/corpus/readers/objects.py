"""Files of JSON streamed object by object, however large they are: an object is a record."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError
from pipeline.core.io.streams import open_stream
from pipeline.core.wording import count
from pipeline.corpus.readers import base
from pipeline.corpus.readers.base import Options, Record
from pipeline.corpus.readers.records import encoding_hint

_PIECE: Final = 1024 * 1024
_BETWEEN: Final = re.compile(r"[\s,]*")
_KEY: Final = re.compile(r'[\s,]*("(?:[^"\\]|\\.)*")\s*:\s*')
_parse: Final[Callable[[str, int], tuple[Any, int]]] = json.JSONDecoder().raw_decode


def scan_objects(path: Path, options: Options) -> Iterator[Record]:
    """Stream the objects of a file, in a list or one after another; a line is their number.

    No more than one object is held. Raises InputError for what is no such file, is cut off, or
    holds an object of more than MAX_RECORD_BYTES.
    """
    return _scan(path, options, "")


def scan_list(key: str) -> Callable[[Path, Options], Iterator[Record]]:
    """Return what streams the objects of a list that one outer object has under a key."""
    return lambda path, options: _scan(path, options, key)


def _scan(path: Path, options: Options, key: str) -> Iterator[Record]:
    held, number, begun, is_list = "", 0, False, False
    decoder = codecs.getincrementaldecoder(options.encoding)()
    with open_stream(path) as stream:
        while piece := stream.read(_PIECE):
            held += _decoded(decoder, piece, path)
            place = 0
            if not begun and (first := _first(held, key)) is not None:
                place, begun, is_list = first, True, held[:first].endswith("[")
            while begun and (place := _after(held, place)) < len(held):
                try:
                    _, end = _parse(held, place)
                except (ValueError, RecursionError):
                    break
                number += 1
                yield Record(path.name, number, held[place:end].encode())
                place = end
            held = held[place:]
            if len(held) > base.MAX_RECORD_BYTES:
                raise InputError(
                    f"{path}: what follows {count(number, 'object')} is no JSON, or has more than"
                    f" {base.MAX_RECORD_BYTES:,} characters; mend it, or give another reader"
                )
    if not _is_end(held.strip(), key, is_list=is_list):
        where = f" under {key!r}" if key else ""
        raise InputError(f"{path}: is not JSON, or cut off, after {count(number, 'object')}{where}")


def _decoded(decoder: codecs.IncrementalDecoder, piece: bytes, path: Path) -> str:
    try:
        return decoder.decode(piece)
    except UnicodeDecodeError as error:
        hint = encoding_hint(error.object, is_whole=False)
        raise InputError(f"{path}: holds bytes that are not {error.encoding}{hint}") from None


def _first(text: str, key: str) -> int | None:
    """Return where the first object begins; None if that lies in a later piece."""
    place = _after(text, 0)
    if place == len(text):
        return None
    if not key:
        return place + 1 if text[place] == "[" else place
    place += 1  # behind the brace
    while match := _KEY.match(text, place):
        if json.loads(match[1]) == key:
            return match.end() + 1 if text.startswith("[", match.end()) else None
        try:
            _, place = _parse(text, match.end())
        except (ValueError, RecursionError):
            return None
    return None


def _after(text: str, place: int) -> int:
    """Return where the next value begins."""
    match = _BETWEEN.match(text, place)
    return match.end() if match else place


def _is_end(rest: str, key: str, *, is_list: bool) -> bool:
    """Tell whether what follows the last object ends the list, and all around it."""
    if not is_list:
        return not key and not rest
    return rest.startswith("]") and rest.endswith("}") if key else rest == "]"
