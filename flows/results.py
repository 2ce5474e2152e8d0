"""Runs side by side: what `klue results` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flows.console import console, emit_json, say
from pipeline.core import store
from pipeline.core.errors import InputError


def results(folders: Sequence[Path], out: Path | None, *, as_json: bool) -> None:
    """Print the scores of all runs below some folders; write the page if asked."""
    from pipeline.report.record import as_data
    from pipeline.report.results import results as record_of

    found = [record for folder in folders for record in _records(folder)]
    if not found:
        raise InputError(f"{folders[0]}: holds no run; give a folder that klue train wrote")
    report = as_data(record_of(found))
    page = _written(found, out) if out is not None else None
    if as_json:
        emit_json(report)
        return
    for section in report["sections"]:
        for table in section["tables"]:
            if not table["id"].endswith("-runs"):
                _show(table)
    say(f"page  {page}" if page is not None else "give --out DIR for the page")


def write_results(folder: Path, out: Path) -> Path:
    """Write the page of all runs below a folder; return where it is."""
    return _written(_records(folder), out)


def _records(folder: Path) -> list[dict[str, Any]]:
    from pipeline.baseline.runfolder import read_record, runs

    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give one that klue train wrote")
    return [read_record(one) for one in runs(folder)]


def _written(found: Sequence[dict[str, Any]], out: Path) -> Path:
    from pipeline.report.quality_page import page
    from pipeline.report.record import as_data
    from pipeline.report.results import results as record_of

    if out.is_file():
        raise InputError(f"--out {out}: is a file; give a folder, it may be new")
    report = record_of(found)
    out.mkdir(parents=True, exist_ok=True)
    store.write_text(out / "index.html", page(report))
    store.write_json(out / "results.json", as_data(report))
    return out / "index.html"


def _show(table: dict[str, Any]) -> None:
    from rich.table import Table

    shown = Table(title=table["title"], title_justify="left")
    for column in table["columns"]:
        numeric = column["form"] != "text"
        shown.add_column(column["name"], justify="right" if numeric else "left")
    for row in table["rows"]:
        shown.add_row(*(_cell(cell) for cell in row))
    console().print(shown)


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)
