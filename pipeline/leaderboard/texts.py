"""Texts that people give: which names a board takes, and what of a text a database can hold."""

from __future__ import annotations

import re
import unicodedata
from typing import Final
from urllib.parse import urlsplit

from pipeline.leaderboard.records import ModelInfo, RefusedError
from pipeline.leaderboard.settings import KINDS

#: Characters of a name, of a link and of a description at most.
LONGEST_NAME: Final = 80
LONGEST_LINK: Final = 500
LONGEST_DESCRIPTION: Final = 2_000
#: No model has more parameters.
MOST_PARAMETERS: Final = 10**15
#: What a spreadsheet takes for a formula at the beginning of a cell.
_FORMULA: Final = "=+-@"
#: Blanks of every width; what of markup, quotations and templates a name does without.
_BLANKS: Final = re.compile(r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_MARKUP: Final = re.compile(r"[<>`\\{}|^\"]")
#: Categories of characters that nobody sees, or that change how others are seen.
_UNPRINTABLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def storable(text: str) -> str:
    """Return a text as both databases can hold it: no NUL and no half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def check_name(what: str, name: str) -> str:
    """Return a name in NFC, single blanks between its words.

    Raises RefusedError (422) for a name that is empty or too long, holds control characters or
    markup, or begins as a formula does.
    """
    plain = unicodedata.normalize("NFC", _BLANKS.sub(" ", name)).strip(" ")
    if not plain:
        raise RefusedError(422, f"{what}: is empty; give a name")
    if len(plain) > LONGEST_NAME:
        raise RefusedError(
            422, f"{what}: has {len(plain)} characters; allowed: {LONGEST_NAME}; give a shorter one"
        )
    if unicodedata.normalize("NFKC", plain[0])[0] in _FORMULA:
        raise RefusedError(
            422,
            f"{what}: begins with {plain[0]!r}, as a formula of a spreadsheet does; begin it with a"
            " letter or a digit",
        )
    if _MARKUP.search(plain) or not _is_printable(plain):
        raise RefusedError(
            422,
            f"{what}: holds control characters, markup, quotation marks or braces; allowed:"
            " letters, digits, blanks and - _ . , : ; ( ) [ ] / + & ' # * % @ = ! ? ~",
        )
    return plain


def check_model(model: ModelInfo) -> ModelInfo:
    """Return what is said of a model, with its name as `check_name` returns it.

    Raises RefusedError (422) for a kind, size, link or description that the board does not take.
    """
    name = check_name("model", model.name)
    if model.kind not in KINDS:
        raise RefusedError(422, f"kind: {_shown(model.kind)}; allowed: {', '.join(KINDS)}")
    size = model.parameters
    if size is not None and not 1 <= size <= MOST_PARAMETERS:
        raise RefusedError(
            422, f"parameters: {size:,}; allowed: 1 to {MOST_PARAMETERS:,}, or nothing"
        )
    description = model.description.replace("\r\n", "\n").replace("\t", " ").strip()
    if len(description) > LONGEST_DESCRIPTION or not _is_printable(description.replace("\n", "")):
        raise RefusedError(
            422,
            f"description: allowed are {LONGEST_DESCRIPTION:,} characters without control"
            f" characters; given: {len(description):,}",
        )
    return ModelInfo(name, size, model.kind, _check_link(model.link.strip()), description)


def check_line(what: str, text: str, *, most: int = LONGEST_DESCRIPTION) -> str:
    """Return a text that people read, on one line, such as a reason or a title.

    Raises RefusedError (422) for none, a very long one, and control characters.
    """
    line = " ".join(text.split())
    if not 1 <= len(line) <= most or not _is_printable(line):
        raise RefusedError(
            422,
            f"{what}: has {len(line):,} characters, or control characters; allowed: 1 to {most:,}"
            " that can be printed",
        )
    return line


def _check_link(link: str) -> str:
    try:
        parts = urlsplit(link)
        is_fine = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in link
    except ValueError:
        is_fine = False
    is_fine = is_fine and len(link) <= LONGEST_LINK and _is_printable(link) and " " not in link
    if link and (not is_fine or _MARKUP.search(link)):
        raise RefusedError(
            422,
            f"link: not an address; give one that begins with https:// or http://, of at most"
            f" {LONGEST_LINK} characters, without blanks and user names; or none",
        )
    return link


def _is_printable(text: str) -> bool:
    """Tell whether a text holds no control, format, unassigned or half character, or line end."""
    return not any(unicodedata.category(letter) in _UNPRINTABLE for letter in text)


def _shown(text: str) -> str:
    return repr(storable(text)[:40])
