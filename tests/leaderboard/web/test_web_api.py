"""The API, as docs/leaderboard.md describes it."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from test_web_submit import left_over, sent
from web_boards import LINES, NOW, WebBoard, bearer, log_in

from pipeline.leaderboard import database, submissions
from pipeline.leaderboard.records import Score, Standing
from pipeline.leaderboard.web.dev_files import LASTS

DOCS = (Path(__file__).parents[3] / "docs" / "leaderboard.md").read_text("utf-8")
GIVEN = {"task": "tc", "model": "가람-base", "form": "jsonl"}


def post(web: WebBoard, content: bytes = LINES, name: str = "한도담", **changed: str) -> Any:
    given = {key: value for key, value in {**GIVEN, **changed}.items() if value}
    headers = bearer(web.token(name))
    return web.client().post("/api/submissions", params=given, content=content, headers=headers)


def test_a_file_is_received_and_its_state_asked_for(web: WebBoard) -> None:
    done = post(web)
    assert done.status_code == 202
    record = done.json()
    assert record["state"] == "received"
    assert record["url"] == f"http://127.0.0.1/submissions/{record['key']}"
    assert record["quota"]["left"] == 1 and record["quota"]["pending"] == 1
    headers = bearer(web.token())
    state = web.client().get(f"/api/submissions/{record['key']}", headers=headers).json()
    assert (state["state"], state["queue_position"], state["charged"]) == ("received", 1, False)
    assert (state["scores"], state["ranks"], state["faults"]) == (None, None, [])
    section = DOCS.partition("### Ask for the state")[2].partition("###")[0]
    assert set(state) <= set(re.findall(r'"(\w+)":', section))


def test_faults_and_ranks_are_data(web: WebBoard) -> None:
    first, second = post(web).json()["key"], post(web, LINES * 2).json()["key"]
    with database.writing(web.board.engine) as connection:
        number = submissions.get(connection, first).id
        reason = "p.jsonl: nothing is scored\n  p.jsonl line 7: guid a: no\n  p.jsonl: guid b: none"
        submissions.refuse(connection, number, reason, now=NOW)
        number = submissions.get(connection, second).id
    web.board.accept(number, now=NOW)
    score = Score("public", 5, shown=True, best=True, metrics={"macro_f1": 61.5})
    web.board.record(number, score, now=NOW)
    web.rank("tc", {"macro_f1": [(number, Standing(1, 1, 60.0, 63.0))]})
    headers, client = bearer(web.token()), web.client()
    refused = client.get(f"/api/submissions/{first}", headers=headers).json()
    assert refused["faults"] == [
        {"line": 7, "row": None, "text": "guid a: no"},
        {"line": None, "row": None, "text": "guid b: none"},
    ]
    assert refused["charged"] is False and refused["queue_position"] is None
    shown = client.get(f"/api/submissions/{second}", headers=headers).json()
    assert shown["scores"] == {"macro_f1": 61.5}
    assert shown["ranks"]["macro_f1"]["words"] == "the only system so far"


def test_predictions_on_dev_wait_for_their_submission(web: WebBoard) -> None:
    client, headers = web.client(), bearer(web.token())
    given = {"params": {"form": "jsonl"}, "content": b'{"guid": "d"}', "headers": headers}
    first = client.post("/api/dev-files", **given)
    assert first.status_code == 201
    key = client.post("/api/dev-files", **given).json()["dev_file"]
    assert len(left_over(web)) == 1, "a newer one takes the place of the one before"
    assert post(web, dev_file=first.json()["dev_file"]).status_code == 422
    assert post(web, name="가온", dev_file=key).status_code == 422, "it is another submitter's"
    assert post(web, task="nope", dev_file=key).status_code == 404
    assert post(web, b"PK\x03\x04....", dev_file=key).status_code == 422
    assert post(web, dev_file=key).status_code == 202, "what was refused did not use it up"
    dev = sent(web)[0].dev_file
    assert dev and (web.board.layout.submissions / dev).read_bytes() == b'{"guid": "d"}'
    assert post(web, LINES * 2, dev_file=key).status_code == 422


def test_predictions_on_dev_wait_for_an_hour(web: WebBoard) -> None:
    headers = bearer(web.token())
    given = {"params": {"form": "jsonl"}, "content": b'{"guid": "d"}', "headers": headers}
    key = web.client().post("/api/dev-files", **given).json()["dev_file"]
    web.clock.now += LASTS
    assert "too old" in post(web, dev_file=key).json()["error"]


@pytest.mark.parametrize(
    ("changed", "status", "word"),
    [
        ({"task": "nope"}, 404, "tasks: tc, ner"),
        ({"task": ""}, 422, "choose a task: tc, ner"),
        ({"form": ""}, 422, "`form` must be one of: jsonl, parquet"),
        ({"form": "zip"}, 422, "`form` must be one of: jsonl, parquet"),
        ({"form": "parquet"}, 422, "the file is jsonl"),
        ({"packed": "xz"}, 422, "`packed` must be one of: gz, zst"),
        ({"color": "red"}, 422, "unknown parameter 'color'"),
        ({"model": ""}, 422, "model"),
        ({"parameters": "1e9"}, 422, "whole number"),
        ({"dev_file": "0" * 20}, 422, "`dev_file` is not known"),
    ],
)
def test_wrong_parameters_are_named(
    web: WebBoard, changed: dict[str, str], status: int, word: str
) -> None:
    done = post(web, **changed)
    assert done.status_code == status
    assert word in done.json()["error"]
    assert left_over(web) == [] and sent(web) == []


def test_quota_is_told_and_kept(web: WebBoard) -> None:
    headers, client = bearer(web.token()), web.client()
    record = client.get("/api/quota", headers=headers).json()
    assert record["submitter"] == "한도담"
    assert [one["task"] for one in record["quotas"]] == ["tc", "ner"]
    for number in (1, 2):
        key = post(web, LINES * number).json()["key"]
        with database.writing(web.board.engine) as connection:
            found = submissions.get(connection, key)
            limits = web.app.state.board.settings.limits
            submissions.accept(connection, found.id, limits=limits, now=NOW)
    more = post(web, LINES * 9)
    assert more.status_code == 429
    assert int(more.headers["retry-after"]) == 24 * 3_600
    assert post(web, LINES * 9, task="ner").status_code == 202, "each task has its own"


def test_a_file_that_is_known_is_named_even_if_nothing_is_left(web: WebBoard) -> None:
    key = post(web).json()["key"]
    while post(web, LINES * (2 + len(sent(web)))).status_code == 202:
        pass
    assert post(web).status_code == 429
    again = post(web, digest=sha256(LINES).hexdigest())
    assert again.status_code == 409 and key in again.json()["error"]
    assert post(web, digest=sha256(b"other").hexdigest()).status_code == 429
    assert post(web, name="다른 이", digest=sha256(LINES).hexdigest()).status_code == 202


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic abc", "Bearer klb_x"])
def test_no_token_no_answer(web: WebBoard, header: str | None) -> None:
    headers = {} if header is None else {"authorization": header}
    for method, path in (
        ("POST", "/api/submissions"),
        ("POST", "/api/dev-files"),
        ("GET", "/api/quota"),
        ("GET", "/api/submissions/" + "0" * 20),
    ):
        done = web.client().request(method, path, headers=headers)
        assert done.status_code == 401
        assert done.headers["www-authenticate"] == "Bearer"
        assert "error" in done.json()


def test_a_cookie_is_no_token_and_an_address_neither(web: WebBoard) -> None:
    client = log_in(web)
    assert client.get("/api/quota").status_code == 401
    assert client.get("/api/quota", params={"token": web.token()}).status_code == 401


def test_submissions_of_others_are_unknown(web: WebBoard) -> None:
    key = post(web).json()["key"]
    headers = bearer(web.token("가온"))
    answers = [
        web.client().get(f"/api/submissions/{one}", headers=headers) for one in (key, "0" * 20)
    ]
    assert [one.status_code for one in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()


def test_every_status_of_the_documentation_is_one_that_the_api_gives() -> None:
    section = DOCS.partition("### Errors")[2].partition("###")[0]
    told = {int(one) for one in re.findall(r"\b(\d{3})\b", section)}
    assert told == {400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 503}
