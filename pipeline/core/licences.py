"""The licences that a catalogue may name, and the uses that each grants."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Licence:
    """The uses that a licence grants, and its conditions."""

    name: str
    url: str | None = None
    attribution: bool = True
    share_alike: bool = False
    derivatives: bool = True
    redistribution: bool = True
    commercial: bool = True


def _creative_commons(code: str, version: str) -> Licence:
    return Licence(
        name=f"CC {code.upper()} {version}",
        url=f"https://creativecommons.org/licenses/{code}/{version}/",
        share_alike=code.endswith("sa"),
        derivatives="nd" not in code,
        commercial="nc" not in code,
    )


def _government(kind: int) -> Licence:
    return Licence(
        name=f"Korea Open Government License Type {kind}",
        url="https://www.kogl.or.kr/info/license.do",
        derivatives=kind in (1, 2),
        commercial=kind in (1, 3),
    )


_CODES: Final = ("by", "by-sa", "by-nc", "by-nd", "by-nc-sa", "by-nc-nd")

#: `none` is for text that copyright does not protect; licences that grant less than KLUE needs are
#: listed so that a catalogue can record a corpus that it may not select.
LICENCES: Final[dict[str, Licence]] = {
    "none": Licence("no licence needed", attribution=False),
    "CC0-1.0": Licence(
        "CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/", attribution=False
    ),
    **{
        f"CC-{code.upper()}-{version}": _creative_commons(code, version)
        for code in _CODES
        for version in ("2.0", "2.5", "3.0", "4.0")
    },
    **{f"KOGL-{kind}": _government(kind) for kind in (1, 2, 3, 4)},
    "all-rights-reserved": Licence(
        "all rights reserved", derivatives=False, redistribution=False, commercial=False
    ),
}


def licence(name: str) -> Licence:
    """Return the licence of that id.

    Raises ValueError that names the nearest ids.
    """
    if name in LICENCES:
        return LICENCES[name]
    near = difflib.get_close_matches(name, LICENCES, n=3, cutoff=0.5) or LICENCES
    raise ValueError(f"unknown licence; write an id such as {', '.join(near)}")
