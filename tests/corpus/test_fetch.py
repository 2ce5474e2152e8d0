"""Downloads against a server on the loopback that misbehaves on demand."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import InputError, RetryError
from pipeline.corpus.fetch import Fetched, fetch

BODY = bytes(range(256)) * 4096
DIGEST = hashlib.sha256(BODY).hexdigest()
CUT = 300_000


@dataclass
class Site:
    """What the server has and how it behaves; `seen` are the Range headers of the requests."""

    body: bytes = BODY
    etag: str | None = '"v1"'
    modified: str | None = None
    ranges: bool = True
    if_range: bool = True
    statuses: list[int] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    chunked: bool = False
    location: str | None = None
    retry_after: str | None = None
    wrong_range: bool = False
    seen: list[str | None] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/corpus.txt"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Site

    def do_GET(self) -> None:
        site = self.site
        site.seen.append(self.headers.get("Range"))
        if site.location and self.path == "/corpus.txt":
            self._answer(302, {"Location": site.location, "Content-Length": "0"})
        elif site.statuses:
            extra = {"Retry-After": site.retry_after} if site.retry_after else {}
            self._answer(site.statuses.pop(0), {"Content-Length": "0", **extra})
        else:
            self._send_body()

    def _send_body(self) -> None:
        site, start = self.site, self._start()
        headers = {"ETag": site.etag, "Last-Modified": site.modified}
        known = {name: value for name, value in headers.items() if value}
        if start >= len(site.body) > 0:
            self._answer(416, {"Content-Length": "0"})
            return
        body = site.body[start:]
        if start:
            said = start + 7 if site.wrong_range else start
            last = len(site.body) - 1
            known["Content-Range"] = f"bytes {said}-{last}/{len(site.body)}"
        if site.chunked:
            known["Transfer-Encoding"] = "chunked"
        else:
            known["Content-Length"] = str(len(body))
        self._answer(206 if start else 200, known)
        if site.cuts:
            body = body[: site.cuts.pop(0)]
            self.close_connection = True
        with suppress(ConnectionError):  # the client hangs up on a file that is too large
            self.wfile.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if site.chunked else body)

    def _start(self) -> int:
        site, asked = self.site, self.headers.get("Range")
        condition = self.headers.get("If-Range")
        if not asked or not site.ranges:
            return 0
        if site.if_range and condition not in {site.etag, site.modified}:
            return 0
        found = re.fullmatch(r"bytes=(\d+)-", asked)
        assert found
        return int(found[1])

    def _answer(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    made = Site()
    handler = type("OneSite", (Handler,), {"site": made})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    made.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def naps() -> list[float]:
    return []


Get = Callable[..., Fetched]


@pytest.fixture
def get(site: Site, tmp_path: Path, naps: list[float], monkeypatch: pytest.MonkeyPatch) -> Get:
    """Fetch the file of the site to corpus.txt without ever sleeping, in three attempts."""
    monkeypatch.setattr("pipeline.corpus.fetch.ATTEMPTS", 3)
    monkeypatch.setattr("pipeline.corpus.fetch.sleep", naps.append)

    def call(url: str | None = None, **more: Any) -> Fetched:
        return fetch(url or site.url, tmp_path / "in" / "corpus.txt", **more)

    return call


def leftovers(tmp_path: Path) -> list[str]:
    return sorted(p.name for p in tmp_path.rglob("*") if p.is_file())


def test_file_arrives_whole_and_leaves_nothing_else(get: Get, tmp_path: Path) -> None:
    got = get(sha256=DIGEST)
    assert got == Fetched(tmp_path / "in" / "corpus.txt", len(BODY), DIGEST, fetched=True)
    assert got.path.read_bytes() == BODY
    assert leftovers(tmp_path) == ["corpus.txt"]


def test_dropped_connection_goes_on_where_it_broke(get: Get, site: Site, naps: list[float]) -> None:
    site.cuts = [CUT]
    assert get(sha256=DIGEST).path.read_bytes() == BODY
    assert site.seen == [None, f"bytes={CUT}-"]
    assert naps == [1.0]


def test_next_call_goes_on_after_the_attempts_ran_out(get: Get, site: Site, tmp_path: Path) -> None:
    site.cuts = [CUT, 10, 10]
    with pytest.raises(RetryError, match=f"{CUT + 20} bytes are kept"):
        get()
    assert leftovers(tmp_path) == ["corpus.txt.part", "corpus.txt.part.json"]
    site.seen.clear()
    assert get(sha256=DIGEST).path.read_bytes() == BODY
    assert site.seen == [f"bytes={CUT + 20}-"]


def test_changed_file_is_taken_from_the_start(get: Get, site: Site) -> None:
    site.cuts = [CUT, 0, 0]
    with pytest.raises(RetryError):
        get()
    site.body, site.etag = b"new " + BODY, '"v2"'
    assert get().path.read_bytes() == b"new " + BODY


def test_changed_file_is_noticed_where_the_server_ignores_if_range(get: Get, site: Site) -> None:
    site.cuts = [CUT, 0, 0]
    with pytest.raises(RetryError):
        get()
    site.body, site.etag, site.if_range = b"new " + BODY, '"v2"', False
    assert get().path.read_bytes() == b"new " + BODY


@pytest.mark.parametrize("tag", [None, 'W/"v1"'])
def test_date_of_change_serves_where_the_tag_cannot(get: Get, site: Site, tag: str | None) -> None:
    site.etag, site.modified, site.cuts = tag, "Tue, 01 Dec 2020 00:00:00 GMT", [CUT]
    assert get(sha256=DIGEST).path.read_bytes() == BODY
    assert site.seen == [None, f"bytes={CUT}-"]


def test_without_a_validator_nothing_is_built_upon(get: Get, site: Site) -> None:
    site.etag, site.cuts = None, [CUT]
    assert get(sha256=DIGEST).path.read_bytes() == BODY
    assert site.seen == [None, None]


def test_server_without_ranges_starts_again(get: Get, site: Site) -> None:
    site.ranges, site.cuts = False, [CUT]
    assert get(sha256=DIGEST).path.read_bytes() == BODY
    assert len(site.seen) == 2


def test_part_from_another_place_is_not_appended(get: Get, site: Site) -> None:
    site.cuts = [CUT]
    site.wrong_range = True
    assert get(sha256=DIGEST).path.read_bytes() == BODY
    assert site.seen == [None, f"bytes={CUT}-", None]


def test_shrunken_file_is_taken_from_the_start(get: Get, site: Site) -> None:
    site.cuts = [CUT, 0, 0]
    with pytest.raises(RetryError):
        get()
    site.body, site.if_range, site.etag = b"short", False, None
    assert get().path.read_bytes() == b"short"


def test_bytes_of_another_address_are_not_built_upon(get: Get, site: Site) -> None:
    site.cuts = [CUT, 0, 0]
    with pytest.raises(RetryError):
        get()
    site.seen.clear()
    get(site.url + "?edition=2")
    assert site.seen == [None]


def test_kill_before_the_rename_costs_no_request(get: Get, site: Site, tmp_path: Path) -> None:
    site.cuts = [CUT, 0, 0]
    with pytest.raises(RetryError):
        get()
    (tmp_path / "in" / "corpus.txt.part").write_bytes(BODY)
    site.seen.clear()
    assert get(sha256=DIGEST).path.read_bytes() == BODY
    assert site.seen == []


def test_damaged_note_means_a_new_start(get: Get, site: Site, tmp_path: Path) -> None:
    site.cuts = [CUT, 0, 0]
    with pytest.raises(RetryError):
        get()
    (tmp_path / "in" / "corpus.txt.part.json").write_text("{", "utf-8")
    assert get(sha256=DIGEST).path.read_bytes() == BODY


def test_server_errors_are_tried_again_with_growing_pauses(
    get: Get, site: Site, naps: list[float]
) -> None:
    site.statuses = [500, 503]
    assert get(sha256=DIGEST).fetched
    assert naps == [1.0, 2.0]


def test_pause_that_the_server_asks_for_is_kept_within_bounds(
    get: Get, site: Site, naps: list[float]
) -> None:
    site.statuses, site.retry_after = [429, 503], "7200"
    get()
    assert naps == [60.0, 60.0]


def test_lasting_server_error_is_a_retry_error(get: Get, site: Site, tmp_path: Path) -> None:
    site.statuses = [500] * 9
    with pytest.raises(RetryError, match=r"answered 500; gave up after 3 attempts"):
        get()
    assert len(site.seen) == 3
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_missing_file_is_not_tried_again(get: Get, site: Site, status: int) -> None:
    site.statuses = [status]
    with pytest.raises(InputError, match=str(status)):
        get()
    assert len(site.seen) == 1


def test_refused_connection_is_a_retry_error(get: Get, site: Site) -> None:
    with pytest.raises(RetryError, match="ConnectError"):
        get("http://127.0.0.1:1/corpus.txt")


def test_wrong_checksum_leaves_nothing(get: Get, site: Site, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        get(sha256="0" * 64)
    assert DIGEST in str(caught.value)
    assert "0" * 64 in str(caught.value)
    assert leftovers(tmp_path) == []


def test_complete_file_is_not_fetched_again(get: Get, site: Site) -> None:
    first = get()
    site.seen.clear()
    again = get(sha256=DIGEST)
    assert site.seen == []
    assert (again.fetched, again.sha256) == (False, first.sha256)


def test_other_file_of_that_name_is_never_overwritten(get: Get, tmp_path: Path) -> None:
    mine = tmp_path / "in" / "corpus.txt"
    mine.parent.mkdir()
    mine.write_text("mine", "utf-8")
    with pytest.raises(InputError, match="another content"):
        get(sha256=DIGEST)
    assert mine.read_text("utf-8") == "mine"


def test_folder_as_target_is_refused(get: Get, tmp_path: Path) -> None:
    (tmp_path / "in" / "corpus.txt").mkdir(parents=True)
    with pytest.raises(InputError, match="is a folder"):
        get()


def test_unwritable_place_is_one_clear_error(get: Get, tmp_path: Path) -> None:
    (tmp_path / "in").write_text("a file where a folder should be", "utf-8")
    with pytest.raises(InputError, match="cannot be read or written"):
        get()


def test_body_without_a_length_arrives(get: Get, site: Site) -> None:
    site.chunked = True
    assert get(sha256=DIGEST).bytes == len(BODY)


def test_empty_file_arrives(get: Get, site: Site) -> None:
    site.body = b""
    assert get().bytes == 0


def test_progress_counts_bytes_of_the_whole(get: Get, site: Site) -> None:
    site.cuts = [CUT]
    calls: list[tuple[int, int | None]] = []
    get(progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (len(BODY), len(BODY))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_redirect_is_followed(get: Get, site: Site) -> None:
    site.location = "/moved.txt"
    assert get(sha256=DIGEST).fetched


@pytest.mark.parametrize(
    "goal", ["file:///etc/hostname", "ftp://127.0.0.1/corpus.txt", "http://me:secret@127.0.0.1/x"]
)
def test_redirect_elsewhere_is_refused(get: Get, site: Site, tmp_path: Path, goal: str) -> None:
    site.location = goal
    with pytest.raises(InputError) as caught:
        get()
    assert "secret" not in str(caught.value)
    assert leftovers(tmp_path) == []


def test_circle_of_redirects_ends(get: Get, site: Site) -> None:
    site.location = "/corpus.txt"
    with pytest.raises(InputError, match="more than 10 redirects"):
        get()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://corpora.example/a.txt",
        "corpora.example/a.txt",
        "http:///a.txt",
        "http://[::1/a.txt",
        "http://127.0.0.1:99999/a.txt",
        "https://me:secret@corpora.example/a.txt",
        "file://elsewhere/a.txt",
        "",
    ],
)
def test_odd_addresses_are_refused(get: Get, url: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        fetch(url, tmp_path / "a.txt")
    assert "secret" not in str(caught.value)


def test_token_in_the_query_stays_out_of_errors(get: Get, site: Site) -> None:
    site.statuses = [404]
    with pytest.raises(InputError) as caught:
        get(site.url + "?token=hush")
    assert "hush" not in str(caught.value)


def test_local_file_is_copied(get: Get, tmp_path: Path) -> None:
    origin = tmp_path / "말뭉치 1.txt"
    origin.write_bytes(BODY)
    got = get(origin.as_uri(), sha256=DIGEST)
    assert got.path.read_bytes() == BODY
    with pytest.raises(InputError, match="no such file"):
        fetch((tmp_path / "absent").as_uri(), tmp_path / "b.txt")
