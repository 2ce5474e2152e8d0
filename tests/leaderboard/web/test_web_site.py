"""A published board: every link leads to a file of it, and nothing needs a server."""

from __future__ import annotations

import json
import posixpath
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
import web_boards
from web_boards import METRICS, NOW, WebBoard

from pipeline.leaderboard import database, versions
from pipeline.leaderboard.records import ModelInfo, Score
from pipeline.leaderboard.web.site import Site, snapshots


def published(web: WebBoard) -> dict[str, str]:
    board = web.app.state.board
    with database.reading(board.engine) as connection:
        found = snapshots(connection)
    pairs = list(Site(board.settings, board.release, False, found).files())
    assert len({path for path, _ in pairs}) == len(pairs), "no file is written twice"
    return dict(pairs)


def links(path: str, html: str) -> set[str]:
    """Return the files that a page leads to, as paths from the site's root."""
    given = {unescape(link) for link in re.findall(r'(?:href|src|action)="([^"]*)"', html)}
    inside = {link.partition("#")[0] for link in given if not link.startswith("https://example")}
    folder = posixpath.dirname(path)
    return {posixpath.normpath(posixpath.join(folder, link)) for link in inside if link}


def test_every_link_leads_to_a_file(full: WebBoard) -> None:
    files = published(full)
    for path, html in files.items():
        if path.endswith(".html"):
            missing = {link for link in links(path, html) if unquote(link) not in files}
            assert missing == set(), path


def test_each_metric_sorts_and_each_model_has_its_page(full: WebBoard) -> None:
    files = published(full)
    for task, metrics in METRICS.items():
        for metric in metrics:
            assert f"sorted/{task}.{metric}.html" in files
            assert f"tasks/{task}-{metric}-reverse.html" in files
    assert sum(path.startswith("models/") for path in files) == 9


def test_pages_for_submitters_and_their_forms_are_left_out(full: WebBoard) -> None:
    for path, html in published(full).items():
        if path.endswith(".html"):
            assert "<form method" not in html and 'name="csrf"' not in html, path
            assert "Log in" not in html and ">Submit<" not in html, path
            assert not re.search(r'(href|src)="/', html), "no path from a server's root"


def test_the_record_is_that_of_the_running_board(full: WebBoard) -> None:
    here = json.loads(published(full)["board.json"])
    live = full.client().get("/board.json").json()
    assert {**here, "protected": True} == live


def test_views_that_may_be_seen_have_folders_of_their_own(web: WebBoard) -> None:
    entry = web.entry(web.submitter("한도담"), ModelInfo("가람-base"), "tc", {"macro_f1": 50.0})
    assert not any(path.startswith("1-") for path in published(web)), "the final half is hidden"
    final = Score("final", 9, shown=True, best=True, metrics={"macro_f1": 41.25})
    web.board.record(entry.id, final, now=NOW)
    with database.writing(web.board.engine) as connection:
        versions.close(connection, 1, now=NOW)
    files = published(web)
    assert "41.25" in files["index.html"] and "50.00" in files["1-public/index.html"]
    for path, html in files.items():
        if path.endswith(".html"):
            assert {link for link in links(path, html) if link not in files} == set(), path


@pytest.mark.parametrize("tasks", [(), ("tc",)])
def test_an_empty_board_can_be_published(tmp_path: Path, tasks: tuple[str, ...]) -> None:
    files = published(web_boards.make(tmp_path / "board", tasks=tasks))
    assert {"index.html", "about.html", "board.json", "assets/board.css"} <= set(files)
