"""The board as data: board.json, described in docs/leaderboard.md."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from pipeline.leaderboard.records import Entry, Version
from pipeline.leaderboard.settings import Settings
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.tasks import Release
from pipeline.leaderboard.web.views.submission import rank_json

FORMAT: Final = "klue-board-1"


def board_json(
    snapshot: Snapshot, release: Release, settings: Settings, *, protected: bool
) -> dict[str, Any]:
    """Return the whole board of a version and a half of test."""
    return {
        "format": FORMAT,
        "title": settings.title,
        "contact": settings.contact,
        "variant": settings.variant,
        "version": _version(snapshot.version),
        "versions": [_version(version) for version in snapshot.versions],
        "part": snapshot.part,
        "protected": protected,
        "simulated": release.simulated,
        "tasks": [
            {
                "id": task.id,
                "title": task.title,
                "metrics": [asdict(metric) for metric in task.metrics],
            }
            for task in release.tasks
        ],
        "entries": [_entry(entry, snapshot) for entry in snapshot.entries],
    }


def _version(version: Version | None) -> dict[str, Any] | None:
    return None if version is None else asdict(version)


def _entry(entry: Entry, snapshot: Snapshot) -> dict[str, Any]:
    one = entry.submission
    return {
        "submission": one.key,
        "model": one.model.name,
        "model_key": one.model_key,
        "submitter": one.submitter.name,
        "task": one.task,
        "parameters": one.model.parameters,
        "size_class": one.size_class,
        "kind": one.model.kind,
        "link": one.model.link,
        "description": one.model.description,
        "metrics": {
            metric: {
                "score": value,
                "interval": _interval(entry, metric),
                "rank": rank_json(entry, metric, snapshot),
            }
            for metric, value in entry.scores.items()
        },
        "dev": dict(entry.dev),
        "examples": entry.examples,
        "mark": one.mark,
        "mark_reason": one.mark_reason,
        "release_hash": entry.release_hash,
        "scorer_version": entry.scorer_version,
        "digest": entry.digest,
        "accepted_at": one.accepted_at,
    }


def _interval(entry: Entry, metric: str) -> list[float] | None:
    standing = entry.standings.get(metric)
    if standing is None or standing.low is None or standing.high is None:
        return None
    return [standing.low, standing.high]
