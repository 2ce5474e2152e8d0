"""The files of an exchange: written whole or not at all, and read with faults told in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from pipeline.annotation.exchange.answer_parts import exchange_fault
from pipeline.core.errors import InputError, RecordError
from pipeline.core.files import input_errors, read_text, replacing
from pipeline.core.jsontext import parsed

#: Lies beside an export: {ID IN THE TOOL: ANNOTATOR}.
ANNOTATORS: Final = "annotators.json"
#: What to give where a file is not there.
_WANTED: Final = "the file that the tool exported"
#: An id that tells nothing about a person: a number, a UUID, a name such as ann-01.
_ID: Final = re.compile(r"\d{1,9}|[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]{1,6}-\d{1,6}")


def write_text(path: Path, text: str) -> Path:
    """Write a text file that is there whole or not at all; raises InputError where it cannot be."""
    return _write(path, [text])


def write_json(path: Path, value: object) -> Path:
    """Write a JSON file in the order of its keys."""
    return _write(path, [json.dumps(value, ensure_ascii=False, indent=1), "\n"])


def write_list(path: Path, rows: Iterable[object]) -> Path:
    """Write a JSON list, one value a line."""
    values = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    lines = (f",\n{value}" if place else f"\n{value}" for place, value in enumerate(values))
    return _write(path, chain(["["], lines, ["\n]\n"]))


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """Write one JSON object a line."""
    return _write(path, (json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _write(path: Path, pieces: Iterable[str]) -> Path:
    with input_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
            stream.writelines(pieces)
    return path


def read_json(path: Path) -> Any:
    """Read a JSON file; raises InputError for a file that is cut off or no JSON."""
    try:
        return parsed(read_text(path, _WANTED))
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}: not JSON: {error.msg} (line {error.lineno}, column {error.colno});"
            " was the export cut off? export it again"
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not usable JSON: {error}") from None


def read_list(path: Path, contents: str) -> Iterator[tuple[int, Any]]:
    """Yield the records of a JSON list with their numbers; `contents` says how it is exported."""
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError(f"{path}: a JSON {_kind(value)}; allowed: a list of records, {contents}")
    return enumerate(value, 1)


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any] | RecordError]]:
    """Yield the objects of a JSONL file with their lines, or the fault of a line.

    Raises InputError for a file that cannot be read, or no line of which is an object.
    """
    lines = [
        (n, line) for n, line in enumerate(read_text(path, _WANTED).split("\n"), 1) if line.strip()
    ]
    values = [(n, _object(line)) for n, line in lines]
    if not any(isinstance(value, dict) for _, value in values):
        raise InputError(f"{path}: no line is a JSON object; allowed: JSONL, one object a line")
    yield from values


def _object(line: str) -> dict[str, Any] | RecordError:
    try:
        value = parsed(line)
    except json.JSONDecodeError as error:
        return exchange_fault("malformed", f"not JSON: {error.msg} at column {error.colno}")
    except (ValueError, RecursionError) as error:
        return exchange_fault("malformed", f"not usable JSON: {error}")
    if not isinstance(value, dict):
        return exchange_fault("malformed", f"a JSON {_kind(value)}, not an object")
    return value


def read_annotators(path: Path) -> dict[str, str]:
    """Read who each id of a tool is; raises InputError for a file that does not say it."""
    ids = read_json(path)
    if not isinstance(ids, dict) or not all(isinstance(v, str) and v for v in ids.values()):
        raise InputError(f'{path}: give one JSON object such as {{"7": "ann-01"}}')
    return dict(ids)


def find_annotators(path: Path, annotators: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """Return who each id of a tool is: as given, or from the file beside the export."""
    beside = path.parent / ANNOTATORS
    return read_annotators(beside) if annotators is None and beside.is_file() else annotators


def require_annotators(path: Path, annotators: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return the map of a tool's ids to annotators; raises InputError where there is none."""
    ids = find_annotators(path, annotators)
    if ids is None:
        raise InputError(
            f"{path.parent / ANNOTATORS}: not there; write it, or give --annotators MAP.json:"
            " which of the tool's user ids is which annotator, such as"
            ' {"7": "ann-01"}'
        )
    return ids


def annotator_of(ids: Mapping[str, str], name: object) -> str:
    """Return the annotator of an id of the tool; raises RecordError for one that is not known."""
    if not isinstance(name, str | int) or isinstance(name, bool) or str(name) not in ids:
        safe_name = str(name) if _ID.fullmatch(str(name)) else f"(a {_kind(name)})"
        raise exchange_fault(
            "annotator", f"user id {safe_name} is not in {ANNOTATORS}; add whose it is"
        )
    return ids[str(name)]


def _kind(value: object) -> str:
    names = {dict: "object", list: "list", str: "text", bool: "truth value", type(None): "null"}
    return names.get(type(value), "number")
