"""A board behind a reverse proxy: whose word counts, and where addresses lead."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
import web_boards
from live_server import proxy, serving
from starlette.types import Receive, Scope, Send
from web_boards import LINES, field

from pipeline.core.errors import InputError
from pipeline.leaderboard.web.proxies import Place, Proxies, networks, public_place

FORWARDED = {
    "x-forwarded-for": "203.0.113.9, 198.51.100.7, 10.0.0.2",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "board.example.org",
}


def passed(client: str, trusted: list[str], headers: dict[str, str], place: Place) -> Scope:
    """Return the scope that reaches the application."""
    import asyncio

    seen: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope)

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http",
        "scheme": "http",
        "client": (client, 1),
        "headers": [(b"host", b"in"), *raw],
    }
    given = Proxies(app, place=place, trusted=networks(trusted))
    asyncio.run(given(scope, None, None))  # type: ignore[arg-type]
    return seen[0]


def test_only_trusted_proxies_say_where_a_request_came_from() -> None:
    scope = passed("192.0.2.1", ["10.0.0.0/8"], FORWARDED, Place())
    assert (scope["client"][0], scope["scheme"]) == ("192.0.2.1", "http")
    assert dict(scope["headers"])[b"host"] == b"in"
    scope = passed("10.0.0.1", ["10.0.0.0/8"], FORWARDED, Place())
    assert (scope["client"][0], scope["scheme"]) == ("198.51.100.7", "https")
    assert dict(scope["headers"])[b"host"] == b"board.example.org"


@pytest.mark.parametrize(
    ("chain", "client"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("1.1.1.1, 203.0.113.9", "203.0.113.9"),
        ("unknown", "10.0.0.1"),
        ("203.0.113.9, junk, 10.0.0.3", "10.0.0.3"),
        ("2001:db8::1", "2001:db8::1"),
        ("", "10.0.0.1"),
        ("10.0.0.9", "10.0.0.9"),
    ],
)
def test_the_last_address_that_is_not_trusted_is_the_client(chain: str, client: str) -> None:
    scope = passed("10.0.0.1", ["10.0.0.0/8"], {"x-forwarded-for": chain}, Place())
    assert scope["client"][0] == client


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("", Place()),
        ("https://example.org", Place("https", "example.org", "")),
        ("https://example.org/klue/", Place("https", "example.org", "/klue")),
        ("http://example.org:80", Place("http", "example.org", "")),
        ("http://[::1]:8000/a/b", Place("http", "[::1]:8000", "/a/b")),
    ],
)
def test_a_public_address_is_read(url: str, place: Place) -> None:
    assert public_place(url) == place


@pytest.mark.parametrize(
    "url", ["example.org", "ftp://a", "https://", "https://a?b", "https://u@a", "http://a:x"]
)
def test_a_public_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="public_url"):
        public_place(url)


def test_a_trusted_proxy_that_is_no_address_is_refused() -> None:
    with pytest.raises(InputError, match="trusted_proxies"):
        networks(["proxy.example.org"])


@pytest.mark.full
def test_the_whole_way_behind_a_real_proxy(tmp_path: Path) -> None:
    settings = {
        "public_url": "https://board.example.org/klue",
        "trusted_proxies": ["127.0.0.1"],
    }
    web = web_boards.make(tmp_path / "board", tasks=("tc",), settings=settings)
    with serving(web.app) as upstream:
        outer = proxy(upstream, prefix="/klue", host="board.example.org", client="203.0.113.9")
        with serving(outer) as base, httpx.Client(base_url=base) as client:
            login = client.get("/klue/login")
            assert login.status_code == 200
            assert 'href="/klue/assets/board.css?' in login.text
            assert client.get("/klue/assets/board.css").status_code == 200
            # The browser's connection is https; this one only says so.
            cookie = login.headers["set-cookie"].partition(";")[0]
            assert "secure" in login.headers["set-cookie"].lower()
            given = {"token": web.token(), "csrf": field(login.text, "csrf")}
            origin = {"origin": "https://board.example.org", "cookie": cookie}
            done = client.post("/klue/login", data=given, headers=origin)
            assert (done.status_code, done.headers["location"]) == (303, "/klue/submit")
            session = {"cookie": done.headers["set-cookie"].partition(";")[0]}
            form = client.get("/klue/submit", headers=session).text
            fields = {"csrf": field(form, "csrf"), "task": "tc", "model": "가람-base"}
            sent = client.post(
                "/klue/submit", data=fields, files={"file": ("p", LINES)}, headers=session
            )
            assert sent.headers["location"].startswith("/klue/submissions/")
            page = client.get(sent.headers["location"], headers=session)
            assert "position 1 in the queue" in page.text
            token = {"authorization": f"Bearer {web.token()}"}
            api = client.post(
                "/klue/api/submissions?task=tc&model=n&form=jsonl", content=b"{}", headers=token
            )
            assert api.json()["url"].startswith("https://board.example.org/klue/submissions/")
    buckets = web.app.state.board.limits._buckets
    assert ("address", "203.0.113.9") in buckets and ("address", "127.0.0.1") not in buckets
