"""Official files as bytes: JSON documents and CSV rows, read and written whole."""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeline.core import files
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import parsed

#: A record of a CSV file: its first line, and its cells.
Cells = tuple[int, list[str]]


def read_text(path: Path) -> str:
    """Return the text of a file, its line ends as they are and a byte order mark taken off.

    Raises InputError when it cannot be read, is empty or is not UTF-8.
    """
    text = files.read_text(path, "an official KLUE file")
    if not text.strip():
        raise InputError(f"{path}: the file is empty; give an official KLUE file")
    return text


def is_json(text: str) -> bool:
    """Tell whether a text begins as a JSON document of objects does."""
    return text.lstrip()[:1] in ("[", "{")


def load_json(text: str, path: Path) -> Any:
    """Return the document; raises InputError that says where it stops being JSON."""
    try:
        return parsed(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}:{error.lineno}: not JSON: {error.msg} (column {error.colno}); the file may be"
            " cut off: fetch it again"
        ) from None
    except RecursionError:
        raise InputError(f"{path}: nested too deep to be an official KLUE file") from None
    except ValueError as error:
        raise InputError(f"{path}: not JSON: {error}; each key once, finite numbers") from None


def load_list(text: str, path: Path) -> list[tuple[int, Any]]:
    """Return the records of a JSON document that is a list, numbered from 1."""
    document = load_json(text, path)
    if not isinstance(document, list):
        raise InputError(
            f"{path}: holds a JSON {type(document).__name__}; an official file is a list of objects"
        )
    return list(enumerate(document, start=1))


def load_csv(text: str, path: Path) -> list[Cells]:
    """Return the records of a CSV text; raises InputError for broken quotes."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Cells] = []
    line = 1
    try:
        for cells in reader:
            rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}:{line}: not CSV: {error}; close every quote") from None
    return rows


def load_literal(text: str, noun: str) -> Any:
    """Return the value of a Python literal in a cell; raises RecordError for any other text."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise RecordError("official.form@1", f"{noun} is no Python literal") from None


def line_end(text: str) -> str:
    """Return the line end that the first line of a text has."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def save(text: str, path: Path) -> None:
    """Write a text as it is, whole or not at all; raises InputError when that is not possible."""
    with files.input_errors(path, "written"), files.replacing(path) as temporary:
        temporary.write_bytes(text.encode())


def save_json(document: object, path: Path) -> None:
    """Write a JSON document, indented as the official ones are."""
    save(json.dumps(document, ensure_ascii=False, indent=4) + "\n", path)


def save_csv(rows: Iterable[list[str]], end: str, path: Path) -> None:
    """Write CSV with quotes where they are needed."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=end).writerows(rows)
    save(text.getvalue(), path)
