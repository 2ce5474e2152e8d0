"""A small grammar of headlines: frames with slots, in texts/yna_grammar.json.

No two headlines are near-duplicates: the Jaccard similarity of their character 3-grams stays
below 0.6, among themselves and against the hand-written headlines. A candidate that comes too
near to an earlier headline is given up for the next words in the order of their hashes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from draws import shuffled

LIMIT = 0.6
COUNTS = {
    "정치": 46, "경제": 46, "사회": 46, "생활문화": 46, "세계": 46, "IT과학": 45, "스포츠": 45,
}  # fmt: skip
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Headline:
    """A headline with the section of the press agency; `origin` is hand or grammar."""

    section: str
    title: str
    origin: str


@dataclass(frozen=True)
class Section:
    """Frames of one section and the words that fill their slots."""

    frames: tuple[str, ...]
    slots: Mapping[str, Sequence[str]]


def load_sections(path: Path) -> dict[str, Section]:
    """Read the grammar; the slots under `shared` are open to every section."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    shared = raw.pop("shared")
    return {
        name: Section(tuple(entry["frames"]), {**shared, **entry["slots"]})
        for name, entry in raw.items()
    }


def trigrams(text: str) -> frozenset[str]:
    """Character 3-grams; a shorter text is its own only gram."""
    return frozenset(text[i : i + 3] for i in range(max(1, len(text) - 2)))


def similarity(left: frozenset[str], right: frozenset[str]) -> float:
    """Jaccard similarity of two sets of grams."""
    return len(left & right) / len(left | right)


def make_headlines(sections: Mapping[str, Section], known: Sequence[Headline]) -> list[Headline]:
    """COUNTS[section] new headlines for each section, none near a known or an earlier one."""
    seen = [trigrams(headline.title) for headline in known]
    made: list[Headline] = []
    for name, count in COUNTS.items():
        for title in _distinct(name, sections[name], count, seen):
            made.append(Headline(name, title, "grammar"))
    return made


def _distinct(name: str, section: Section, count: int, seen: list[frozenset[str]]) -> list[str]:
    """The frames take turns; each use of a frame fills its slots with words not used before."""
    titles: list[str] = []
    uses = [0] * len(section.frames)
    while len(titles) < count:
        frame = len(titles) % len(section.frames)
        title = _fill(section.frames[frame], section, f"{name}|{frame}", uses[frame])
        uses[frame] += 1
        grams = trigrams(title)
        if all(similarity(grams, other) < LIMIT for other in seen):
            seen.append(grams)
            titles.append(title)
    return titles


def _fill(pattern: str, section: Section, purpose: str, use: int) -> str:
    def word(match: re.Match[str]) -> str:
        slot = match.group(1)
        words = shuffled(section.slots[slot], f"grammar|{purpose}|{slot}")
        return _fill(words[use % len(words)], section, purpose, use)

    return _SLOT.sub(word, pattern)
