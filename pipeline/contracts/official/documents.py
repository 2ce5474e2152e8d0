"""Official files as bytes: JSON documents and CSV rows, read and written whole."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from pipeline.core import files
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import parsed

#: A record of a CSV file: its first line, and its cells.
Cells = tuple[int, list[str]]
#: What a file says once, around its records; the layout of its text is part of it (frame_of).
Frame = Mapping[str, Any]
_MARK: Final = "\ufeff"


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


def frame_of(text: str, path: Path) -> dict[str, Any]:
    """Return the layout of a file and its text, for a file of the same layout.

    `mark` says that the file begins with a byte order mark, `line_end` is that of its first line,
    `tail` what follows its last one, and `indent` what the second line begins with.
    """
    with files.input_errors(path, "read"), path.open("rb") as stream:
        mark = stream.read(3) == _MARK.encode()
    lines = text.split("\n", 2)
    return {
        "mark": mark,
        "line_end": "\r\n" if lines[0].endswith("\r") else "\n",
        "tail": text[len(text.rstrip("\r\n")) :],
        "indent": re.match(r"[ \t]*", lines[1])[0] if len(lines) > 1 else None,  # type: ignore[index]
    }


def save(text: str, path: Path, frame: Frame) -> None:
    """Write a text, whole or not at all; raises InputError when that is not possible.

    Of the frame its mark and tail count; without a tail the text ends as it is.
    """
    if "tail" in frame:
        text = text.rstrip("\r\n") + frame["tail"]
    with files.input_errors(path, "written"), files.replacing(path) as temporary:
        temporary.write_bytes((_MARK * frame.get("mark", False) + text).encode())


def save_json(document: object, path: Path, frame: Frame) -> None:
    """Write a JSON document in the layout of a frame; without one as most official files are."""
    text = json.dumps(document, ensure_ascii=False, indent=frame.get("indent", 4)) + "\n"
    save(text.replace("\n", frame.get("line_end", "\n")), path, frame)


def save_csv(rows: Iterable[list[str]], path: Path, frame: Frame) -> None:
    """Write CSV in the layout of a frame, with quotes where they are needed."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=frame.get("line_end", "\n")).writerows(rows)
    save(text.getvalue(), path, frame)
