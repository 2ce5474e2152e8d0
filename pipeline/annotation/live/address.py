"""Where a live Label Studio is and the token for it, from the environment alone.

The variables are those that label-studio-sdk reads. Neither is ever printed but for the scheme,
host and path of the address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pipeline.core.files import refuse
from pipeline.core.web_address import is_token, server_address

URL: Final = "LABEL_STUDIO_URL"
TOKEN: Final = "LABEL_STUDIO_API_KEY"


@dataclass(frozen=True)
class Address:
    """The address of a server, without a slash at its end, and a token of one of its users."""

    url: str
    token: str = field(repr=False)

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
        (not is_token(token), "holds a blank or a letter that no token has; copy it again"),
    )
    return Address(server_address(url, option=URL, server="Label Studio"), token)
