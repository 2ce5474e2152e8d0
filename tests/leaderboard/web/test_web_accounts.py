"""Logging in and out, cookies, forms of a session, and pages that belong to one submitter."""

from __future__ import annotations

import re
from html import unescape

import pytest
import web_boards
from web_boards import NOW, WebBoard, field, log_in, send

from pipeline.leaderboard import database, submissions, tokens
from pipeline.leaderboard.records import ModelInfo, Standing
from pipeline.leaderboard.sessions import LASTS
from pipeline.leaderboard.tables import AUDIT_LOG


def test_a_token_opens_a_session_whose_cookie_scripts_cannot_read(web: WebBoard) -> None:
    client = web.client()
    secret = field(client.get("/login").text, "csrf")
    done = client.post("/login", data={"token": web.token(), "csrf": secret})
    assert (done.status_code, done.headers["location"]) == (303, "/submit")
    cookie = next(c for c in done.headers.get_list("set-cookie") if "board_session=" in c)
    assert "httponly" in cookie.lower() and "samesite=lax" in cookie.lower()
    assert "secure" not in cookie.lower(), "the board is served over http here"
    assert "한도담" in client.get("/submissions").text
    assert client.get("/").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("token", ["", "klb_", "klb_" + "A" * 43, "x" * 10_000, "klb_\x00"])
def test_a_wrong_token_opens_nothing_and_is_not_repeated(web: WebBoard, token: str) -> None:
    client = web.client()
    secret = field(client.get("/login").text, "csrf")
    done = client.post("/login", data={"token": token, "csrf": secret})
    assert done.status_code == 401
    assert 'role="alert"' in done.text
    assert len(token) < 5 or token not in done.text
    assert client.get("/submissions").headers["location"] == "/login?next=%2Fsubmissions"


def test_expired_and_revoked_tokens_say_so(web: WebBoard) -> None:
    gone, over = web.token("가온"), web.token("나래", expires_at=NOW + 5)
    with database.writing(web.board.engine) as connection:
        tokens.revoke(connection, gone[:10], now=NOW)
    web.clock.now += 10
    for token, word in ((gone, "revoked"), (over, "expired")):
        client = web.client()
        secret = field(client.get("/login").text, "csrf")
        assert word in client.post("/login", data={"token": token, "csrf": secret}).text


def test_a_session_ends_with_its_time_its_token_or_its_log_out(web: WebBoard) -> None:
    client = log_in(web)
    csrf = client.headers["x-test-csrf"]
    assert client.post("/logout", data={"csrf": "no"}).status_code == 403
    assert client.get("/submissions").status_code == 200
    assert client.post("/logout", data={"csrf": csrf}).status_code == 303
    assert client.get("/submissions").status_code == 303
    old = log_in(web, "가온")
    web.clock.now += LASTS
    assert old.get("/submissions").status_code == 303


@pytest.mark.parametrize("path", ["/submissions", "/submissions/" + "a" * 20, "/submit?task=tc"])
def test_a_deep_link_leads_through_the_log_in_to_its_page(web: WebBoard, path: str) -> None:
    client = web.client()
    form = client.get(client.get(path).headers["location"]).text
    assert "session ended" not in form, "this browser had none"
    given = {"csrf": field(form, "csrf"), "next": unescape(field(form, "next"))}
    wrong = client.post("/login", data={"token": "klb_", **given})
    assert wrong.status_code == 401 and unescape(field(wrong.text, "next")) == path
    done = client.post("/login", data={"token": web.token(), **given})
    assert done.headers["location"] == path
    again = client.get("/login", params={"next": path})
    assert again.headers["location"] == path, "who is logged in needs no token"


@pytest.mark.parametrize(
    ("path", "page"),
    [("/submit", "/submit"), (f"/submissions/{'a' * 20}/withdraw", f"/submissions/{'a' * 20}")],
)
def test_a_form_that_comes_after_the_session_says_so(web: WebBoard, path: str, page: str) -> None:
    client = log_in(web)
    web.clock.now += LASTS
    done = client.post(path, data={"csrf": "x", "reason": "x"})
    assert done.status_code == 303
    form = client.get(done.headers["location"]).text
    assert "Your session ended; nothing was sent." in form and field(form, "next") == page


@pytest.mark.parametrize("path", ["/login", "/logout", "/submit", "/submissions/KEY/withdraw"])
def test_no_form_works_without_the_secret_of_its_session(web: WebBoard, path: str) -> None:
    client = log_in(web)
    entry = web.entry(web.submitter("한도담"), ModelInfo("가람-base"), "tc", {"macro_f1": 50.0})
    path = path.replace("KEY", entry.key)
    if path == "/submit":
        done = send(client, csrf="guess")
    else:
        if path == "/login":
            client.cookies.delete("board_session")
        done = client.post(path, data={"csrf": "guess", "token": web.token(), "reason": "x"})
    assert done.status_code == 403, done.text
    with database.reading(web.board.engine) as connection:
        assert submissions.get(connection, entry.key).mark is None
        assert len(submissions.history(connection, entry.submitter)) == 1


