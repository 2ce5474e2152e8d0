"""Where votes stand in a table made elsewhere: which column holds what, a row a vote or an item.

Long, a row a vote: ``doc,worker,answer``. Wide, a row an item and a column an annotator:
``item,kim,lee``; an empty cell is no vote. A record of JSON is a row, its keys are columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.annotation.intake.vote import KEYS, RawVote, Refused
from pipeline.contracts.task import nfc
from pipeline.core.errors import InputError
from pipeline.core.io.column_names import show_names

#: What names whoever gave a vote, of which a wide table has several columns.
PEOPLE: Final = ("annotator", "seat")
HINT: Final = "--columns item=COLUMN,annotator=COLUMN,label=COLUMN"


@dataclass(frozen=True)
class Columns:
    """The columns of each key of a vote (in Unicode NFC); `wide` tables have a column a person.

    Several columns only of `annotator` or `seat`, and only in a wide table. There, without either,
    all columns but those of other keys are annotators. Columns of no key are not read. `asked` are
    the keys that were named; the others have the columns of their own names.
    """

    names: Mapping[str, tuple[str, ...]]
    wide: bool = False
    asked: frozenset[str] = frozenset()

    @property
    def item(self) -> str:
        """Return the column of the item."""
        return self.names["item"][0]

    def keys(self, origin: object, found: Sequence[str], *, record: bool = False) -> dict[str, str]:
        """Return what every column that is read holds: a key of votes.

        The columns of people in a wide table hold a `label`. A `record` of JSON need only have the
        item. Raises InputError for a column that is missing or there twice, naming what is there.
        """
        spelt: dict[str, list[str]] = {}
        for name in found:
            spelt.setdefault(nfc(name).strip(), []).append(name)
        keys: dict[str, str] = {}
        for key, names in self.names.items():
            for name in names:
                if record and key != "item" and name not in spelt:
                    continue
                _require(origin, key, name, spelt, found)
                keys[spelt[name][0]] = "label" if self.wide and key in PEOPLE else key
        if self.wide and not set(PEOPLE) & set(self.names):
            keys |= {name: "label" for name in found if name not in keys}
            if twice := sorted(name for name, names in spelt.items() if len(names) > 1):
                raise InputError(f"{origin}: column {twice[0]!r} is there twice; rename one")
        if "label" not in keys.values() and not record:
            raise InputError(f"{origin}: has no column of an annotator beside {self.item!r}")
        return keys

    def votes(
        self, file: str, line: int, row: Mapping[str, Any], keys: Mapping[str, str]
    ) -> Iterator[RawVote | Refused]:
        """Yield the votes of one row; a row of a wide table without any is refused."""
        cells = {name: row[name] for name in keys if _holds(row.get(name))}
        if not self.wide:
            yield RawVote(file, line, {keys[name]: cell for name, cell in cells.items()})
            return
        people = [name for name in cells if keys[name] == "label"]
        vote = {keys[name]: cell for name, cell in cells.items() if name not in people}
        who = "seat" if "seat" in self.names else "annotator"
        for name in people:
            yield RawVote(file, line, {**vote, who: name, "label": cells[name]})
        if not people:
            reason = "no column of an annotator holds a label"
            yield Refused(file, line, "vote.empty@1", reason, vote.get("item"))


def _holds(cell: Any) -> bool:
    # pandas writes a gap among numbers as NaN, the only value that differs from itself
    return cell is not None and cell != "" and cell == cell  # noqa: PLR0124


def _require(
    origin: object, key: str, name: str, spelt: Mapping[str, list[str]], found: Sequence[str]
) -> None:
    count = len(spelt.get(name, ()))
    if count != 1:
        problem = f"has {count} columns {name!r}" if count else f"has no column {name!r}"
        raise InputError(
            f"{origin}: {problem} of the {key}; it has: {show_names(found)}; name it:"
            f" --columns {key}=COLUMN"
        )


def parse_columns(text: str | None, *, wide: bool) -> Columns | None:
    """Read ``item=COLUMN,annotator=COLUMN,label=COLUMN``; None where nothing is asked.

    What is not named has its own name: item, annotator (unless `seat` is named) and label. In a
    wide table annotator (or seat) may name several columns, with | between. Raises InputError.
    """
    if text is None and not wide:
        return None
    names: dict[str, tuple[str, ...]] = {}
    for part in filter(None, (text or "").split(",")):
        key, sign, columns = (piece.strip() for piece in part.partition("="))
        several = tuple(nfc(column).strip() for column in columns.split("|"))
        fault = _fault(key, several, sign=sign, names=names, wide=wide)
        if fault:
            raise InputError(f"--columns {part.strip()!r}: {fault}")
        names[key] = several
    asked = frozenset(names)
    names.setdefault("item", ("item",))
    if not wide:
        names.setdefault("label", ("label",))
        if "seat" not in names:
            names.setdefault("annotator", ("annotator",))
    if set(PEOPLE) <= set(names):
        raise InputError("--columns: name annotator, or seat where nobody is known; not both")
    every = [column for several in names.values() for column in several]
    if twice := sorted({column for column in every if every.count(column) > 1}):
        raise InputError(f"--columns: column {twice[0]!r} is named twice; a column holds one thing")
    return Columns(names, wide, asked)


def _fault(
    key: str, columns: tuple[str, ...], *, sign: str, names: Mapping[str, object], wide: bool
) -> str:
    if not sign or not all(columns):
        return f"is not KEY=COLUMN, as in {HINT}"
    if key not in KEYS:
        return f"votes have no key {key!r}; allowed: {', '.join(KEYS)}"
    if key in names:
        return "is named twice; name each key once"
    if wide and key == "label":
        return "the labels of a wide table are its cells; leave label out"
    if len(columns) > 1 and not (wide and key in PEOPLE):
        return "names several columns; only annotator and seat may, with --wide"
    return ""
