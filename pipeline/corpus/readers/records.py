"""Values of a record to a document: columns, decoding, checks of fields and dates."""

from __future__ import annotations

import codecs
import datetime
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import orjson

from pipeline.core.errors import InputError, RecordError
from pipeline.core.io.column_names import show_names
from pipeline.core.io.jsonl import fault_of
from pipeline.core.jsontext import repeats_a_key
from pipeline.corpus.readers.base import Document, Options, Record

#: The names of a document's own fields; whatever else a reader keeps goes into `meta`.
FIELDS: Final = ("key", "text", "title", "date", "section", "url")


_HALF: Final = re.compile("[\ud800-\udfff]")
_COMPACT: Final = re.compile(r"(\d{4})(\d{2})(\d{2})(?:\d{4}|\d{6}|T.*)?", re.DOTALL)
_SEPARATED: Final = re.compile(
    r"(\d{4})\s*[-./년]\s*(\d{1,2})\s*[-./월]\s*(\d{1,2})(?!\d).*", re.DOTALL
)
_SHORT: Final = re.compile(r"(\d{2})\.(\d{2})\.(\d{2})\.?")


@dataclass(frozen=True)
class Columns:
    """The columns a reader wants, from the project's names to the input's.

    `required` must be in the input; `optional` is used where the input has it.
    """

    required: dict[str, str]
    optional: dict[str, str] = field(default_factory=dict)

    def under(self, options: Options) -> Columns:
        """Return these columns with those that the options name in their place, as required."""
        return Columns(
            required={**self.required, **options.columns},
            optional={n: c for n, c in self.optional.items() if n not in options.columns},
        )

    def names(self) -> dict[str, str]:
        """Return all columns by the project's names."""
        return {**self.optional, **self.required}

    def find(self, path: Path, header: Sequence[str], *, hint: str = "") -> dict[str, int]:
        """Return the place of every wanted column in a header.

        Raises InputError that shows the columns found and says what to set; `hint` ends it.
        """
        absent = [f"{c!r} (for {n})" for n, c in self.required.items() if c not in header]
        if absent:
            wanted = ", ".join(f"{n}: COLUMN" for n, c in self.required.items() if c not in header)
            raise InputError(
                f"{path}: has no column {', '.join(absent)}; it has: {show_names(header)}; set"
                f" `columns: {{{wanted}}}` of the input to the names in this file{hint}"
            )
        present = {n: c for n, c in self.names().items() if c in header}
        twice = sorted({c for c in present.values() if header.count(c) > 1})
        if twice:
            raise InputError(f"{path}: column {twice[0]!r} is there twice; rename one")
        return {name: header.index(column) for name, column in present.items()}

    def at(self, path: Path, width: int) -> dict[str, int]:
        """Return the place of every required column of an input without header."""
        places = {n: int(c) if c.isdecimal() else -1 for n, c in self.required.items()}
        wrong = [f"{self.required[n]!r} (for {n})" for n, p in places.items() if not 0 <= p < width]
        if wrong:
            raise InputError(
                f"{path}: without header, `columns` takes numbers from 0 to {width - 1}; given:"
                f" {', '.join(wrong)}"
            )
        return places

    def pick(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return the wanted fields of one object by the project's names; absent ones stay absent.

        An absent required key is present as None, so that it is missed.
        """
        picked = {n: values[c] for n, c in self.names().items() if c in values}
        if "key" in self.required:
            picked.setdefault("key", None)
        return picked


def decode(data: bytes, options: Options) -> str:
    """Return the text of bytes, exactly; raises RecordError for what is no text."""
    if b"\0" in data:
        raise RecordError("read.encoding@1", "holds NUL bytes: binary data, UTF-16 or UTF-32")
    try:
        return data.decode(options.encoding)
    except UnicodeDecodeError as error:
        reason = f"byte {error.start} is not {error.encoding}"
        raise RecordError("read.encoding@1", f"{reason}{encoding_hint(data)}") from None


def encoding_hint(data: bytes, *, is_whole: bool = True) -> str:
    """Return which encoding to set for bytes that are not in the one that was set; '' if unknown.

    Bytes that are not the whole may end within a character.
    """
    for other in ("cp949", "utf-8"):
        with suppress(UnicodeDecodeError):
            codecs.getincrementaldecoder(other)().decode(data, final=is_whole)
            return f"; bytes that look like {other.upper()}; set encoding: {other}"
    return ""


def load_json(data: bytes, options: Options, *, leniently: bool = False) -> Any:
    """Return the JSON value of bytes; raises RecordError for what is none.

    With `leniently`, half a surrogate pair, NaN and a key given twice do not cost the whole value:
    for lists of many records, of which each is checked by itself (`as_object`).
    """
    text = decode(data, options).removeprefix("\ufeff")
    if not text or text.isspace():
        raise RecordError("read.empty@1", "the line is blank")
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if leniently:
            with suppress(ValueError, RecursionError):
                return json.loads(text, object_pairs_hook=_object_or_fault)
        raise fault_of(error) from None
    if not isinstance(value, dict | list) or not repeats_a_key(text.encode(), value):
        return value
    if leniently:
        return json.loads(text, object_pairs_hook=_object_or_fault)
    raise _key_twice()


def _object_or_fault(pairs: list[tuple[str, Any]]) -> dict[str, Any] | RecordError:
    """Return an object, or the fault of one that has a key twice, also within it."""
    value = dict(pairs)
    return _key_twice() if len(value) < len(pairs) else next(_faults(value.values()), value)


def _faults(values: Iterable[object]) -> Iterator[RecordError]:
    for value in values:
        if isinstance(value, RecordError):
            yield value
        elif isinstance(value, list):
            yield from _faults(value)


def _key_twice() -> RecordError:
    return RecordError("read.malformed@1", "has a key more than once")


def as_object(value: object) -> dict[str, Any]:
    """Return a JSON value that must be an object; raises the fault that stands in its place."""
    if isinstance(value, RecordError):
        raise value
    if not isinstance(value, dict):
        raise RecordError("read.malformed@1", f"is a JSON {type(value).__name__}, not an object")
    return value


def text_field(values: Mapping[str, object], name: str, column: str | None = None) -> str:
    """Return a field that must be there and be text; raises RecordError that names it."""
    value = values.get(name)
    if value is None:
        raise RecordError("read.missing_field@1", f"has no field {column or name!r}")
    return _as_text(value, column or name, "text")


def name_field(values: Mapping[str, object], name: str, column: str | None = None) -> str | None:
    """Return an optional field that is text or a whole number, as text; None for empty."""
    value = values.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _as_text(value, column or name, "text or a whole number")


def _as_text(value: object, name: str, wanted: str) -> str:
    """Return the value of a field that must be text; raises RecordError that names the field."""
    if not isinstance(value, str):
        given = type(value).__name__
        raise RecordError("read.malformed@1", f"field {name!r} must be {wanted}, given: {given}")
    if "\0" in value:
        raise RecordError("read.encoding@1", f"field {name!r} holds a NUL character")
    if _HALF.search(value):
        reason = f"field {name!r} holds half of a surrogate pair, which is no character"
        raise RecordError("read.encoding@1", reason)
    return value


def full_text(text: str) -> str:
    """Return a text that must hold more than white space."""
    if not text or text.isspace():
        raise RecordError("read.empty@1", "the text is empty")
    return text


def document(values: Mapping[str, object], record: Record, names: Mapping[str, str]) -> Document:
    """Build a document from values under the project's field names.

    `names` maps the project's names to the input's, for messages. Without key, the url is the key;
    without both there is none (""). A date that cannot be understood is None. Raises RecordError.
    """
    text = text_field(values, "text", names.get("text"))
    others = {n: name_field(values, n, names.get(n)) for n in FIELDS if n != "text"}
    if "key" in values and others["key"] is None:
        raise RecordError("read.missing_field@1", f"has no field {names.get('key', 'key')!r}")
    return Document(
        key=others["key"] or others["url"] or "",
        text=full_text(text),
        file=record.file,
        line=record.line,
        title=others["title"],
        date=iso_date(others["date"] or ""),
        section=others["section"],
        url=others["url"],
        meta=_meta(values, names),
    )


def _meta(values: Mapping[str, object], names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    rest = ((n, v) for n, v in values.items() if n not in FIELDS and v not in (None, ""))
    plain = ((n, v if isinstance(v, str) else orjson.dumps(v).decode()) for n, v in rest)
    return tuple((n, _as_text(v, names.get(n, n), "text")) for n, v in plain)


@lru_cache(4096)  # a corpus has few days
def iso_date(text: str) -> str | None:
    """Return the ISO date (YYYY-MM-DD) that a text begins with, or None.

    Understands ``2017-09-21``, ``2017.09.21. 오후 5:09``, ``2017-09-21 17:09:00``, ``2017/9/21``,
    ``2017년 9월 21일``, ``20170921``, ``20170921170900`` and RFC 3339. The day is taken as written:
    no time zone is applied.
    """
    stripped = text.strip()
    return _date(_COMPACT.fullmatch(stripped) or _SEPARATED.fullmatch(stripped))


@lru_cache(4096)
def short_date(text: str) -> str | None:
    """Return the ISO date of ``YY.MM.DD`` in the years 2000 to 2099, or None."""
    return _date(_SHORT.fullmatch(text.strip()), century=2000)


def _date(match: re.Match[str] | None, *, century: int = 0) -> str | None:
    if match is None:
        return None
    year, month, day = (int(part) for part in match.groups())
    try:
        return datetime.date(century + year, month, day).isoformat()
    except ValueError:
        return None
