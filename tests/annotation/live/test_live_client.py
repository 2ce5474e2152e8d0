"""The client of a live server: tokens, versions, repetition, and every fault in words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_studio import (
    PERSONAL,
    TOKEN,
    FakeStudio,
    Fault,
    be_silent,
    dribble,
    hang_up,
    page,
    redirect,
    running,
    status,
    text,
)

from pipeline.annotation.live import client as clients
from pipeline.annotation.live import transport
from pipeline.annotation.live.address import Address
from pipeline.annotation.live.client import Client
from pipeline.core.errors import InputError, KlueError, RetryError

PROJECTS = "GET /api/projects "


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeStudio]:
    monkeypatch.setattr(clients, "PAUSE", 0.0)
    with running(FakeStudio()) as server:
        yield server


def _ask(studio: FakeStudio, said: list[str] | None = None, token: str = TOKEN) -> object:
    notify = [].append if said is None else said.append
    with Client(Address(studio.url, token), notify) as client:
        return client.get("/api/projects", {"page": 1, "page_size": 10})


def _fault(studio: FakeStudio, token: str = TOKEN) -> KlueError:
    with pytest.raises(KlueError) as error:
        _ask(studio, token=token)
    assert token not in str(error.value)
    assert studio.url in str(error.value)
    return error.value


def test_a_token_is_sent_to_label_studio_alone(studio: FakeStudio) -> None:
    assert _ask(studio) == {"count": 0, "results": []}
    assert studio.requests == [
        ("GET", "/api/version", None),
        ("GET", "/api/projects", f"Token {TOKEN}"),
    ]


def test_a_personal_access_token_is_exchanged_and_again_when_it_expires(studio: FakeStudio) -> None:
    with Client(Address(studio.url, PERSONAL), lambda _: None) as client:
        for access in ("access-1", "access-2"):
            studio.access = access
            client.get("/api/users/")
    sent = [authorization for _, path, authorization in studio.requests if path == "/api/users/"]
    assert sent == ["Bearer access-1", "Bearer access-1", "Bearer access-2"]


@pytest.mark.parametrize("token", ["wrong-token", "eyJ.wrong.token"])
def test_a_token_that_is_refused(studio: FakeStudio, token: str) -> None:
    error = _fault(studio, token)
    assert isinstance(error, InputError)
    assert "refuses the token (401)" in str(error)
    assert len(studio.requests) == 2


def test_an_address_with_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(FakeStudio(prefix="/label/studio")) as server:
        assert _ask(server) == {"count": 0, "results": []}


@pytest.mark.parametrize(
    ("act", "problem"),
    [
        (status(403), "refuses the token (403)"),
        (status(404), "not there (404)"),
        (status(400), "answered 400"),
        (page(), "a web page (200)"),
        (page(404), "a web page (404)"),
        (redirect("/user/login/?next=/secret"), "/user/login/; is that a login page?"),
        (redirect("https://user:secret@sso.example.org/in?x=1"), "leads to https://sso.example.org/in;"),
        (text("[1, 2"), "not in the form of Label Studio"),
        (text('{"a": 1, "a": 2}'), "not in the form of Label Studio"),
        (text("[" * 100_000), "not in the form of Label Studio"),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_ends_at_once(studio: FakeStudio, act, problem: str) -> None:  # type: ignore[no-untyped-def]
    studio.faults = [Fault(PROJECTS, act)]
    error = _fault(studio)
    assert isinstance(error, InputError)
    assert problem in str(error)
    assert "secret" not in str(error)
    assert len(studio.requests) == 2


@pytest.mark.parametrize(
    ("act", "problem"),
    [
        (status(500), "answered 500"),
        (status(503), "answered 503"),
        (status(429), "answered 429"),
        (hang_up, "the connection failed"),
    ],
)
def test_what_may_pass_is_tried_again_and_not_for_ever(
    studio: FakeStudio,
    act,  # type: ignore[no-untyped-def]
    problem: str,
) -> None:
    studio.faults = [Fault(PROJECTS, act, times=2)]
    said: list[str] = []
    assert _ask(studio, said) == {"count": 0, "results": []}
    assert [problem in message for message in said] == [True, True]
    studio.faults = [Fault(PROJECTS, act)]
    before = len(studio.requests)
    error = _fault(studio)
    assert isinstance(error, RetryError)
    assert f"gave up after {clients.ATTEMPTS} attempts" in str(error)
    assert len(studio.requests) - before == 1 + clients.ATTEMPTS


@pytest.mark.parametrize(
    ("act", "limit", "problem"),
    [
        (be_silent, "SILENCE", "no answer within 0.1 seconds"),
        (dribble, "WHOLE", "took more than 0.1 seconds"),
    ],
)
def test_a_slow_server_is_not_waited_for_for_ever(
    studio: FakeStudio,
    monkeypatch: pytest.MonkeyPatch,
    act,  # type: ignore[no-untyped-def]
    limit: str,
    problem: str,
) -> None:
    monkeypatch.setattr(transport, limit, 0.1)
    studio.faults = [Fault("", act)]
    error = _fault(studio)
    assert isinstance(error, RetryError)
    assert problem in str(error)
    assert len(studio.requests) == clients.ATTEMPTS


def test_an_answer_without_end_is_cut_off(
    studio: FakeStudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "MOST", 1_000)
    studio.faults = [Fault(PROJECTS, text(f'"{"x" * 2_000}"'))]
    assert "more than 1,000 bytes" in str(_fault(studio))


def test_nobody_listens() -> None:
    with running(FakeStudio()) as server:
        pass
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clients, "PAUSE", 0.0)
        assert "the connection failed (ConnectError)" in str(_fault(server))


@pytest.mark.parametrize("release", [None, "", "dev", {"major": 1}])
def test_another_product_never_gets_the_token(studio: FakeStudio, release: object) -> None:
    studio.release = release
    assert "is not Label Studio" in str(_fault(studio))
    assert [authorization for *_, authorization in studio.requests] == [None]


def test_a_product_without_versions_never_gets_the_token(studio: FakeStudio) -> None:
    studio.faults = [Fault("GET /api/version", status(404))]
    assert "is not Label Studio" in str(_fault(studio))
    assert [authorization for *_, authorization in studio.requests] == [None]


def test_a_version_whose_offsets_count_otherwise(studio: FakeStudio) -> None:
    studio.release = "1.4.1.post1"
    assert "1.5 or newer" in str(_fault(studio))


def test_a_newer_version_is_used_and_named(studio: FakeStudio) -> None:
    studio.release, said = "2.31.0", []
    _ask(studio, said)
    assert said == [f"{studio.url}: Label Studio 2.31; klue is tested with 1.23 only"]


def test_who_listens_on_the_way_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = {"release": "1.23.2"}
    monkeypatch.setattr(transport.Transport, "send", lambda *_, **__: sent)
    said: list[str] = []
    with Client(Address("http://label.example.org", TOKEN), said.append):
        assert "without encryption" in said[0]


def test_a_proxy_of_the_environment_does_not_lead_to_this_machine(
    studio: FakeStudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert _ask(studio) == {"count": 0, "results": []}
