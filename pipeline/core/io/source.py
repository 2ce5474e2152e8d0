"""A file of texts and its form: guessed from its name, and checked before a row is read."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, cast, get_args

from pipeline.core.errors import InputError
from pipeline.core.files import input_errors, refuse, regular_file
from pipeline.core.io.column_names import show_names

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

#: The endings of packed text files, with Arrow's names of the codecs; Arrow has no xz.
PACKED: Final = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}
READABLE: Final = (*PACKED, ".xz")

#: What to do about a column of texts that is missing, for the commands with this option.
NAME_COLUMN: Final = "name the column of the texts: --text-column NAME"

#: How many bytes show whether a file is text.
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
}
#: The marks of encodings of wide characters; that of UTF-32 begins as that of UTF-16 does.
_WIDE: Final = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
#: Excel saves CP949 under the name CSV, and UTF-16 as Unicode text.
_CONVERT: Final = 'convert it to UTF-8, with iconv or as "CSV UTF-8" of Excel'
_CONTROLS: Final = bytes(c for c in [*range(32), 127] if c not in b"\t\n\v\f\r\x1b")


@dataclass(frozen=True)
class Source:
    """A file of texts.

    `text` names the column of the texts (plain text has none). A CSV file has a header and one
    `delimiter`; without `quoted`, a quote is a character like any other. `advice` says what to do
    where the column is missing.
    """

    path: Path
    form: Form
    text: str = "text"
    delimiter: str = ","
    quoted: bool = True
    advice: str = NAME_COLUMN


def guess_source(
    path: Path,
    *,
    form: str | None = None,
    text: str = "text",
    delimiter: str | None = None,
    quoted: bool | None = None,
    advice: str = NAME_COLUMN,
) -> Source:
    """Return the source of a file; what the options leave open follows from the file's name.

    .tsv is CSV with tabs; with a tab as delimiter, quotes are characters unless `quoted` is given.
    Raises InputError for an unknown ending without `form` and for options that are not allowed.
    """
    if path.is_dir():
        raise InputError(f"{path}: is a folder; give files")
    known_form = form or form_of(path)
    if known_form not in get_args(Form):
        refuse(path, (form is None and not path.exists(), "no such file; check the path"))
        problem = f"unknown form {form!r}" if form else "the ending of the name shows no form"
        raise InputError(
            f"{path}: {problem}; allowed endings: {', '.join(ENDINGS)} (packed: also"
            f" {', '.join(READABLE)}); rename the file, or give the form to commands with --form:"
            f" {', '.join(get_args(Form))}"
        )
    if delimiter is None:
        delimiter = "\t" if _ending(path) == ".tsv" else ","
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise InputError(f"{path}: delimiter must be one ASCII character: {delimiter!r}")
    quoted = delimiter != "\t" if quoted is None else quoted
    return Source(path, cast(Form, known_form), text, delimiter, quoted, advice)


def form_of(path: Path) -> Form | None:
    """Return the form of a file's name, or None."""
    form = ENDINGS.get(_ending(path))
    packed = path.suffix.lower() in READABLE
    return None if packed and form == "parquet" else form


def _ending(path: Path) -> str:
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] in READABLE:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def require_column(source: Source, names: list[str]) -> None:
    """Raise InputError unless the text column is there, once."""
    count = names.count(source.text)
    if count == 1:
        return
    problem = f"has {count} columns {source.text!r}" if count else f"has no column {source.text!r}"
    raise InputError(f"{source.path}: {problem}; it has: {show_names(names)}; {source.advice}")


def require_file(path: Path) -> None:
    """Raise InputError unless the path is a file."""
    refuse(
        path,
        (not (path.exists() or path.is_symlink()), "no such file; check the path"),
        (path.is_dir(), "is a folder; give one file"),
    )
    with input_errors(path, "read"):
        regular_file(path)


def require_filled(path: Path) -> None:
    """Raise InputError unless the path is a file that holds at least one byte."""
    require_file(path)
    if path.stat().st_size == 0:
        raise InputError(f"{path}: is empty; make or fetch it again")


def require_text(source: Source, head: bytes) -> None:
    """Raise InputError when the first (unpacked) bytes of a file are no UTF-8 text.

    Single faults are left to the rows; this check finds files of another kind.
    """
    if encoding := wide_encoding(head):
        raise _binary(source, f"is {encoding}; {_CONVERT}")
    for magic, problem in _MAGIC.items():
        if head.startswith(magic):
            raise _binary(source, f"is {problem}")
    if head.count(b"\0") > max(8, len(head) // 100):
        raise _binary(source, "is binary (it holds many NUL bytes)")
    if _is_cp949(head):
        raise _binary(source, f"looks like CP949; {_CONVERT}")
    strange = len(head) - len(head.translate(None, _CONTROLS)) + _undecodable(head, "utf-8")
    if strange * 10 > len(head) * 3:
        raise _binary(source, "is binary, or text in another encoding")


def wide_encoding(head: bytes) -> str:
    """Return UTF-16 or UTF-32 if bytes begin with its mark, else ""."""
    return next((name for mark, name in _WIDE.items() if head.startswith(mark)), "")


def _is_cp949(head: bytes) -> bool:
    """Tell whether bytes are CP949 and not UTF-8, however few they are beside ASCII.

    As CP949 they have next to no fault, and their characters are syllables; as UTF-8 they have more
    faults than characters. One line of UTF-8 with a fault is left to the rows.
    """
    faults = _undecodable(head, "utf-8")
    if not faults or _undecodable(head, "cp949") * 100 >= len(head):
        return False
    wide = [c for c in _decode(head, "cp949") if not c.isascii()]
    syllables = sum("가" <= c <= "힣" for c in wide)
    valid = sum(not c.isascii() for c in _decode(head, "utf-8")) - faults
    return syllables * 2 > len(wide) and valid < faults


def _undecodable(head: bytes, encoding: str) -> int:
    """Count the faults of bytes in an encoding, apart from a character cut off at the end."""
    return _decode(head, encoding).count("\ufffd") - head.count("\ufffd".encode())


def _decode(head: bytes, encoding: str) -> str:
    return codecs.getincrementaldecoder(encoding)("replace").decode(head)


def _binary(source: Source, problem: str) -> InputError:
    return InputError(f"{source.path}: {problem}; allowed for form {source.form}: UTF-8 text")
