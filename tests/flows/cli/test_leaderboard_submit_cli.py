"""`klue leaderboard submit`: what it sends, what it says of the outcome, and every fault once."""

from __future__ import annotations

import gzip
import json
import os
import socket
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from flows.cli.leaderboard import app

sys.path.append(str(Path(__file__).parents[1]))

from fake_board import CUT, TOKEN, Fake, once, serving

ROW = b'{"guid": "a", "label": "neutral"}\n'
POST = ("POST", "/api/submissions")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLUE_LEADERBOARD_TOKEN", TOKEN)
    for module in ("pipeline.leaderboard.client.board", "flows.commands.leaderboard_submit"):
        monkeypatch.setattr(f"{module}.sleep", lambda _seconds: None)


@pytest.fixture
def board() -> Iterator[Fake]:
    with serving(Fake()) as fake:
        yield fake


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pred.jsonl"
    path.write_bytes(ROW)
    return path


def send(file: Path, board: Fake | str, *more: str, task: str = "nli") -> Result:
    url = board if isinstance(board, str) else board.url
    options = ["--board", url, "--task", task, "--model", "가상 모델", *more]
    return CliRunner().invoke(app, ["submit", str(file), *options])


def failed(result: Result, *, code: int | None = None) -> str:
    """Return what a command that failed said, which is one error and no traceback."""
    assert result.exit_code == code if code is not None else result.exit_code, result.output
    assert result.stderr.count("error:") == 1, result.output
    assert TOKEN not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.stderr


def test_a_file_is_sent_as_it_is_and_its_scores_are_printed(board: Fake, file: Path) -> None:
    board.states = [
        {"state": "received", "queue_position": 2},
        {"state": "accepted"},
        {"state": "scored", "scores": {"accuracy": 81.25}, "ranks": None},
        {
            "state": "scored",
            "scores": {"accuracy": 81.25, "other": None},
            "ranks": {"accuracy": {"low": 1, "high": 2, "of": 4, "words": "rank 1 to 2 of 4"}},
        },
    ]
    more = ["--parameters", "110000000", "--kind", "encoder", "--description", "새 모델"]
    result = send(file, board, *more, "--link", "https://example.org/m?a=1&b=2")
    assert result.exit_code == 0, result.output
    assert list(board.files.values()) == [ROW]
    assert board.queries == [
        {
            "form": "jsonl",
            "task": "nli",
            "model": "가상 모델",
            "parameters": "110000000",
            "kind": "encoder",
            "link": "https://example.org/m?a=1&b=2",
            "description": "새 모델",
        }
    ]
    assert "quota for nli: 3 left now; used: 0 of 3 in 24 hours" in result.stderr
    assert "received, place 2 in the queue" in result.stderr
    assert "accuracy       81.25   rank 1 to 2 of 4" in result.stdout
    assert TOKEN not in result.output


def test_the_token_is_sent_only_to_what_says_that_it_is_a_board(board: Fake, file: Path) -> None:
    board.fault = lambda _method, _path: (200, {"format": "other", "tasks": []})
    assert "is no KLUE leaderboard" in failed(send(file, board), code=2)
    assert board.tokens == {""}


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("p.jsonl.gz", {"form": "jsonl", "packed": "gz"}),
        ("p.jsonl.zst", {"form": "jsonl", "packed": "zst"}),
        ("p.parquet", {"form": "parquet"}),
    ],
)
def test_the_name_of_a_file_says_its_form(
    board: Fake, tmp_path: Path, name: str, query: dict[str, str]
) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(ROW))
    assert send(path, board, "--no-wait").exit_code == 0
    assert board.queries[0].items() >= query.items()


def test_dev_predictions_go_first(board: Fake, file: Path, tmp_path: Path) -> None:
    dev = tmp_path / "dev.jsonl"
    dev.write_bytes(ROW * 2)
    assert send(file, board, "--dev", str(dev)).exit_code == 0
    assert board.files["dev-1"] == ROW * 2
    assert board.queries[0]["dev_file"] == "dev-1"