def test_pages_of_others_are_as_unknown_as_none(web: WebBoard) -> None:
    entry = web.entry(web.submitter("가온"), ModelInfo("가람-base"), "tc", {"macro_f1": 50.0})
    client = log_in(web, "나래")
    csrf = client.headers["x-test-csrf"]
    theirs, none = (client.get(f"/submissions/{key}") for key in (entry.key, "0" * 20))
    assert theirs.status_code == none.status_code == 404
    assert theirs.text == none.text
    done = client.post(f"/submissions/{entry.key}/withdraw", data={"csrf": csrf, "reason": "x"})
    assert done.status_code == 404
    with database.reading(web.board.engine) as connection:
        assert submissions.get(connection, entry.key).mark is None


def test_the_page_of_a_submission_follows_its_way(web: WebBoard) -> None:
    client = log_in(web)
    place = send(client).headers["location"]
    key = place.rpartition("/")[2]
    html = client.get(place).text
    assert "position 1 in the queue" in html and 'data-poll="3"' in html
    with database.writing(web.board.engine) as connection:
        number = submissions.get(connection, key).id
    web.board.accept(number, now=NOW, limits=web.app.state.board.settings.limits)
    html = client.get(place).text
    assert "one is charged" in html and "1 left now" in html
    web.board.record(number, web_boards.boards.HIDDEN, now=NOW, message="its gain is too small")
    html = client.get(place).text
    assert "No score is shown" in html and "Its gain is too small." in html
    assert "data-poll" not in html and "Withdraw" not in html


def test_a_refusal_shows_each_fault_with_its_line_and_costs_nothing(web: WebBoard) -> None:
    client = log_in(web)
    place = send(client).headers["location"]
    reason = (
        "p.jsonl: nothing is scored; 1 wrong; 9 guids are wanted, each once"
        "\n  p.jsonl line 3: guid a: <b>not</b> a label"
    )
    with database.writing(web.board.engine) as connection:
        number = submissions.get(connection, place.rpartition("/")[2]).id
        submissions.refuse(connection, number, reason, now=NOW)
    html = client.get(place).text
    assert re.search(r'<th scope="row" class="number">3</th>', html)
    assert "guid a: &lt;b&gt;not&lt;/b&gt; a label" in html
    assert "Nothing was charged: 2 left now" in html
    again = unescape(re.findall(r'class="button" href="([^"]*)"', html)[0])
    form = client.get(again).text
    assert 'value="tc" selected' in form and 'value="가람-base"' in form


def test_a_score_that_is_not_shown_names_the_one_that_is(web: WebBoard) -> None:
    client = log_in(web)
    who = web.submitter_of("한도담")
    best = web.entry(who, ModelInfo("가람-base", 110_000_000), "tc", {"macro_f1": 50.0})
    later = web.board.send(who, now=NOW, task="tc", model=ModelInfo("노을-base", 120_000_000))
    web.board.accept(later.id, now=NOW)
    web.board.record(later.id, web_boards.boards.HIDDEN, now=NOW, message="its gain is too small")
    html = client.get(f"/submissions/{later.key}").text
    assert f"size class “{best.size_class}”" in html
    assert f'<a href="/submissions/{best.key}"><bdi>가람-base</bdi></a>' in html


def test_own_ranks_stand_in_the_list_and_on_the_board(web: WebBoard) -> None:
    client = log_in(web)
    who = web.submitter("한도담")
    entry = web.entry(who, ModelInfo("가람-base"), "tc", {"macro_f1": 50.0})
    web.rank("tc", {"macro_f1": [(entry.id, Standing(2, 3, 48.0, 52.0))]})
    html = client.get("/submissions").text
    assert f'href="/tasks/tc#s-{entry.key}"' in html
    board = client.get("/tasks/tc").text
    assert f'id="s-{entry.key}"' in board and "yours" in board
    assert "yours" not in web.client().get("/tasks/tc").text


def test_a_submitter_withdraws_with_a_reason_that_all_see(web: WebBoard) -> None:
    client = log_in(web)
    who = web.submitter("한도담")
    entry = web.entry(who, ModelInfo("가람-base"), "tc", {"macro_f1": 50.0})
    given = {"csrf": client.headers["x-test-csrf"], "reason": "trained on <dev>"}
    done = client.post(f"/submissions/{entry.key}/withdraw", data=given)
    assert done.headers["location"] == f"/submissions/{entry.key}"
    assert "trained on &lt;dev&gt;" in web.client().get("/tasks/tc").text
    html = client.get(f"/submissions/{entry.key}").text
    assert "<bdi>trained on &lt;dev&gt;</bdi>" in html, "as it was typed"
    assert "<b>Scored</b><span>withdrawn</span>" in html and "<s>50.00</s>" in html


def test_log_in_faults_are_logged_without_the_token(web: WebBoard) -> None:
    client = web.client()
    secret = field(client.get("/login").text, "csrf")
    guess = "klb_" + "B" * 43
    client.post("/login", data={"token": guess, "csrf": secret})
    with database.reading(web.board.engine) as connection:
        rows = connection.execute(AUDIT_LOG.select()).all()
    assert [row.action for row in rows] == ["version.add", "token.refuse"]
    assert guess not in str(rows) and "BBBBBB" not in str(rows)
