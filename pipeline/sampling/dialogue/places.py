"""Real places from a list: CSV or JSONL, with the words of Table 23's slots as columns.

이름 (name), 종류 (type) and 지역 (area) must be there; 인근 역 (nearby station), features such as
도보 가능 and whatever is asked for (평점, 입장료 ...) may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from pipeline.core import tablefile
from pipeline.core.tablefile.batch import Batch, Quarantined
from pipeline.sampling.dialogue.entry import ATTRACTION
from pipeline.sampling.dialogue.material import DATA
from pipeline.sampling.dialogue.network import Metro
from pipeline.sampling.dialogue.schema import Schema, word_of

#: The places that come with the project.
PLACES: Final = DATA / "places.csv"
NAME: Final = "이름"
STATION: Final = "인근 역"
_NEEDED: Final = (NAME, "종류", "지역")


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
    any, that the metro serves. Raises InputError for a file that cannot be read as a whole.
    """
    unread: list[Quarantined] = []
    places: dict[str, dict[str, str]] = {}
    faults: list[Fault] = []
    source = tablefile.guess(path, text=NAME)
    columns = [word_of(slot.id) for slot in schema.of_domain(ATTRACTION)]
    for batch in tablefile.batches(source, quarantine=unread.append, columns=columns):
        for line, slots in _rows(batch):
            if reason := _fault(slots, places, schema, metro):
                faults.append(Fault(path.name, line, "dst.place@1", reason))
            else:
                places[slots[f"{ATTRACTION}-{NAME}"]] = slots
    faults += [Fault(path.name, row.line, row.rule, row.reason) for row in unread]
    return list(places.values()), sorted(faults, key=lambda fault: fault.line)


def _rows(batch: Batch) -> Iterator[tuple[int, dict[str, str]]]:
    columns = {NAME: batch.texts, **batch.columns}
    values = {word: column.to_pylist() for word, column in columns.items()}
    for place, line in enumerate(batch.lines.to_pylist()):
        given = {word: (column[place] or "").strip() for word, column in values.items()}
        yield line, {f"{ATTRACTION}-{word}": value for word, value in given.items() if value}


def _fault(
    slots: Mapping[str, str], places: Mapping[str, object], schema: Schema, metro: Metro
) -> str:
    missing = [word for word in _NEEDED if not slots.get(f"{ATTRACTION}-{word}")]
    if missing:
        return f"without {', '.join(missing)}; fill it in"
    if slots[f"{ATTRACTION}-{NAME}"] in places:
        return "a place before it has the same name; keep one"
    station = slots.get(f"{ATTRACTION}-{STATION}")
    if station and station not in metro.stations:
        return f"{STATION} is not among the stations that the metro file serves"
    return "; ".join(schema.faults(slots))
