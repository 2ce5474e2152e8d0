"""One wiki page: its prose by sections, and its infoboxes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

import mwparserfromhell
from mwparserfromhell.nodes import Heading

from pipeline.core.errors import RecordError
from pipeline.corpus.readers import headings
from pipeline.corpus.readers.base import Infobox, Section
from pipeline.corpus.readers.wiki import infobox, wikitext

#: The parser reads the rest of a page anew for every mark that is never closed. Marks times
#: characters beyond this would take it more than about 20 seconds, at the worst hours.
MAX_WORK: Final = 200_000_000

_BETWEEN: Final = "\n\n"
_ALONE: Final = r"(?!(?:br|hr|wbr|li|dt|dd|tr|td|th|img)\b)"  # tags that need no closing
_MARK: Final = re.compile(rf"[{{}}[\]]|<!--|-->|/>|</?(?=\w){_ALONE}", re.IGNORECASE)
_STEPS: Final = {
    **{"{": ("{", 1), "}": ("{", -1), "[": ("[", 1), "]": ("[", -1)},
    **{"<!--": ("!", 1), "-->": ("!", -1), "<": ("<", 1), "</": ("<", -1), "/>": ("<", -1)},
}


@dataclass(frozen=True, slots=True)
class Page:
    """The text of a page, where its sections lie in it, and its infoboxes."""

    text: str
    sections: tuple[Section, ...]
    infoboxes: tuple[Infobox, ...]


@dataclass
class _Draft:
    """A section before it is rendered: heading, level and the nodes of its body."""

    title: str
    level: int
    nodes: list[Any] = field(default_factory=list)


def read(code: str, title: str) -> Page:
    """Read a page's wikitext; raises RecordError when the parser gives up on it.

    Sections without prose are left out; the lead has the title "" and level 1.
    """
    if _unclosed(code) * len(code) > MAX_WORK:
        raise RecordError("read.wikitext@1", "too many brackets or tags are never closed")
    try:
        return _read(code, title)
    except Exception as error:  # any bug of the parser must cost one page, not the dump
        reason = f"the wikitext cannot be parsed ({type(error).__name__})"
        raise RecordError("read.wikitext@1", reason) from None


def _read(code: str, title: str) -> Page:
    gatherer = infobox.Gatherer(title)
    renderer = wikitext.Renderer(title, on_template=gatherer.take)
    sections: list[Section] = []
    bodies: list[str] = []
    end = -len(_BETWEEN)  # of the text so far
    for draft in _drafts(mwparserfromhell.parse(code).nodes, renderer):
        body = wikitext.tidy(renderer.render(draft.nodes))
        if body:
            start = end + len(_BETWEEN)
            end = start + len(body)
            bodies.append(body)
            sections.append(Section(draft.title, draft.level, start, end))
    return Page(_BETWEEN.join(bodies), tuple(sections), tuple(gatherer.rows))


def _drafts(nodes: list[Any], renderer: wikitext.Renderer) -> list[_Draft]:
    """Cut a page's nodes at its headings, without the sections that are no prose."""
    drafts = [_Draft("", 1)]
    skipped = 0  # level of the heading whose section, with all below it, is being passed over
    for node in nodes:
        if not isinstance(node, Heading):
            if not skipped:
                drafts[-1].nodes.append(node)
            continue
        if skipped and node.level > skipped:
            continue
        heading = " ".join(wikitext.tidy(renderer.render(node.title.nodes)).split())
        skipped = node.level if headings.is_back_matter(heading) else 0
        if not skipped:
            drafts.append(_Draft(heading, node.level))
    return drafts


def _unclosed(code: str) -> int:
    """Return how many opening marks of a page have no closing mark after them, roughly."""
    open_marks = dict.fromkeys("{[<!", 0)
    for match in _MARK.finditer(code):
        kind, step = _STEPS[match.group()]
        open_marks[kind] = max(0, open_marks[kind] + step)
    return sum(open_marks.values())
