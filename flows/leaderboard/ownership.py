"""Who owns what of a board: the scorer's user alone reads the labels, the web's the rest.

The folder itself belongs to root, so that no process can put another folder in the place of
`private`. Database, uploads and submissions belong to the user of web and checker; the scorer is in
that user's group.
"""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flows.leaderboard.limited_process import Limits, run_limited
from pipeline.core.errors import InputError
from pipeline.core.files import make_private, refuse
from pipeline.leaderboard.layout import Layout

#: Files are for their owner and group; the sign in a folder's mode passes its group on.
UMASK: Final = 0o007
_SHARED_FOLDER, _READ_FOLDER = 0o2770, 0o2750
_ROOT: Final = 0


@dataclass(frozen=True)
class User:
    """A user of the system: its name and the ids of it and its group."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True)
class Users:
    """The user of web and checker, and that of the scorer."""

    web: User
    scorer: User


def users_of(web: str | None, scorer: str | None) -> Users | None:
    """Return the users of a board by their names; None where none is given.

    Raises InputError for one without the other, equal ones, root, and where this is not root.
    """
    if web is None and scorer is None:
        return None
    refuse(
        "--web-user, --scorer-user",
        (web is None or scorer is None, "give both, or none"),
        (os.getuid() != _ROOT, "only root may start processes of other users; leave them out"),
    )
    users = Users(_user("--web-user", str(web)), _user("--scorer-user", str(scorer)))
    refuse(
        "--web-user, --scorer-user",
        (users.web.uid == users.scorer.uid, "are one user; give two, so that one cannot read"),
        (_ROOT in (users.web.uid, users.scorer.uid), "root reads everything; give other users"),
    )
    return users


def _user(option: str, name: str) -> User:
    try:
        entry = pwd.getpwuid(int(name)) if name.isdecimal() else pwd.getpwnam(name)
    except (KeyError, OverflowError):
        raise InputError(f"{option} {name!r}: no such user; make one, such as by useradd") from None
    return User(entry.pw_name, entry.pw_uid, entry.pw_gid)


def divide(layout: Layout, users: Users) -> None:
    """Give each user its part of a board. Raises InputError where web could read the labels."""
    web, scorer = users.web, users.scorer
    for path in (layout.folder, layout.settings):
        os.chown(path, _ROOT, web.gid)
    layout.folder.chmod(0o755)
    layout.settings.chmod(0o640)
    for folder, mode in (
        (layout.database.parent, _SHARED_FOLDER),
        (layout.incoming, _READ_FOLDER),
        (layout.submissions, _READ_FOLDER),
    ):
        for path in (folder, *folder.glob("*")):
            os.chown(path, web.uid, web.gid, follow_symlinks=False)
            if path.is_file() and not path.is_symlink():
                path.chmod(0o660 if folder == layout.database.parent else 0o640)
        folder.chmod(mode)
    own(layout.private, scorer.uid, scorer.gid)
    _require_divided(layout, users)


def own(place: Path, uid: int, gid: int) -> None:
    """Give a folder and all below it to a user alone."""
    for path in (place, *place.rglob("*")):
        os.chown(path, uid, gid, follow_symlinks=False)
    make_private(place)


def become_scorer(layout: Layout) -> None:
    """As root, become the user that owns the labels, for good; other users stay who they are."""
    status = layout.private.stat()
    if os.getuid() != _ROOT or status.st_uid == _ROOT:
        return
    os.umask(UMASK)
    os.setgroups([layout.submissions.stat().st_gid])
    os.setgid(status.st_gid)
    os.setuid(status.st_uid)


def _require_divided(layout: Layout, users: Users) -> None:
    """Try, as the user of the web, what it must and must not be able to do."""
    limits = Limits(user=users.web.uid, group=users.web.gid)
    can = run_limited(
        lambda: [
            os.access(layout.settings, os.R_OK, effective_ids=True),
            any(os.access(path, os.R_OK) for path in (layout.private, layout.half_key)),
        ],
        limits,
    ).result or [False, True]
    refuse(
        layout.folder,
        (not can[0], f"{users.web.name} cannot read it; open the folders above for all to pass"),
        (can[1], f"{users.web.name} could read the labels; the disk may know no owners"),
    )
