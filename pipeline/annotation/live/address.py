"""Where a live Label Studio is and the token for it, from the environment alone.

The variables are those that label-studio-sdk reads. Neither is ever printed but for the scheme,
host and path of the address.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from pipeline.core.errors import InputError
from pipeline.core.files import refuse

URL: Final = "LABEL_STUDIO_URL"
TOKEN: Final = "LABEL_STUDIO_API_KEY"
#: What may stand in a header.
_TOKEN: Final = re.compile(r"[!-~]+")


@dataclass(frozen=True)
class Address:
    """The address of a server, without a slash at its end, and a token of one of its users."""

    url: str
    token: str = field(repr=False)

    @property
    def is_loopback(self) -> bool:
        """Return whether the server is on this machine."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    @property
    def is_readable_on_the_way(self) -> bool:
        """Return whether token and answers travel without encryption."""
        return self.url.startswith("http://") and not self.is_loopback

    @property
    def is_personal_access_token(self) -> bool:
        """Return whether the token is exchanged for a short-lived one (three parts, with dots)."""
        return self.token.count(".") == 2


def read_address(environment: Mapping[str, str]) -> Address:
    """Return the address and token of an environment; raises InputError for unusable ones."""
    url, token = (environment.get(name, "").strip() for name in (URL, TOKEN))
    refuse(
        URL,
        (
            not url,
            "not set; give the address of Label Studio, such as https://label.example.org",
        ),
    )
    refuse(
        TOKEN,
        (
            not token,
            "not set; give a token of an owner or administrator (Account & Settings in Label"
            " Studio)",
        ),
        (not _TOKEN.fullmatch(token), "holds a blank or a letter that no token has; copy it again"),
    )
    return Address(_without_end(url), token)


def _without_end(url: str) -> str:
    parts = _split(url)
    is_web = parts is not None and parts.scheme in {"http", "https"} and bool(parts.hostname)
    if parts is None or not is_web:
        raise InputError(
            f"{URL}: not an address of the web; allowed: http:// or https://, a host, and a path if"
            " Label Studio has one"
        )
    refuse(
        URL,
        (
            "@" in parts.netloc,
            f"holds a user name or password; leave them out: {TOKEN} holds the token",
        ),
        (parts.query or parts.fragment, "ends in ? or #; give the address of the server alone"),
    )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address, or None for a text that is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError for what is no port
    except ValueError:
        return None
    return None if re.search(r"\s", url) or not url.isprintable() else parts
