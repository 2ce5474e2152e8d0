"""Forms that change something: small, and of the visitor's own browser session."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.requests import Request

from pipeline.leaderboard.records import RefusedError

#: The field of every form that holds what the session, or the cookie of the log-in page, holds.
CSRF: Final = "csrf"
LOGIN_COOKIE: Final = "board_login"
_FIELDS: Final = 20
_FORM: Final = "application/x-www-form-urlencoded"


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form without files. Raises RefusedError (415, 422)."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != _FORM:
        raise RefusedError(415, "send the form as the page does")
    body = await request.body()
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=_FIELDS, errors="strict"
        )
    except ValueError:
        raise RefusedError(422, "the form cannot be read; open the page again") from None
    return dict(pairs)


def check_origin(headers: Headers, host: str) -> None:
    """Raise RefusedError (403) for a request that a browser sent for another site."""
    site = headers.get("sec-fetch-site", "same-origin")
    origin = headers.get("origin")
    foreign = origin is not None and origin.partition("://")[2].lower() != host.lower()
    if site not in ("same-origin", "none") or foreign:
        raise RefusedError(403, "the request came from another site; use the board's own pages")


def new_login_secret() -> str:
    """Return what the log-in page puts into its form and into a cookie."""
    return secrets.token_urlsafe(32)


def check_login_secret(request: Request, form: Mapping[str, str]) -> None:
    """Raise RefusedError (403) unless the form of the log-in page holds what its cookie does."""
    cookie = request.cookies.get(LOGIN_COOKIE, "")
    given = form.get(CSRF, "")
    if not cookie or not hmac.compare_digest(cookie.encode(), given.encode()):
        raise RefusedError(403, "the page was open too long, or cookies are off; log in again")
