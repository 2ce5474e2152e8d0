"""Addresses of servers: what is usable, and that secrets in them are not repeated."""

from __future__ import annotations

import pytest

from pipeline.core.errors import InputError
from pipeline.core.web_address import (
    is_loopback,
    is_readable_on_the_way,
    is_token,
    server_address,
    without_secrets,
)


def test_an_address_keeps_its_path_and_loses_its_last_slash() -> None:
    given = "https://board.example.org:8443/klue/"
    assert server_address(given, option="--board", server="the board") == given[:-1]


@pytest.mark.parametrize("url", ["x", "ftp://x", "http://", "http://x:port", "http://a:geheim@x"])
def test_what_is_no_address_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(InputError, match=r"^--board: ") as error:
        server_address(url, option="--board", server="the board")
    assert "geheim" not in str(error.value)


@pytest.mark.parametrize(
    ("url", "is_here"),
    [
        ("http://localhost:1", True),
        ("http://127.0.0.9", True),
        ("http://[::1]/x", True),
        ("http://localhost.example.org", False),
        ("https://10.0.0.1", False),
    ],
)
def test_only_this_machine_is_loopback(url: str, is_here: bool) -> None:
    assert is_loopback(url) is is_here
    assert is_readable_on_the_way(url) is (url.startswith("http://") and not is_here)


def test_secrets_of_an_address_are_left_out() -> None:
    url = "https://user:geheim@x.example.org/in?token=1#part"
    assert without_secrets(url) == "https://x.example.org/in"


@pytest.mark.parametrize(("text", "is_one"), [("klb_a-B", True), ("a b", False), ("", False)])
def test_a_token_has_no_blank(text: str, is_one: bool) -> None:
    assert is_token(text) is is_one
