"""Pages of a MediaWiki XML export, plain or .bz2 (multistream too), .gz, .zst; also Wikinews.

The key is the page id and the date that of the revision. Pages outside namespace 0, redirects,
pages of another content model and pages without prose are dropped; a page above `MAX_PAGE_BYTES` is
quarantined. Who wrote a revision is not read. In an export with histories the last revision counts.

The text is the prose alone, section by section with an empty line between; headings are in
`sections`, not in the text. See `wikitext` for what counts as prose. The sections 각주, 외부 링크,
같이 보기, 참고 문헌 and their like (`lines.BACK_MATTER`) hold lists of links and are left out
with their subsections; so are sections without any prose.
Source: https://www.mediawiki.org/wiki/Help:Export
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import mwparserfromhell
import orjson
from mwparserfromhell.nodes import Heading, Template

from pipeline.core.errors import RecordError
from pipeline.corpus.readers import lines, records
from pipeline.corpus.readers.base import (
    Document,
    Infobox,
    Options,
    Record,
    Rejected,
    Section,
    record_reader,
    rejected,
)
from pipeline.corpus.readers.wiki import export, templates, wikitext

#: MediaWiki itself saves no page above 2 MiB; the parser's time grows with the page.
MAX_PAGE_BYTES = 2 * 1024 * 1024

_REDIRECT: Final = ("#redirect", "#넘겨주기")
#: Separates the lines of a value, whether <br>, a list or a list template made them.
SEPARATOR: Final = " / "

_NAMED: Final = re.compile(
    r".*정보\d?( ?\(.*\))?|.*정보/.*|정보(틀|표|상자)?( .*)|infobox.*|.* infobox", re.IGNORECASE
)
#: The parser reads the rest of a page anew for every mark that is never closed. Marks times
#: characters beyond this would take it more than about 20 seconds, at the worst hours.
MAX_WORK: Final = 200_000_000
#: The parser's time also grows with the square of the marks that begin a list; no list is so deep.
_DEEP: Final = re.compile(r"^([*#:;]{20})[*#:;]+", re.MULTILINE)

_BETWEEN: Final = "\n\n"
_ALONE: Final = r"(?!(?:br|hr|wbr|li|dt|dd|tr|td|th|img)\b)"  # tags that need no closing
_MARK: Final = re.compile(rf"[{{}}[\]]|<!--|-->|/>|</?(?=\w){_ALONE}", re.IGNORECASE)
_STEPS: Final = {
    **{"{": ("{", 1), "}": ("{", -1), "[": ("[", 1), "]": ("[", -1)},
    **{"<!--": ("!", 1), "-->": ("!", -1), "<": ("<", 1), "</": ("<", -1), "/>": ("<", -1)},
}


def _scan(path: Path, options: Options) -> Iterator[Record | Rejected]:  # noqa: ARG001
    """Stream the pages; the line of a record is the page's number in the file, from 1."""
    for number, page in enumerate(export.pages(path, max_text=MAX_PAGE_BYTES), start=1):
        if page.too_large:
            fault = RecordError("read.too_large@1", f"the page is above {MAX_PAGE_BYTES:,} bytes")
            yield rejected(fault, path.name, number)
        else:
            yield Record(path.name, number, orjson.dumps(page.fields))


def _document(record: Record, options: Options) -> Document:  # noqa: ARG001
    fields = orjson.loads(record.data)
    for name in ("title", "ns", "id"):
        if not fields.get(name):
            raise RecordError("read.missing_field@1", f"the page has no <{name}>")
    _check_kind(fields)
    article = read_page(fields.get("text", ""), fields["title"])
    return Document(
        key=fields["id"],
        text=records.full_text(article.text),
        file=record.file,
        line=record.line,
        title=fields["title"],
        date=records.iso_date(fields.get("timestamp", "")),
        sections=article.sections,
        infoboxes=article.infoboxes,
    )


def _check_kind(fields: dict[str, Any]) -> None:
    if fields["ns"] != "0":
        raise RecordError("read.namespace@1", "is outside the article namespace")
    start = fields.get("text", "")[:20].lstrip().lower()
    if "redirect" in fields or start.startswith(_REDIRECT):
        raise RecordError("read.redirect@1", "only points to another page")
    if fields.get("model", "wikitext") != "wikitext":
        raise RecordError("read.not_a_record@1", "is no wikitext")


