"""Labelled comments: TSV without quoting, or JSONL, as the Korean hate speech data has them.

    comments                the text
    contain_gender_bias     True or False
    bias                    none, gender or others
    hate                    none, offensive or hate
    source                  optional: where the text comes from, for thresholds by source

Source: Moon, Cho and Lee (2020), "BEEP! Korean Corpus of Online News Comments for Toxic Speech
Detection", https://aclanthology.org/2020.socialnlp-1.4
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.core.errors import InputError

HATE_CLASSES: Final = ("none", "offensive", "hate")
COLUMNS: Final = ("comments", "contain_gender_bias", "bias", "hate")
OPTIONAL: Final = ("source",)
#: The only values that a labelling column may have.
VALUES: Final[dict[str, tuple[str, ...]]] = {
    "contain_gender_bias": ("True", "False"),
    "bias": ("none", "gender", "others"),
    "hate": HATE_CLASSES,
}
#: A line above this many bytes is refused rather than held in memory.
MAX_LINE: Final = 1 << 20


@dataclass(frozen=True)
class Labelled:
    """Comments with their labels; `hate` holds numbers of HATE_CLASSES."""

    texts: pa.Array
    gender_bias: np.ndarray[Any, np.dtype[np.bool_]]
    hate: np.ndarray[Any, np.dtype[np.int64]]
    sources: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, rows: np.ndarray[Any, np.dtype[np.int64]]) -> Labelled:
        """Return the comments of these numbers, without their sources."""
        return Labelled(self.texts.take(pa.array(rows)), self.gender_bias[rows], self.hate[rows])


def read_labelled(path: Path) -> Labelled:
    """Read labelled comments: JSONL if the name ends in .jsonl or .ndjson, else TSV.

    Raises InputError with ``file:line`` for a column or a value that is not as listed above, and
    for a file that is missing, empty or not UTF-8. No message holds a text.
    """
    is_json = path.suffix.lower() in {".jsonl", ".ndjson"}
    try:
        rows = list(_jsonl(path) if is_json else _tsv(path))
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read: {error.strerror}; give a TSV or JSONL file of labelled"
            " comments"
        ) from None
    if not rows:
        raise InputError(f"{path}: holds no comments; give a file with at least one labelled one")
    return Labelled(
        texts=pa.array([row["comments"] for row in rows], pa.string()),
        gender_bias=np.array([row["contain_gender_bias"] == "True" for row in rows]),
        hate=np.array([HATE_CLASSES.index(row["hate"]) for row in rows], dtype=np.int64),
        sources=_sources(path, rows),
    )


def _sources(path: Path, rows: list[dict[str, str]]) -> tuple[str, ...] | None:
    sources = [row.get("source") for row in rows]
    if all(name is None for name in sources):
        return None
    missing = sum(not name for name in sources)
    if missing:
        raise InputError(
            f"{path}: {missing} of {len(sources)} rows have no source; give it in every row or in"
            " none"
        )
    return tuple(map(str, sources))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line numbers from 1 and lines; only a line feed ends a line."""
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE:
                raise InputError(f"{path}:{number}: the line is longer than {MAX_LINE:,} bytes")
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{path}:{number}: not UTF-8 (byte {error.start} of the line); save the file"
                    " as UTF-8"
                ) from None
            text = text.rstrip("\r\n")
            if text.strip():
                yield number, text


def _tsv(path: Path) -> Iterator[dict[str, str]]:
    header: list[str] | None = None
    for number, line in _lines(path):
        values = line.split("\t")
        if header is None:
            header = values
            _check_columns(f"{path}:{number}", header)
        elif len(values) != len(header):
            raise InputError(
                f"{path}:{number}: {len(values)} columns, the header has {len(header)}; columns"
                " are separated by one tab, and no quotes are read"
            )
        else:
            yield _checked(f"{path}:{number}", dict(zip(header, values, strict=True)))


def _jsonl(path: Path) -> Iterator[dict[str, str]]:
    for number, line in _lines(path):
        where = f"{path}:{number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{where}: not JSON; every line is one object") from None
        if not isinstance(row, dict):
            raise InputError(f"{where}: a {type(row).__name__}; every line is one object")
        _check_columns(where, list(row))
        texts = {k: str(value) if isinstance(value, bool) else value for k, value in row.items()}
        wrong = sorted(name for name, value in texts.items() if not isinstance(value, str))
        if wrong:
            raise InputError(f"{where}: {', '.join(wrong)}: must be texts")
        yield _checked(where, texts)


def _check_columns(where: str, names: list[str]) -> None:
    missing = [name for name in COLUMNS if name not in names]
    unknown = len([name for name in names if name not in (*COLUMNS, *OPTIONAL)])
    if missing or unknown or len(set(names)) != len(names):
        fault = f"missing {', '.join(missing)}" if missing else f"{unknown} unknown or given twice"
        raise InputError(
            f"{where}: columns: {fault}; allowed: {', '.join(COLUMNS)} and optionally"
            f" {', '.join(OPTIONAL)}"
        )


def _checked(where: str, row: dict[str, str]) -> dict[str, str]:
    for name, allowed in VALUES.items():
        if row[name] not in allowed:
            raise InputError(f"{where}: {name}: unknown value; allowed: {', '.join(allowed)}")
    if not row["comments"].strip():
        raise InputError(f"{where}: comments: empty; remove the row")
    try:
        row["comments"].encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{where}: comments: half a surrogate pair; mend or remove the row"
        ) from None
    return row
