"""Where a visitor goes on after logging in: to the page that was asked for, never elsewhere."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urlencode

from starlette.requests import Request

from pipeline.leaderboard.web.links import LiveLinks
from pipeline.leaderboard.web.proxies import route_path

#: A path of this site: browsers read // and /\ as the start of another site's address.
_OWN: Final = re.compile(r"/(?!/)[\x21-\x5b\x5d-\x7e]{0,999}")
#: The field of an address, and of the log-in form, that holds the page.
NEXT: Final = "next"
ENDED: Final = "ended"
_WITHDRAW: Final = "/withdraw"


def own_path(text: str) -> str:
    """Return a path below the root of the board, with its query; '' for any other address."""
    return text if _OWN.fullmatch(text) else ""


def login_address(request: Request, *, ended: bool) -> str:
    """Return the log-in page that leads back to what was asked for; `ended`: and says why."""
    given = {NEXT: _page(request)} | ({ENDED: "1"} if ended else {})
    return f"{LiveLinks(request.scope.get('root_path', '')).login()}?{urlencode(given)}"


def _page(request: Request) -> str:
    """Return the page of a request; of a form that was sent the page that shows it."""
    path = quote(route_path(request.scope).removesuffix(_WITHDRAW))
    return own_path(f"{path}?{request.url.query}" if request.url.query else path)
