"""Runs side by side: what `klue results` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.view.console import console, emit_json, say
from pipeline.core import store
from pipeline.core.errors import InputError

if TYPE_CHECKING:
    from pipeline.report.record import Report


def results(folders: Sequence[Path], out: Path | None, *, as_json: bool) -> None:
    """Print the scores of all runs below some folders; write the page if asked."""
    from pipeline.report.record import as_data

    if out is not None and out.is_file():
        raise InputError(f"--out {out}: is a file; give a folder, it may be new")
    report = _report(folders)
    page = _written(report, out) if out is not None else None
    if as_json:
        emit_json(as_data(report))
        return
    _show(as_data(report))
    say(f"page  {page}" if page is not None else "give --out DIR for the page")


def write_results(folder: Path, out: Path) -> Path:
    """Write the page of all runs below a folder; return where it is."""
    return _written(_report([folder]), out)


def _report(folders: Sequence[Path]) -> Report:
    """Return the record of the page; raises InputError where there is nothing to show."""
    from pipeline.report.results import results as report_of
    from pipeline.report.runs import Run
    from pipeline.training.runfolder import RECORD

    places = _places(folders)
    runs: list[Run] = []
    unfinished = unreadable = 0
    for place in places:
        try:
            run = _run(place)
        except InputError as error:
            unreadable += 1
            say(f"left out: {place / RECORD}: {error}")
            continue
        if run is None:
            unfinished += 1
        else:
            runs.append(run)
    if not runs:
        where = ", ".join(map(str, folders))
        there = f"{unfinished:,} have not ended, {unreadable:,} cannot be read"
        what = f"holds no run to show ({there})" if places else "holds no run"
        raise InputError(f"{where}: {what}; give a folder that klue train wrote")
    return report_of(runs, unfinished=unfinished)


def _places(folders: Sequence[Path]) -> list[Path]:
    """Return the folders of runs below some folders, each once, in the order of their paths."""
    from pipeline.training.runfolder import runs

    found: dict[Path, Path] = {}
    for folder in folders:
        if not folder.is_dir():
            what = "is a file" if folder.exists() else "no such folder"
            raise InputError(f"{folder}: {what}; give a folder that klue train wrote")
        for place in runs(folder):
            found.setdefault(place.resolve(), place)
    return [found[real] for real in sorted(found)]


def _run(place: Path) -> Any:
    """Return the run of a folder, None for one that has not ended; raises InputError."""
    from pipeline.report.runs import run_of
    from pipeline.training.runfolder import RECORD, read_record

    try:
        return run_of(read_record(place))
    except InputError as error:
        raise InputError(str(error).removeprefix(f"{place / RECORD}: ")) from None
    except RecursionError:
        raise InputError("is nested too deeply; it is no record of klue train") from None


def _written(report: Report, out: Path) -> Path:
    from pipeline.report.quality_page import page
    from pipeline.report.record import as_data

    out.mkdir(parents=True, exist_ok=True)
    store.write_text(out / "index.html", page(report))
    store.write_json(out / "results.json", as_data(report))
    return out / "index.html"


def _show(report: dict[str, Any]) -> None:
    """Print the scores of each task; the overview of all of them is as wide as a page."""
    for fact in report["facts"]:
        note = f" ({fact['note']})" if fact["note"] else ""
        console().print(f"{fact['name']:24} {fact['value']}{note}", soft_wrap=True)
    for section in report["sections"]:
        for table in section["tables"]:
            if not table["id"].startswith("overview-") and not table["id"].endswith("-runs"):
                _show_table(table)


def _show_table(table: dict[str, Any]) -> None:
    from rich.table import Table

    shown = Table(title=table["title"], title_justify="left")
    for column in table["columns"]:
        numeric = column["form"] != "text"
        shown.add_column(column["name"], justify="right" if numeric else "left", overflow="fold")
    for row in table["rows"]:
        shown.add_row(*(_cell(cell) for cell in row))
    console().print(shown)


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)
