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
from pipeline.tasks.re.knowledge import infoboxes, triples, wikidata
from pipeline.tasks.re.knowledge.base import Fault, Joined, Knowledge
from pipeline.tasks.re.knowledge.properties import TITLE, Ends, Properties
from pipeline.tasks.re.knowledge.triples import Fact
from pipeline.tasks.re.knowledge.values import dates, is_name, key, named


class Form(NamedTuple):
    """A form of a knowledge base in a file: what such a file holds, and how it is read."""

    holds: str
    read: Callable[[Path, sqlite3.Connection], Iterator[Fact | triples.Fault]]


FORMATS: Final[dict[str, Form]] = {
    "tsv": Form(triples.TABLE, lambda path, _: triples.tsv(path)),
    "jsonl": Form(triples.OBJECTS, lambda path, _: triples.jsonl(path)),
    "wikidata": Form(wikidata.DUMP, wikidata.wikidata),
}
#: What an infobox or a class says of a page's type, against a property's 1.
CERTAIN: Final = 100


@dataclass(frozen=True)
class Builder:
    """A knowledge base in the making, with the map of properties and the spec's labels by id."""

    base: Knowledge
    properties: Properties
    labels: Mapping[str, Mapping[str, Any]]

    def add_file(self, path: Path, name: str, form: str) -> None:
        """Add the triples of a file; `name` is what the evidence and the ledger call it.

        Raises InputError for an unknown form, an unreadable file, and one without a triple.
        """
        known = FORMATS.get(form)
        if known is None:
            allowed = ", ".join(FORMATS)
            raise InputError(f"knowledge {name!r}: no format {form!r}; allowed: {allowed}")
        found, first = 0, None
        for record in known.read(path, self.base.database):
            if isinstance(record, triples.Fault):
                first = first or record
                self.base.note(Fault(name, path.name, record.line, triples.RULE, record.reason))
            else:
                found += 1
                self._add_triple(record, name)
        if not found:
            why = f" (line {first.line}: {first.reason})" if first else ""
            raise InputError(
                f"{path}: no triple in it{why}; a file of format {form} holds {known.holds}"
            )

    def add_infoboxes(self, call: Call, source: str) -> None:
        """Add what the infoboxes of a source state."""
        rows = (
            row for table in inputs.rows(call, source, "infoboxes") for row in table.to_pylist()
        )
        for record in infoboxes.read(rows, self.properties):
            if isinstance(record, infoboxes.Broken):
                place = (record.document, record.ordinal)
                self.base.note(Fault(source, *place, infoboxes.RULE, record.reason))
                continue
            self._vote(record.subject, record.kind, CERTAIN)
            for one in record.objects:
                self._add(record.subject, record.name, one, record.kind, source)

    def _add_triple(self, fact: Fact, origin: str) -> None:
        subject = named(fact.subject)
        if fact.relation == wikidata.INSTANCE:
            self._vote(subject.name, self.properties.of_class(fact.object), CERTAIN)
            return
        kind = self.properties.of_qualifier(subject.qualifier)
        self._vote(subject.name, kind, CERTAIN)
        object_ = named(fact.object)
        hint = self.properties.of_qualifier(object_.qualifier)
        self._vote(object_.name, hint, CERTAIN)
        found = dates(fact.object) if fact.object[:1].isdigit() else []
        for one in (object_.name, *found):
            self._add(subject.name, fact.relation, one, kind, origin)

    def _add(self, subject: str, name: str, object_: str, kind: str | None, origin: str) -> None:
        """Add one fact, and what its property says of the types of its ends."""
        rule = self.properties.rule(name, kind)
        told = rule is not None and rule.of in (None, kind)
        ends = self.properties.ends(rule, self.labels) if rule and told else Ends(None, None)
        title = rule is not None and rule.relation == TITLE
        self._vote(subject, kind or ends.subject, 1)
        self._vote(object_, ends.object, 1, title=title)
        pair = key(subject), key(object_)
        if all(pair) and pair[0] != pair[1]:
            self.base.join([Joined(*pair, name, origin)])

    def _vote(self, name: str, kind: str | None, weight: int, *, title: bool = False) -> None:
        if is_name(name) and not dates(name) and name not in self.properties.stop:
            self.base.vote(name, kind, weight=weight, title=title)
