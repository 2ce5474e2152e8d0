"""The press section of a headline: what sources call it, brought to the ids of the spec."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipeline.tasks.tc.spec import folded_name


class Sections:
    """The sections of a spec, by their names and by parts of the addresses of their articles."""

    def __init__(self, sampling: Mapping[str, Any]) -> None:
        """Take the spec's section `sampling` (TcSampling) as plain data."""
        given = sampling.get("sections", {})
        self._names = {folded_name(id_): id_ for id_ in sampling["quotas"]}
        self._names |= {
            folded_name(name): id_ for id_, one in given.items() for name in one["names"]
        }
        self._addresses = [
            (re.compile(re.escape(part) + r"(?![0-9A-Za-z])"), id_)
            for id_, one in sorted(given.items())
            for part in one["addresses"]
        ]

    def of(self, name: str | None, url: str | None) -> str | None:
        """Return the id of a section by its name or, where a source names none, by the address.

        A name that is not known gives None, whatever the address says.
        """
        if name and name.strip():
            return self._names.get(folded_name(name))
        found = (id_ for part, id_ in self._addresses if part.search(url or ""))
        return next(found, None)
