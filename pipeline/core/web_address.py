"""Addresses of servers that a user names: what is usable, and what of them may be shown."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from pipeline.core.errors import InputError
from pipeline.core.files import refuse

#: What may stand in a header: letters, digits and signs of ASCII, without blanks.
_TOKEN: Final = re.compile(r"[!-~]+")


def server_address(url: str, *, option: str, server: str) -> str:
    """Return the address of a server without a slash at its end.

    `option` is where the user gave it, `server` what answers there. Raises InputError, which does
    not repeat it, for one that is not of the web, or holds more than scheme, host, port and path.
    """
    parts = _split(url)
    is_web = parts is not None and parts.scheme in {"http", "https"} and bool(parts.hostname)
    if parts is None or not is_web:
        raise InputError(
            f"{option}: not an address of the web; allowed: http:// or https://, a host, and a path"
            f" if {server} has one"
        )
    refuse(
        option,
        (
            "@" in parts.netloc,
            "holds a user name or password; leave them out: the token is given apart",
        ),
        (parts.query or parts.fragment, "ends in ? or #; give the address of the server alone"),
    )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def is_token(text: str) -> bool:
    """Return whether a text may be sent as a token."""
    return _TOKEN.fullmatch(text) is not None


def is_loopback(url: str) -> bool:
    """Return whether a server is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_readable_on_the_way(url: str) -> bool:
    """Return whether what is sent to a server travels without encryption."""
    return url.startswith("http://") and not is_loopback(url)


def without_secrets(url: str) -> str:
    """Return an address without user, query and fragment."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address, or None for a text that is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError for what is no port
    except ValueError:
        return None
    return None if re.search(r"\s", url) or not url.isprintable() else parts
