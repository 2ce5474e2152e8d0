"""`klue store`: what a work folder holds, and the removal of what no build refers to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flows.cli.options import WORK
from flows.commands.outputs import require_folder
from flows.lineage.notes import Note, read_notes
from flows.view.console import Result, print_line, print_table
from pipeline.core import garbage, store
from pipeline.core.errors import InputError
from pipeline.core.garbage import Output
from pipeline.core.wording import count


def ls(work: Path = WORK) -> Result:
    """Return the builds and outputs of a work folder, and which builds refer to which.

    Raises InputError for what is no work folder, StoreError for a damaged note of a build.
    """
    notes, found = _contents(work)
    sizes = garbage.sizes(found)
    rows = [
        _row(output, size) | {"time": _time(output.time), "builds": _builds(output, notes)}
        for output, size in zip(found, sizes, strict=True)
    ]
    builds = [
        {
            "build": note.build,
            "finished": note.finished,
            "time": _time(note.time),
            "outputs": len(own),
            "bytes": sum(garbage.sizes(own)),
        }
        for note in notes
        for own in [[output for output in found if output.final in note.folders]]
    ]
    unused = sum(row["bytes"] for row in rows if not row["builds"])
    total = {"work": str(work), "bytes": sum(sizes), "unused_bytes": unused}
    return total | {"builds": builds, "outputs": rows}, _show_list


def gc(work: Path = WORK, *, dry_run: bool = False) -> Result:
    """Remove the outputs that no build refers to; returns which, and the bytes that are free then.

    Raises InputError for what is no work folder or has no build, StoreError for a damaged note and
    while a run uses the folder.
    """
    if dry_run:
        return _collect(work, dry_run=True)
    _contents(work)
    with store.lock(work):
        return _collect(work, dry_run=False)


def _collect(work: Path, *, dry_run: bool) -> Result:
    notes, found = _contents(work)
    if not notes:
        raise InputError(
            f"{work}: holds no note of a build, so nothing tells what is still needed; run `klue"
            " build BUILD.yaml` first"
        )
    sizes = dict(zip((o.folder for o in found), garbage.sizes(found), strict=True))
    unused = [output for output in found if not _builds(output, notes)]
    if not dry_run:
        garbage.remove(work, unused)
    removed = [_row(output, sizes[output.folder]) for output in unused]
    record = {
        "work": str(work),
        "dry_run": dry_run,
        "removed": removed,
        "bytes": sum(row["bytes"] for row in removed),
        "kept": len(found) - len(unused),
    }
    return record, _show_removal


def _contents(work: Path) -> tuple[list[Note], list[Output]]:
    """Return the notes of builds, and all outputs: those first that builds refer to.

    Outputs are listed before notes are read: a run notes what it needs before it writes it.
    """
    require_folder(work, "the work folder of a build")
    if not (work / "store").is_dir():
        raise InputError(f"{work}: is no work folder: it has no store; give the --work of a build")
    found = garbage.outputs(work)
    notes = list(read_notes(work))
    return notes, sorted(found, key=lambda output: not _builds(output, notes))


def _builds(output: Output, notes: Sequence[Note]) -> list[str]:
    return sorted({note.build for note in notes if output.final in note.folders})


def _row(output: Output, size: int) -> dict[str, Any]:
    return {
        "stage": output.stage,
        "source": output.source,
        "folder": output.folder.name,
        "finished": output.finished,
        "bytes": size,
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _show_list(record: dict[str, Any]) -> None:
    builds = [
        (row["build"], "yes" if row["finished"] else "no", row["time"], *_sums(row))
        for row in record["builds"]
    ]
    print_table(
        "Builds",
        ("build", "finished", "last run", "outputs", "MB"),
        builds,
        left=("finished", "last run"),
    )
    rows = [
        (row["stage"], row["source"], row["folder"], row["time"], _megabytes(row["bytes"]), by)
        for row in sorted(record["outputs"], key=lambda row: (row["source"], row["time"]))
        for by in [", ".join(row["builds"]) or "no build"]
    ]
    print_table(
        "Outputs",
        ("stage", "source", "folder", "written", "MB", "used by"),
        rows,
        left=("source", "folder", "written", "used by"),
    )
    print_line(
        f"{_megabytes(record['bytes'])} MB, of which {_megabytes(record['unused_bytes'])} MB no"
        " build refers to: klue store gc"
    )


def _show_removal(record: dict[str, Any]) -> None:
    rows = [
        (row["stage"], row["source"], row["folder"], _megabytes(row["bytes"]))
        for row in record["removed"]
    ]
    print_table("", ("stage", "source", "folder", "MB"), rows, left=("source", "folder"))
    deed = "would free" if record["dry_run"] else "freed"
    print_line(
        f"{deed} {_megabytes(record['bytes'])} MB: {count(len(rows), 'output')} that no build"
        " refers to;"
        f" {record['kept']:,} kept"
    )


def _sums(row: dict[str, Any]) -> tuple[str, str]:
    return f"{row['outputs']:,}", _megabytes(row["bytes"])


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f}"
