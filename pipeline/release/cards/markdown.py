"""Markdown from plain data; what others wrote is text in it, never mark-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

#: The cells of a line of a table.
Cells = Sequence[str | int]
_BLANKS: Final = re.compile(r"\s+")
_SIGNS: Final = re.compile(r"([\\`*\[\]<>|#{}~])")


def plain(text: str) -> str:
    """Return a text on one line in which no sign is mark-up; addresses stay readable."""
    return _SIGNS.sub(r"\\\1", _BLANKS.sub(" ", text).strip())


def code(text: str) -> str:
    """Return a text as code, for ids, names of files and labels."""
    shown = _BLANKS.sub(" ", text).replace("|", "\\|")
    fence = "``" if "`" in shown else "`"
    return f"{fence}{shown}{fence}"


def codes(texts: Iterable[str]) -> str:
    """Return several as code, with commas between them."""
    return ", ".join(code(one) for one in texts)


def link(text: str, address: str | None) -> str:
    """Return a link, or the text alone where there is no web address."""
    if address is None or not re.fullmatch(r"https?://[^\s<>()]+", address):
        return plain(text)
    return f"[{plain(text)}]({address})"


def table(titles: Sequence[str], rows: Iterable[Cells]) -> str:
    """Return a table; whole numbers stand to the right with thousands apart.

    Texts must be Markdown already (`plain`, `code`, `link`).
    """
    body = [list(row) for row in rows]
    numbers = [all(isinstance(cell, int) for cell in column) for column in zip(*body, strict=True)]
    rule = ["---:" if right else "---" for right in numbers or [False] * len(titles)]
    return "\n".join(_line(row) for row in (titles, rule, *body))


def counted(many: int, one: str, several: str) -> str:
    """Return a number with its noun."""
    return f"{many:,} {one if many == 1 else several}"


def bullets(lines: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(f"- {line}" for line in lines)


def fenced(text: str, language: str = "") -> str:
    """Return a block of code."""
    return f"```{language}\n{text.strip()}\n```"


def page(*blocks: str) -> str:
    """Return blocks as one text, an empty line between them; empty blocks are left out."""
    return "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"


def _line(cells: Cells) -> str:
    shown = (f"{cell:,}" if isinstance(cell, int) else cell for cell in cells)
    return f"| {' | '.join(shown)} |"
