"""How many sets each source gives to dev and to test, so that styles keep their shares (NLI)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pipeline.release.splits.member import Member
from pipeline.tasks.nli.spec import SetNumbers

STYLES: Final = ("formal", "colloquial")
_SLACK: Final = 1e-9


@dataclass(frozen=True)
class Quotas:
    """Quotas by level: all sources of a style have the same, and the styles rise together.

    `styles` are those of the sources by name; sources of another style have no quota. A level is
    the number of sets that a source of the style `leads` gives to a split.
    """

    numbers: SetNumbers
    styles: dict[str, str]

    @classmethod
    def of(cls, members: Iterable[Member], numbers: SetNumbers) -> Quotas:
        """Return the quotas of the sources of these members."""
        found = {one.source: one.style for one in members}
        known = {name: style for name, style in sorted(found.items()) if style in STYLES}
        return cls(numbers, {name: str(style) for name, style in known.items()})

    @property
    def shares(self) -> dict[str, float]:
        """Return the shares of the styles."""
        return {"formal": self.numbers.formal_share, "colloquial": self.numbers.colloquial_share}

    @property
    def leads(self) -> str:
        """Return the style whose quota is the level: the first that has a share."""
        return "formal" if self.numbers.formal_share else "colloquial"

    def sources(self, style: str) -> list[str]:
        """Return the sources of a style."""
        return [name for name, one in self.styles.items() if one == style]

    def sets(self, source: str, level: int) -> int:
        """Return the quota of a source, in sets a split."""
        return self._sets(self.styles[source], level)

    def _sets(self, style: str, level: int) -> int:
        many = Counter(self.styles.values())
        leading = many[self.leads] / self.shares[self.leads]
        return int(level * leading * self.shares[style] / many[style] + _SLACK)

    def scaled(self, style: str, pairs: int) -> int:
        """Return the sets a source and split that the spec gives, in a release of `pairs` pairs."""
        given = self.numbers.per_formal_source
        if style == "colloquial":
            given = self.numbers.per_colloquial_source
        scale = pairs / sum(self.numbers.sizes.values())
        return int(given * scale / self.numbers.set_size + _SLACK)

    def top(self, pairs: int) -> int:
        """Return the highest level at which no source gives more than the spec says, scaled.

        It is 0 where a style that has a share has no source.
        """
        wanted = [style for style in STYLES if self.shares[style] > 0]
        if not all(self.sources(style) for style in wanted):
            return 0
        level = self.scaled(self.leads, pairs)
        while any(self._sets(style, level) > self.scaled(style, pairs) for style in wanted):
            level -= 1
        return level
