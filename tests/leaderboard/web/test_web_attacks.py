"""What hostile and careless clients send: nothing is stored, shown, charged or told."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
import web_boards
from test_web_submit import left_over
from web_boards import LINES, WebBoard, bearer, log_in, send

from pipeline.leaderboard.web import body_limits, rate_limits
from pipeline.leaderboard.web.app import routes
from pipeline.leaderboard.web.rate_limits import Limit, RateLimits

FORM = {"content-type": "application/x-www-form-urlencoded"}
PATHS = [route.path for route in routes()]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_strict_headers(web: WebBoard, path: str) -> None:
    answer = web.client().get(path.replace("{task}", "tc").replace("{name}", "board.css"))
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy and "*" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "strict-transport-security" not in answer.headers, "the board is served over http here"
    assert "set-cookie" not in answer.headers or path == "/login"


@pytest.mark.parametrize("path", ["/", "/tasks/tc", "/about", "/login", "/nope"])
def test_pages_hold_nothing_that_the_policy_forbids(web: WebBoard, path: str) -> None:
    html = web.client().get(path).text
    for part in ("<style", "style=", "onclick", "onload", "<script>", "http://", "//cdn"):
        assert part not in html


def test_https_by_public_url_means_secure_cookies_and_hsts(tmp_path: Any) -> None:
    settings = {"public_url": "https://board.example.org/klue"}
    web = web_boards.make(tmp_path / "board", tasks=("tc",), settings=settings)
    client = web.client("http://board.example.org")
    login = client.get("/login")
    assert "max-age=" in login.headers["strict-transport-security"]
    cookie = login.headers["set-cookie"].lower()
    assert "secure" in cookie and "path=/klue" in cookie
    assert 'href="/klue/about"' in login.text, "addresses are below the public path"
    assert client.get("/klue/tasks/tc").status_code == 200, "a proxy may keep the path"
    assert client.get("/klue").status_code in (200, 307)


@pytest.mark.parametrize(
    ("public", "host", "allowed"),
    [
        ("", "127.0.0.1:8000", True),
        ("", "[::1]:8000", True),
        ("", "localhost", True),
        ("", "192.0.2.7:8000", True),
        ("", "evil.example.org", False),
        ("https://board.example.org", "board.example.org", True),
        ("https://board.example.org", "BOARD.example.org", True),
        ("https://board.example.org", "127.0.0.1:8000", True),
        ("https://board.example.org", "192.0.2.7", False),
        ("https://board.example.org", "board.example.org.evil.org", False),
        ("https://board.example.org", "board.example.org:8443", False),
        ("http://board.example.org:8443", "board.example.org:8443", True),
        ("", "", False),
        ("", "127.0.0.1@evil.org", False),
    ],
)
def test_only_its_own_host_name_is_answered(
    tmp_path: Any, public: str, host: str, allowed: bool
) -> None:
    web = web_boards.make(tmp_path / "board", tasks=("tc",), settings={"public_url": public})
    answer = web.client().get("/", headers={"host": host})
    assert answer.status_code == (200 if allowed else 400)
    assert host not in answer.text or allowed or not host


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "ODD"])
@pytest.mark.parametrize("path", ["/", "/submit", "/api/submissions", "/board.json"])
def test_unknown_methods_are_refused_with_what_is_allowed(
    web: WebBoard, method: str, path: str
) -> None:
    answer = web.client().request(method, path)
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) <= {"GET", "HEAD", "POST"}


def test_head_is_get_without_a_body(web: WebBoard) -> None:
    answer = web.client().head("/")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example.org"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_changes_that_another_site_asks_for_are_refused(
    web: WebBoard, headers: dict[str, str]
) -> None:
    client = log_in(web)
    client.headers.update(headers)
    assert send(client).status_code == 403
    assert client.post("/login", data={}).status_code == 403
    assert left_over(web) == []


@pytest.mark.parametrize("path", ["/", "/login", "/logout", "/submissions/x/withdraw", "/tasks/tc"])
def test_large_bodies_are_refused_on_every_route(web: WebBoard, path: str) -> None:
    assert web.client().post(path, content=b"x" * 70_000).status_code == 413
    client = log_in(web)
    untold = client.post(path, content=iter([b"x" * 40_000] * 3), headers=FORM)
    assert untold.status_code in (405, 413), "its length is not told beforehand"


@pytest.mark.parametrize("path", ["/submit", "/api/submissions", "/api/dev-files"])
def test_ten_gigabytes_are_refused_by_their_length(web: WebBoard, path: str) -> None:
    headers = {"content-length": str(10**10), **bearer(web.token())}
    assert web.client().post(path, content=b"x", headers=headers).status_code == 413


def test_more_bytes_than_allowed_are_refused_while_they_arrive(web: WebBoard) -> None:
    read = 0

    def endless() -> Any:
        nonlocal read
        while True:
            read += 1
            yield b"x" * 1_000

    async def asked() -> int:
        pieces = endless()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": next(pieces), "more_body": True}

        query = b"task=tc&model=m&form=jsonl"
        return await status_of(web, "/api/submissions", receive, query, web.token())

    assert asyncio.run(asked()) == 413
    assert read < 200, "50,000 bytes are allowed"
    assert left_over(web) == []


async def status_of(web: WebBoard, path: str, receive: Any, query: bytes, token: str) -> int:
    """Return the status that a request gets whose body comes from `receive`."""
    sent: list[dict[str, Any]] = []

    async def send_(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {token}".encode())]
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": headers,
        "client": ("10.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    await web.app(scope, receive, send_)
    return int(sent[0]["status"])


@pytest.mark.parametrize("limit", ["PAUSE", "LARGE_SECONDS"])
def test_an_upload_that_stops_or_crawls_is_ended(
    web: WebBoard, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body_limits, limit, 0.05)

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(3_600 if limit == "PAUSE" else 0.01)
        return {"type": "http.request", "body": b"x", "more_body": True}

    query = b"task=tc&model=m&form=jsonl"
    asked = status_of(web, "/api/submissions", receive, query, web.token())
    assert asyncio.run(asked) == 408
    assert left_over(web) == []


def test_who_goes_away_leaves_nothing(web: WebBoard) -> None:
    messages = iter(
        [
            {"type": "http.request", "body": b"x" * 99, "more_body": True},
            {"type": "http.disconnect"},
        ]
    )

    async def receive() -> dict[str, Any]:
        return next(messages)

    query = b"task=tc&model=m&form=jsonl"
    with pytest.raises(IndexError):
        asyncio.run(status_of(web, "/api/submissions", receive, query, web.token()))
    assert left_over(web) == []


def test_too_many_requests_of_an_address_wait(
    web: WebBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.leaderboard.web.gates.ADDRESS", Limit("address", 3, 0.5))
    client = web.client()
    assert [client.get("/healthz").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert client.get("/healthz").headers["retry-after"] == "2"
    assert web.client(address=("10.9.9.9", 1)).get("/healthz").status_code == 200
    web.clock.now += 2
    assert client.get("/healthz").status_code == 200


def test_guessing_tokens_is_slowed_and_holds_up_nobody_else(web: WebBoard) -> None:
    client, wrong = web.client(), bearer("klb_" + "C" * 43)
    found = [client.get("/api/quota", headers=wrong).status_code for _ in range(12)]
    assert found == [401] * rate_limits.FAILURES.burst + [429] * 2
    right = client.get("/api/quota", headers=bearer(web.token()))
    assert right.status_code == 200, "a valid token works even from that address"


def test_a_submitter_is_limited_whatever_the_address(
    web: WebBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.leaderboard.web.visitors.SUBMITTER", Limit("submitter", 2, 1.0))
    headers = bearer(web.token())
    found = [
        web.client(address=(f"10.0.0.{i}", 1)).get("/api/quota", headers=headers).status_code
        for i in range(3)
    ]
    assert found == [200, 200, 429]


def test_limits_remember_so_many_and_forget_the_oldest() -> None:
    clock = web_boards.Clock()
    limits = RateLimits(clock, most=100)
    for number in range(1_000):
        limits.take(rate_limits.ADDRESS, str(number))
    assert len(limits) == 100


@pytest.mark.parametrize(
    "path",
    ["//evil.example.org", "/%2f%2fevil.example.org", "/login?next=https://evil.example.org"],
)
def test_no_redirect_leads_away(web: WebBoard, path: str) -> None:
    client = web.client()
    answer = client.send(client.build_request("GET", f"http://127.0.0.1{path}"))
    assert "evil" not in answer.headers.get("location", "")
    secret = web_boards.field(client.get("/login").text, "csrf")
    data = {"token": web.token(), "csrf": secret, "next": "https://evil.example.org"}
    assert client.post("/login", data=data).headers["location"] == "/submit"


@pytest.mark.parametrize(
    "page",
    [
        *("evil.example.org", "//evil.example.org", "///evil.example.org", "/\\evil.example.org"),
        *("\\\\evil.example.org", "/\t/evil.example.org", "/\n/evil.example.org", " /submit"),
        *("javascript:alert(1)", "https:evil.example.org", "/submit\r\nx: y", "/" + "x" * 2_000),
    ],
)
def test_no_page_after_the_log_in_is_of_another_site(web: WebBoard, page: str) -> None:
    client = web.client()
    form = client.get("/login", params={"next": page}).text
    assert 'name="next"' not in form
    data = {"token": web.token(), "csrf": web_boards.field(form, "csrf"), "next": page}
    assert client.post("/login", data=data).headers["location"] == "/submit"
    again = client.get("/login", params={"next": page})
    assert again.headers["location"] == "/submissions"


@pytest.mark.parametrize(
    "name", ["../board.css", "..%2f..%2fapp.py", "base.html.j2", "board.css%00", "x"]
)
def test_only_the_assets_of_the_board_are_files(web: WebBoard, name: str) -> None:
    assert web.client().get(f"/assets/{name}").status_code == 404


def test_an_unforeseen_fault_tells_nothing_of_the_inside(
    web: WebBoard, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ValueError("a secret of the inside")

    monkeypatch.setattr("pipeline.leaderboard.web.pages.about", broken)
    with caplog.at_level(logging.ERROR):
        answer = web.client().get("/about")
    assert answer.status_code == 500
    assert "secret" not in answer.text and "Traceback" not in answer.text
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "a secret of the inside" in caplog.text, "the organiser's log has it"


def test_long_addresses_and_headers_are_refused(web: WebBoard) -> None:
    assert web.client().get("/?size=" + "x" * 20_000).status_code == 431
    assert web.client().get("/", headers={"x-long": "x" * 20_000}).status_code == 431


def test_too_many_uploads_at_once_wait(web: WebBoard) -> None:
    board = web.app.state.board
    who = web.submitter("한도담")
    with board.uploading.one(who), board.uploading.one(who):
        headers = bearer(web.token())
        params = {"task": "tc", "model": "m", "form": "jsonl"}
        answer = web.client().post(
            "/api/submissions", params=params, content=LINES, headers=headers
        )
        assert answer.status_code == 503 and answer.headers["retry-after"] == "5"
    assert board.uploading.by_submitter == {}


def test_the_health_of_the_board_is_that_of_its_database(web: WebBoard) -> None:
    assert web.client().get("/healthz").json() == {"status": "ok"}
