"""The page of a model: what its submitter says of it, and its standing on every task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from pipeline.leaderboard.records import Entry, RefusedError
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.tasks import TaskInfo
from pipeline.leaderboard.web.views import systems, words
from pipeline.leaderboard.web.views.systems import Score, System
from pipeline.leaderboard.web.views.task import gap


@dataclass(frozen=True)
class Line:
    """One metric of a model on a task; `dev` and `gap` are '' without predictions on dev."""

    metric: str
    score: Score
    dev: str
    gap: str


@dataclass(frozen=True)
class Result:
    """What the board shows of a model on a task, and where it came from."""

    task: TaskInfo
    lines: Sequence[Line]
    mark: str
    mark_reason: str
    accepted_at: int | None
    examples: int
    digest: str
    release_hash: str
    scorer_version: str

    @property
    def any_dev(self) -> bool:
        """Tell whether predictions on dev were sent."""
        return any(line.dev for line in self.lines)


@dataclass(frozen=True)
class ModelPage:
    """What the page of a model shows; `link` is '' unless it leads to a page of http or https."""

    system: System
    link: str
    description: str
    results: Sequence[Result]


def model_page(
    snapshot: Snapshot, tasks: Sequence[TaskInfo], key: str, *, visitor: int | None = None
) -> ModelPage:
    """Return the page of a model; raises RefusedError (404) if the board shows none of this key."""
    entries = [entry for entry in snapshot.entries if entry.submission.model_key == key]
    if not entries:
        raise RefusedError(404, "the board shows no model of this name")
    first = entries[0].submission
    return ModelPage(
        system=systems.system(first, visitor=visitor),
        link=safe_link(first.model.link),
        description=first.model.description,
        results=[
            _result(entry, task, snapshot)
            for task in tasks
            for entry in entries
            if entry.submission.task == task.id
        ],
    )


def safe_link(link: str) -> str:
    """Return a link that leads to a page of http or https; '' for any other, such as a script."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return ""
    return link if parts.scheme in ("http", "https") and parts.hostname else ""


def _result(entry: Entry, task: TaskInfo, snapshot: Snapshot) -> Result:
    return Result(
        task=task,
        lines=[
            Line(
                metric.title,
                systems.score_of(entry, metric.name, snapshot),
                dev=""
                if entry.dev.get(metric.name) is None
                else words.score(entry.dev[metric.name]),
                gap=gap(entry, metric.name),
            )
            for metric in task.metrics
        ],
        mark=entry.submission.mark or "",
        mark_reason=entry.submission.mark_reason,
        accepted_at=entry.submission.accepted_at,
        examples=entry.examples,
        digest=entry.digest,
        release_hash=entry.release_hash,
        scorer_version=entry.scorer_version,
    )
