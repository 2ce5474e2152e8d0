"""A board at work: `klue leaderboard serve`, `rescore` and `close`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.leaderboard.closing import close as close_board
from flows.leaderboard.creation import require_board
from flows.leaderboard.rescoring import rescore as rescore_board
from flows.leaderboard.serving import Address
from flows.leaderboard.serving import serve as serve_board
from flows.view.console import Result, print_line
from pipeline.core.wording import count
from pipeline.leaderboard.records import Version


def serve(
    folder: Path,
    *,
    host: str,
    port: int,
    web_user: str | None = None,
    scorer_user: str | None = None,
) -> Result:
    """Serve a board until the process is told to end, or one of its processes ends."""
    require_board(folder)
    serve_board(folder, Address(host, port), web_user=web_user, scorer_user=scorer_user)
    return {"board": str(folder)}, _show_nothing


def rescore(folder: Path, *, reason: str, release: Path | None = None) -> Result:
    """Score all submissions again; return the new version and how many were scored."""
    require_board(folder)
    version, count = rescore_board(folder, release=release, reason=reason)
    return {**_record(folder, version), "submissions": count}, _show_version


def close(folder: Path) -> Result:
    """Close a board; return its version and how many entries have final scores."""
    require_board(folder)
    version, count = close_board(folder)
    return {**_record(folder, version), "submissions": count}, _show_closed


def _record(folder: Path, version: Version) -> dict[str, Any]:
    return {
        "board": str(folder),
        "version": version.number,
        "release": f"{version.release_name} {version.release_version}",
        "release_hash": version.release_hash,
        "scorer_version": version.scorer_version,
        "closed_at": version.closed_at,
    }


def _show_nothing(record: dict[str, Any]) -> None:
    """Print nothing: a server says what it does while it runs."""


def _show_version(record: dict[str, Any]) -> None:
    print_line(
        f"version  {record['version']}: {count(record['submissions'], 'submission')} scored again"
    )
    print_line(f"release  {record['release']} ({record['release_hash'][:12]})")
    print_line(f"scorer   {record['scorer_version'][:12]}")


def _show_closed(record: dict[str, Any]) -> None:
    print_line(f"closed   version {record['version']} of {record['board']}")
    print_line(
        f"final    {count(record['submissions'], 'entry', 'entries')} scored on the hidden half"
    )
