"""Fill a knowledge base from the files and the infoboxes that a call names."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.core.errors import InputError
from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.tasks.re.knowledge import triples, wikidata
from pipeline.tasks.re.knowledge.base import Fact, Fault, Knowledge
from pipeline.tasks.re.knowledge.names import dates, is_name, key_of, split_title, surfaces
from pipeline.tasks.re.knowledge.properties import TITLE, Ends, Properties
from pipeline.tasks.re.knowledge.triples import Broken, Triple


class Form(NamedTuple):
    """The format of a file with a knowledge base: its description, and its reader."""

    holds: str
    read: Callable[[Path, sqlite3.Connection], Iterator[Triple | Broken]]


FORMATS: Final[dict[str, Form]] = {
    "tsv": Form(triples.TABLE, lambda path, _: triples.read_tsv(path)),
    "jsonl": Form(triples.OBJECTS, lambda path, _: triples.read_jsonl(path)),
    "wikidata": Form(wikidata.DUMP, wikidata.read_wikidata),
}
#: The weight of an infobox or a class for the type of a page; a property has 1.
CERTAIN: Final = 100
#: Characters of the longest value of a parameter; a longer one is prose or broken mark-up.
PROSE: Final = 2_000
#: What is left of wiki text where braces or brackets do not close.
_MARKUP: Final = ("{{", "}}", "[[", "]]", "{|", "|}")


@dataclass(frozen=True)
class Builder:
    """Fills a knowledge base, with the map of properties and the spec's labels by id."""

    base: Knowledge
    properties: Properties
    labels: Mapping[str, Mapping[str, Any]]

    def add_file(self, path: Path, name: str, form: str) -> None:
        """Add the triples of a file; evidence and ledger call it `name`.

        Raises InputError for an unknown form, an unreadable file, and one without a triple.
        """
        known = FORMATS.get(form)
        if known is None:
            allowed = ", ".join(FORMATS)
            raise InputError(f"knowledge {name!r}: no format {form!r}; allowed: {allowed}")
        count, first = 0, None
        for record in known.read(path, self.base.database):
            if isinstance(record, Broken):
                first = first or record
                fault = Fault(name, path.name, record.line, triples.RULE, record.reason)
                self.base.add_fault(fault)
            else:
                count += 1
                self._add_triple(record, name)
        if not count:
            why = f" (line {first.line}: {first.reason})" if first else ""
            raise InputError(
                f"{path}: no triple in it{why}; a file of format {form} holds {known.holds}"
            )

    def add_infoboxes(self, call: Call, source: str) -> None:
        """Add the facts of the infoboxes of a source.

        Of a parameter that means a relation all parts of its value count, of another only the pages
        that it links to.
        """
        tables = inputs.rows(call, source, "infoboxes")
        for row in (row for table in tables for row in table.to_pylist()):
            page = split_title(row["title"])
            reason = _infobox_fault(page.name, row["value"])
            if reason is not None:
                place = (row["document"], row["ordinal"])
                self.base.add_fault(Fault(source, *place, "re.infobox@1", reason))
                continue
            template = self.properties.of_template(row["template"])
            kind = template or self.properties.of_qualifier(page.qualifier)
            self._vote(page.name, kind, CERTAIN)
            value = row["value"] if self.properties.is_mapped(row["name"], kind) else ""
            for object_ in surfaces(value, row["links"]):
                self._add(page.name, row["name"], object_, kind, source)

    def _add_triple(self, triple: Triple, origin: str) -> None:
        subject = split_title(triple.subject)
        if triple.relation == wikidata.INSTANCE:
            self._vote(subject.name, self.properties.of_class(triple.object), CERTAIN)
            return
        kind = self.properties.of_qualifier(subject.qualifier)
        self._vote(subject.name, kind, CERTAIN)
        object_ = split_title(triple.object)
        hint = self.properties.of_qualifier(object_.qualifier)
        self._vote(object_.name, hint, CERTAIN)
        days = dates(triple.object) if triple.object[:1].isdigit() else []
        for name in (object_.name, *days):
            self._add(subject.name, triple.relation, name, kind, origin)

    def _add(self, subject: str, name: str, object_: str, kind: str | None, origin: str) -> None:
        """Add one fact, and the types of its ends according to its property."""
        rule = self.properties.rule(name, kind)
        applies = rule is not None and rule.of in (None, kind)
        ends = self.properties.ends(rule, self.labels) if rule and applies else Ends(None, None)
        title = rule is not None and rule.relation == TITLE
        self._vote(subject, kind or ends.subject, 1)
        self._vote(object_, ends.object, 1, title=title)
        pair = key_of(subject), key_of(object_)
        if all(pair) and pair[0] != pair[1]:
            self.base.add_facts([Fact(*pair, name, origin)])

    def _vote(self, name: str, kind: str | None, weight: int, *, title: bool = False) -> None:
        if is_name(name) and not dates(name) and name not in self.properties.stop:
            self.base.vote(name, kind, weight=weight, title=title)


def _infobox_fault(page: str, value: str) -> str | None:
    if not page:
        return "a page without a title"
    if any(mark in value for mark in _MARKUP):
        return "a value with mark-up that is not closed"
    if len(value) > PROSE:
        return f"a value of more than {PROSE} characters"
    return None
