"""Wiki residue: what plain-text copies of wiki pages still carry of their markup.

Two edits ``text -> (text, counts)``, for sources that come from a wiki: reference marks such as
``[3]``, and links, templates and headings that were never rendered. The MediaWiki reader leaves
none of them; copies that others made (CSV files, text files) do.
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.corpus.rules.noise import BLANKS, Edit

#: The ids of these rules, as a source's `cleaning` names them.
WIKI: Final = ("wiki.markup@1", "wiki.reference@1")

#: What a text must hold (for RE2 and for `re`) before a rule looks closer.
GATES: Final[dict[str, str]] = {
    "markup": rf"\[\[|\{{\{{|^[{BLANKS}]*==",
    "reference": rf"\[(?:주|note|Note)?[{BLANKS}]?[0-9]{{1,3}}\]",
}

_MEDIA: Final = r"(?:파일|그림|분류|File|Image|Category)"
_MARKUP: Final = re.compile(
    rf"\[\[\s?{_MEDIA}\s?:[^\[\]]*+(?:\]\]|$)"  # also one that was cut off
    r"|\[\[(?:[^\[\]|]*\|)?(?P<shown>[^\[\]|]*)\]\]"
    r"|\{\{[^{}]*\}\}"
    rf"|^[{BLANKS}]*={{2,6}}[^=]+={{2,6}}[{BLANKS}]*$"
)
_REFERENCE: Final = re.compile(
    rf"(?P<left>\w?)(?:\[(?:주|note|Note)?[{BLANKS}]?[0-9]{{1,3}}\])+(?P<right>\w?)"
)


def remove_markup(text: str) -> Edit:
    """Cut links to media and categories, templates and headings; show what other links show."""
    cleaned, found = _MARKUP.subn(lambda match: match["shown"] or "", text)
    return cleaned, ((("markup", found),) if found else ())


def remove_references(text: str) -> Edit:
    """Cut reference marks; two words that only a mark kept apart get a blank."""

    def replace(match: re.Match[str]) -> str:
        left, right = match["left"], match["right"]
        return f"{left} {right}" if left and right else left + right

    cleaned, found = _REFERENCE.subn(replace, text)
    return cleaned, ((("reference", found),) if found else ())
