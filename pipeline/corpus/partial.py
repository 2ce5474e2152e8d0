"""An unfinished download: its bytes, and the facts that the server gave about the file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Partial:
    """`TARGET.part` with the bytes so far and `TARGET.part.json` with address, validator and size.

    Bytes without a strong validator of the same address are never built upon.
    """

    target: Path
    url: str

    @property
    def path(self) -> Path:
        """Where the bytes are collected."""
        return self.target.with_name(self.target.name + ".part")

    @property
    def size(self) -> int:
        """Bytes collected so far."""
        return self.path.stat().st_size if self.path.is_file() else 0

    def begin(self, headers: Mapping[str, str], total: int | None) -> None:
        """Start from nothing; note the facts that the server gives about the file.

        The old bytes go first: a kill in between must not leave them beside a new validator.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"")
        facts = {"url": self.url, "validator": _validator(headers), "total": total}
        draft = self._facts.with_name(self._facts.name + ".new")
        draft.write_text(json.dumps(facts), "utf-8")
        draft.replace(self._facts)

    def resumable(self) -> int:
        """Return how many bytes may be kept; 0 means to start again."""
        return self.size if self._read("validator") else 0

    def complete(self) -> bool:
        """Return whether all bytes are there, as after a kill just before the last step."""
        return self._read("total") == self.size

    def conditions(self) -> dict[str, str]:
        """Return the headers that ask for the rest, if the file is still the same."""
        return {"Range": f"bytes={self.size}-", "If-Range": str(self._read("validator"))}

    def continued_by(self, headers: Mapping[str, str]) -> bool:
        """Return whether an answer of status 206 continues these bytes of the same file."""
        known = str(self._read("validator"))
        same = headers.get("ETag" if known.startswith('"') else "Last-Modified") in {None, known}
        unit, _, span = headers.get("Content-Range", "").partition(" ")
        return same and unit == "bytes" and span.partition("-")[0] == str(self.size)

    def discard(self) -> None:
        """Remove the bytes and the facts about them."""
        self.path.unlink(missing_ok=True)
        self._facts.unlink(missing_ok=True)

    def finish(self) -> None:
        """Give the bytes their final name, durably."""
        with self.path.open("rb") as file:
            os.fsync(file.fileno())
        self.path.replace(self.target)
        self._facts.unlink(missing_ok=True)

    @property
    def _facts(self) -> Path:
        return self.target.with_name(self.target.name + ".part.json")

    def _read(self, key: str) -> object:
        try:
            facts = json.loads(self._facts.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        if not isinstance(facts, dict) or facts.get("url") != self.url:
            return None
        return facts.get(key)


def _validator(headers: Mapping[str, str]) -> str | None:
    """Return the validator for If-Range: a strong entity tag, else the date of the last change."""
    tag = headers.get("ETag")
    if tag and not tag.startswith("W/"):
        return tag
    return headers.get("Last-Modified")
