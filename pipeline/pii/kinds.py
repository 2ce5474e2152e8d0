"""The 16 types of personal data of Table 29, and what a detector says of one piece of text."""

from __future__ import annotations

from typing import Final, NamedTuple

#: Types in the order of Table 29 of the paper.
TYPES: Final = (
    "phone",
    "rrn",
    "frn",
    "email",
    "ip",
    "mac",
    "mention",
    "address",
    "bank_account",
    "passport",
    "driver_license",
    "business_number",
    "health_insurance",
    "card",
    "vehicle_plate",
    "url",
)

#: Types whose sentences leave the source corpora (Section 2.3, "PII Removal").
DROPPED: Final = ("email", "url", "mention")

#: Types that lead to one person, or to where one lives; they leave too unless a build keeps them.
PRIVATE: Final = (
    *("rrn", "frn", "card", "bank_account", "phone", "passport", "driver_license"),
    *("health_insurance", "address", "vehicle_plate"),
)

#: Hits below this confidence are not reported unless asked for.
MINIMUM: Final = 0.5

#: Hits of this confidence are high: form and words agree, or the form is unmistakable. Below it the
#: form alone speaks.
SURE: Final = 0.75


class Hit(NamedTuple):
    """One piece of personal data in a text.

    `start` and `end` count code points of the text as given, end exclusive. `confidence` lies in
    (0, 1]. `validated` names what speaks for it: `date`, `checksum`, `luhn`, `region`, `context`...
    """

    type: str
    start: int
    end: int
    rule: str
    confidence: float
    validated: tuple[str, ...]
