"""Makes the folder of a board from a release: `klue leaderboard init`."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flows.commands.outputs import check_new_folder, new_folder, require_folder
from flows.commands.releases import require_release, require_sound
from flows.leaderboard.baselines import add_baselines
from flows.leaderboard.halves import KEY_BYTES
from flows.leaderboard.scorer_version import scorer_version
from pipeline.contracts.splits import Split
from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import refuse
from pipeline.core.fingerprint import of_file
from pipeline.core.store import MANIFEST
from pipeline.leaderboard import database, versions
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import Version
from pipeline.leaderboard.settings import Limits, Upload, load_settings
from pipeline.leaderboard.texts import check_line
from pipeline.release.manifest import (
    Files,
    Manifest,
    private_folder,
    read_manifest,
    read_private_manifest,
)

_TEST: Final[Split] = "test"
_LONGEST_TITLE: Final = 200
_SETTINGS: Final = """\
# What the organiser of this board decides. `klue leaderboard serve` reads it when it starts.
title: {title}
# Whom submitters ask, such as an e-mail address; it is shown on the pages.
contact: ""

# Tasks (ids); each has test examples in the release.
tasks: {tasks}
# klue: metrics as KLUE published them; strict: without their leniencies.
variant: klue

# Accepted submissions of a submitter to a task: in 24 hours, in 30 days, in all. Refused and failed
# ones are not counted.
limits:
  day: {limits.day}
  month: {limits.month}
  total: {limits.total}

# The most bytes of a file as it is sent, and unpacked; the seconds and bytes of memory to read it.
upload:
  bytes: {upload.bytes}
  decoded_bytes: {upload.decoded_bytes}
  seconds: {upload.seconds}
  memory: {upload.memory}

# Nothing for SQLite in this folder, or postgresql://USER@HOST/NAME; libpq finds the password in
# ~/.pgpass or PGPASSWORD.
database: {database}

# Where people reach the board, with its path, such as https://example.org/klue; and the addresses
# of proxies whose X-Forwarded headers count.
public_url: ""
trusted_proxies: []
"""


@dataclass(frozen=True)
class Created:
    """A new board: its first version, its tasks, and how many baselines wait in its queue."""

    version: Version
    tasks: list[str]
    baselines: int


def create_board(
    folder: Path,
    release: Path,
    *,
    title: str | None,
    database_url: str,
    baselines: bool = False,
    now: int,
) -> Created:
    """Make a board from a release, with submissions of trivial systems in its queue if wanted.

    The folder gets its name when all is in it. Raises InputError for a folder that is not empty, a
    release without test examples or without its private folder, and a database that is in use;
    StoreError for a release that does not verify, or changes while it is copied.
    """
    check_new_folder(folder, option="DIR")
    if database_url:
        database.url_of(database_url, "--database")
    require_release(release)
    manifest = read_manifest(release)
    name = f"{manifest.name} {manifest.version}" if title is None else title
    name = check_line("--title", name, most=_LONGEST_TITLE)
    tasks = _tasks(release, manifest)
    require_sound(release)
    with new_folder(folder, option="DIR") as making:
        layout = Layout(making)
        _make_folders(layout)
        copy_release(release, manifest, layout, version=1)
        _write_private(layout.half_key, secrets.token_hex(KEY_BYTES) + "\n")
        text = _settings_text(name, tasks, database_url)
        _write_private(layout.settings, text)
        version, count = _create_database(layout, manifest, tasks, baselines=baselines, now=now)
        return Created(version, tasks, count)


def _tasks(release: Path, manifest: Manifest) -> list[str]:
    """Return the tasks that a board can score; raises InputError for none, or without labels."""
    tasks = [entry.task for entry in manifest.tasks.values() if entry.splits.get(_TEST)]
    refuse(
        release,
        (
            not tasks,
            "has no test examples (official KLUE files have none: their labels were never"
            " published), and a board scores on test labels that submitters do not see; give a"
            " release that `klue build` made",
        ),
        (
            not private_folder(release).is_dir(),
            f"its test labels are not here; put its private folder beside it, as"
            f" {private_folder(release).name}",
        ),
    )
    return sorted(tasks)


def _make_folders(layout: Layout) -> None:
    layout.folder.chmod(0o755)
    for place in (
        layout.database.parent,
        layout.incoming,
        layout.submissions,
        layout.private,
        layout.cache,
    ):
        place.mkdir(mode=0o700)
    layout.private_release(1).parent.mkdir(mode=0o700)


def copy_release(release: Path, manifest: Manifest, layout: Layout, *, version: int) -> None:
    """Copy the release of a version for all to read, and, with its test labels, for the scorer.

    Raises StoreError for a release that changes meanwhile.
    """
    private = read_private_manifest(private_folder(release))
    closed = layout.private_release(version)
    _copy(release, layout.public_release(version), manifest.files, modes=(0o755, 0o644))
    _copy(release, closed, manifest.files, modes=(0o700, 0o600))
    _copy(private_folder(release), private_folder(closed), private.files, modes=(0o700, 0o600))
    if of_file(closed / MANIFEST) != private.manifest:
        raise StoreError(f"{release}: changed while it was copied; run again")


def _copy(source: Path, target: Path, files: Files, *, modes: tuple[int, int]) -> None:
    """Copy the files that a manifest lists, and itself; a file that is not as listed is refused."""
    for path in (*files, MANIFEST):
        copy = target / path
        _make_parents(copy, target, mode=modes[0])
        shutil.copyfile(source / path, copy)
        copy.chmod(modes[1])
        if path in files and of_file(copy) != files[path].sha256:
            raise StoreError(f"{source / path}: changed while it was copied; run again")


def _make_parents(copy: Path, target: Path, *, mode: int) -> None:
    between = copy.relative_to(target).parents
    for place in (target.parent, *(target / part for part in reversed(between))):
        if not place.exists():
            place.mkdir()
            place.chmod(mode)


def _settings_text(title: str, tasks: Iterable[str], database_url: str) -> str:
    """Return board.yaml: JSON is YAML too, whatever stands in a title."""
    return _SETTINGS.format(
        title=json.dumps(title, ensure_ascii=False),
        tasks=json.dumps(list(tasks)),
        limits=Limits(),
        upload=Upload(),
        database=json.dumps(database_url),
    )


def _create_database(
    layout: Layout, manifest: Manifest, tasks: Iterable[str], *, baselines: bool, now: int
) -> tuple[Version, int]:
    """Create the database with the first version; return it, and how many baselines wait."""
    settings = load_settings(layout.folder)
    if not settings.database:
        database.create_file(layout.database)
    engine = database.open_engine(layout.folder, settings)
    try:
        database.create(engine)
        with database.writing(engine) as connection:
            version = versions.add(
                connection,
                release_name=manifest.name,
                release_version=manifest.version,
                release_hash=manifest.release_hash,
                scorer_version=scorer_version(tasks),
                reason="first version",
                now=now,
            )
            waiting = baselines and add_baselines(connection, layout, settings, tasks, now=now)
        return version, len(waiting or ())
    finally:
        engine.dispose()


def _write_private(path: Path, text: str) -> None:
    """Write a file that its owner alone may read, from its first byte on."""
    path.touch(mode=0o600, exist_ok=False)
    path.write_text(text, "utf-8")


def require_board(folder: Path) -> None:
    """Raise InputError for what is no board."""
    wanted = "the folder that `klue leaderboard init` made"
    require_folder(folder, wanted)
    if not Layout(folder).settings.exists():
        raise InputError(f"{folder}: no board is there; give {wanted}")
