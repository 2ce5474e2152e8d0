"""A file of predictions, checked as a whole before anything is scored.

    {"guid": "ynat-v1_dev_00000", "label": "사회"}

JSONL (also packed: .gz, .zst) or Parquet, in any order of rows; contracts/example.py has the forms
of `label`. Messages name file, line (Parquet: row, from 1), guid and field, and never a
text in clear.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.task import mask
from pipeline.core.errors import InputError, RecordError
from pipeline.core.io import batch, guess_source, parquet, source, streams
from pipeline.core.io.column_names import show_names
from pipeline.core.jsontext import parsed
from pipeline.core.wording import count, verb
from pipeline.scoring.scorer import Questions

#: The names that the column of guids may have, the first that is there counts.
GUIDS: Final = ("guid", "id", "item")
#: So many faults are shown one by one.
SHOWN: Final = 20
_ROWS: Final = 10_000
#: A guid that may be shown in clear though the gold does not have it; and the name of a column.
_GUID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,79}")

#: The number of a row, from 1, and its object, or what is wrong with it.
_Row = tuple[int, Mapping[str, Any] | RecordError]


class _Fault(NamedTuple):
    kind: str
    line: int | None
    reason: str


@dataclass
class Faults:
    """How many faults there are of each kind, and the first of them: a file may be all faults."""

    counts: Counter[str] = field(default_factory=Counter)
    first: list[_Fault] = field(default_factory=list)

    def add(self, kind: str, line: int | None, reason: str) -> None:
        self.counts[kind] += 1
        if len(self.first) < SHOWN:
            self.first.append(_Fault(kind, line, reason))


def read_submission(
    path: Path,
    gold: Questions,
    *,
    most: int | None = None,
    withdrawn: Collection[str] = frozenset(),
) -> list[Prediction]:
    """Return the predictions of a file, one for each example of the gold, in its order.

    The gold may be without answers: they are not looked at. Predictions for `withdrawn` guids,
    which an earlier version of it had, are passed over. Raises InputError for a file that is
    unusable as a whole or holds more than `most` bytes unpacked, and one for all faults of its
    rows: the first 20 of them, and how many there are of each kind.
    """
    parquet = source.form_of(path) == "parquet"
    row, rows = ("row", _parquet(path, gold, most)) if parquet else ("line", json_lines(path, most))
    known = {example.id: example for example in gold.examples}
    matched, faults = _match(rows, row, known, gold, withdrawn)
    if not matched and not faults.counts:
        raise InputError(f"{path}: holds no prediction; give one a line, for each example")
    for guid in known:
        if guid not in matched:
            faults.add("missing", None, f"guid {guid} has no prediction")
    if faults.counts:
        raise InputError(fault_message(path, faults, row, len(known)))
    return [matched[example.id][1] for example in gold.examples]


def bare_name(path: Path) -> str:
    """Return the name of a file without the endings that say its form."""
    whole = path.with_suffix("") if path.suffix.lower() in source.PACKED else path
    known = whole.suffix.lower() in {*source.ENDINGS, ".json"}
    return whole.stem if known else whole.name


def _match(
    rows: Iterator[_Row],
    word: str,
    known: Mapping[str, Example],
    gold: Questions,
    withdrawn: Collection[str],
) -> tuple[dict[str, tuple[int, Any]], Faults]:
    matched: dict[str, tuple[int, Any]] = {}
    faults = Faults()
    for line, row in rows:
        if isinstance(row, RecordError):
            faults.add("unreadable", line, row.reason)
            continue
        guid = _guid(line, row, known, withdrawn)
        if guid in withdrawn:
            continue
        if isinstance(guid, _Fault):
            faults.add(*guid)
        elif guid in matched:
            reason = f"guid {guid} stands here again, first in {word} {matched[guid][0]:,}"
            faults.add("double", line, reason)
        else:
            matched[guid] = line, None
            try:
                matched[guid] = line, gold.scorer.read(row, known[guid], gold.spec)
            except RecordError as fault:
                faults.add("wrong", line, f"guid {guid}: {fault.reason}")
    return matched, faults


def _guid(
    line: int, row: Mapping[str, Any], known: Mapping[str, Example], withdrawn: Collection[str]
) -> str | _Fault:
    key = next((name for name in GUIDS if name in row), None)
    guid = row[key] if key else None
    if not isinstance(guid, str):
        reason = f"`{key}` is a text, not {mask(guid)}" if key else "no `guid`"
        return _Fault("without guid", line, reason)
    if guid not in known and guid not in withdrawn:
        clear = guid if _GUID.fullmatch(guid) else f"({mask(guid)})"
        return _Fault("unknown", line, f"guid {clear} is not in the gold")
    return guid


def fault_message(path: Path, faults: Faults, row: str, wanted: int) -> str:
    """Return what is wrong with a file: how many faults of each kind, and the first of them."""
    counts = faults.counts
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    guids = f"{count(wanted, 'guid')} {verb(wanted, 'is', 'are')} wanted, each once"
    head = f"{path}: nothing is scored; {kinds}; {guids}"
    if counts["missing"] == wanted:
        head += " (none of them is there: is this the file of another task or split?)"
    lines = [
        f"\n  {path.name}{'' if fault.line is None else f' {row} {fault.line:,}'}: {fault.reason}"
        for fault in faults.first
    ]
    more = counts.total() - SHOWN
    return head + "".join(lines) + (f"\n  and {count(more, 'fault')} more" if more > 0 else "")


def json_lines(path: Path, most: int | None = None) -> Iterator[_Row]:
    """Yield the objects of a JSONL file; blank lines are left out.

    Raises InputError for one that unpacks to more than `most` bytes.
    """
    if source.form_of(path) in ("csv", "text"):
        raise InputError(f"{path}: predictions are JSONL or Parquet; give .jsonl or .parquet")
    with streams.open_text(guess_source(path, text="guid", form="jsonl"), most=most) as stream:
        for number, line in streams.read_lines(stream):
            if line is None:
                yield number, batch.too_long("line")
            elif line.strip():
                yield number, _object(line)


def _object(line: bytes) -> dict[str, Any] | RecordError:
    try:
        value = parsed(batch.decode(streams.without_end(line)), words=True)
    except RecordError as fault:
        return fault
    except json.JSONDecodeError as error:
        return batch.malformed(
            f"is not one JSON object: {error.msg} at character {error.pos + 1:,}"
        )
    except RecursionError:
        return batch.malformed("is nested too deeply")
    except ValueError as error:
        return batch.malformed(str(error))
    if not isinstance(value, dict):
        return batch.malformed(f"is {mask(value)}, not an object; give one object a line")
    return value


def _parquet(path: Path, gold: Questions, most: int | None) -> Iterator[_Row]:
    line = 0
    with parquet.open_file(path, most=most) as file:
        names = _columns(path, file.schema.names, gold)
        for rows in file.batches(names, rows=_ROWS):
            for row in rows.to_pylist():
                line += 1
                yield line, {name: value for name, value in row.items() if value is not None}


def _columns(path: Path, names: list[str], gold: Questions) -> list[str]:
    key = [name for name in GUIDS if name in names][:1]
    answers = tuple(dict.fromkeys(("label", *gold.scorer.columns)))
    there = [name for name in (*answers, "probabilities") if name in names]
    for what, of, allowed in (("guids", key, GUIDS), ("answers", there, answers)):
        if not of:
            raise InputError(
                f"{path}: has no column of {what} ({' or '.join(allowed)}); it has:"
                f" {show_names(names)}"
            )
    wanted = list(dict.fromkeys((*key, *there)))
    twice = next((name for name in wanted if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{path}: column {twice!r} is there twice; keep one")
    return wanted
