"""`klue leaderboard init`, `token` and `mark`: a board is made as a whole, and tokens show once."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from annotation_stories import bad, good, klue
from official_files import STS, as_text

from flows.leaderboard import creation
from flows.publish.verified import verify_release
from pipeline.core.errors import StoreError
from pipeline.leaderboard import database, versions
from pipeline.leaderboard.layout import SETTINGS, Layout
from pipeline.leaderboard.settings import load_settings
from pipeline.release.manifest import private_folder, read_manifest
from pipeline.release.writing import write

sys.path.append(str(Path(__file__).parents[2] / "release"))

import small_release as small

TASKS = ["nli", "tc"]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "mini" / "1.0.0"
    tasks = map(small.task_material, TASKS)
    write(small.material(tmp_path_factory.mktemp("corpus"), *tasks), folder)
    return folder


@pytest.fixture(scope="module")
def made(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a board that no test changes."""
    board = tmp_path_factory.mktemp("boards") / "board"
    good("leaderboard", "init", board, "--release", release, "--title", "가상 순위표")
    return board


@pytest.fixture
def board(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "board"))


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the release another verification, for tests of what comes after it."""
    monkeypatch.setattr(creation, "require_sound", lambda _: None)


def _modes(folder: Path) -> dict[str, set[int]]:
    """Return the rights of the folders and files below a folder."""
    modes: dict[str, set[int]] = {"folders": set(), "files": set()}
    for path in (folder, *folder.rglob("*")):
        kind = "folders" if path.is_dir() else "files"
        modes[kind].add(stat.S_IMODE(path.stat().st_mode))
    return modes


def test_init_says_what_it_made(release: Path, tmp_path: Path) -> None:
    place = tmp_path / "new" / "board"
    record = good("leaderboard", "init", place, "--release", release)
    assert record == {
        "board": str(place),
        "tasks": TASKS,
        "baselines": 0,
        "release": "mini 1.0.0",
        "release_hash": read_manifest(release).release_hash,
        "version": 1,
    }
    assert load_settings(place).title == "mini 1.0.0"


def test_only_the_owner_reads_what_is_private(made: Path) -> None:
    layout = Layout(made)
    assert _modes(layout.private) == {"folders": {0o700}, "files": {0o600}}
    for place in (layout.incoming, layout.submissions):
        assert _modes(place) == {"folders": {0o700}, "files": set()}
    assert _modes(made / "public") == {"folders": {0o755}, "files": {0o644}}
    for path in (layout.database, layout.settings):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.usefixtures("verified")
@pytest.mark.parametrize("mask", [0o000, 0o077])
def test_the_rights_do_not_depend_on_the_umask(release: Path, tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        good("leaderboard", "init", tmp_path / "board", "--release", release)
    finally:
        os.umask(before)
    test_only_the_owner_reads_what_is_private(tmp_path / "board")


def test_both_copies_verify_and_only_one_has_labels(made: Path, release: Path) -> None:
    layout = Layout(made)
    for copy in (layout.public_release(1), layout.private_release(1)):
        assert all(check.ok for check in verify_release(copy))
        assert read_manifest(copy) == read_manifest(release)
    assert private_folder(layout.private_release(1)).is_dir()
    labels = {path.read_bytes() for path in private_folder(release).glob("labels/*.parquet")}
    outside = (p for p in made.rglob("*") if layout.private not in p.parents and p.is_file())
    assert not labels & {path.read_bytes() for path in outside}


@pytest.mark.usefixtures("verified")
def test_the_settings_are_read_as_they_were_given(release: Path, tmp_path: Path) -> None:
    title = '가상: "순위표" # <1> {title} %s 😀'
    good("leaderboard", "init", tmp_path / "b", "--release", release, "--title", title)
    settings = load_settings(tmp_path / "b")
    assert (settings.title, list(settings.tasks)) == (title, TASKS)
    assert (settings.limits.day, settings.database, settings.variant) == (3, "", "klue")
    text = Layout(tmp_path / "b").settings.read_text("utf-8")
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert len(comments) > 5


def test_every_setting_is_in_the_file(made: Path) -> None:
    settings = load_settings(made)
    assert set(type(settings).model_fields) == settings.model_fields_set
    assert set(type(settings.upload).model_fields) == settings.upload.model_fields_set
    assert set(type(settings.limits).model_fields) == settings.limits.model_fields_set


def test_the_first_version_is_that_of_the_release(made: Path, release: Path) -> None:
    engine = database.open_engine(made, load_settings(made))
    with database.reading(engine) as connection:
        version = versions.current(connection)
    engine.dispose()
    assert (version.number, version.release_name, version.closed_at) == (1, "mini", None)
    assert version.release_hash == read_manifest(release).release_hash
    assert len(version.scorer_version) == 64


@pytest.mark.usefixtures("verified")
def test_each_board_has_a_key_of_its_own(made: Path, release: Path, tmp_path: Path) -> None:
    good("leaderboard", "init", tmp_path / "b", "--release", release)
    keys = [Layout(place).half_key.read_text("utf-8").strip() for place in (made, tmp_path / "b")]
    assert keys[0] != keys[1]
    assert all(len(bytes.fromhex(key)) == 32 for key in keys)


def test_a_folder_with_anything_in_it_is_refused(made: Path, release: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("x", "utf-8")
    for place in (made, tmp_path / "full", tmp_path / "full" / "mine.txt"):
        assert "is there and not empty" in bad("leaderboard", "init", place, "--release", release)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]


@pytest.mark.usefixtures("verified")
def test_an_empty_folder_is_taken(release: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert good("leaderboard", "init", tmp_path / "empty", "--release", release)["version"] == 1


def _copy(release: Path, folder: Path) -> Path:
    copy = folder / "mini" / "1.0.0"
    shutil.copytree(release, copy)
    shutil.copytree(private_folder(release), private_folder(copy))
    return copy


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("damage", "check"),
    [("ynat/test.parquet", "files"), ("README.md", "files"), ("manifest.json", "damaged")],
)
def test_a_release_that_does_not_verify_is_refused(
    release: Path, tmp_path: Path, damage: str, check: str
) -> None:
    copy = _copy(release, tmp_path)
    (copy / damage).write_bytes(b"x")
    said = bad("leaderboard", "init", tmp_path / "b", "--release", copy, code=1)
    assert check in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mini"]


def test_changed_labels_are_refused(release: Path, tmp_path: Path) -> None:
    copy = _copy(release, tmp_path)
    (private_folder(copy) / "labels" / "nli.parquet").write_bytes(b"x")
    said = bad("leaderboard", "init", tmp_path / "b", "--release", copy, code=1)
    assert "does not verify (" in said
    assert "private_files" in said


def test_a_release_without_its_labels_is_refused(release: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mini" / "1.0.0"
    shutil.copytree(release, copy)
    said = bad("leaderboard", "init", tmp_path / "b", "--release", copy)
    assert "its test labels are not here" in said
    assert "1.0.0.private" in said


def test_official_files_have_no_labels_to_score_on(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "klue-sts-v1.1_dev.json").write_text(as_text(STS), "utf-8")
    official = tmp_path / "klue" / "1.1.0"
    good("import-official", tmp_path / "files", "--out", official)
    said = bad("leaderboard", "init", tmp_path / "b", "--release", official)
    assert "has no test examples (official KLUE files have none" in said
    assert "`klue build`" in said
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--title", " "], "--title: has 0 characters"),
        (["--title", "x" * 201], "--title: has 201 characters"),
        (["--title", "a\x07b"], "control characters"),
        (["--database", "mysql://klue:hush@127.0.0.1/x"], "--database: mysql is not known"),
        (["--database", "here"], "--database: not a URL"),
    ],
    ids=["blank", "long", "control", "mysql", "no URL"],
)
def test_wrong_options_are_refused_before_anything_is_made(
    release: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    said = bad("leaderboard", "init", tmp_path / "b", "--release", release, *options)
    assert message in said
    assert "hush" not in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("verified")
def test_a_file_that_changes_while_it_is_copied_is_noticed(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copyfile = shutil.copyfile

    def change(source: Path, target: Path) -> None:
        copyfile(source, target)
        if source.name == "test.parquet":
            target.write_bytes(b"changed")

    monkeypatch.setattr(shutil, "copyfile", change)
    said = bad("leaderboard", "init", tmp_path / "b", "--release", release, code=1)
    assert "changed while it was copied" in said
    assert list(tmp_path.iterdir()) == []


#: What a making does one after the other, each by a name of creation.py.
STEPS = ("_make_folders", "_copy", "_write_private", "_create_database")


@pytest.mark.usefixtures("verified")
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_killed_init_leaves_nothing_that_looks_like_a_board(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, when: str
) -> None:
    target = tmp_path / "b"
    child = os.fork()
    if not child:
        try:
            function = getattr(creation, step)

            def die(*arguments: object, **options: object) -> None:
                if when == "after":
                    function(*arguments, **options)
                os.kill(os.getpid(), signal.SIGKILL)

            monkeypatch.setattr(creation, step, die)
            creation.create_board(target, release, title=None, database_url="", now=1)
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert not target.exists()
    left = list(tmp_path.iterdir())
    assert {stat.S_IMODE(path.stat().st_mode) for path in left} == {0o700}
    assert all(path.name.startswith(".b.") for path in left)
    assert "no such folder" in bad("leaderboard", "token", "list", target)
    assert good("leaderboard", "init", target, "--release", release)["version"] == 1


@pytest.mark.usefixtures("verified")
@pytest.mark.parametrize("error", [StoreError("full"), OSError(28, "No space left")])
def test_a_making_that_fails_leaves_nothing(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(creation, "_create_database", fail)
    said = bad("leaderboard", "init", tmp_path / "b", "--release", release, code=1)
    assert str(error.args[-1]) in said
    assert list(tmp_path.iterdir()) == []


def test_a_token_is_shown_once(board: Path) -> None:
    plain = klue("leaderboard", "token", "add", board, "한도담")
    assert plain.exit_code == 0
    token = plain.stdout.strip()
    assert len(token) == 47
    assert token not in plain.stderr
    record = good("leaderboard", "token", "add", board, "가람", "--days", 7)
    assert record["expires_at"] - record["created_at"] == 7 * 86_400
    listed = good("leaderboard", "token", "list", board)["tokens"]
    assert [row["name"] for row in listed] == ["한도담", "가람"]
    assert listed[0]["expires_at"] - listed[0]["created_at"] == 365 * 86_400
    assert not any(secret in json.dumps(listed) for secret in (token, record["token"]))
    told = klue("leaderboard", "token", "list", board)
    assert token[:10] in told.stdout
    assert token not in told.stdout


def test_a_token_is_revoked_by_its_id_or_beginning(board: Path) -> None:
    first, second = (good("leaderboard", "token", "add", board, "한도담") for _ in range(2))
    assert good("leaderboard", "token", "revoke", board, first["id"])["state"] == "revoked"
    assert good("leaderboard", "token", "revoke", board, second["hint"])["id"] == second["id"]
    assert good("leaderboard", "token", "revoke", board, second["id"])["state"] == "revoked"
    said = bad("leaderboard", "token", "revoke", board, first["token"])
    assert first["token"] not in said


@pytest.mark.parametrize("name", ["", "<b>", "=1+1", "a\nb", "x" * 81])
def test_a_name_that_could_do_harm_gets_no_token(board: Path, name: str) -> None:
    assert bad("leaderboard", "token", "add", board, name).startswith("name: ")
    assert good("leaderboard", "token", "list", board) == {"tokens": []}


@pytest.mark.parametrize("days", ["0", "-1", "3651", "x"])
def test_days_are_within_bounds(board: Path, days: str) -> None:
    assert klue("leaderboard", "token", "add", board, "한도담", "--days", days).exit_code == 2


def test_a_mark_of_nothing_is_refused(board: Path) -> None:
    more = ("--as", "withdrawn", "--reason", "why")
    assert "no such submission" in bad("leaderboard", "mark", board, "nothing", *more)
    said = bad("leaderboard", "mark", board, "nothing", "--as", "gone", "--reason", "why")
    assert "allowed: withdrawn, disqualified" in said


@pytest.mark.parametrize("words", ["token list", "token revoke 1", "token add 한도담"])
def test_what_is_no_board_is_refused(tmp_path: Path, words: str) -> None:
    group, name, *more = words.split()
    for place, message in ((tmp_path, "no board is there"), (tmp_path / "x", "no such folder")):
        assert message in bad("leaderboard", group, name, place, *more)
    assert list(tmp_path.iterdir()) == []


def test_faults_of_the_settings_are_named_by_their_line(board: Path) -> None:
    path = board / SETTINGS
    path.write_text(path.read_text("utf-8").replace("  day: 3", "  day: 0"), "utf-8")
    said = bad("leaderboard", "token", "list", board)
    assert "board.yaml:" in said
    assert "limits.day" in said


def test_a_lost_database_is_named(board: Path) -> None:
    Layout(board).database.unlink()
    assert "no such file; restore it" in bad("leaderboard", "token", "list", board)


@pytest.mark.usefixtures("verified")
@pytest.mark.full
def test_a_board_on_postgresql(release: Path, tmp_path: Path, server: str) -> None:
    url = f"{server}/postgres"
    place = tmp_path / "b"
    good("leaderboard", "init", place, "--release", release, "--database", url)
    assert not Layout(place).database.exists()
    assert load_settings(place).database == url
    more = ("--release", release, "--database", url)
    other = good("leaderboard", "init", tmp_path / "again", *more)  # nobody used the first
    assert other["version"] == 1
    issued = good("leaderboard", "token", "add", place, "한도담")
    assert good("leaderboard", "token", "list", place)["tokens"][0]["hint"] == issued["hint"]
    said = bad("leaderboard", "init", tmp_path / "third", *more)
    assert "holds a board with submitters already" in said
    assert not (tmp_path / "third").exists()


@pytest.fixture
def server() -> Iterator[str]:
    sys.path.append(str(Path(__file__).parents[2] / "leaderboard"))
    import postgres

    with postgres.running() as url:
        yield url
