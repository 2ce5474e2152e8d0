"""A board as files that need no server: the same templates, with links between files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection

from pipeline.leaderboard.records import Part
from pipeline.leaderboard.settings import Settings
from pipeline.leaderboard.web import snapshot
from pipeline.leaderboard.web.links import StaticLinks, home_file, model_file, task_file
from pipeline.leaderboard.web.query import BY_NAME, Query, sorts
from pipeline.leaderboard.web.rendering import ASSETS, MEDIA_TYPES, render
from pipeline.leaderboard.web.snapshot import Snapshot
from pipeline.leaderboard.web.tasks import Release
from pipeline.leaderboard.web.views.about import about
from pipeline.leaderboard.web.views.board_json import board_json
from pipeline.leaderboard.web.views.model import model_page
from pipeline.leaderboard.web.views.overview import overview
from pipeline.leaderboard.web.views.task import task_page

#: All rows are on one page.
_ALL: Final = 10**9
_PARTS: Final[tuple[Part, ...]] = ("public", "final")


@dataclass(frozen=True)
class Site:
    """What is published: each view of the board once, the one that is shown first at its front."""

    settings: Settings
    release: Release
    protected: bool
    snapshots: Sequence[Snapshot]

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield the path and the text of each file of the site."""
        for name in MEDIA_TYPES:
            yield f"assets/{name}", (ASSETS / name).read_text("utf-8")
        view = about(self.settings, self.release.tasks, self.snapshots[0], protected=self.protected)
        yield self._page("about.html", "about.html.j2", self.snapshots[0], Query(), view)
        for one in self.snapshots:
            yield from self._view(one)

    def _view(self, one: Snapshot) -> Iterator[tuple[str, str]]:
        query = Query(version=one.version.number if one.version else None, part=one.part)
        folder = self._links("").folder(query)
        page = partial(self._page, one=one)
        for asked in _orders(query, sorts(self.release.tasks)):
            view = overview(one, self.release.tasks, asked, size=_ALL)
            path = f"{folder}{home_file(asked)}"
            yield page(path, "home.html.j2", query=asked, view=view)
        for task in self.release.tasks:
            for asked in _orders(query, [metric.name for metric in task.metrics]):
                path = f"{folder}{task_file(task.id, asked)}"
                link = partial(self._links(path).task, task.id)
                shown = task_page(one, task, asked)
                yield page(path, "task.html.j2", query=asked, view=shown, task_link=link)
        for key in sorted({entry.submission.model_key for entry in one.entries}):
            path = f"{folder}{model_file(key)}"
            link = partial(self._links(path).model, key)
            model = model_page(one, self.release.tasks, key)
            yield page(path, "model.html.j2", query=query, view=model, model_link=link)
        record = board_json(one, self.release, self.settings, protected=self.protected)
        yield f"{folder}board.json", json.dumps(record, ensure_ascii=False, indent=1) + "\n"

    def _page(
        self, path: str, template: str, one: Snapshot, query: Query, view: object, **values: Any
    ) -> tuple[str, str]:
        html = render(
            template,
            self._links(path),
            live=False,
            board=self.settings,
            protected=self.protected,
            simulated=self.release.simulated,
            session=None,
            tasks=self.release.tasks,
            snapshot=one,
            query=query,
            view=view,
            **values,
        )
        return path, html

    def _links(self, path: str) -> StaticLinks:
        first = self.snapshots[0]
        number = first.version.number if first.version else None
        return StaticLinks(depth=path.count("/"), version=number, part=first.part)


def snapshots(connection: Connection) -> list[Snapshot]:
    """Return every view of the board that may be seen, the one that is shown first at the front."""
    first = snapshot.take(connection, number=None, part=None)
    others = [
        snapshot.take(connection, number=version.number, part=part)
        for version in first.versions
        for part in _PARTS
        if (part == "public" or version.closed_at is not None)
        and (version, part) != (first.version, first.part)
    ]
    return [first, *others]


def _orders(query: Query, names: Sequence[str]) -> Iterator[Query]:
    """Yield every order in which a page is published, the usual one first.

    The heading of the column by which the usual page is sorted leads to the reverse of it.
    """
    yield query
    for name in (*names, BY_NAME):
        yield query.but(sort=name)
        yield query.but(sort=name, reverse=True)
