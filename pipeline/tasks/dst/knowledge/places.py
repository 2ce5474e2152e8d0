"""Real places from a list: CSV or JSONL, with the words of Table 23's slots as columns.

이름 (name), 종류 (type) and 지역 (area) must be there; 인근 역 (nearby station), features such as
도보 가능 and whatever is asked for (평점, 입장료 ...) may be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pipeline.core.errors import InputError
from pipeline.core.io import Batch, Quarantined, guess_source, read_batches
from pipeline.tasks.dst.ground.names import (
    AREA,
    ATTRACTION,
    DATA,
    NAME,
    STATION,
    TYPE,
    word_of,
)
from pipeline.tasks.dst.ground.schema import Schema
from pipeline.tasks.dst.knowledge.network import Metro

#: The places that come with the project.
PLACES: Final = DATA / "places.csv"
RULE: Final = "dst.place@1"
_NEEDED: Final = (NAME, TYPE, AREA)
_LOST: Final = "not among the stations that the metro file serves"
#: So many reasons are told of a list without a place.
_TOLD: Final = 3


class Fault(NamedTuple):
    """A row that is no place: where, the rule it breaks, and why, without its text."""

    file: str
    line: int
    rule: str
    reason: str


def read_places(
    path: Path, schema: Schema, metro: Metro
) -> tuple[list[dict[str, str]], list[Fault]]:
    """Return the slots of each place, by id and in the order of the file, and the faulty rows.

    A place has values that the schema allows, a name that no place before it has, and a station, if
    any, that the metro serves. Raises InputError for a file that cannot be read as a whole, and for
    one without any place, with the reasons.
    """
    places: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    faults: list[Fault] = []
    for line, slots in _rows(path, schema, faults):
        if reason := _fault(slots, lines, schema, metro):
            faults.append(Fault(path.name, line, RULE, reason))
        else:
            name = slots[f"{ATTRACTION}-{NAME}"]
            places[name], lines[name] = slots, line
    faults.sort(key=lambda fault: fault.line)
    if not places:
        raise InputError(_unusable(path, faults))
    return list(places.values()), faults


def _rows(path: Path, schema: Schema, faults: list[Fault]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line and slots of each row; rows that cannot be read are added to the faults."""

    def unread(row: Quarantined) -> None:
        faults.append(Fault(path.name, row.line, row.rule, row.reason))

    columns = [word_of(slot.id) for slot in schema.of_domain(ATTRACTION)]
    try:
        source = guess_source(path, text=NAME)
        for batch in read_batches(source, quarantine=unread, columns=columns):
            yield from _of_batch(batch)
    except InputError as error:
        raise InputError(
            f"{error}\n  a list of places is a CSV or JSONL file with {', '.join(_NEEDED)} for each"
            " place; see data/dialogue/README.md"
        ) from None


def _of_batch(batch: Batch) -> Iterator[tuple[int, dict[str, str]]]:
    columns = {NAME: batch.texts, **batch.columns}
    values = {word: column.to_pylist() for word, column in columns.items()}
    for place, line in enumerate(batch.lines.to_pylist()):
        given = {word: (column[place] or "").strip() for word, column in values.items()}
        yield line, {f"{ATTRACTION}-{word}": value for word, value in given.items() if value}


def _fault(slots: Mapping[str, str], lines: Mapping[str, int], schema: Schema, metro: Metro) -> str:
    missing = [word for word in _NEEDED if not slots.get(f"{ATTRACTION}-{word}")]
    if missing:
        return f"without {', '.join(missing)}; every place needs {', '.join(_NEEDED)}"
    first = lines.get(slots[f"{ATTRACTION}-{NAME}"])
    if first is not None:
        return f"the place of line {first} has the same name; keep one of them"
    broken = [slot for slot, value in slots.items() if len(value.splitlines()) > 1]
    if broken:
        return f"{broken[0]}: holds a line break; write it on one line"
    station = slots.get(f"{ATTRACTION}-{STATION}", metro.stations[0])
    lost = [] if station in metro.stations else [f"{ATTRACTION}-{STATION}: {_LOST}"]
    return "; ".join([*lost, *schema.faults(slots)])


def _unusable(path: Path, faults: Sequence[Fault]) -> str:
    if not faults:
        return f"{path}: holds no place; give rows with the columns {', '.join(_NEEDED)}"
    reasons = Counter(fault.reason for fault in faults)
    first = {fault.reason: fault.line for fault in reversed(faults)}
    told = [
        f"  line {first[reason]}{f' and {count - 1} more' if count > 1 else ''}: {reason}"
        for reason, count in reasons.most_common(_TOLD)
    ]
    return "\n".join([f"{path}: none of its {len(faults)} rows is a place:", *told])
