"""Which column of an input feeds which field of a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pipeline.core.errors import InputError
from pipeline.corpus.readers.base import Options

#: How much of a header an error shows: columns, and characters of each.
_SHOWN: Final = 12
_LONGEST: Final = 30


@dataclass(frozen=True)
class Columns:
    """The columns a reader wants, from the project's names to the input's.

    `required` must be in the input; `optional` is used where the input has it.
    """

    required: dict[str, str]
    optional: dict[str, str] = field(default_factory=dict)

    def under(self, options: Options) -> Columns:
        """Return these columns with those that the options name in their place, as required."""
        required = {**self.required, **options.columns}
        optional = {n: c for n, c in self.optional.items() if n not in options.columns}
        return Columns(required, optional)

    def names(self) -> dict[str, str]:
        """Return all columns by the project's names."""
        return {**self.optional, **self.required}

    def find(self, path: Path, header: Sequence[str], *, hint: str = "") -> dict[str, int]:
        """Return the place of every wanted column in a header.

        Raises InputError that shows the columns found, masked where they may be data, and says
        which option to set; `hint` ends it.
        """
        absent = [f"{c!r} (for {n})" for n, c in self.required.items() if c not in header]
        if absent:
            found = ", ".join(map(_masked, header[:_SHOWN]))
            found += ", ..." if len(header) > _SHOWN else ""
            raise InputError(
                f"{path}: has no column {', '.join(absent)}; found: {found}; set `columns` of the"
                f" source to the names in this file{hint}"
            )
        wanted = {n: c for n, c in self.names().items() if c in header}
        twice = sorted({c for c in wanted.values() if header.count(c) > 1})
        if twice:
            raise InputError(f"{path}: column {twice[0]!r} is there twice; rename one")
        return {name: header.index(column) for name, column in wanted.items()}

    def at(self, path: Path, width: int) -> dict[str, int]:
        """Return the place of every required column of an input without header."""
        places = {n: int(c) if c.isdecimal() else -1 for n, c in self.required.items()}
        wrong = [f"{self.required[n]!r} (for {n})" for n, p in places.items() if not 0 <= p < width]
        if wrong:
            raise InputError(
                f"{path}: without header, `columns` takes numbers from 0 to {width - 1}; given:"
                f" {', '.join(wrong)}"
            )
        return places

    def pick(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return the wanted fields of one object by the project's names; absent ones stay absent.

        An absent required key is present as None, so that it is missed.
        """
        picked = {n: values[c] for n, c in self.names().items() if c in values}
        if "key" in self.required:
            picked.setdefault("key", None)
        return picked


def _masked(name: str) -> str:
    """Return a column's name for an error: in a file without header, it is a cell with data."""
    if name.isascii() and "@" not in name and not any(map(str.isdigit, name)):
        return repr(name[:_LONGEST])
    return repr(name[:1] + "*" * (min(len(name), _LONGEST) - 1))
