"""Reads the scores of one version from a file: CSV, TSV, JSONL or Parquet.

    system,tc.macro_f1,nli.accuracy          a table of scores, a column for each metric
    guid,KLUE-BERT,KLUE-RoBERTa              systems x examples, a column for each system
    guid,system,metric,score                 the same, a row for each score (metric may be absent)

Files are told apart by their columns. An empty cell, "-", "n/a" and "nan" are missing scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from pipeline.core.errors import InputError
from pipeline.core.io import Quarantined, delimited, guess_source, jsonl, parquet, read_batches
from pipeline.core.io.column_names import show_names
from pipeline.core.io.source import Source, require_filled
from pipeline.core.io.streams import open_text, read_lines
from pipeline.scoring.submission import GUIDS
from pipeline.scoring.versions.scores import PLAIN, Column, Examples, Scores

#: Names of the columns: of systems, of examples, of a metric and of a score in long tables.
SYSTEM: Final = ("system", "model")
EXAMPLE: Final = (*GUIDS, "example")
METRIC: Final = ("metric", "task")
_MISSING: Final = frozenset({"", "-", "n/a", "na", "nan", "null", "none"})
#: A row: its line and its cells by column.
_Row = tuple[int, Mapping[str, Any]]


def read_scores(path: Path, name: str) -> Scores:
    """Return the scores of a file under a name.

    Raises InputError for a file that cannot be read, has none of the forms above, names a system or
    an example twice, or holds a score that is no number.
    """
    require_filled(path)
    names, rows = _open(path)
    twice = next((column for column in names if names.count(column) > 1), None)
    if twice is not None:
        raise InputError(f"{path}: column {twice!r} is there twice; keep one")
    system, example = (_first(names, known) for known in (SYSTEM, EXAMPLE))
    if example is not None and system is not None:
        return _long(path, name, rows, (example, system, _first(names, METRIC)))
    if example is not None:
        return _wide(path, name, rows, example)
    if system is not None:
        return _table(path, name, rows, system)
    raise InputError(
        f"{path}: has no column of systems ({' or '.join(SYSTEM)}) and none of examples"
        f" ({', '.join(EXAMPLE)}); it has: {show_names(names)}; rename the one that it is"
    )


def _first(names: list[str], known: tuple[str, ...]) -> str | None:
    return next((name for name in known if name in names), None)


def _open(path: Path) -> tuple[list[str], Iterator[_Row]]:
    source = guess_source(path)
    if source.form == "text":
        raise InputError(
            f"{path}: plain text holds no scores; allowed: .csv, .tsv, .jsonl, .parquet"
        )
    if source.form == "csv":
        return _open_csv(source)
    if source.form == "parquet":
        with parquet.open_file(path) as file:
            names = list(file.schema.names)
        return names, _parquet_rows(path)
    rows = jsonl.read_objects(path)
    first = next(rows, None)
    if first is None:
        raise InputError(f"{path}: holds no row; give one for each system or example")
    return list(first[1]), chain([first], rows)


def _open_csv(source: Source) -> tuple[list[str], Iterator[_Row]]:
    with open_text(source) as stream:
        header = next(iter(delimited.Rows(source, read_lines(stream))), None)
    if header is None or header.fault:
        reason = header.fault.reason if header and header.fault else "is empty"
        raise InputError(f"{source.path}: the header cannot be read: {reason}")
    return header.values, _csv_rows(source, header.values)


def _csv_rows(source: Source, names: list[str]) -> Iterator[_Row]:
    bad: list[Quarantined] = []
    first, *others = names
    for part in read_batches(replace(source, text=first), columns=others, quarantine=bad.append):
        _refuse(source.path, bad)
        cells = [part.texts.to_pylist(), *(part.columns[name].to_pylist() for name in others)]
        for line, *values in zip(part.lines.to_pylist(), *cells, strict=True):
            yield line, dict(zip(names, values, strict=True))
    _refuse(source.path, bad)


def _refuse(path: Path, bad: list[Quarantined]) -> None:
    if bad:
        raise InputError(f"{path}:{bad[0].line}: {bad[0].reason}; correct the row")


def _parquet_rows(path: Path) -> Iterator[_Row]:
    with parquet.open_file(path) as file:
        rows = (batch.to_pylist() for batch in file.batches(list(file.schema.names), rows=10_000))
        yield from enumerate(chain.from_iterable(rows), start=1)


def _table(path: Path, name: str, rows: Iterator[_Row], system: str) -> Scores:
    lines = list(rows)
    systems = tuple(_name(path, line, row.get(system), system) for line, row in lines)
    columns = {}
    for metric in dict.fromkeys(key for _, row in lines for key in row if key != system):
        cells = [(line, row.get(metric)) for line, row in lines]
        if any(_is_number(cell) for _, cell in cells):
            numbers = [_score(path, line, cell, metric) for line, cell in cells]
            columns[metric] = Column(np.asarray(numbers, dtype=np.float64))
    return Scores(name, systems, columns)


def _wide(path: Path, name: str, rows: Iterator[_Row], example: str) -> Scores:
    scores: dict[str, dict[str, float]] = {}
    ids: dict[str, int] = {}
    for line, row in rows:
        guid = _new(path, line, _name(path, line, row.get(example), example), ids)
        for system, cell in row.items():
            if system != example:
                scores.setdefault(system, {})[guid] = _score(path, line, cell, system)
    numeric = {s: of for s, of in scores.items() if any(math.isfinite(x) for x in of.values())}
    return _scores(path, name, {PLAIN: numeric})


def _long(
    path: Path, name: str, rows: Iterator[_Row], columns: tuple[str, str, str | None]
) -> Scores:
    example, system, metric = columns
    scores: dict[str, dict[str, dict[str, float]]] = {}
    for line, row in rows:
        guid, who = (_name(path, line, row.get(column), column) for column in (example, system))
        what = _name(path, line, row.get(metric), metric) if metric else PLAIN
        if PLAIN not in row:
            raise InputError(
                f"{path}:{line}: has no column {PLAIN!r}; it has: {show_names(row)}; give"
                " the score of each example there"
            )
        _new(path, line, guid, scores.setdefault(what, {}).setdefault(who, {}))
        scores[what][who][guid] = _score(path, line, row[PLAIN], PLAIN)
    return _scores(path, name, scores)


def _new(path: Path, line: int, guid: str, seen: dict[str, Any]) -> str:
    if guid in seen:
        raise InputError(f"{path}:{line}: example {guid!r} is there twice; keep one score of it")
    seen[guid] = line
    return guid


def _scores(
    path: Path, name: str, scores: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> Scores:
    """Return scores by metric, system and example; each system of a metric has every example."""
    systems = tuple(dict.fromkeys(system for of in scores.values() for system in of))
    columns = {}
    for metric, of in scores.items():
        ids = tuple(sorted({guid for cells in of.values() for guid in cells}))
        for system, cells in of.items():
            missing = sum(not math.isfinite(cells.get(guid, math.nan)) for guid in ids)
            if missing:
                raise InputError(
                    f"{path}: system {system!r} lacks a score on {missing:,} of {len(ids):,}"
                    f" examples of {metric}; give a score of every example, or leave it out"
                )
        columns[metric] = _column(systems, ids, of)
    return Scores(name, systems, columns)


def _column(
    systems: tuple[str, ...], ids: tuple[str, ...], of: Mapping[str, Mapping[str, float]]
) -> Column:
    cells = np.full((len(systems), len(ids)), np.nan)
    for row, system in enumerate(systems):
        if system in of:
            cells[row] = [of[system][guid] for guid in ids]
    return Column(cells.mean(axis=1) if ids else cells.sum(axis=1), Examples(ids, cells))


def _name(path: Path, line: int, cell: Any, column: str) -> str:
    if not isinstance(cell, str | int) or not str(cell).strip():
        raise InputError(f"{path}:{line}: no {column}; give its name in column {column!r}")
    return str(cell).strip()


def _is_number(cell: Any) -> bool:
    try:
        return cell is not None and math.isfinite(float(cell))
    except (TypeError, ValueError):
        return False


def _score(path: Path, line: int, cell: Any, column: str) -> float:
    """Return a score; NaN for a missing one."""
    if cell is None or (isinstance(cell, str) and cell.strip().casefold() in _MISSING):
        return math.nan
    if isinstance(cell, float) and math.isnan(cell):
        return math.nan
    if not _is_number(cell):
        raise InputError(
            f"{path}:{line}: column {column!r} holds no finite number; give one, or leave the cell"
            " empty where the system has no score"
        )
    return float(cell)
