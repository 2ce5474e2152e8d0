"""What a run leaves in Prefect for people: a table of each stage, a summary of each flow, bars."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast
from urllib.parse import quote
from uuid import UUID

from prefect import get_run_logger
from prefect.artifacts import (
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)

from flows.view.funnel import manifest
from pipeline.core.running import expected_work
from pipeline.core.stage import Call
from pipeline.core.wording import count

#: Seconds of a stage without a bar, and between two states of one.
_INTERVAL: Final = 2.0
#: What the log says of a stage beside rows in and out, where it is not zero.
_COUNTS: Final = ("edited", "dropped", "quarantined")


def key_of(*words: str) -> str:
    """Return the key of an artifact: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def leave_counts(call: Call, seconds: float, title: str) -> None:
    """Leave a table of a finished call, its rows in, out and by rule, and a line in the log.

    `title` names the build: a key has a history, which builds must not share.
    """
    counts = manifest(call).counts
    rows: list[tuple[str, int | float]] = [
        ("rows in", counts.rows_in),
        ("rows out", counts.rows_out),
    ]
    for action, rules in sorted(counts.rules.items()):
        rows += [(f"{action} {rule}", n) for rule, n in sorted(rules.items())]
    rows.append(("seconds", round(seconds, 2)))
    create_table_artifact(
        [{"what": what, "number": number} for what, number in rows],
        key=key_of(title, call.stage, call.source),
        description=f"{call.stage} {call.source}",
    )
    told = [f"{count(counts.rows_in, 'row')} in", f"{counts.rows_out:,} out"]
    told += [f"{n:,} {name}" for name in _COUNTS if (n := getattr(counts, name))]
    get_run_logger().info("%s %s: %s, %.1f s", call.stage, call.source, ", ".join(told), seconds)


def leave_summary(title: str, text: str) -> None:
    """Leave the summary of a flow, in Markdown."""
    create_markdown_artifact(text, key=key_of(title), description=title)


def report_address(folder: Path) -> str:
    """Return the address of the report of a release, RELEASES/NAME/VERSION.

    Browsers open no file from a page of a server. So where a web server shows the directory of
    releases, the environment variable KLUE_RELEASES_URL says at which address.
    """
    releases = os.environ.get("KLUE_RELEASES_URL")
    path = quote("/".join(folder.parts[-2:]))
    release = f"{releases.rstrip('/')}/{path}" if releases else folder.as_uri()
    return f"{release}/report/index.html"


def leave_report_link(title: str, folder: Path) -> None:
    """Leave a link to the report of a release."""
    create_link_artifact(
        link=report_address(folder),
        link_text=f"{title}: quality-control report",
        key=key_of(title, "report"),
    )


@contextmanager
def progress_bar(call: Call, title: str) -> Iterator[Callable[[int], None]]:
    """Show the progress of a call that takes long, from its second second on.

    Gives a function that takes the work just done. Where nobody knows how much to expect there is
    no bar.
    """
    expected, work, bar = 0, 0, None
    due = time.monotonic() + _INTERVAL

    def advance(new: int) -> None:
        nonlocal expected, work, bar, due
        work += new
        if time.monotonic() < due:
            return
        due = time.monotonic() + _INTERVAL
        expected = expected or expected_work(call) or 0
        percent = min(100 * work / expected, 100) if expected else 0
        if bar is not None:
            update_progress_artifact(bar, percent)
        elif expected:
            # Not awaited: outside an event loop this is the id, no coroutine.
            bar = cast(
                UUID,
                create_progress_artifact(
                    percent,
                    key=key_of(title, call.stage, call.source, "progress"),
                    description=f"{call.stage} {call.source}",
                ),
            )

    yield advance
    if bar is not None:
        update_progress_artifact(bar, 100)
