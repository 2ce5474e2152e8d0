"""The markup rules: what is left of HTML and of wiki markup in text that was a page once.

HTML is cut out everywhere (KLUE, section 2.3: HTML tags such as ``<br>``), wiki markup in sources
that come from a wiki: reference marks such as ``[3]``, and links, templates and headings that were
never rendered. The MediaWiki reader leaves none of them; copies that others made (CSV files, text
files) do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from html.entities import html5
from typing import Final

from pipeline.corpus.rules.noise import BLANKS, MAX_DEPTH, Edit, remove_bad_chars


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BLOCK: Final = _names(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hr html iframe"
    " legend li main menu nav noframes noscript o:p ol optgroup option p pre section select summary"
    " table tbody td textarea tfoot th thead title tr ul"
)
_INLINE: Final = _names(
    "a abbr acronym applet area audio b base basefont bdi bdo big blink button canvas cite code col"
    " colgroup data datalist del dfn em embed font frame i img input ins kbd label link map mark"
    " marquee meta meter nobr object output param picture progress q rp rt ruby s samp script slot"
    " small source span strike strong style sub sup svg template time track tt u var video"
    " wbr"
)
#: Elements named like an English word: a film may be called so, the name alone proves nothing.
_WORDS: Final = _names(
    "a address article aside audio base big blink body button canvas caption center cite code data"
    " details dialog font form frame head header label legend link main map mark marquee menu meter"
    " object output picture progress q ruby section select slot small source strike strong style"
    " summary table template time title track video"
)
_SWITCHES: Final = (
    r"(?:async|autoplay|checked|compact|controls|defer|disabled|hidden|loop|multiple|muted|noshade"
    r"|nowrap|open|readonly|required|reversed|selected)(?![\w:.-])"
)
_VALUE: Final = r"""(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^\s"'<>=`]{1,2000})"""
_ATTRIBUTE: Final = (
    rf"(?:\s++|(?<=[\"']))(?:[A-Za-z_:@*][\w:.-]{{0,60}}\s*+=\s*+{_VALUE}|{_SWITCHES})"
)
_TAG: Final = re.compile(
    rf"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9:]{{0,20}})(?P<attributes>(?:{_ATTRIBUTE})*+)"
    r"\s*+(?P<empty>/?)>"
)
_CLOSING: Final = re.compile(r"</([a-z][a-z0-9:]{0,20})\s*+>")
_DECLARATION: Final = re.compile(r"<!doctype\b[^<>]{0,300}>|<\?xml\b[^<>]{0,300}>", re.IGNORECASE)
#: ``>ㅁ<b>``: a face and a thumb, not the element b.
_FACE: Final = re.compile(r">[ㅁㅂㅅㅇㅎㅋㅠㅜㅡ_.,^oOωuv-]{1,2}$")
ENTITY: Final = re.compile(
    r"&(?:#[0-9]{1,7};|#[xX][0-9A-Fa-f]{1,6};|(?P<name>[A-Za-z][A-Za-z0-9]{1,31};)"
    r"|(?:lt|gt|amp|quot|nbsp)(?![A-Za-z0-9=;]))"
)


def remove_html(text: str) -> Edit:
    """Cut the tags of HTML elements, comments and declarations, and decode entities.

    The text inside an element stays, except in script and style. A block element leaves a blank
    where it stood, an inline one nothing. ``<별의 노래>``, ``a < b`` and ``<Time>`` are text: a
    name that is also an English word counts as a tag only with an attribute or its other half.
    Entities need their semicolon, save lt, gt, amp, quot and nbsp where no ASCII letter, digit or
    ``=`` follows (a query string keeps its ``&lt=3``). Decoding comes last: the markup that it
    brings to light was meant to be read and stays text.
    """
    text, counts = strip_tags(text)
    entities = 0
    for _ in range(MAX_DEPTH):
        decoded = ENTITY.sub(_character, text)
        if decoded == text:
            break
        entities += len(ENTITY.findall(text))
        text = decoded
    return text, counts + ((("entity", entities),) if entities else ())


def strip_tags(text: str) -> Edit:
    """Cut tags, comments and declarations, and those that appear when others are gone."""
    counts = Counter[str]()
    for _ in range(MAX_DEPTH):
        before = text
        for kind, strip in _STRIPS:
            text, n = strip(text)
            counts += Counter({kind: n})
        if text == before:
            break
    return text, tuple(counts.items())


def _strip_between(start: str, end: str) -> Callable[[str], tuple[str, int]]:
    begins, ends = re.compile(start, re.IGNORECASE), re.compile(end, re.IGNORECASE)

    def strip(text: str) -> tuple[str, int]:
        kept, position = [], 0
        while opening := begins.search(text, position):
            closing = ends.search(text, opening.end())
            if closing is None:
                break
            kept.append(text[position : opening.start()])
            position = closing.end()
        return " ".join([*kept, text[position:]]), len(kept)

    return strip


def _strip_elements(text: str) -> tuple[str, int]:
    count = 0
    halves = frozenset(_CLOSING.findall(text.lower())) if "</" in text else frozenset()

    def replace(match: re.Match[str]) -> str:
        nonlocal count
        name = match["name"].lower()
        if not (name in _BLOCK or name in _INLINE) or not _is_tag(match, name, halves):
            return match[0]
        count += 1
        return " " if name in _BLOCK else ""

    return _TAG.sub(replace, text), count


#: What is cut, in this order: its kind, and a function that returns the rest and how many.
_STRIPS: Final[tuple[tuple[str, Callable[[str], tuple[str, int]]], ...]] = (
    ("comment", _strip_between("<!--", "-->")),
    ("script", _strip_between(r"<script(?=[\s>])[^<>]{0,2000}>", r"</script\s*>")),
    ("script", _strip_between(r"<style(?=[\s>])[^<>]{0,2000}>", r"</style\s*>")),
    ("declaration", lambda text: _DECLARATION.subn(" ", text)),
    ("tag", _strip_elements),
)


def _is_tag(match: re.Match[str], name: str, halves: frozenset[str]) -> bool:
    if match["close"] or match["attributes"] or match["empty"] or name in halves:
        return True
    if len(name) == 1:
        start = match.start()
        face = _FACE.search(match.string[max(0, start - 3) : start])
        return name in "bipsu" and (match["name"] in "bipsuP") and not face
    return name not in _WORDS


def _character(match: re.Match[str]) -> str:
    if match["name"] and match["name"] not in html5:
        return match[0]
    character = unescape(match[0])
    return " " if character.isspace() else remove_bad_chars(character)[0]


#: What a text must hold (for RE2 and for `re`) before a rule looks closer.
WIKI_GATES: Final[dict[str, str]] = {
    "markup": rf"\[\[|\{{\{{|^[{BLANKS}]*==",
    "reference": rf"\[(?:주|note|Note)?[{BLANKS}]?[0-9]{{1,3}}\]",
}

_MEDIA: Final = r"(?:파일|그림|분류|File|Image|Category)"
_WIKI_MARKUP: Final = re.compile(
    rf"\[\[\s?{_MEDIA}\s?:[^\[\]]*+(?:\]\]|$)"  # also one that was cut off
    r"|\[\[(?:[^\[\]|]*\|)?(?P<shown>[^\[\]|]*)\]\]"
    r"|\{\{[^{}]*\}\}"
    rf"|^[{BLANKS}]*={{2,6}}[^=]+={{2,6}}[{BLANKS}]*$"
)
_REFERENCE: Final = re.compile(
    rf"(?P<left>\w?)(?:\[(?:주|note|Note)?[{BLANKS}]?[0-9]{{1,3}}\])+(?P<right>\w?)"
)


def remove_wiki_markup(text: str) -> Edit:
    """Cut links to media and categories, templates and headings; show what other links show."""
    cleaned, n = _WIKI_MARKUP.subn(lambda match: match["shown"] or "", text)
    return cleaned, ((("markup", n),) if n else ())


def remove_references(text: str) -> Edit:
    """Cut reference marks; two words that only a mark kept apart get a blank."""

    def replace(match: re.Match[str]) -> str:
        left, right = match["left"], match["right"]
        return f"{left} {right}" if left and right else left + right

    cleaned, n = _REFERENCE.subn(replace, text)
    return cleaned, ((("reference", n),) if n else ())