def test_one_object_holds_the_outcome(board: Fake, file: Path) -> None:
    board.states = [{"state": "scored", "scores": {"accuracy": 50.0}, "ranks": None}]
    record = json.loads(send(file, board, "--json").stdout)
    assert record["ok"] is True
    assert record["url"] == f"{board.url}/submissions/{record['key']}"
    assert record["scores"] == {"accuracy": 50.0}


def test_a_score_that_is_not_shown_is_no_failure(board: Fake, file: Path) -> None:
    board.states = [{"state": "scored", "reason": "accepted and scored; not shown", "scores": None}]
    result = send(file, board)
    assert result.exit_code == 0
    assert "not shown" in result.stdout


@pytest.mark.parametrize("state", ["refused", "failed"])
def test_a_refusal_is_printed_with_its_lines_and_fails(board: Fake, file: Path, state: str) -> None:
    reason = (
        "pred.jsonl: nothing is scored; 1 double\n  pred.jsonl line 3: guid a stands here again"
    )
    board.states = [{"state": state, "reason": reason + "\x1b[2J", "charged": False}]
    result = send(file, board)
    assert result.exit_code == 1
    assert f"{state}, not charged" in result.stdout
    assert "  pred.jsonl line 3: guid a stands here again" in result.stdout
    assert "\x1b" not in result.stdout


def test_a_refusal_names_the_files_as_they_were_given(board: Fake, file: Path) -> None:
    """The board keeps a file under the key of its submission, packed or not."""
    key, dev = sha256(ROW).hexdigest()[:16], file.with_name("dev.parquet")
    dev.write_bytes(b"PAR1")
    reason = f"{key}.jsonl.gz: 2 faults\n  {key}.jsonl.gz line 3: twice\n  {key}.dev.parquet: short"
    board.states = [{"state": "refused", "reason": reason, "charged": False}]
    told = json.loads(send(file, board, "--dev", str(dev), "--json").stdout)["reason"]
    assert told == f"{file}: 2 faults\n  {file} line 3: twice\n  {dev}: short"


def test_a_connection_that_is_lost_after_the_file_arrived_counts_it_once(
    board: Fake, file: Path
) -> None:
    board.late = once(CUT, *POST)
    result = send(file, board, "--json")
    assert result.exit_code == 0, result.output
    assert board.requests.count("POST /api/submissions") == 2
    assert len(board.files) == 1
    assert json.loads(result.stdout)["key"] in board.files
    assert "the board had received the file" in result.stderr


@pytest.mark.parametrize(
    "reply", [CUT, (503, {"error": "busy"}, {"Retry-After": "1"}), (502, "<html>")]
)
def test_what_passes_is_tried_again(board: Fake, file: Path, reply: Any) -> None:
    board.fault = once(reply, *POST)
    result = send(file, board)
    assert result.exit_code == 0, result.output
    assert "attempt 2 of 4" in result.stderr
    assert len(board.files) == 1


def test_what_is_sent_again_is_named_by_its_digest(board: Fake, file: Path) -> None:
    """So the board names a file that took the last place, and whose receipt was lost."""
    board.late = once(CUT, *POST)
    result = send(file, board)
    assert result.exit_code == 0, result.output
    assert "the board had received the file" in result.stderr
    assert [query.get("digest") for query in board.asked] == [None, sha256(ROW).hexdigest()]


def test_a_board_that_stays_away_is_given_up(board: Fake, file: Path) -> None:
    board.fault = lambda method, _path: CUT if method == "POST" else None
    assert "nothing is counted twice" in failed(send(file, board))
    assert board.requests.count("POST /api/submissions") == 4


def test_a_file_that_was_submitted_before_is_refused(board: Fake, file: Path) -> None:
    assert send(file, board).exit_code == 0
    assert "submitted before" in failed(send(file, board), code=2)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, "the token is expired; ask the organiser for another"),
        (409, "the board is closed: it takes no more submissions"),
        (413, "the file has more than 100 MiB"),
        (422, "`parameters` differs from before"),
        (429, "3 of 3 in 24 hours are used"),
    ],
)
def test_a_refused_request_is_one_error(board: Fake, file: Path, status: int, error: str) -> None:
    board.fault = once((status, {"error": error}), *POST)
    said = failed(send(file, board), code=2)
    assert f"({status}): {error}" in said
    assert board.requests.count("POST /api/submissions") == 1


