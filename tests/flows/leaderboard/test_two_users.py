"""As root, with two users: the process that talks to the network cannot read the test labels."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import board_stories as boards
import mini
import pytest
import servers
from board_stories import Sent, lines

from flows.leaderboard.limited_process import Limits, run_limited
from pipeline.leaderboard.layout import Layout

WEB, SCORER = "nobody", "daemon"
NLI = ["entailment", "contradiction", "neutral"]
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(os.getuid() != 0, reason="only root may start processes of other users"),
]


def _environment(python: str) -> dict[str, str]:
    return {
        "PYTHONPATH": os.pathsep.join([str(mini.ROOT), sysconfig.get_path("purelib")]),
        "LD_LIBRARY_PATH": str(Path(python).parents[1] / "lib"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.fixture
def place() -> Iterator[Path]:
    """Return a folder that all users may pass, as those of pytest are not."""
    folder = Path(mkdtemp(prefix="klue-two-users."))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def python(place: Path) -> str:
    """Return a Python that other users may run: this one, or its files under another folder."""
    if not _runs(sys.executable):
        copy = place / "python"
        shutil.copytree(sys.base_prefix, copy, copy_function=_link, symlinks=True)
        found = str(copy / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")
        if not _runs(found):
            pytest.skip(f"user {WEB} can run no Python that has this project's packages")
        return found
    return sys.executable


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _runs(python: str) -> bool:
    user = pwd.getpwnam(WEB)
    try:
        done = subprocess.run(
            [python, "-c", "import ssl, pyarrow, flows"],
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
            env=_environment(python),
            capture_output=True,
        )
    except PermissionError:
        return False
    return done.returncode == 0


def _attempts(layout: Layout, numbers: list[int]) -> list[Path]:
    """Return all that the web process must not be able to open."""
    processes = [Path(f"/proc/{number}") for number in numbers]
    return [
        *layout.private.rglob("*"),
        layout.private,
        *(process / name for process in processes for name in ("mem", "environ", "maps")),
    ]


def test_the_web_user_cannot_read_what_is_private(
    place: Path, python: str, untouched: Path, release: Path
) -> None:
    folder = boards.copy(untouched, place / "board")
    layout = Layout(folder)
    options = ("--web-user", WEB, "--scorer-user", SCORER)
    environment = _environment(python)
    running = servers.running(folder, *options, python=[python], environment=environment)
    with running as server, boards.opened(folder) as board:
        servers.wait_for(lambda: len(server.children()) == 3, "three processes run")
        rows = boards.worse(boards.answers(release, "nli"), 0.3, NLI)
        sent = boards.send(board, boards.submitter(board), "nli", Sent(lines(rows)))
        servers.wait_for(lambda: boards.now(board, sent).state == "scored", "it is scored")

        web, scorer = (pwd.getpwnam(name) for name in (WEB, SCORER))
        children = server.children()
        of_scorer = [children["scorer"], *servers.descendants(children["scorer"])]
        status = Path(f"/proc/{children['scorer']}/status").read_text("ascii")
        assert f"Uid:\t{scorer.pw_uid}\t{scorer.pw_uid}" in status
        for role in ("web", "checker"):
            status = Path(f"/proc/{children[role]}/status").read_text("ascii")
            assert f"Uid:\t{web.pw_uid}\t{web.pw_uid}" in status
            assert f"Groups:\t{scorer.pw_gid}" not in status

        paths = _attempts(layout, of_scorer)
        assert len(of_scorer) >= 2 and sum("labels" in str(path) for path in paths) >= 8

        def attempt() -> list[str]:
            opened = []
            for path in paths:
                try:
                    os.close(os.open(path, os.O_RDONLY))
                    opened.append(str(path))
                except PermissionError:
                    continue
            for deed in (
                lambda: layout.private.rename(folder / "other"),
                (folder / "more").mkdir,
                lambda: os.kill(of_scorer[0], 0),
            ):
                try:
                    deed()
                    opened.append("a deed")
                except PermissionError:
                    continue
            return opened

        limits = Limits(user=web.pw_uid, group=web.pw_gid)
        assert run_limited(attempt, limits).result == []
        control = run_limited(lambda: os.access(layout.submissions / sent.file, os.R_OK), limits)
        assert control.result is True, "the attempts fail for another reason"
        assert "one user" not in server.log.read_text("utf-8")
        server.stop()
