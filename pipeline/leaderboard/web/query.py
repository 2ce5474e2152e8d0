"""What a visitor asks of the board: version, half of test, order, filters, page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from pipeline.leaderboard.records import Part, RefusedError, Submission
from pipeline.leaderboard.settings import KINDS, LARGEST, SIZE_CLASSES, UNKNOWN_SIZE
from pipeline.leaderboard.web.tasks import TaskInfo

SIZES: Final = (*(name for name, _ in SIZE_CLASSES), LARGEST, UNKNOWN_SIZE)
#: The order by name instead of a metric.
BY_NAME: Final = "name"
_PARTS: Final[Mapping[str, Part]] = {"public": "public", "final": "final"}
_DIGITS: Final = 6


@dataclass(frozen=True)
class Query:
    """One view of the board; what is None or empty is not asked for.

    `sort` is TASK.METRIC on the board, METRIC on the page of a task, or `name`; metrics are sorted
    from the best down, names from the first up, or the other way round if `reverse`.
    """

    version: int | None = None
    part: Part | None = None
    sort: str = ""
    reverse: bool = False
    size: str = ""
    kind: str = ""
    page: int = 1

    def but(self, **changes: Any) -> Query:
        """Return the query with changes, on its first page unless the page is given."""
        return replace(self, **{"page": 1, **changes})

    def text(self) -> str:
        """Return the query as it stands in an address, with its question mark; '' if empty."""
        given = {
            "version": self.version,
            "part": self.part,
            "sort": self.sort,
            "order": "reverse" if self.reverse else "",
            "size": self.size,
            "kind": self.kind,
            "page": self.page if self.page > 1 else None,
        }
        text = urlencode({name: value for name, value in given.items() if value})
        return f"?{text}" if text else ""

    def fits(self, submission: Submission) -> bool:
        """Tell whether the filters leave a submission in."""
        size, kind = submission.size_class, submission.model.kind
        return self.size in ("", size) and self.kind in ("", kind)

    @property
    def filtered(self) -> bool:
        """Tell whether some systems are left out."""
        return bool(self.size or self.kind)


def read_query(given: Mapping[str, str], sorts: Sequence[str]) -> Query:
    """Read the query of an address; raises RefusedError (422) that names what is allowed."""
    return Query(
        version=_number(given, "version"),
        part=_PARTS.get(_choice(given, "part", tuple(_PARTS))),
        sort=_choice(given, "sort", (*sorts, BY_NAME)),
        reverse=_choice(given, "order", ("reverse",)) == "reverse",
        size=_choice(given, "size", SIZES),
        kind=_choice(given, "kind", KINDS),
        page=_number(given, "page") or 1,
    )


def sorts(tasks: Sequence[TaskInfo]) -> list[str]:
    """Return the orders that the board offers besides that by name."""
    return [f"{task.id}.{metric.name}" for task in tasks for metric in task.metrics]


def _choice(given: Mapping[str, str], name: str, allowed: Sequence[str]) -> str:
    value = given.get(name, "")
    if value and value not in allowed:
        raise RefusedError(422, f"`{name}` is not known; allowed: {', '.join(allowed)}")
    return value


def _number(given: Mapping[str, str], name: str) -> int | None:
    value = given.get(name, "")
    if not value:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= _DIGITS and int(value) > 0):
        raise RefusedError(422, f"`{name}` must be a whole number from 1")
    return int(value)
