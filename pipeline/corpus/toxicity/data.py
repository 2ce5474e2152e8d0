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

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pipeline.core.errors import InputError
from pipeline.core.io.jsonl import read_objects
from pipeline.core.io.streams import read_text_lines

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


def read_labelled(path: Path) -> Labelled:
    """Read labelled comments: JSONL if the name ends in .jsonl or .ndjson, else TSV.

    Raises InputError with ``file:line`` for a column or a value that is not as listed above, and
    for a file that is missing, empty or not UTF-8. No message holds a text.
    """
    is_json = path.suffix.lower() in {".jsonl", ".ndjson"}
    rows = list(_read_jsonl(path) if is_json else _read_tsv(path))
    if not rows:
        raise InputError(f"{path}: holds no comments; give a file with at least one labelled one")
    has_sources = any("source" in row for row in rows)
    if has_sources and (missing := sum(not row.get("source") for row in rows)):
        raise InputError(
            f"{path}: {missing} of {len(rows)} rows have no source; give it in every row or in none"
        )
    return Labelled(
        texts=pa.array([row["comments"] for row in rows], pa.string()),
        gender_bias=np.array([row["contain_gender_bias"] == "True" for row in rows]),
        hate=np.array([HATE_CLASSES.index(row["hate"]) for row in rows], dtype=np.int64),
        sources=tuple(row["source"] for row in rows) if has_sources else None,
    )


def _read_tsv(path: Path) -> Iterator[dict[str, str]]:
    header: list[str] = []
    for number, line in read_text_lines(path, MAX_LINE):
        values = line.split("\t")
        if not header:
            header = values
            _check_columns(f"{path}:{number}", header)
        elif len(values) != len(header):
            raise InputError(
                f"{path}:{number}: {len(values)} columns, the header has {len(header)}; columns"
                " are separated by one tab, and no quotes are read"
            )
        else:
            row = dict(zip(header, values, strict=True))
            _check_values(f"{path}:{number}", row)
            yield row


def _read_jsonl(path: Path) -> Iterator[dict[str, str]]:
    for number, values in read_objects(path, MAX_LINE):
        where = f"{path}:{number}"
        _check_columns(where, list(values))
        row = {name: str(v) if isinstance(v, bool) else v for name, v in values.items()}
        wrong = sorted(name for name, value in row.items() if not isinstance(value, str))
        if wrong:
            raise InputError(f"{where}: {', '.join(wrong)}: must be texts")
        _check_values(where, row)
        yield row


def _check_columns(where: str, names: list[str]) -> None:
    missing = [name for name in COLUMNS if name not in names]
    unknown = len([name for name in names if name not in (*COLUMNS, *OPTIONAL)])
    if missing or unknown or len(set(names)) != len(names):
        fault = f"missing {', '.join(missing)}" if missing else f"{unknown} unknown or given twice"
        raise InputError(
            f"{where}: columns: {fault}; allowed: {', '.join(COLUMNS)} and optionally"
            f" {', '.join(OPTIONAL)}"
        )


def _check_values(where: str, row: dict[str, str]) -> None:
    for name, allowed in VALUES.items():
        if row[name] not in allowed:
            raise InputError(f"{where}: {name}: unknown value; allowed: {', '.join(allowed)}")
    if not row["comments"].strip():
        raise InputError(f"{where}: comments: empty; remove the row")
    if any("\ud800" <= letter <= "\udfff" for letter in row["comments"]):
        raise InputError(f"{where}: comments: half a surrogate pair; mend or remove the row")
