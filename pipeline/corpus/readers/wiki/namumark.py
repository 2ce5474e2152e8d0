"""Namumark, the markup of Namuwiki, to plain prose.

Kept: paragraphs, list items and quotations (each a line, without marks), labels of links, folded
and coloured text. Left out: tables, footnotes, files, categories, macros, code, comments, and text
struck through, which jokes in the middle of sentences. Nested marks are resolved from the inside,
at most ROUNDS deep.

Source: https://namu.wiki/w/나무위키:문법 도움말
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from pipeline.corpus.readers.base import Section
from pipeline.corpus.readers.lines import is_back_matter

ROUNDS: Final = 20
_HEADING: Final = re.compile(r"^(={1,6})(#?) *([^=\n][^\n]*?) *\2\1[ \t]*$", re.MULTILINE)
_COMMENT: Final = re.compile(r"^##.*$", re.MULTILINE)
_BLOCK: Final = re.compile(r"\{\{\{([^{}]*(?:(?:\{(?!\{\{)|\}(?!\}\}))[^{}]*)*)\}\}\}")
_STYLED: Final = re.compile(r"(?:#[\w,#]+|[+-][1-5])[ \n]")
_LINK: Final = re.compile(r"\[\[([^\[\]]*)\]\]")
_BRACKETS: Final = re.compile(r"\[([^\[\]]*)\]")
_FILE: Final = re.compile(r"(?:파일|이미지|분류|file|image|category):", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)
_MACRO: Final = re.compile(
    r"(?:목차|각주|tableofcontents|footnote|clearfix|pagecount|date|datetime)"
    r"|(?:include|anchor|age|dday|pagecount|math|youtube|kakaotv|nicovideo|vimeo|navertv|date)"
    r"\s*\(.*\)",
    re.IGNORECASE | re.DOTALL,
)
_RUBY: Final = re.compile(r"ruby\(([^,()]*).*\)", re.IGNORECASE | re.DOTALL)
_STRUCK: Final = re.compile(r"~~[^~\n]{1,500}~~|--[^\n-][^\n]{0,498}?--")
_PAIRED: Final = re.compile(r"(__|\^\^|,,)([^\n]{1,500}?)\1")
_QUOTES: Final = re.compile(r"'{2,}")
_ITEM: Final = re.compile(r"^(?:\s*(?:>+|(?:\*|(?:1|[aAiI])\.(?:#\d+)?)(?=\s)))*\s*")
_RULE: Final = re.compile(r"-{4,9}")
_GAPS: Final = re.compile(r"\n{3,}")
#: Brackets that are text, while others are resolved.
_OPEN, _CLOSE = "\ue000", "\ue001"


def page_of(code: str) -> tuple[str, tuple[Section, ...]]:
    """Return the plain text of a page and its sections, whose bodies leave the headings out.

    Sections without text, and those that hold references and links, are left out.
    """
    parts, sections, length = list[str](), list[Section](), 0
    pieces = _HEADING.split(_COMMENT.sub("", code))
    for marks, name, body in zip(
        ["", *pieces[1::4]], ["", *pieces[3::4]], pieces[::4], strict=True
    ):
        title, text = plain(name), plain(body)
        head = f"{title}\n" if title else ""
        if text and not is_back_matter(title):
            start = length + len(head)
            sections.append(Section(title, len(marks) or 1, start, start + len(text)))
        parts.append(f"{head}{text}\n\n" if text else head)
        length += len(parts[-1])
    return "".join(parts), tuple(sections)


def plain(code: str) -> str:
    """Return the prose of namumark without headings."""
    text = _resolve(code, _BLOCK, _block)
    text = _resolve(text, _LINK, _link)
    text = _resolve(text, _BRACKETS, _bracket)
    text = _PAIRED.sub(r"\2", _STRUCK.sub("", text.replace(_OPEN, "[").replace(_CLOSE, "]")))
    return _GAPS.sub("\n\n", "\n".join(_lines(_QUOTES.sub("", text)))).strip()


def _resolve(text: str, pattern: re.Pattern[str], put: Callable[[re.Match[str]], str]) -> str:
    for _ in range(ROUNDS):
        text, count = pattern.subn(put, text)
        if not count:
            break
    return text


def _block(match: re.Match[str]) -> str:
    """Return what shows of ``{{{...}}}``: all of a styled or folded one, nothing of code."""
    inner = match[1]
    if inner.startswith(("#!wiki", "#!folding")):
        return inner.partition("\n")[2]
    if styled := _STYLED.match(inner):
        return inner[styled.end() :]
    return "" if inner.startswith("#!") or "\n" in inner else inner


def _link(match: re.Match[str]) -> str:
    target, bar, label = match[1].partition("|")
    if _FILE.match(target.strip()):
        return ""
    if bar:
        return label.strip()
    return "" if _ADDRESS.match(target) else target.partition("#")[0].removeprefix(":")


def _bracket(match: re.Match[str]) -> str:
    inner = match[1].strip()
    if inner.startswith("*") or _MACRO.fullmatch(inner):
        return ""
    if inner.lower() == "br":
        return "\n"
    ruby = _RUBY.fullmatch(inner)
    return ruby[1] if ruby else f"{_OPEN}{match[1]}{_CLOSE}"


def _lines(text: str) -> list[str]:
    """Return the lines that are no part of a table, without the marks of lists and quotations."""
    kept, in_row = list[str](), False
    for line in map(str.strip, text.split("\n")):
        if in_row or line.startswith("||"):
            in_row = not line.endswith("||") or line == "||"
        elif not _RULE.fullmatch(line):
            item = _ITEM.match(line)
            kept.append(line[item.end() :] if item else line)
    return kept
