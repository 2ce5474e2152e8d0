"""Whether a board may be served: its database and its releases are those that its versions name."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine, inspect

from pipeline.core.errors import InputError, StoreError
from pipeline.core.fingerprint import of_file
from pipeline.core.store import MANIFEST
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import Version
from pipeline.leaderboard.tables import METADATA
from pipeline.release.manifest import (
    Files,
    digest_of,
    private_folder,
    read_manifest,
    read_private_manifest,
    release_hash,
)


def require_tables(engine: Engine) -> None:
    """Raise InputError for a database that another version of this tool made."""
    there = inspect(engine)
    names = set(there.get_table_names())
    for name, table in METADATA.tables.items():
        columns = (
            {str(column["name"]) for column in there.get_columns(name)} if name in names else set()
        )
        if columns != set(table.columns.keys()):
            raise InputError(
                f"the database of the board: its table {name} is not the one of this version of"
                " the tool; run the version that made the board, or make a new board"
            )


def require_release(layout: Layout, version: Version) -> None:
    """Raise StoreError unless the files of a version are those that were released.

    The hash in the database covers the manifest, which has the digests of all other files.
    """
    public, closed = layout.public_release(version.number), layout.private_release(version.number)
    manifest = read_manifest(closed)
    private = read_private_manifest(private_folder(closed))
    hint = f"; bring the release {version.release_name} {version.release_version} back"
    if release_hash(manifest) != version.release_hash or digest_of(private.files) != (
        manifest.private.digest
    ):
        raise StoreError(f"{closed}: is not the release of version {version.number}{hint}")
    same = of_file(closed / MANIFEST)
    if private.manifest != same or of_file(public / MANIFEST) != same:
        raise StoreError(f"{public}: its manifest was changed{hint}")
    for folder, files in (
        (public, manifest.files),
        (closed, manifest.files),
        (private_folder(closed), private.files),
    ):
        if wrong := _changed(folder, files):
            raise StoreError(f"{folder / wrong}: is gone, or was changed{hint}")


def _changed(folder: Path, files: Files) -> str:
    """Return the first file that is not as it was released, '' if all are."""
    for name, entry in files.items():
        path = folder / name
        if not path.is_file() or of_file(path) != entry.sha256:
            return name
    return ""
