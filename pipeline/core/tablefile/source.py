"""Which file, in which form: guessed from its name, and checked before a row is read."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, cast, get_args

from pipeline.core.errors import InputError

Form = Literal["text", "jsonl", "csv", "parquet"]

#: The endings of names that say the form, after any ending of `PACKED`.
ENDINGS: Final[dict[str, Form]] = {
    ".txt": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
}

#: The endings of packed text files, with Arrow's names of the codecs.
PACKED: Final = {".gz": "gzip", ".zst": "zstd"}

#: How many bytes tell whether a file is text.
HEAD: Final = 64 * 1024
_MAGIC: Final = {
    b"\x1f\x8b\x08": "gzip data; name it .gz",
    b"\x28\xb5\x2f\xfd": "Zstandard data; name it .zst",
    b"PAR1": "a Parquet file; give the form parquet or name it .parquet",
    b"PK\x03\x04": "a zip archive or an office document; unpack it or export it as CSV",
    b"\x89PNG\r\n": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"%PDF-": "a PDF document",
    b"\x7fELF": "a program",
    b"SQLite format 3\0": "a SQLite database",
    codecs.BOM_UTF16_LE: "UTF-16; convert it to UTF-8",
    codecs.BOM_UTF16_BE: "UTF-16; convert it to UTF-8",
}
_VALUE: Final = re.compile(r"@|\d{3}|\d-\d|[.!?]$|\S \S+ \S")
_CONTROLS: Final = bytes(c for c in [*range(32), 127] if c not in b"\t\n\v\f\r\x1b")


@dataclass(frozen=True)
class Source:
    """A file of texts.

    `text` names the column of the texts (plain text has none). A CSV file has a header, one
    `delimiter`, and with `quoted` its quotes mean what they mean in CSV; else they are characters.
    """

    path: Path
    form: Form
    text: str = "text"
    delimiter: str = ","
    quoted: bool = True

    @property
    def packing(self) -> str | None:
        """The codec of a packed text file."""
        return None if self.form == "parquet" else PACKED.get(self.path.suffix.lower())


def guess(
    path: Path,
    *,
    form: str | None = None,
    text: str = "text",
    delimiter: str | None = None,
    quoted: bool | None = None,
) -> Source:
    """Return the source that a file's name stands for, where the options do not say otherwise.

    .tsv is CSV with tabs; with a tab as delimiter, quotes are characters unless `quoted` is given.
    Raises InputError for a name that says nothing and for options that are not allowed.
    """
    if path.is_dir():
        raise InputError(f"{path}: is a folder; give files")
    found = form or form_of(path)
    if found not in get_args(Form):
        given = f"no form {form!r} is known" if form else "no form can be told from the name"
        raise InputError(
            f"{path}: {given}; allowed endings: {', '.join(ENDINGS)} (packed: also"
            f" {', '.join(PACKED)}); allowed forms (--form): {', '.join(get_args(Form))}"
        )
    if delimiter is None:
        delimiter = "\t" if _ending(path) == ".tsv" else ","
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise InputError(f"{path}: delimiter must be one ASCII character: {delimiter!r}")
    quoted = delimiter != "\t" if quoted is None else quoted
    return Source(path, cast(Form, found), text, delimiter, quoted)


def form_of(path: Path) -> Form | None:
    """Return the form that a file's name says, or None."""
    form = ENDINGS.get(_ending(path))
    packed = path.suffix.lower() in PACKED
    return None if packed and form == "parquet" else form


def _ending(path: Path) -> str:
    """Return the last ending of a name, but for one that says how the file is packed."""
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def require_column(source: Source, names: list[str]) -> None:
    """Raise InputError unless the text column is there, once."""
    count = names.count(source.text)
    if count == 1:
        return
    what = f"has {count} columns {source.text!r}" if count else f"has no column {source.text!r}"
    raise InputError(
        f"{source.path}: {what}; it has: {_listed(names)}; name the column of the texts"
    )


def _listed(names: list[str]) -> str:
    """Return column names for people, unless they look like the values of a file without header."""
    if any(_VALUE.search(name) for name in names):
        return f"{len(names)} columns whose names look like values, as if a header were missing"
    return ", ".join(repr(name[:40]) for name in names[:20]) + (", ..." if names[20:] else "")


def require_file(path: Path) -> None:
    """Raise InputError unless the path is a file."""
    if not path.exists():
        raise InputError(f"{path}: no such file; check the path")
    if path.is_dir():
        raise InputError(f"{path}: is a folder; give one file")
    if not path.is_file():
        raise InputError(f"{path}: is a device or pipe; write it to a file first")


def require_packing(source: Source, head: bytes) -> None:
    """Raise InputError when a packed file does not begin as its ending says."""
    magic = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}.get(source.packing or "", b"")
    if head and not head.startswith(magic):
        raise InputError(
            f"{source.path}: is no {source.path.suffix} file; give it the ending of what it is"
        )


def require_text(source: Source, head: bytes) -> None:
    """Raise InputError when the first (unpacked) bytes of a file are no UTF-8 text.

    Single faults are left to the rows; what is told here is a file of another kind.
    """
    for magic, what in _MAGIC.items():
        if head.startswith(magic):
            raise _binary(source, f"is {what}")
    if head.count(b"\0") > max(8, len(head) // 100):
        raise _binary(source, "is binary (it holds many NUL bytes)")
    strange = len(head) - len(head.translate(None, _CONTROLS)) + _undecodable(head, "utf-8")
    if strange * 10 > len(head) * 3:
        if _undecodable(head, "cp949") * 100 < len(head):
            raise _binary(source, "looks like CP949; convert it to UTF-8")
        raise _binary(source, "is binary, or text in another encoding")


def _undecodable(head: bytes, encoding: str) -> int:
    """Count the faults of bytes in an encoding; a character that is cut off at the end is none."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head)
    return text.count("\ufffd") - head.count("\ufffd".encode())


def _binary(source: Source, what: str) -> InputError:
    return InputError(f"{source.path}: {what}; allowed for form {source.form}: UTF-8 text")
