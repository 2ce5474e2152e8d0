"""A task at a glance: its best score, and how many systems may be the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.tasks import TaskInfo
from pipeline.leaderboard.web.views import words

#: So many names are written out.
_NAMES: Final = 3


@dataclass(frozen=True)
class Card:
    """A task; `best` is the highest score by its first metric, '' without a ranked system."""

    task: TaskInfo
    metric: str
    best: str
    text: str


def card(snapshot: Snapshot, task: TaskInfo) -> Card:
    """Return a task at a glance."""
    metric = task.metrics[0]
    ranked = [entry for entry in snapshot.of_task(task.id) if metric.name in entry.standings]
    ranked.sort(key=lambda entry: -(entry.scores.get(metric.name) or 0.0))
    if not ranked:
        return Card(task, metric.title, "", "")
    leading = [entry for entry in ranked if entry.standings[metric.name].rank_low == 1]
    names = [entry.submission.model.name for entry in leading]
    return Card(
        task=task,
        metric=metric.title,
        best=words.score(ranked[0].scores.get(metric.name)),
        text=_leaders(names, of=len(ranked)),
    )


def _leaders(names: list[str], *, of: int) -> str:
    if len(names) == 1:
        alone = "the only system so far" if of == 1 else "surely the best"
        return f"{names[0]}, {alone}{'' if of == 1 else f' of {of:,}'}"
    listed = ", ".join(names[:_NAMES]) + (", …" if len(names) > _NAMES else "")
    return f"{words.counted(len(names), 'system')} of {of:,} may be the best: {listed}"
