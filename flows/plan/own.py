"""Files of one's own to the inputs of a build file: what is there, which column has the texts."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.io.archives import ARCHIVES
from pipeline.core.io.column_names import other_separator, show_name, show_names
from pipeline.core.wording import count, verb
from pipeline.corpus.readers import heads, rows
from pipeline.corpus.readers.base import Options
from pipeline.corpus.readers.files import TABLES, named_files

#: More files of one folder than this become one input with a pattern.
_MANY: Final = 20
#: Files whose columns are read before a build begins.
_LOOK: Final = 200
#: Files whose names are told.
_SHOWN: Final = 5
_GLOB: Final = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Input:
    """One input of the build file: a file, or the files of a folder that match a pattern."""

    path: Path
    pattern: str
    files: list[tuple[str, Path]]
    column: str | None = None

    @property
    def forms(self) -> Counter[str]:
        """Return how many files there are of each form that can be read."""
        return Counter(form for name, _ in self.files if (form := _form(name)))


def find_inputs(names: tuple[str, ...], out: Path | None = None) -> Iterator[Input]:
    """Yield the inputs that files, folders and globs stand for.

    Raises InputError for what is not there, may not be read, holds nothing that can be read, or
    holds `out`.
    """
    single: dict[Path, list[Path]] = {}
    for name in names:
        path = Path(name).expanduser().absolute()
        glob = _GLOB.search(str(path))
        if path.is_dir():
            if out and out.absolute().is_relative_to(path):
                raise InputError(f"--out {out}: lies in the input {name}; give a folder elsewhere")
            yield _input(path, "")
        elif path.exists():
            refuse(name, (not path.is_file(), "is a device or pipe; write it to a file first"))
            single.setdefault(path.parent, []).append(path)
        elif glob is not None:
            root = Path(str(path)[: glob.start()] + "x").parent
            if out and _finds(str(path.relative_to(root)), out.absolute(), root):
                raise InputError(f"--out {out}: {name} reads it too; give a folder elsewhere")
            yield _input(root, str(path.relative_to(root)))
        else:
            raise InputError(f"{name}: does not exist; give files, folders or globs")
    for folder, paths in single.items():
        if len(paths) <= _MANY:
            yield from (_input(path, "") for path in dict.fromkeys(paths))
            continue
        patterns = [f"*{''.join(paths[0].suffixes)}", f"*{paths[0].suffix}", "*"]
        wanted = {path for path in paths if not path.is_dir()}
        fitting = (p for p in patterns if {x for x in folder.glob(p) if x.is_file()} == wanted)
        pattern = next(fitting, None)
        if pattern is None:
            raise InputError(
                f"{folder}: {len(paths):,} of its files are named one by one; give the folder, or a"
                " glob in quotes such as '*.txt'"
            )
        yield _input(folder, pattern)


def _finds(pattern: str, out: Path, root: Path) -> bool:
    """Tell whether a glob below `root` finds what is written into `out`."""
    files = (out / f"x{form}" for form in (".jsonl", ".json", ".parquet"))
    return "/" in pattern and out.is_relative_to(root) and any(x.match(pattern) for x in files)


def _form(name: str) -> str | None:
    """Return the ending that says the form of a file, or None for one that cannot be read."""
    form = next((e for e in ARCHIVES if name.lower().endswith(e)), rows.ending(name))
    return form if form in (".txt", *TABLES, *ARCHIVES) else None


def _input(path: Path, pattern: str) -> Input:
    result = Input(path, pattern, named_files(path, pattern))
    there = (file for name, file in result.files if _form(name) and file.exists())
    closed = next((file for file in there if not os.access(file, os.R_OK)), None)
    refuse(closed, (closed, "may not be read by this user; change its permissions"))
    if not result.forms:
        endings = sorted({Path(name).suffix or "none" for name, _ in result.files})
        raise InputError(
            f"{path / pattern}: holds nothing that can be read; endings there:"
            f" {', '.join(endings[:10])}; allowed: {', '.join(('.txt', *TABLES, *ARCHIVES))}"
        )
    return result


def with_column(source: Input, wanted: str | None, options: Options) -> tuple[Input, str]:
    """Return an input with its column of texts, and what is to be said of it.

    Raises InputError that lists the columns where none has the wanted name or a usual one.
    """
    found_in, faults = dict[str, list[str]](), list[str]()
    for name, path in source.files[:_LOOK]:
        try:
            found_in[name] = heads.columns_of(name, path, options)
        except InputError as error:
            faults.append(str(error))
    if len(faults) == len(source.files):
        raise InputError(faults[0])
    tables = {name: columns for name, columns in found_in.items() if columns}
    if not tables:
        return source, ""
    column = wanted or heads.text_column(tables.values())
    lacking = [name for name, columns in tables.items() if column not in columns]
    if column is None or len(lacking) == len(tables):
        raise InputError(f"{source.path}: {_no_column(column, tables, options)}")
    is_name = column == wanted or column.strip().lower() in heads.NAMES
    shown = repr(column) if is_name else show_name(column, 1)
    remark = f"text from column {shown}"
    if lacking:
        names = ", ".join(lacking[:_SHOWN]) + ", ..." * (len(lacking) > _SHOWN)
        lack = verb(len(lacking), "lacks it and is", "lack it and are")
        remark += f"; {count(len(lacking), 'file')} {lack} set aside: {names}"
    return replace(source, column=column), remark


def _no_column(wanted: str | None, tables: Mapping[str, list[str]], options: Options) -> str:
    problem = f"has no column {wanted!r}" if wanted else "does not tell which column has the texts"
    has_rows = any(rows.ending(name) in (".csv", ".tsv") for name in tables)
    first, seen = next(iter(tables.items()))
    if has_rows and not options.header:
        return f"{problem}; without header, give --text-column, from 0 to {len(seen) - 1}"
    has = f"{first} has" if len(tables) > 1 else "it has"
    mark = other_separator(seen)
    return (
        f"{problem}; {has}: {show_names(seen)}; give --text-column NAME"
        + f"; the columns look separated by {mark!r}: save the file with commas" * bool(mark)
        + "; for files without header --no-header, and a number from 0" * has_rows
    )
