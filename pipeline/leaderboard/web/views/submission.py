"""A submission as its submitter follows it: steps, queue, faults, score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pipeline.leaderboard.records import Entry, State, Submission
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.tasks import TaskInfo
from pipeline.leaderboard.web.views import systems
from pipeline.leaderboard.web.views.faults import Refusal, refusal
from pipeline.leaderboard.web.views.ranks import RankWords
from pipeline.leaderboard.web.views.systems import Score

Progress = Literal["done", "now", "later", "failed"]
#: States that do not change by themselves.
FINAL: Final = ("refused", "scored", "failed")
#: What charges the quota.
CHARGED: Final = ("accepted", "scored")
_WORDS: Final[Mapping[State, str]] = {
    "received": "waiting to be checked",
    "refused": "refused, not charged",
    "accepted": "accepted, waiting to be scored",
    "failed": "failed on our side, not charged",
}


@dataclass(frozen=True)
class Step:
    """A step on the way of a submission."""

    title: str
    text: str
    progress: Progress


@dataclass(frozen=True)
class Result:
    """A score of the submission by one metric, as the board shows it."""

    metric: str
    score: Score


@dataclass(frozen=True)
class SubmissionPage:
    """What a submitter sees; `results` are empty unless the board shows the submission.

    `refusal` says why it was refused; `note` why no score is shown, or what failed.
    """

    submission: Submission
    task: str
    state: str
    steps: Sequence[Step]
    refusal: Refusal | None
    note: str
    results: Sequence[Result]
    position: int | None
    moving: bool
    charged: bool

    @property
    def may_withdraw(self) -> bool:
        """Tell whether the submitter can take the submission out of the ranks."""
        return bool(self.results) and self.submission.mark is None


def state_words(submission: Submission, *, is_shown: bool) -> str:
    """Return the state of a submission in words."""
    if submission.mark:
        return "on the board, not ranked"
    if submission.state == "scored":
        return "on the board" if is_shown else "score not shown"
    return _WORDS[submission.state]


def submission_page(
    submission: Submission, task: TaskInfo | None, snapshot: Snapshot, *, position: int | None
) -> SubmissionPage:
    """Return the page of a submission; `position` is its place in the queue, from 1."""
    shown = entry_of(submission, snapshot)
    reason = submission.reason if submission.state != "refused" else ""
    return SubmissionPage(
        submission=submission,
        task=task.title if task else submission.task,
        state=state_words(submission, is_shown=shown is not None),
        steps=_steps(submission, position, is_shown=shown is not None),
        refusal=refusal(submission.reason) if submission.state == "refused" else None,
        note=reason,
        results=[] if shown is None or task is None else _results(shown, task, snapshot),
        position=position,
        moving=submission.state not in FINAL,
        charged=submission.state in CHARGED,
    )


def entry_of(submission: Submission, snapshot: Snapshot) -> Entry | None:
    """Return what the board shows of a submission, or None."""
    return next((entry for entry in snapshot.entries if entry.submission.id == submission.id), None)


def _results(entry: Entry, task: TaskInfo, snapshot: Snapshot) -> list[Result]:
    return [
        Result(metric.title, systems.score_of(entry, metric.name, snapshot))
        for metric in task.metrics
    ]


def _steps(submission: Submission, position: int | None, *, is_shown: bool) -> list[Step]:
    state = submission.state
    shown = "on the board" if is_shown else "not shown"
    queue = f"position {position:,} in the queue" if position else "running now"
    check: dict[State, Step] = {
        "received": Step("Check", queue, "now"),
        "refused": Step("Refused", "the file has faults; nothing was charged", "failed"),
    }
    score: dict[State, Step] = {
        "received": Step("Score", "if the check finds no fault", "later"),
        "refused": Step("Score", "not reached", "later"),
        "accepted": Step("Score", queue, "now"),
        "failed": Step("Failed", "the fault is ours; nothing was charged", "failed"),
        "scored": Step("Scored", submission.mark or shown, "done"),
    }
    return [
        Step("Received", "the file arrived as a whole", "done"),
        check.get(state, Step("Accepted", "every example has an answer; one is charged", "done")),
        score[state],
    ]


@dataclass(frozen=True)
class HistoryRow:
    """A submission in the list of its submitter; `rank` is by the task's first metric."""

    submission: Submission
    task: str
    state: str
    rank: RankWords | None


def history_row(
    submission: Submission, tasks: Sequence[TaskInfo], snapshot: Snapshot
) -> HistoryRow:
    """Return a submission as a row."""
    task = next((task for task in tasks if task.id == submission.task), None)
    shown = entry_of(submission, snapshot)
    rank = None
    if task is not None and shown is not None:
        rank = systems.score_of(shown, task.metrics[0].name, snapshot).rank
    title = task.title if task else submission.task
    return HistoryRow(submission, title, state_words(submission, is_shown=shown is not None), rank)


def submission_json(
    page: SubmissionPage, entry: Entry | None, snapshot: Snapshot
) -> dict[str, Any]:
    """Return a submission as the API gives it, without address and quota."""
    one = page.submission
    faults = page.refusal.faults if page.refusal else ()
    return {
        "key": one.key,
        "task": one.task,
        "model": one.model.name,
        "state": one.state,
        "reason": one.reason,
        "faults": [
            {
                "line": fault.place if fault.unit == "line" else None,
                "row": fault.place if fault.unit == "row" else None,
                "text": fault.text,
            }
            for fault in faults
        ],
        "received_at": one.received_at,
        "queue_position": page.position,
        "charged": page.charged,
        "mark": one.mark,
        "mark_reason": one.mark_reason,
        "scores": dict(entry.scores) if entry else None,
        "ranks": ranks_json(entry, snapshot) if entry and entry.standings else None,
    }


def ranks_json(entry: Entry, snapshot: Snapshot) -> dict[str, Any]:
    """Return the ranks of an entry by metric."""
    return {metric: rank_json(entry, metric, snapshot) for metric in entry.standings}


def rank_json(entry: Entry, metric: str, snapshot: Snapshot) -> dict[str, Any] | None:
    """Return the ranks of an entry by a metric; None if it has none."""
    standing = entry.standings.get(metric)
    rank = systems.score_of(entry, metric, snapshot).rank
    if standing is None or rank is None:
        return None
    of = snapshot.ranked[entry.submission.task, metric]
    return {"low": standing.rank_low, "high": standing.rank_high, "of": of, "words": rank.sentence}
