"""A client of a live Label Studio: its version, its tokens, pages, and bounded repetition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import sleep
from typing import Any, Final, TypeVar

from pipeline.annotation.live.address import URL, Address
from pipeline.annotation.live.transport import (
    TRIED,
    MissingError,
    PassingError,
    Query,
    TokenError,
    Transport,
    form_error,
)
from pipeline.core.errors import InputError, RetryError
from pipeline.core.web_address import is_readable_on_the_way

#: Attempts before giving up, and seconds before the second (they double).
ATTEMPTS: Final = 4
PAUSE: Final = 1.0
_VERSION: Final = re.compile(r"(\d{1,4})\.(\d{1,4})")
#: Since this version offsets count code points (docs/annotation-tools.md).
_OLDEST: Final = (1, 5)

T = TypeVar("T")
#: Called with a message for people.
Notify = Callable[[str], None]


class Client:
    """A connection to one server, which is checked first; used in a `with` statement."""

    def __init__(self, address: Address, notify: Notify) -> None:
        """Send nothing yet; `notify` hears of what is slow, insecure or tried again."""
        self.address = address
        self._transport, self._notify = Transport(address), notify
        #: The token itself, or the one of some minutes that it was exchanged for.
        self._authorization = "" if address.is_personal_access_token else f"Token {address.token}"

    def __enter__(self) -> Client:
        """Check what answers at the address before it gets the token.

        Raises InputError for another product, and for a version whose offsets count otherwise.
        """
        try:
            self._check_server()
        except BaseException:
            self._transport.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self._transport.close()

    def get(self, path: str, query: Query | None = None) -> Any:
        """Return the value at a path; raises InputError, or RetryError after all attempts."""
        return self.repeat(lambda: self._send("GET", path, query))

    def post(self, path: str, body: object) -> Any:
        """Send a value once, as the server may have acted on it before it failed.

        Raises InputError, and PassingError for what `repeat` may mend: a step of it looks first
        what is there.
        """
        return self._send("POST", path, body=body)

    def delete(self, path: str) -> None:
        """Delete what is at a path, if it is there."""
        try:
            self.repeat(lambda: self._send("DELETE", path))
        except MissingError:
            return

    def pages(self, path: str, query: Query, *, key: str, total: str) -> Iterator[Any]:
        """Yield the objects that the pages of a path list under `key`, as many as `total` says.

        Raises PassingError where that number changes on the way.
        """
        seen, number, expected = 0, 1, None
        while expected is None or seen < expected:
            values, count = self._page(path, {**query, "page": number}, key, total)
            if expected not in {None, count} or (seen < count and not values):
                raise self.change_error(path)
            yield from values
            seen, number, expected = seen + len(values), number + 1, count

    def repeat(self, step: Callable[[], T]) -> T:
        """Return what a step returns, tried again while it raises PassingError.

        Raises RetryError after all attempts.
        """
        for attempt in range(1, ATTEMPTS):
            try:
                return step()
            except PassingError as error:
                self._notify(f"{error}; attempt {attempt + 1} of {ATTEMPTS} follows")
                sleep(PAUSE * 2 ** (attempt - 1))
        try:
            return step()
        except PassingError as error:
            problem = f"{error}; gave up after {ATTEMPTS} attempts"
            raise RetryError(f"{problem}. Run the same command again to go on") from None

    def form_error(self, path: str) -> InputError:
        """Return the error for an answer in a form that Label Studio does not have."""
        return form_error(f"{self.address.url}{path}")

    def change_error(self, path: str) -> PassingError:
        """Return the error for pages that do not fit together."""
        return PassingError(f"{self.address.url}{path}: changed while it was read")

    def _page(self, path: str, query: Query, key: str, total: str) -> tuple[list[Any], int]:
        try:
            page = self.get(path, query)
        except MissingError:
            if query["page"] == 1:
                raise
            raise self.change_error(path) from None  # it was there when the first page was read
        values, count = (page.get(key), page.get(total)) if isinstance(page, dict) else (None, None)
        is_list = isinstance(values, list) and all(isinstance(value, dict) for value in values)
        if not isinstance(values, list) or not is_list or not isinstance(count, int):
            raise self.form_error(path)
        return values, count

    def _send(self, method: str, path: str, query: Query | None = None, body: object = None) -> Any:
        was_there = bool(self._authorization)
        self._authorization = self._authorization or self._exchange_token()
        try:
            return self._transport.send(
                method, path, authorization=self._authorization, query=query, body=body
            )
        except TokenError:
            if not (was_there and self.address.is_personal_access_token):
                raise
            self._authorization = ""  # it has expired
            return self._send(method, path, query, body)

    def _exchange_token(self) -> str:
        path = "/api/token/refresh"
        value = self._transport.send("POST", path, body={"refresh": self.address.token})
        access = value.get("access") if isinstance(value, dict) else None
        if not isinstance(access, str) or not access.isascii() or not access.isprintable():
            raise self.form_error(path)
        return f"Bearer {access}"

    def _check_server(self) -> None:
        url, path = self.address.url, "/api/version"
        if is_readable_on_the_way(url):
            self._notify(
                f"warning: {url} is reached without encryption: whoever listens on the way reads"
                " the token and all answers; give an address with https://"
            )
        info: object = None
        with suppress(MissingError):
            info = self.repeat(lambda: self._transport.send("GET", path))
        release = _VERSION.match(str(info.get("release"))) if isinstance(info, dict) else None
        if release is None:
            raise InputError(
                f"{url}: answers, but is not Label Studio ({path} names no release); {URL} names"
                " the server"
            )
        number = (int(release[1]), int(release[2]))
        if number < _OLDEST:
            raise InputError(
                f"{url}: Label Studio {release[0]}; allowed: 1.5 or newer, as older ones count"
                " offsets in another unit"
            )
        if number[0] > 1:
            self._notify(f"{url}: Label Studio {release[0]}; klue is tested with {TRIED} only")
