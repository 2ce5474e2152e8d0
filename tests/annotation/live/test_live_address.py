"""The address and the token of a live server: what is usable, and that neither is repeated."""

from __future__ import annotations

import pytest

from pipeline.annotation.live.address import TOKEN, URL, read_address
from pipeline.core.errors import InputError
from pipeline.core.web_address import is_readable_on_the_way

SECRET = "0123456789abcdef"


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("http://localhost:8080/", "http://localhost:8080"),
        (" https://label.example.org/studio/ ", "https://label.example.org/studio"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_address_has_a_path_and_no_slash_at_its_end(given: str, url: str) -> None:
    assert read_address({URL: given, TOKEN: f"{SECRET}\n"}).url == url


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "not set"),
        ("label.example.org", "not an address of the web"),
        ("ftp://label.example.org", "not an address of the web"),
        ("http://", "not an address of the web"),
        ("http://label.example.org:port", "not an address of the web"),
        ("http://label example.org", "not an address of the web"),
        (f"https://owner:{SECRET}@label.example.org", "user name or password"),
        (f"https://label.example.org/?token={SECRET}", "ends in"),
        (SECRET, "not an address of the web"),
    ],
)
def test_what_is_no_address_is_refused_and_not_repeated(url: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        read_address({URL: url, TOKEN: SECRET})
    assert str(error.value).startswith(URL)
    assert SECRET not in str(error.value)


@pytest.mark.parametrize("token", ["", f"{SECRET} {SECRET}", f"{SECRET}\x00", f"{SECRET}가"])
def test_what_is_no_token_is_refused_and_not_repeated(token: str) -> None:
    with pytest.raises(InputError, match=TOKEN) as error:
        read_address({URL: "https://label.example.org", TOKEN: token})
    assert SECRET not in str(error.value)


def test_a_token_is_not_part_of_what_is_printed() -> None:
    assert SECRET not in repr(read_address({URL: "https://label.example.org", TOKEN: SECRET}))


@pytest.mark.parametrize(
    ("url", "is_open"),
    [
        ("http://127.0.0.1:8080", False),
        ("http://127.8.8.8", False),
        ("http://localhost", False),
        ("http://[::1]", False),
        ("http://10.0.0.4:8080", True),
        ("http://localhost.example.org", True),
        ("https://label.example.org", False),
    ],
)
def test_only_loopback_and_https_hide_the_token(url: str, is_open: bool) -> None:
    assert is_readable_on_the_way(read_address({URL: url, TOKEN: SECRET}).url) is is_open