@dataclass(frozen=True, slots=True)
class Page:
    """The text of a page, where its sections lie in it, and its infoboxes."""

    text: str
    sections: tuple[Section, ...]
    infoboxes: tuple[Infobox, ...]


def read_page(code: str, title: str) -> Page:
    """Read a page's wikitext; raises RecordError when the parser gives up on it.

    Sections without prose are left out; the lead has the title "" and level 1.
    """
    if _unclosed(code) * len(code) > MAX_WORK:
        raise RecordError("read.wikitext@1", "too many brackets or tags are never closed")
    try:
        return _parse(_DEEP.sub(r"\1", code), title)
    except Exception as error:  # any bug of the parser must cost one page, not the dump
        raise RecordError(
            "read.wikitext@1", f"the wikitext cannot be parsed ({type(error).__name__})"
        ) from None


def _parse(code: str, title: str) -> Page:
    gatherer = InfoboxGatherer(title)
    renderer = wikitext.Renderer(title, on_template=gatherer.take)
    sections: list[Section] = []
    bodies: list[str] = []
    end = -len(_BETWEEN)  # of the text so far
    for heading, level, nodes in _drafts(mwparserfromhell.parse(code).nodes, renderer):
        body = wikitext.tidy(renderer.render(nodes))
        if body:
            start = end + len(_BETWEEN)
            end = start + len(body)
            bodies.append(body)
            sections.append(Section(heading, level, start, end))
    return Page(_BETWEEN.join(bodies), tuple(sections), tuple(gatherer.rows))


def _drafts(nodes: list[Any], renderer: wikitext.Renderer) -> list[tuple[str, int, list[Any]]]:
    """Return heading, level and nodes of each section, without those that are no prose."""
    drafts: list[tuple[str, int, list[Any]]] = [("", 1, [])]
    skipped = 0  # level of the heading whose section, with all below it, is being passed over
    for node in nodes:
        if not isinstance(node, Heading):
            if not skipped:
                drafts[-1][2].append(node)
            continue
        if skipped and node.level > skipped:
            continue
        heading = " ".join(wikitext.tidy(renderer.render(node.title.nodes)).split())
        skipped = node.level if lines.is_back_matter(heading) else 0
        if not skipped:
            drafts.append((heading, node.level, []))
    return drafts


def _unclosed(code: str) -> int:
    """Return how many opening marks of a page have no closing mark after them, roughly."""
    open_marks = dict.fromkeys("{[<!", 0)
    for match in _MARK.finditer(code):
        kind, step = _STEPS[match.group()]
        open_marks[kind] = max(0, open_marks[kind] + step)
    return sum(open_marks.values())


def is_infobox(template: Template) -> bool:
    """Return whether a template is an infobox, by its name."""
    name = templates.name_of(template)
    return bool(_NAMED.fullmatch(name)) or name.lower() in templates.INFOBOXES


@dataclass
class InfoboxGatherer:
    """Gathers the parameters of a page's infoboxes in page order; `ordinal` counts them from 0.

    An infobox inside a parameter of another is gathered on its own, after the outer parameters
    before it.
    """

    title: str
    rows: list[Infobox] = field(default_factory=list)

    def take(self, template: Template) -> bool:
        """Gather a template if it is an infobox; returns whether it is."""
        if not is_infobox(template):
            return False
        name = templates.name_of(template)
        # Of a parameter given twice, MediaWiki shows the last.
        params = {str(param.name).strip(): param for param in template.params if param.showkey}
        for key, param in params.items():
            renderer = wikitext.Renderer(self.title, in_prose=False, on_template=self.take)
            lines = wikitext.tidy(renderer.render(param.value.nodes)).split("\n")
            value = SEPARATOR.join(line for line in lines if line)
            if key and value:
                links = tuple(dict.fromkeys(renderer.links))
                self.rows.append(Infobox(name, len(self.rows), key, value, links))
        return True


READER: Final = record_reader(_scan, _document)
