"""`klue leaderboard rescore`: a new version of a board, with all its submissions scored again.

Old versions keep their release, their scores and their standings. The new version is in the
database only when all is scored; a server that runs goes on taking submissions, and its scorer
waits.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from flows.commands.outputs import require_folder
from flows.commands.releases import require_sound
from flows.leaderboard.board import Board, open_board
from flows.leaderboard.creation import copy_release
from flows.leaderboard.final_scores import final_scores, store_final
from flows.leaderboard.job_server import JobClient
from flows.leaderboard.ownership import become_scorer, own
from flows.leaderboard.ranking import ByMetric, rank_submissions
from flows.leaderboard.replay import best_submissions, replay, store_replay
from flows.leaderboard.scorer_lock import scorer_lock
from flows.leaderboard.soundness import require_release, require_tables
from flows.view.console import say
from pipeline.core.errors import InputError, RetryError
from pipeline.core.wording import count
from pipeline.leaderboard import standings, submissions, versions
from pipeline.leaderboard.database import reading, writing
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import Version
from pipeline.leaderboard.texts import check_line
from pipeline.release.diff import ConfigDifference, diff
from pipeline.release.manifest import private_folder, read_manifest

#: Seconds to wait until the scorer has done the work in its hands.
PATIENCE: Final = 900.0


def rescore(folder: Path, *, release: Path | None, reason: str) -> tuple[Version, int]:
    """Score all submissions of a board again, in order of receipt, under a new version.

    Returns the version, and how many there are.

    `release` is the one with examples withdrawn or labels corrected; that of the board, if it is
    not given. Raises InputError for a release that asks other questions; StoreError for one that is
    not sound; RetryError where another process scores, or submissions were marked meanwhile.
    """
    reason = check_line("--reason", reason)
    with open_board(folder) as board, scorer_lock(board.layout, patience=PATIENCE):
        require_tables(board.engine)
        with reading(board.engine) as connection:
            before = versions.current(connection)
        require_release(board.layout, before)
        version = _next_version(board, before, release, reason)
        become_scorer(board.layout)
        with JobClient() as jobs:
            return _rescore(board, jobs, before, version)


def require_same_questions(old: Path, new: Path) -> None:
    """Raise InputError unless test and dev of a release are those of an older one, or less."""
    for config in diff(old, new).configs:
        for split in ("test", "dev"):
            if fault := _fault(config, split):
                raise InputError(
                    f"--release {new}: {fault}; predictions were sent for the examples of"
                    f" {old.name}, so that only labels may change and examples may leave; make"
                    " another board for other examples"
                )


def _fault(config: ConfigDifference, split: str) -> str:
    faults = {
        "are new": config.added.get(split, ()),
        "have other texts": config.edited.get(split, ()),
        "came from, or went to, another split": [
            move.guid for move in config.moved if split in (move.before, move.after)
        ],
    }
    return next(
        (
            f"{len(guids):,} {split} examples of {config.config} {what}, the first is {guids[0]}"
            for what, guids in faults.items()
            if guids
        ),
        "",
    )


def _next_version(board: Board, before: Version, release: Path | None, reason: str) -> Version:
    """Put the release of the next version into the board's folder, and return the version."""
    layout = board.layout
    source = layout.private_release(before.number)
    if release is not None:
        require_folder(release, "the folder of a release, NAME/VERSION, as --release")
        require_sound(release, labels=True)
        require_same_questions(source, release)
        source = release
    number = before.number + 1
    manifest = read_manifest(source)
    _remove_leftovers(layout, number)
    copy_release(source, manifest, layout, version=number)
    status = layout.private.stat()
    if os.getuid() == 0:
        closed = layout.private_release(number)
        for place in (closed, private_folder(closed)):
            own(place, status.st_uid, status.st_gid)
    return Version(
        number,
        manifest.name,
        manifest.version,
        manifest.release_hash,
        board.scorer_version(number),
        reason,
        opened_at=board.clock(),
        closed_at=before.closed_at,
    )


def _remove_leftovers(layout: Layout, number: int) -> None:
    """Remove what a rescore that was killed left of a version that the database does not have."""
    closed = layout.private_release(number)
    for place in (layout.public_release(number), closed, private_folder(closed)):
        if place.exists():
            shutil.rmtree(place)


def _rescore(
    board: Board, jobs: JobClient, before: Version, version: Version
) -> tuple[Version, int]:
    with reading(board.engine) as connection:
        scored = submissions.replayed(connection)
    say(f"scoring {count(len(scored), 'submission')} again, in order of receipt")
    replayed = replay(board, jobs, version, scored)
    ranked = best_submissions(replayed)
    ranks: dict[str, ByMetric] = {
        task: rank_submissions(board, jobs, version, task, of_task)
        for task, of_task in ranked.items()
    }
    final = None
    if before.closed_at is not None:
        final = final_scores(board, jobs, version, ranked)
    with writing(board.engine) as connection:
        if versions.current(connection) != before or submissions.replayed(connection) != scored:
            raise RetryError("submissions were scored or marked meanwhile; run the command again")
        added = versions.add(
            connection,
            release_name=version.release_name,
            release_version=version.release_version,
            release_hash=version.release_hash,
            scorer_version=version.scorer_version,
            reason=version.reason,
            now=version.opened_at,
        )
        store_replay(connection, added, replayed, now=board.clock())
        for task, of_task in ranks.items():
            standings.replace(connection, of_task, version=added.number, part="public", task=task)
        if final is not None and before.closed_at is not None:
            added = versions.close(connection, added.number, now=before.closed_at)
            store_final(connection, added, final, now=board.clock())
    return added, len(scored)
