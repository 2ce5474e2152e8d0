"""Wikitext to plain prose.

Kept: paragraphs, list items (each a line, without bullets), labels of links, the content of inline
tags, and the visible effect of the templates in `templates`. Left out: other templates, references,
tables, galleries, files with their captions, categories, language links, comments, formulas, code,
magic words. Runs of spaces and of empty lines become one, as on the rendered page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from mwparserfromhell.nodes import (
    Argument,
    ExternalLink,
    HTMLEntity,
    Node,
    Tag,
    Template,
    Text,
    Wikilink,
)

from pipeline.corpus.readers.wiki import templates

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z-]+)?|simple")

_MAGIC: Final = re.compile(r"__[A-Z]+__|__[가-힣]+__")
_LEFTOVER_TAG: Final = re.compile(
    r"</?(?:ref|br|small|big|div|span|sub|sup|font|center|nowiki|noinclude|gallery|references"
    r"|blockquote|u|s|i|b|p|table|tr|td|th|ul|ol|li)\b[^<>]*>",
    re.IGNORECASE,
)
_LEFTOVER_MARKS: Final = re.compile(r"'{2,}|\[\[|\]\]|\{\{|\}\}")
_MARKUP_LINES: Final = ("|", "{|", "{{", "}}")
_BULLETS: Final = ("*", "#", ";")
_SPACES: Final = re.compile(r"[ \t]+")
_GAPS: Final = re.compile(r"\n{3,}")
#: Stands where a node left nothing, so that the white space around it can go too.
_NOTHING: Final = "\x1a"
_NOTHINGS: Final = re.compile(r"\x1a(?: ?\x1a)+")
_EMPTY_LINE: Final = re.compile(r"^ ?\x1a ?(?:\n|$)", re.MULTILINE)
_EMPTY_EDGE: Final = re.compile(r"(?<=[(\[]) ?\x1a ?| ?\x1a ?(?=[)\]])")


@dataclass
class Renderer:
    """Renders nodes to visible text, before `tidy`.

    `on_template` gets every template first and returns whether it takes it; `links` gathers the
    titles that links point to; `in_prose` is false for the values of infoboxes.
    """

    title: str = ""
    in_prose: bool = True
    on_template: Callable[[Template], bool] | None = None
    links: list[str] = field(default_factory=list)

    def render(self, nodes: Iterable[Node]) -> str:
        """Return the visible text of nodes."""
        parts: list[str] = []
        for node in nodes:
            kind = _KINDS.get(type(node))
            part = (kind(self, node) if kind else "") or _NOTHING
            # The page shows what is indented by a colon on a new line.
            if isinstance(node, Tag) and node.wiki_markup == ":":
                part = "\n" if parts and not parts[-1].endswith("\n") else ""
            if isinstance(node, Tag) and node.wiki_markup in _BULLETS:
                part = ""
            if part:
                parts.append(part)
        return "".join(parts)

    def _inner(self, code: Any) -> str:
        return self.render(code.nodes) if code is not None else ""

    def _template(self, node: Template) -> str:
        if self.on_template is not None and self.on_template(node):
            return ""
        country = templates.country(node, self._plain)
        if country:
            self.links.append(country)
            return country
        return templates.visible(node, self._plain, title=self.title, in_prose=self.in_prose)

    def _plain(self, code: Any) -> str:
        return self._inner(code).replace(_NOTHING, "")

    def _wikilink(self, node: Wikilink) -> str:
        target = str(node.title).strip()
        prefix, colon, rest = target.partition(":")
        space = prefix.strip().lower() if colon else ""
        if space in templates.HIDDEN_SPACES or _is_language(target, space):
            return ""
        shown = rest.strip() if space in templates.SISTERS else target.lstrip(":").strip()
        page = shown.partition("#")[0].replace("_", " ").strip()
        if page and not target.startswith(":") and not set(page) & set("[]{}<>"):
            self.links.append(page)
        if node.text is None:
            return shown.lstrip("#").replace("_", " ")
        return self._inner(node.text) or page

    def _tag(self, node: Tag) -> str:
        name = str(node.tag).strip().lower()
        if name == "br":
            return "\n"
        if name in templates.GONE_TAGS:
            return ""
        text = self._inner(node.contents)
        if name in templates.BLOCK_TAGS and node.wiki_markup is None:
            return f"\n{text}\n"
        return text


def _is_language(target: str, space: str) -> bool:
    """Return whether a link leads to the same page in another language: ``[[en:Title]]``."""
    return (
        target[:1].islower() and space not in templates.SISTERS and bool(_LANGUAGE.fullmatch(space))
    )


def _entity(_: Renderer, node: HTMLEntity) -> str:
    try:
        character = str(node.normalize())
    except (ValueError, KeyError, OverflowError):
        return str(node)
    if any("\ud800" <= c <= "\udfff" or c == "\0" for c in character):
        return "\ufffd"
    return character


_KINDS: Final[dict[type[Node], Callable[[Renderer, Any], str]]] = {
    Text: lambda _, node: str(node.value),
    Wikilink: Renderer._wikilink,
    Tag: Renderer._tag,
    Template: Renderer._template,
    ExternalLink: lambda renderer, node: (
        renderer._inner(node.title) if node.brackets else str(node.url)
    ),
    Argument: lambda renderer, node: renderer._inner(node.default),
    HTMLEntity: _entity,
}


def tidy(text: str) -> str:
    """Return rendered text without left-over marks, with the white space of the rendered page."""
    text = _MAGIC.sub(_NOTHING, _LEFTOVER_TAG.sub("", text))
    text = _LEFTOVER_MARKS.sub("", _without_markup_lines(text))
    text = _NOTHINGS.sub(_NOTHING, _SPACES.sub(" ", text))
    text = _EMPTY_EDGE.sub("", _EMPTY_LINE.sub("", text)).replace(_NOTHING, "")
    lines = (_SPACES.sub(" ", line).strip(" \r") for line in text.split("\n"))
    return _GAPS.sub("\n\n", "\n".join(lines)).strip("\n")


def _without_markup_lines(text: str) -> str:
    """Drop lines of tables and templates that were never closed: the parser leaves them as text."""
    lines = text.split("\n")
    in_table = any(line.lstrip().startswith("{|") for line in lines)
    marks = (*_MARKUP_LINES, "!") if in_table else _MARKUP_LINES
    return "\n".join(line for line in lines if not line.lstrip().startswith(marks))
