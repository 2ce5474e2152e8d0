"""Patches as lines of JSON, which a person can read, edit and review.

    {"guid": "...", "field": "answers.answer_start.0", "old": 517, "new": 525, "reason": "...",
     "source": "errata.offset@1"}

`field` is a column of the release; dots lead into objects and lists, by key and by number from 0.
The field `split` with `new` null removes the example. JSON and not CSV, since values are numbers,
lists and nulls as often as texts, and a line is one decision in any version control.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.files import read_text, refuse
from pipeline.core.jsontext import canonical, parsed
from pipeline.release.tables import Row

#: The field whose patch removes an example.
SPLIT: Final = "split"
KEYS: Final = ("guid", "field", "old", "new", "reason", "source")
_TEXTS: Final = ("guid", "field", "reason", "source")


class Finding(NamedTuple):
    """A fault of a row that its other columns prove, and the value that is proposed."""

    rule: str
    field: str
    old: Any
    new: Any
    reason: str


@dataclass(frozen=True)
class Patch:
    """A change of one value of one example; `source` says who found it, `line` where it stands."""

    guid: str
    field: str
    old: Any
    new: Any
    reason: str
    source: str
    line: int = 0

    @property
    def removes(self) -> bool:
        """Tell whether it takes the example out."""
        return self.field == SPLIT

    def refuse(self, file: Path, problem: str) -> InputError:
        """Return the error of this patch, with its place."""
        return InputError(f"{file}:{self.line}: {self.guid}, field {self.field!r}: {problem}")


def write_patches(patches: Iterable[Patch], path: Path) -> None:
    """Write patches, a line each."""
    records = ({key: asdict(patch)[key] for key in KEYS} for patch in patches)
    lines = (json.dumps(record, ensure_ascii=False) for record in records)
    store.write_text(path, "".join(f"{line}\n" for line in lines))


def read_patches(path: Path) -> list[Patch]:
    """Read patches; empty lines are none.

    Raises InputError with file and line for a line of another form, and for two patches of one
    value.
    """
    text = read_text(path, "a file of patches, as klue errata find writes it")
    lines = enumerate(text.split("\n"), start=1)
    patches = [_patch(line, f"{path}:{number}", number) for number, line in lines if line.strip()]
    refuse(path, (not patches, "holds no patch; give a file as klue errata find writes it"))
    by_guid: dict[str, list[Patch]] = {}
    for patch in patches:
        for other in by_guid.setdefault(patch.guid, []):
            if _overlap(patch, other):
                how = "repeats" if patch.new == other.new else "disagrees with"
                raise patch.refuse(path, f"{how} the patch of line {other.line}; keep one")
        by_guid[patch.guid].append(patch)
    return patches


def _patch(line: str, place: str, number: int) -> Patch:
    try:
        record = parsed(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: no line of JSON ({error}); a patch is one object") from None
    is_object = isinstance(record, dict)
    refuse(place, (not is_object or set(record) != set(KEYS), f"a patch has {', '.join(KEYS)}"))
    blank = [key for key in _TEXTS if not (isinstance(record[key], str) and record[key].strip())]
    refuse(
        place,
        (blank, f"{', '.join(blank)} must be a text that is not empty"),
        (
            record["field"] == SPLIT and record["new"] is not None,
            "the field `split` can only become null, which removes the example",
        ),
        (canonical(record["old"]) == canonical(record["new"]), "old and new are the same value"),
    )
    return Patch(**record, line=number)


def _overlap(patch: Patch, other: Patch) -> bool:
    """Tell whether two patches of an example are about one value, or one inside the other."""
    mine, theirs = (f"{each.field}." for each in (patch, other))
    whole = patch.removes or other.removes
    return whole or mine.startswith(theirs) or theirs.startswith(mine)


def value_at(row: Mapping[str, Any], field: str) -> Any:
    """Return the value of a field of a row; raises LookupError where there is none."""
    value: Any = row
    for part in field.split("."):
        if isinstance(value, list) and part.isascii() and part.isdigit():
            value = value[int(part)]
        elif isinstance(value, Mapping):
            value = value[part]
        else:
            raise LookupError(part)
    return value


def with_value(row: Row, field: str, new: Any) -> Row:
    """Return a row with another value in a field that it has."""
    result: Row = json.loads(json.dumps(row))
    *path, last = field.split(".")
    holder: Any = value_at(result, ".".join(path)) if path else result
    holder[int(last) if isinstance(holder, list) else last] = new
    return result