def test_nothing_is_sent_without_quota_or_for_another_task(board: Fake, file: Path) -> None:
    board.quota["left"] = 0
    assert "nothing was sent" in failed(send(file, board), code=2)
    assert "its tasks: nli, tc" in failed(send(file, board, task="sts"), code=2)
    assert not board.files


def test_a_redirect_is_not_followed(board: Fake, file: Path) -> None:
    to = {"Location": "https://user:secret@login.example.org/in?token=1"}
    board.fault = lambda _method, _path: (302, {}, to)
    said = failed(send(file, board), code=2)
    assert "leads to https://login.example.org/in;" in said
    assert "secret" not in said


def test_a_board_that_does_not_speak_json_is_named(board: Fake, file: Path) -> None:
    board.fault = lambda _method, _path: (200, "<html>hello</html>")
    assert "not as a board does" in failed(send(file, board), code=2)


def test_an_answer_without_its_fields_is_named(board: Fake, file: Path) -> None:
    board.fault = once((202, {"key": "../../etc"}), *POST)
    assert "not in the form" in failed(send(file, board), code=2)


def test_where_nobody_listens_is_one_error(file: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        assert "no server answers there" in failed(send(file, url))


def test_a_server_without_tls_is_one_error(board: Fake, file: Path) -> None:
    url = board.url.replace("http://", "https://")
    assert "not by TLS" in failed(send(file, url), code=2)


@pytest.mark.parametrize("url", ["board.example.org", "ftp://x", "https://a:b@x", "http://x/?t=1"])
def test_what_is_no_address_is_refused(file: Path, url: str) -> None:
    assert "--board" in failed(send(file, url), code=2)


@pytest.mark.parametrize("option", ["--model", "--description"])
def test_text_of_another_encoding_is_refused(file: Path, option: str) -> None:
    told = failed(send(file, "http://127.0.0.1:9", option, "\udcb0\udca1"), code=2)
    assert f"{option}: is not UTF-8" in told


def test_files_are_checked_for_existence_and_form_alone(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9"
    assert "no such file" in failed(send(tmp_path / "no.jsonl", url), code=2)
    assert "is not a file" in failed(send(tmp_path, url), code=2)
    (tmp_path / "empty.jsonl").touch()
    assert "is empty" in failed(send(tmp_path / "empty.jsonl", url), code=2)
    for name in ("p.csv", "p.zip", "p.jsonl.bz2", "p.parquet.gz", "p"):
        (tmp_path / name).write_bytes(ROW)
        assert "a board takes" in failed(send(tmp_path / name, url), code=2)


def test_the_token_comes_from_the_environment_or_a_file(
    board: Fake, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KLUE_LEADERBOARD_TOKEN")
    assert "KLUE_LEADERBOARD_TOKEN: not set" in failed(send(file, board), code=2)
    kept = tmp_path / "token"
    kept.write_text(f"{TOKEN}\n")
    assert send(file, board, "--token-file", str(kept)).exit_code == 0
    assert board.tokens == {"", f"Bearer {TOKEN}"}
    kept.write_text("two words")
    assert "holds no token" in failed(send(file, board, "--token-file", str(kept)), code=2)


def test_a_pipe_as_dev_file_or_token_is_refused_at_once(file: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    for option in ("--dev", "--token-file"):
        assert str(pipe) in failed(send(file, "http://127.0.0.1:9", option, str(pipe)), code=2)


def test_waiting_ends_and_names_the_page(
    board: Fake, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.states = [{"state": "received"}]
    ticks = iter(range(0, 10_000, 50))
    monkeypatch.setattr("flows.commands.leaderboard_submit.monotonic", lambda: next(ticks))
    said = failed(send(file, board, "--patience", "1"))
    assert "is still received after 1 minutes" in said
    assert "/submissions/" in said
