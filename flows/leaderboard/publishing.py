"""A board as a static site: `klue leaderboard publish`."""

from __future__ import annotations

import os
from pathlib import Path

from flows.commands.outputs import check_new_folder, new_folder
from flows.leaderboard.creation import require_board
from pipeline.core.files import refuse
from pipeline.core.store import write_text
from pipeline.leaderboard.database import open_engine, reading
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.settings import load_settings
from pipeline.leaderboard.web.site import Site, snapshots
from pipeline.leaderboard.web.tasks import read_release


def publish_board(folder: Path, out: Path) -> tuple[Site, int]:
    """Write a board as pages and board.json into a folder; return the site, and its files' number.

    The folder gets its name when all files are written. Raises InputError for what is no board, and
    for a folder that is not empty or lies in the board.
    """
    check_new_folder(out)
    require_board(folder)
    is_within = Path(os.path.realpath(out)).is_relative_to(os.path.realpath(folder))
    refuse(f"--out {out}", (is_within, "lies in the board, which is private; give another folder"))
    settings, layout = load_settings(folder), Layout(folder)
    engine = open_engine(folder, settings)
    try:
        with reading(engine) as connection:
            found = snapshots(connection)
    finally:
        engine.dispose()
    release = read_release(layout.public_release(1), chosen=settings.tasks)
    site = Site(settings, release, is_protected(layout), found)
    with new_folder(out) as making:
        count = 0
        for path, text in site.files():
            place = making / path
            place.parent.mkdir(parents=True, exist_ok=True)
            write_text(place, text)
            count += 1
    return site, count


def is_protected(layout: Layout) -> bool:
    """Tell whether the labels belong to another user than uploads do, as `serve` divides them."""
    try:
        return layout.private.stat().st_uid != layout.incoming.stat().st_uid
    except FileNotFoundError:
        return False
