"""A system in a row, and its score in a cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.leaderboard.records import Entry, Submission
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.tasks import TaskInfo
from pipeline.leaderboard.web.views import words
from pipeline.leaderboard.web.views.ranks import RankWords, rank_words


@dataclass(frozen=True)
class System:
    """A model as rows name it; `mine` if the visitor submitted it."""

    key: str
    name: str
    submitter: str
    size: str
    kind: str
    parameters: str
    mine: bool = False

    @property
    def about(self) -> str:
        """Return who sent it, and what is known of it, in one line."""
        known = self.parameters or ("" if self.size == "not told" else self.size)
        kind = "" if self.kind == "other" else self.kind
        return " · ".join(filter(None, (known, kind)))


def system(submission: Submission, *, visitor: int | None) -> System:
    """Return the system of a submission; `visitor` is the id of the submitter who looks at it."""
    model = submission.model
    return System(
        key=submission.model_key,
        name=model.name,
        submitter=submission.submitter.name,
        size=submission.size_class,
        kind=model.kind,
        parameters=words.parameters(model.parameters),
        mine=submission.submitter.id == visitor,
    )


@dataclass(frozen=True)
class Score:
    """A score in a cell; `rank` is None for what has no rank, such as marked systems."""

    value: float | None
    text: str
    interval: str
    low: float | None
    high: float | None
    rank: RankWords | None
    marked: bool

    @property
    def title(self) -> str:
        """Return what the numbers say, as a sentence."""
        between = f"95 % interval {self.interval}" if self.interval else ""
        ranked = self.rank.sentence if self.rank else ("not ranked" if self.marked else "")
        return "; ".join(filter(None, (ranked, between)))


def score_of(entry: Entry, metric: str, snapshot: Snapshot) -> Score:
    """Return the score of an entry by a metric."""
    standing = entry.standings.get(metric)
    of = snapshot.ranked[entry.submission.task, metric]
    low, high = (standing.low, standing.high) if standing else (None, None)
    value = entry.scores.get(metric)
    return Score(
        value=value,
        text=words.score(value),
        interval=words.interval(low, high),
        low=low,
        high=high,
        rank=rank_words(standing, of) if standing else None,
        marked=entry.submission.mark is not None,
    )


@dataclass(frozen=True)
class Marked:
    """A withdrawn or disqualified submission, with the reason."""

    system: System
    task: str
    mark: str
    reason: str


def marked(
    entries: Iterable[Entry], tasks: Sequence[TaskInfo], *, visitor: int | None
) -> list[Marked]:
    """Return what stands on the board but is not ranked."""
    titles = {task.id: task.title for task in tasks}
    return [
        Marked(
            system=system(entry.submission, visitor=visitor),
            task=titles.get(entry.submission.task, entry.submission.task),
            mark=str(entry.submission.mark),
            reason=entry.submission.mark_reason or "no reason was given",
        )
        for entry in entries
        if entry.submission.mark is not None
    ]
