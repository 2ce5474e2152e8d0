"""Sections of plain text whose headings are lines like any other.

The rule is careful: it rather takes a heading for text than text for a heading.

1. ``== Title ==``, as left over from a wiki, is a heading; its level is the number of signs.
2. A *short line* has at most 30 characters and neither a sentence's end nor a colon at its own. A
   *prose line* ends like a sentence (``.``, ``?``, ``!``, ``…``, ``。``, closing quotes and
   brackets after it) and is longer than the line before it.
3. A block is the lines between empty lines. Up to 4 short lines that begin a block, with a prose
   line right after them, are headings. The first block of a text has none: it is the lead.
4. A short line alone in its block is a heading when the next block begins with a prose line.
5. Names such as 각주 or 같이 보기 (`BACK_MATTER`) are headings where a block begins, or
   right after a heading, whatever follows.

A long run of short lines is a list and stays text, and so does a list without prose after it. Such
lines do not show their level: all but those of rule 1 have level 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pipeline.corpus.readers.base import Section

MAX_LENGTH: Final = 30
MAX_RUN: Final = 4
MAX_WIKI_LENGTH: Final = 100

_BACK_MATTER: Final = """
    각주 주석 미주 주해 각주및참고문헌 각주및참고자료 주석및참고자료 각주와참고문헌 출처
    참고문헌 참고자료 참고 참조 참고서적 참고문서 외부링크 외부고리 바깥고리 바깥링크 외부연결
    같이보기 함께보기 관련항목 관련문서 관련기사 갤러리 사진 references notes seealso
    externallinks
"""


#: Titles of sections that hold references or links, in small letters without spaces, as Korean
#: Wikipedia has them.
BACK_MATTER: Final = frozenset(_BACK_MATTER.split())

_SENTENCE_END: Final = re.compile(r"[.?!…。][\"'”’)\]]*$")
_WIKI: Final = re.compile(r"(={1,6})\s*([^=].*?)\s*\1")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    def is_short(self) -> bool:
        ends = _SENTENCE_END.search(self.text) or self.text.endswith((":", ",", ";"))
        return 0 < len(self.text) <= MAX_LENGTH and not ends

    def is_prose_after(self, other: _Line) -> bool:
        return bool(_SENTENCE_END.search(self.text)) and len(self.text) > len(other.text)

    def is_known(self) -> bool:
        return is_back_matter(self.text)


def is_back_matter(heading: str) -> bool:
    """Return whether a section of this title holds references or links."""
    return "".join(heading.lower().split()) in BACK_MATTER


def sections(text: str) -> tuple[Section, ...]:
    """Return the sections of a text; what precedes the first heading has the title "" and level 1.

    Bodies exclude headings and the white space around. Left out are sections without body and, as
    in the MediaWiki reader, those that hold references and links (rule 5). A text without headings
    has one section, or none when it is blank.
    """
    lines = _lines(text)
    result: list[Section] = []
    title, level, start = "", 1, 0
    for line, name, depth in [*_headings(_blocks(lines)), (None, "", 0)]:
        end = line.start if line else len(text)
        body = text[start:end]
        left, right = len(body) - len(body.lstrip()), len(body.rstrip())
        if right > left and not is_back_matter(title):
            result.append(Section(title, level, start + left, start + right))
        if line:
            title, level, start = name, depth, line.end
    return tuple(result)


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    start = 0
    for raw in text.split("\n"):
        lines.append(_Line(start, start + len(raw), raw.strip()))
        start += len(raw) + 1
    return lines


def _blocks(lines: list[_Line]) -> list[list[_Line]]:
    blocks: list[list[_Line]] = [[]]
    for line in lines:
        if line.text:
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def _headings(blocks: list[list[_Line]]) -> list[tuple[_Line, str, int]]:
    """Return (line, title, level) of every heading, in order."""
    headings: dict[int, tuple[_Line, str, int]] = {}
    for number, block in enumerate(blocks):
        for line in block:
            wiki = _WIKI.fullmatch(line.text) if len(line.text) <= MAX_WIKI_LENGTH else None
            if wiki:
                headings[line.start] = (line, wiki[2], len(wiki[1]))
        following = blocks[number + 1][0] if number + 1 < len(blocks) else None
        run = _run(block, following) if number else 0
        for line in block[: run + _known_after(block, run, number)]:
            headings.setdefault(line.start, (line, line.text, 2))
    return [headings[start] for start in sorted(headings)]


def _run(block: list[_Line], following: _Line | None) -> int:
    """Return how many lines at the start of a block are headings by rules 3 and 4."""
    short = 0
    while short < len(block) and block[short].is_short():
        short += 1
    after = block[short] if short < len(block) else following if short == 1 else None
    if 0 < short <= MAX_RUN and after and after.is_prose_after(block[short - 1]):
        return short
    return 0


def _known_after(block: list[_Line], run: int, number: int) -> int:
    """Return how many lines after a run of headings are headings by rule 5."""
    known = 0
    while number and run + known < len(block) and block[run + known].is_known():
        known += 1
    return known
