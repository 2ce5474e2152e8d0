"""One request to a board and its answer: limits of time and size, faults in words.

Messages hold the address, the path, the status, and what the board says is wrong, as one line of
plain text. They never hold the token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urljoin

import httpx

from pipeline.core.errors import InputError, RetryError
from pipeline.core.jsontext import parsed
from pipeline.core.web_address import is_loopback, without_secrets

#: Seconds to connect; without a byte of an answer; without room for a byte of what is sent.
_TIMEOUT: Final = httpx.Timeout(120.0, connect=15.0, write=60.0)
#: No answer is longer, in bytes.
_MOST: Final = 64 * 1024**2
#: No message of a board is shown beyond so many characters.
_LONGEST: Final = 4_000
_BOARD: Final = "--board is the address at which a board answers, as its pages show it"
#: What no message of a board may do to a terminal.
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+")


class LostError(RetryError):
    """The connection failed, or the server could not answer: another attempt may succeed."""

    def __init__(self, message: str, *, after: float | None = None) -> None:
        """Take a message, and the seconds after which the server wants to be asked again."""
        super().__init__(message)
        self.after = after


class AnsweredError(InputError):
    """The board refuses a request: `status`, and its own message in `reason`.

    `submission` is the key of the one that had the same file, '' if that is not why.
    """

    def __init__(self, status: int, reason: str, submission: str = "") -> None:
        super().__init__(f"the board refuses it ({status}): {reason}")
        self.status, self.reason, self.submission = status, reason, submission


class Transport:
    """Sends requests to one board, each once, and reads their answers."""

    def __init__(self, url: str, token: str = "") -> None:
        """Open no connection yet; a proxy of the environment is not asked for this machine."""
        self.url = url
        self._token = token
        self._http = httpx.Client(
            timeout=_TIMEOUT, follow_redirects=False, trust_env=not is_loopback(url)
        )

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def get(self, path: str, *, with_token: bool = True) -> dict[str, Any]:
        """Return the object at a path; raises as `_send`."""
        return self._send("GET", path, {}, None, self._headers(with_token=with_token))

    def post(
        self, path: str, query: Mapping[str, str], body: Iterator[bytes], *, size: int
    ) -> dict[str, Any]:
        """Send a body of so many bytes once; return the answer; raises as `_send`."""
        headers = {
            **self._headers(with_token=True),
            "Content-Type": "application/octet-stream",
            "Content-Length": str(size),
        }
        return self._send("POST", path, query, body, headers)

    def _headers(self, *, with_token: bool) -> dict[str, str]:
        headers = {"Accept": "application/json"}
        return {**headers, "Authorization": f"Bearer {self._token}"} if with_token else headers

    def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, str],
        body: Iterator[bytes] | None,
        headers: Mapping[str, str],
    ) -> dict[str, Any]:
        """Return the object of an answer.

        Raises LostError for a silent, slow or failing server, AnsweredError for a refusal, and
        InputError for what is no board.
        """
        where = f"{self.url}{path}"
        try:
            with self._http.stream(
                method, where, params=query, headers=headers, content=body
            ) as response:
                content = _receive(response, where)
        except httpx.TimeoutException as error:
            deed = "no connection" if isinstance(error, httpx.ConnectTimeout) else "no answer"
            raise LostError(f"{where}: {deed} within the time allowed") from None
        except httpx.ConnectError as error:
            raise _connect_error(where, error) from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise LostError(f"{where}: the connection failed ({type(error).__name__})") from None
        except httpx.InvalidURL:
            raise InputError("--board: not an address of the web") from None
        return _value(where, response, content)


def _connect_error(where: str, error: httpx.ConnectError) -> InputError | LostError:
    if "CERTIFICATE_VERIFY" in str(error):
        return InputError(
            f"{where}: its certificate is not trusted; is it the right address? SSL_CERT_FILE may"
            " name the certificates to trust"
        )
    if "SSL" in str(error):
        return InputError(f"{where}: answers, but not by TLS; is it http:// instead of https://?")
    return LostError(f"{where}: no server answers there; is the address right, and the board up?")


def _receive(response: httpx.Response, where: str) -> bytes:
    received = bytearray()
    for piece in response.iter_bytes():
        received += piece
        if len(received) > _MOST:
            raise InputError(f"{where}: the answer has more than {_MOST:,} bytes; {_BOARD}")
    return bytes(received)


def _value(where: str, response: httpx.Response, content: bytes) -> dict[str, Any]:
    """Return the object of an answer, or raise what is wrong with it."""
    status = response.status_code
    if 300 <= status < 400:
        goal = without_secrets(urljoin(where, response.headers.get("Location", "")))
        raise InputError(f"{where}: leads to {goal}; {_BOARD}")
    value = _object(content)
    if status >= 500 or status == 408:
        said = f": {plain(value['error'])}" if "error" in value else ""
        raise LostError(f"{where}: the server answered {status}{said}", after=_after(response))
    if status >= 400 and "error" in value:
        raise AnsweredError(status, plain(value["error"]), plain(value.get("submission", "")))
    if status >= 400 or not value:
        raise InputError(f"{where}: the server answered {status}, not as a board does; {_BOARD}")
    return value


def _object(content: bytes) -> dict[str, Any]:
    try:
        value = parsed(content.decode())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _after(response: httpx.Response) -> float | None:
    text = response.headers.get("Retry-After", "")
    return float(text) if re.fullmatch(r"\d{1,6}", text) else None


def plain(text: object) -> str:
    """Return a text of a server as it may be shown: without control characters, not too long."""
    return _CONTROL.sub(" ", str(text))[:_LONGEST]
