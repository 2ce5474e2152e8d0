"""What a run leaves in Prefect for people: a table of each stage, a summary of each flow, bars."""

from __future__ import annotations

import re
import time
from types import TracebackType
from typing import Final, cast
from uuid import UUID

from prefect import get_run_logger
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)

from flows.view.funnel import manifest
from pipeline.core.running import expected_rows
from pipeline.core.stage import Call

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
    told = [f"{counts.rows_in:,} rows in", f"{counts.rows_out:,} out"]
    told += [f"{n:,} {name}" for name in _COUNTS if (n := getattr(counts, name))]
    get_run_logger().info("%s %s: %s, %.1f s", call.stage, call.source, ", ".join(told), seconds)


def leave_summary(title: str, text: str) -> None:
    """Leave the summary of a flow, in Markdown."""
    create_markdown_artifact(text, key=key_of(title), description=title)


class Bar:
    """The progress of a stage that takes long, from its second second on."""

    def __init__(self, call: Call, title: str) -> None:
        """Take the call and the build; without a number of rows to expect there is no bar."""
        self._call = call
        self._title = title
        self._expected: int | None = None
        self._rows = 0
        self._next = time.monotonic() + _INTERVAL
        self._id: UUID | None = None

    def advance(self, rows: int) -> None:
        """Note rows that were read."""
        self._rows += rows
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _INTERVAL
            self._expected = self._expected or expected_rows(self._call)
            if self._expected:
                self._show(min(100 * self._rows / self._expected, 100))

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        if self._id is not None and error is None:
            self._show(100)

    def _show(self, percent: float) -> None:
        if self._id is not None:
            update_progress_artifact(self._id, percent)
            return
        made = create_progress_artifact(
            percent,
            key=key_of(self._title, self._call.stage, self._call.source, "progress"),
            description=f"{self._call.stage} {self._call.source}",
        )
        self._id = cast(UUID, made)  # not awaited: this is no coroutine
