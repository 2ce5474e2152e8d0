"""What a function of the interface works in: a folder that does not stay, and a Python voice.

The commands read files and name files, lines and options. Here the caller gave tables and
parameters, so messages name those: table `votes` row 2 for the third row of a frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from klue_rebuild.tables import Data, Place, arrow_table, is_place, write_table
from pipeline.core.errors import KlueError
from pipeline.core.files import refuse

if TYPE_CHECKING:
    import pyarrow as pa

_OPTION: Final = re.compile(r"`?--([a-z]+(?:-[a-z]+)*)`?")
_PLACE: Final = re.compile(r"\b(?:line|row) ([\d,]*\d)\b")
#: Parameters that have another name than their option.
_NAMES: Final[Mapping[str, str]] = {
    "text-column": "text",
    "min-confidence": "min_confidence",
    "from": "source",
    "pred": "predictions",
    "set": "settings",
}


class Scratch:
    """A folder for the length of a call, the tables that lie in it, and what was said meanwhile."""

    def __init__(self, folder: Path, messages: list[str]) -> None:
        """Take the folder, and the list that messages are added to."""
        self.folder = folder
        self._messages = messages
        self._tables: dict[str, str] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the call said so far."""
        return tuple(map(self.in_python, self._messages))

    def file(
        self,
        data: Data,
        name: str,
        columns: Sequence[str] | None = None,
        *,
        rename: Mapping[str, str] | None = None,
        form: str = "parquet",
    ) -> Path:
        """Return the path of data: its own, or that of a table, or of some columns, written here.

        `name` is the parameter that gave it. Raises InputError as `arrow_table` does.
        """
        if is_place(data):
            return Path(data)
        table = arrow_table(data, name, columns)
        if rename:
            table = table.rename_columns([rename.get(old, old) for old in table.column_names])
        return self.table(table, name, form=form)

    def table(self, table: pa.Table, name: str, *, form: str = "parquet") -> Path:
        """Return the path of a table, written here as it is; one without rows is refused."""
        refuse(f"table `{name}`", (not table.num_rows, "has no row; give at least one"))
        path = self.folder / f"{name}.{form}"
        self._tables[path.name] = name
        return write_table(path, table)

    def in_python(self, message: str) -> str:
        """Return a message that names tables, rows from 0 and parameters."""
        lines = (self._line(line) for line in message.split("\n"))
        return _OPTION.sub(_parameter, "\n".join(lines))

    def _line(self, line: str) -> str:
        for file, name in self._tables.items():
            if file in line:
                line = line.replace(str(self.folder / file), file).replace(file, f"table `{name}`")
                line = _PLACE.sub(lambda match: f"row {int(match[1].replace(',', '')) - 1:,}", line)
        return line.replace(f"{self.folder}/", "")


def _parameter(match: re.Match[str]) -> str:
    return f"`{_NAMES.get(match[1], match[1].replace('-', '_'))}`"


@contextmanager
def scratch(*, quiet: bool = True) -> Iterator[Scratch]:
    """Give a folder and a list of messages; errors name what a caller from Python gave.

    Unless `quiet`, messages are written to standard error as they come.
    """
    from flows.view.console import collect_messages

    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="klue-")))
        messages = stack.enter_context(collect_messages()) if quiet else []
        place = Scratch(folder, messages)
        try:
            yield place
        except KlueError as error:
            error.args = tuple(map(place.in_python, error.args))
            raise


def without_none(**options: Any) -> dict[str, Any]:
    """Return the options that have a value: a command's own defaults hold for the others."""
    return {name: value for name, value in options.items() if value is not None}


def path_or_none(place: Place | None) -> Path | None:
    """Return a place as a path."""
    return None if place is None else Path(place)
