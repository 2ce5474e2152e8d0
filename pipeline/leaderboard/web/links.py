"""Addresses inside the site: of a running board, and between the files of a published one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote

from pipeline.leaderboard.records import Part
from pipeline.leaderboard.web.query import Query


class Links(Protocol):
    """What templates link to; a published board has no pages for submitters."""

    def home(self, query: Query) -> str: ...
    def task(self, task: str, query: Query) -> str: ...
    def model(self, key: str, query: Query) -> str: ...
    def about(self) -> str: ...
    def json(self, query: Query) -> str: ...
    def asset(self, name: str) -> str: ...


@dataclass(frozen=True)
class LiveLinks:
    """Absolute paths below the path at which a proxy serves the board ('' for none)."""

    root: str

    def home(self, query: Query) -> str:
        return f"{self.root}/{query.text()}"

    def task(self, task: str, query: Query) -> str:
        return f"{self.root}/tasks/{quote(task, safe='')}{query.text()}"

    def model(self, key: str, query: Query) -> str:
        return f"{self.root}/models/{quote(key, safe='')}{query.text()}"

    def about(self) -> str:
        return f"{self.root}/about"

    def json(self, query: Query) -> str:
        return f"{self.root}/board.json{query.text()}"

    def asset(self, name: str) -> str:
        return f"{self.root}/assets/{name}"

    def login(self) -> str:
        return f"{self.root}/login"

    def logout(self) -> str:
        return f"{self.root}/logout"

    def submit(self) -> str:
        return f"{self.root}/submit"

    def submissions(self) -> str:
        return f"{self.root}/submissions"

    def submission(self, key: str) -> str:
        return f"{self.root}/submissions/{quote(key, safe='')}"

    def withdraw(self, key: str) -> str:
        return f"{self.submission(key)}/withdraw"


@dataclass(frozen=True)
class StaticLinks:
    """Relative paths between files; `depth` folders lie between the page and the site's root.

    `version` and `part` are those that the site shows first; other views lie in folders of
    their own.
    """

    depth: int
    version: int | None
    part: Part

    def home(self, query: Query) -> str:
        return self._up(f"{self.folder(query)}{home_file(query)}")

    def task(self, task: str, query: Query) -> str:
        return self._up(f"{self.folder(query)}{task_file(task, query)}")

    def model(self, key: str, query: Query) -> str:
        return self._up(f"{self.folder(query)}{model_file(key)}")

    def about(self) -> str:
        return self._up("about.html")

    def json(self, query: Query) -> str:
        return self._up(f"{self.folder(query)}board.json")

    def asset(self, name: str) -> str:
        return self._up(f"assets/{name}")

    def folder(self, query: Query) -> str:
        """Return the folder of a view: '' for the one shown first, else such as 1-public/."""
        version, part = query.version or self.version, query.part or self.part
        is_first = (version, part) == (self.version, self.part)
        return "" if is_first else f"{version}-{part}/"

    def _up(self, path: str) -> str:
        return "../" * self.depth + path


def home_file(query: Query) -> str:
    """Return the file of the board in one order; filters are not files but a script's work."""
    return f"sorted/{_order(query)}.html" if _order(query) else "index.html"


def task_file(task: str, query: Query) -> str:
    """Return the file of a task in one order."""
    order = _order(query)
    return f"tasks/{quote(task, safe='')}{f'-{order}' if order else ''}.html"


def model_file(key: str) -> str:
    """Return the file of a model."""
    return f"models/{quote(key, safe='')}.html"


def _order(query: Query) -> str:
    return quote(query.sort, safe="") + ("-reverse" if query.reverse else "")
