"""One request to a live Label Studio and its answer: limits of time and size, faults in words.

Messages hold the address, the path and the status of an answer, and names of fields that the server
refuses. They never hold the token, nor the server's own text: it may repeat what was sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final
from urllib.parse import urljoin

import httpx

from pipeline.annotation.live.address import TOKEN, URL, Address
from pipeline.core.errors import InputError, RetryError
from pipeline.core.jsontext import parsed
from pipeline.core.web_address import is_loopback, without_secrets

#: Seconds without a byte, and seconds for a whole answer.
SILENCE: Final = 30.0
WHOLE: Final = 120.0
#: No answer is longer, in bytes.
MOST: Final = 256 * 1024**2
#: The version that the tests run.
TRIED: Final = "1.23"
_FIELD: Final = re.compile(r"[a-z_]{1,40}")
_REFUSED: Final = {
    401: f"give {TOKEN} one that is valid, as Account & Settings of Label Studio shows it",
    403: f"give {TOKEN} the token of an owner or administrator",
}

Query = Mapping[str, str | int]


class PassingError(RetryError):
    """A request failed in a way that another attempt may mend."""


class TokenError(InputError):
    """The server refuses the token (401), or what its owner may do (403)."""


class MissingError(InputError):
    """What was asked for is not on the server (404)."""


@dataclass(frozen=True)
class _Answer:
    where: str
    status: int
    location: str
    content: bytes


class Transport:
    """Sends requests to one server, each once, and reads their answers."""

    def __init__(self, address: Address) -> None:
        """Open no connection yet; a proxy of the environment is not asked for this machine."""
        self.url = address.url
        self._http = httpx.Client(
            timeout=SILENCE, follow_redirects=False, trust_env=not is_loopback(address.url)
        )

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        authorization: str = "",
        query: Query | None = None,
        body: object = None,
    ) -> Any:
        """Return the JSON value of an answer, None for an empty one.

        Raises PassingError for a silent, slow or failing server, TokenError for 401 and 403,
        MissingError for 404, InputError for any other answer that is none.
        """
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if authorization:
            headers["Authorization"] = authorization
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        where = f"{self.url}{path}"
        try:
            with self._http.stream(
                method, where, params=query, headers=headers, content=content
            ) as response:
                received = _receive(response, where)
        except httpx.TimeoutException:
            raise PassingError(f"{where}: no answer within {SILENCE:g} seconds") from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            is_certificate = "CERTIFICATE_VERIFY" in str(error)
            kind = "its certificate is not trusted" if is_certificate else type(error).__name__
            raise PassingError(f"{where}: the connection failed ({kind})") from None
        except httpx.InvalidURL:
            raise InputError(f"{URL}: not an address of the web") from None
        location = response.headers.get("Location", "")
        return _value(_Answer(where, response.status_code, location, received))


def _receive(response: httpx.Response, where: str) -> bytes:
    begin, received = monotonic(), bytearray()
    for piece in response.iter_bytes():
        received += piece
        if len(received) > MOST:
            raise InputError(f"{where}: the answer has more than {MOST:,} bytes")
        if monotonic() - begin > WHOLE:
            raise PassingError(f"{where}: the answer took more than {WHOLE:g} seconds")
    return bytes(received)


def _value(answer: _Answer) -> Any:
    """Return the value of an answer, or raise what is wrong with it."""
    where, status = answer.where, answer.status
    is_page = answer.content.lstrip()[:1] == b"<"
    if 300 <= status < 400:
        goal = without_secrets(urljoin(where, answer.location))
        raise InputError(
            f"{where}: leads to {goal}; is that a login page? {URL} is the address at which Label"
            " Studio itself answers"
        )
    if status in {408, 429} or status >= 500:
        raise PassingError(f"{where}: the server answered {status}")
    if status in _REFUSED:
        raise TokenError(f"{where}: the server refuses the token ({status}); {_REFUSED[status]}")
    if is_page:
        raise InputError(
            f"{where}: a web page ({status}), not JSON; is that a login page, or another product?"
            f" {URL} is the address at which Label Studio itself answers"
        )
    if status == 404:
        raise MissingError(f"{where}: not there (404)")
    if status >= 400:
        raise InputError(f"{where}: the server answered {status}{_fields(answer.content)}")
    try:
        return parsed(answer.content.decode()) if answer.content else None
    except (ValueError, RecursionError):
        raise form_error(where) from None


def form_error(where: str) -> InputError:
    """Return the error for an answer in a form that Label Studio does not have."""
    return InputError(
        f"{where}: the answer is not in the form of Label Studio {TRIED}; is it another version, or"
        f" another product? {URL} names the server"
    )


def _fields(content: bytes) -> str:
    """Return the names of the fields that the server refuses."""
    try:
        errors = parsed(content.decode())["validation_errors"]
        names = sorted(name for name in errors if _FIELD.fullmatch(name))
    except (ValueError, RecursionError, TypeError, KeyError):
        return ""
    return f"; it refuses {', '.join(names)}" if names else ""
