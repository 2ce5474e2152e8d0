"""The text of a passage: its kept sentences as cleaning left them, put together as they stood."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from itertools import compress
from typing import Final, NamedTuple

from pipeline.tasks.mrc.candidates.sections import Section

#: What ends a line for the segmentation, which counts it to no sentence.
_BREAK: Final = re.compile(r"\r\n|[\n\r\u2028\u2029]|<br\s*/?>|</?p>", re.IGNORECASE)
#: How a sentence ends, with what may close behind it; many articles leave out the full stop.
_ENDED: Final = re.compile(r"(?:[.?!…。]|다)[\"'”’)\]」』》〉]*$")


class Passage(NamedTuple):
    """The text of a section, the sentences it lost, and how much of it is prose.

    `lost` and `restored` hold sentence ids: of those that are missing, and of those whose text was
    taken from their duplicate. `uncut` tells that text was left out before it had sentences.
    `prose` is the share of characters in whole sentences, `lines` the share of lines that end as a
    sentence does, both from 0 to 1.
    """

    text: str
    lost: tuple[str, ...]
    restored: tuple[str, ...]
    uncut: bool
    prose: float
    lines: float


def assemble(section: Section, *, boilerplate: Set[str], repeats: Mapping[str, str]) -> Passage:
    """Put a section together again from its kept sentences and what stood between them.

    A sentence of `repeats` left because its text stands elsewhere, and has it back; one of
    `boilerplate` (a byline, a copyright notice) leaves no gap; any other that was not kept is lost.
    Between sentences stand an empty line, a line break, a blank or nothing, as in the
    document.
    """
    raw, pieces, between = section.document["text"], list[str](), ""
    lost, restored, uncut = list[str](), list[str](), False
    position = section.row["start"]
    for member in section.row["sentences"]:
        between += raw[position : member["start"]]
        position = member["end"]
        name = member["id"]
        text = section.kept.get(name, repeats.get(name))
        if text is None:
            lost += [] if name in boilerplate else [name]
            continue
        restored += [] if name in section.kept else [name]
        uncut = uncut or _letters(between)
        pieces += [_gap(between) if pieces else "", text]
        between = ""
    uncut = uncut or _letters(between + raw[position : section.row["end"]])
    made, sentences = "".join(pieces), pieces[1::2]
    prose = _share([len(s) for s in sentences], [bool(_ENDED.search(s)) for s in sentences])
    lines = [bool(_ENDED.search(line)) for line in made.splitlines() if line]
    share = _share([1] * len(lines), lines)
    return Passage(made, tuple(lost), tuple(restored), uncut, prose, share)


def _share(weights: list[int], good: list[bool]) -> float:
    total = sum(weights)
    return round(sum(compress(weights, good)) / total, 6) if total else 0.0


def _gap(between: str) -> str:
    lines = len(_BREAK.findall(between))
    if lines:
        return "\n\n" if lines > 1 else "\n"
    return " " if any(c.isspace() for c in between) else ""


def _letters(between: str) -> bool:
    return any(c.isalnum() for c in _BREAK.sub("", between))
