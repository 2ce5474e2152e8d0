"""What `klue leaderboard publish` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.leaderboard.publishing import publish_board
from flows.view.console import Result, from_here, print_line
from pipeline.core.wording import count


def publish(folder: Path, out: Path) -> Result:
    """Write a board as a static site; return where it is and what it holds."""
    site, files = publish_board(folder, out)
    first = site.snapshots[0]
    record = {
        "out": str(out),
        "page": str(out / "index.html"),
        "files": files,
        "version": first.version.number if first.version else None,
        "part": first.part,
        "entries": len(first.entries),
    }
    return record, _show


def _show(record: dict[str, Any]) -> None:
    entries = count(record["entries"], "entry", "entries")
    print_line(f"{count(record['files'], 'file')}; {entries} on the front page")
    print_line(f"open {from_here(Path(record['page']))}")
