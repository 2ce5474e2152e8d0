"""Facts out of the infoboxes of wiki pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from pipeline.tasks.re.knowledge.properties import Properties
from pipeline.tasks.re.knowledge.values import PROSE, named, surfaces

RULE: Final = "re.infobox@1"
#: What is left of wiki text where braces or brackets do not close.
_MARKUP: Final = ("{{", "}}", "[[", "]]", "{|", "|}")


class Boxed(NamedTuple):
    """What one parameter states of its page: the page's name and type, and the objects."""

    subject: str
    kind: str | None
    name: str
    objects: tuple[str, ...]


class Broken(NamedTuple):
    """A parameter that states nothing usable, and why; the reason holds no text of it."""

    document: str
    ordinal: int
    reason: str


def read(rows: Iterator[Mapping[str, Any]], properties: Properties) -> Iterator[Boxed | Broken]:
    """Yield what the rows of the table `infoboxes` state.

    Of a parameter that means a relation all parts of its value count, of another only the pages
    that it links to.
    """
    for row in rows:
        reason = _fault(row)
        if reason is not None:
            yield Broken(row["document"], row["ordinal"], reason)
            continue
        page = named(row["title"])
        kind = properties.of_template(row["template"]) or properties.of_qualifier(page.qualifier)
        yield Boxed(page.name, kind, row["name"], _objects(row, kind, properties))


def _fault(row: Mapping[str, Any]) -> str | None:
    if not named(row["title"]).name:
        return "a page without a title"
    if any(mark in row["value"] for mark in _MARKUP):
        return "a value with mark-up that is not closed"
    if len(row["value"]) > PROSE:
        return f"a value of more than {PROSE} characters"
    return None


def _objects(row: Mapping[str, Any], kind: str | None, properties: Properties) -> tuple[str, ...]:
    whole = properties.mapped(row["name"], kind)
    return tuple(surfaces(row["value"] if whole else "", row["links"]))
