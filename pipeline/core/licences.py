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


_PERMISSIVE: Final = {
    "MIT": "MIT License",
    "MIT-0": "MIT No Attribution",
    "Apache-2.0": "Apache License 2.0",
    "BSD-2-Clause": "BSD 2-Clause License",
    "BSD-3-Clause": "BSD 3-Clause License",
    "ISC": "ISC License",
    "Unlicense": "The Unlicense",
    "ODC-By-1.0": "Open Data Commons Attribution License 1.0",
    "PDDL-1.0": "Open Data Commons Public Domain Dedication and License 1.0",
}
_CODES: Final = ("by", "by-sa", "by-nc", "by-nd", "by-nc-sa", "by-nc-nd")

#: By SPDX identifier, where there is one.
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
    **{
        name: Licence(
            title,
            f"https://spdx.org/licenses/{name}.html",
            attribution=name not in ("MIT-0", "Unlicense", "PDDL-1.0"),
        )
        for name, title in _PERMISSIVE.items()
    },
    **{f"KOGL-{kind}": _government(kind) for kind in (1, 2, 3, 4)},
    "all-rights-reserved": Licence(
        "all rights reserved", derivatives=False, redistribution=False, commercial=False
    ),
}

#: What the makers of a release may put their labels, and texts that annotators wrote, under.
OF_LABELS: Final = (
    *("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0"),
    *("ODC-By-1.0", "PDDL-1.0", "MIT", "Apache-2.0", "KOGL-1", "KOGL-2"),
)


def licence(name: str) -> Licence:
    """Return the licence of that id.

    Raises ValueError that names the nearest ids.
    """
    if name in LICENCES:
        return LICENCES[name]
    near = difflib.get_close_matches(name, LICENCES, n=3, cutoff=0.5) or LICENCES
    raise ValueError(
        f"unknown licence; write an SPDX identifier such as {', '.join(near)}, or"
        " `private: true` in its place for text that is never released"
    )
