"""Pages out of a MediaWiki XML export, as a stream: one page in memory, DTDs forbidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from xml.sax import SAXException, SAXParseException, handler

from defusedxml import DefusedXmlException
from defusedxml.sax import make_parser

from pipeline.core.errors import InputError
from pipeline.core.io import streams
from pipeline.core.io.source import require_filled
from pipeline.core.wording import count

#: Elements that are read, by their path below <mediawiki><page>.
_FIELDS: Final = {
    ("title",): "title",
    ("ns",): "ns",
    ("id",): "id",
    ("revision", "timestamp"): "timestamp",
    ("revision", "model"): "model",
    ("revision", "text"): "text",
}
_CHUNK: Final = 64 * 1024
_DEEPEST: Final = 32
#: Bytes of one tag or comment: the parser holds it whole, and reads it again with every chunk.
_LONGEST_TOKEN: Final = 2 * 1024 * 1024


@dataclass
class Page:
    """The fields of one page, all text; `redirect` is there (empty) for a redirect."""

    fields: dict[str, str] = field(default_factory=dict)
    too_large: bool = False


class _Wrong(SAXException):
    """The document is XML, but no export."""


@dataclass
class _Handler(handler.ContentHandler):
    """Gathers finished pages; text beyond the cap is counted and forgotten."""

    max_text: int
    done: list[Page] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    page: Page | None = None
    parts: list[str] = field(default_factory=list)
    size: int = 0
    name: str | None = None
    events: int = 0

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802, ARG002
        self.events += 1
        self.path.append(name)
        if len(self.path) == 1 and name != "mediawiki":
            raise _Wrong(f"its root is <{name[:50]}>")
        if len(self.path) > _DEEPEST:
            raise _Wrong("its elements are nested too deep")
        if self.path[1:] == ["page"]:
            self.page, self.size = Page(), 0
        elif self.page is not None:
            self._begin(self.page, tuple(self.path[2:]))

    def _begin(self, page: Page, place: tuple[str, ...]) -> None:
        if place == ("redirect",):
            page.fields["redirect"] = ""
        if place == ("revision",):
            self.size, page.too_large = 0, False
        self.name = _FIELDS.get(place)
        self.parts = []

    def characters(self, content: str) -> None:
        self.events += 1
        if self.name is None or self.page is None:
            return
        self.size += len(content.encode("utf-8", "replace"))
        if self.size > self.max_text:
            self.page.too_large = True
            self.parts = []
        else:
            self.parts.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802, ARG002
        self.events += 1
        place = tuple(self.path[2:])
        self.path.pop()
        if self.page is None:
            return
        if not place:
            self.done.append(self.page)
            self.page = None
        elif self.name is not None and _FIELDS.get(place) == self.name:
            self.page.fields[self.name] = "".join(self.parts)
            self.name = None


def pages(path: Path, *, max_text: int) -> Iterator[Page]:
    """Stream the pages of an export; one whose fields exceed `max_text` bytes is marked.

    Raises InputError when the file is missing, empty, no export, holds a DTD, is cut off or holds
    no page.
    """
    read = 0
    gathered = _Handler(max_text)
    parser = make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(gathered)
    require_filled(path)
    with streams.open_stream(path) as stream:
        silent = 0
        while chunk := stream.read(_CHUNK):
            before = gathered.events
            _step(path, read, lambda data=chunk: parser.feed(data))
            silent = 0 if gathered.events > before else silent + len(chunk)
            if silent > _LONGEST_TOKEN:
                raise InputError(f"{path}: a tag or comment of it never ends; fetch it again")
            read += len(gathered.done)
            yield from gathered.done
            gathered.done.clear()
        _step(path, read, parser.close)
    if read == 0:
        raise InputError(f"{path}: holds no page; fetch it again")


def _step(path: Path, read: int, step: Any) -> None:
    try:
        step()
    except DefusedXmlException:
        raise InputError(
            f"{path}: holds a document type or entities, which no export does; it may be an attack:"
            " fetch it again from a source that you trust"
        ) from None
    except _Wrong as error:
        raise InputError(f"{path}: is no MediaWiki export: {error}") from None
    except (LookupError, ValueError) as error:  # the encoding that the file declares
        raise InputError(f"{path}: cannot be decoded: {error}; save it as UTF-8") from None
    except SAXParseException as error:
        raise InputError(
            f"{path}:{error.getLineNumber()}: no whole XML ({error.getMessage()}) after"
            f" {count(read, 'page')}; fetch it again"
        ) from None
