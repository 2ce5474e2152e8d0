"""Filling a knowledge base from triples, dumps of Wikidata, infoboxes and other bases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.core.errors import InputError
from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.tasks.re.knowledge.base import PAGE_WEIGHT, Fact, Knowledge
from pipeline.tasks.re.knowledge.properties import (
    OCCUPATION_RELATION,
    Properties,
    dates,
    key_of,
    may_be_name,
    split_title,
    surfaces,
)
from pipeline.tasks.re.knowledge.triples import FORMATS, RULE, Broken, Triple, read_triples
from pipeline.tasks.re.knowledge.wikidata import INSTANCE, read_wikidata

#: Characters of the longest value of a parameter; a longer one is prose or broken mark-up.
PROSE: Final = 2_000
#: What is left of wiki text where braces or brackets do not close.
_MARKUP: Final = ("{{", "}}", "[[", "]]", "{|", "|}")


class _Meaning(NamedTuple):
    """The types of the ends of a property, and whether its objects are occupations."""

    subject: str | None
    object: str | None
    is_occupation: bool


@dataclass(frozen=True)
class Builder:
    """Fills a knowledge base, with the map of properties and the spec's labels by id.

    Of a dump of Wikidata only the properties of the map are kept, unless `all_properties`.
    """

    base: Knowledge
    properties: Properties
    labels: Mapping[str, Mapping[str, Any]]
    all_properties: bool = False
    _meanings: dict[tuple[str, str | None], _Meaning] = field(default_factory=dict, repr=False)

    def add_file(self, path: Path, name: str, form: str) -> None:
        """Add the triples of a file; evidence and ledger call it `name`.

        Raises InputError for an unreadable file and for one without a triple.
        """
        if form == "base":
            self.base.add_base(path)
            return
        count, why = 0, ""
        for record in self._read(path, form):
            if isinstance(record, Broken):
                why = why or f" (line {record.line}: {record.reason})"
                fault = (path.name, record.line, RULE, record.reason, name)
                self.base.add("faults", fault)
            else:
                count += 1
                self._add_triple(record, name)
        if not count:
            raise InputError(
                f"{path}: no triple in it{why}; a file of format {form} holds {FORMATS[form]}"
            )

    def _read(self, path: Path, form: str) -> Iterator[Triple | Broken]:
        if form != "wikidata":
            return read_triples(path, form)
        return read_wikidata(path, self.base.database, keeps=self._keeps)

    def _keeps(self, name: str) -> bool:
        return self.all_properties or self.properties.has_rule(name)

    def add_infoboxes(self, call: Call, source: str) -> None:
        """Add the facts of the infoboxes of a source (INFOBOXES)."""
        tables = inputs.rows(call, source, "infoboxes")
        for row in chain.from_iterable(table.to_pylist() for table in tables):
            self.add_infobox(row, source)

    def add_infobox(self, row: Mapping[str, Any], origin: str) -> None:
        """Add what a parameter of an infobox tells (a row of INFOBOXES).

        Of one that means a relation all parts of its value count, of another only the pages that it
        links to.
        """
        page = split_title(row["title"])
        reason = _infobox_fault(page.name, row["value"])
        if reason is not None:
            fault = (row["document"], row["ordinal"], "re.infobox@1", reason, origin)
            self.base.add("faults", fault)
            return
        template = self.properties.type_by("templates", row["template"])
        kind = template or self.properties.type_by_qualifier(page.qualifier)
        self._add_name(page.name, kind, PAGE_WEIGHT)
        rule = self.properties.rule(row["name"], kind)
        value = row["value"] if rule is not None and rule.relation is not None else ""
        for object_ in surfaces(value, row["links"]):
            self._add_fact(page.name, row["name"], object_, kind, origin)

    def _add_triple(self, triple: Triple, origin: str) -> None:
        subject = split_title(triple.subject)
        if triple.relation == INSTANCE:
            self._add_name(
                subject.name, self.properties.type_by("classes", triple.object), PAGE_WEIGHT
            )
            return
        object_ = split_title(triple.object)
        for title in (subject, object_):
            if kind := self.properties.type_by_qualifier(title.qualifier):
                self._add_name(title.name, kind, PAGE_WEIGHT)
        kind = self.properties.type_by_qualifier(subject.qualifier)
        for name in (object_.name, *(dates(triple.object) if triple.object[:1].isdigit() else [])):
            self._add_fact(subject.name, triple.relation, name, kind, origin)

    def _add_fact(
        self, subject: str, name: str, object_: str, kind: str | None, origin: str
    ) -> None:
        """Add one fact, and the types of its ends according to its property."""
        meaning = self._meanings.get((name, kind)) or self._meaning(name, kind)
        self._add_name(subject, kind or meaning.subject, 1)
        self._add_name(object_, meaning.object, 1, is_occupation=meaning.is_occupation)
        pair = key_of(subject), key_of(object_)
        if all(pair) and pair[0] != pair[1]:
            self.base.add("raw_facts", Fact(*pair, name, origin))

    def _meaning(self, name: str, kind: str | None) -> _Meaning:
        rule = self.properties.rule(name, kind)
        applies = rule is not None and rule.of in (None, kind)
        ends = self.properties.ends(rule, self.labels) if rule and applies else (None, None)
        is_occupation = rule is not None and rule.relation == OCCUPATION_RELATION
        return self._meanings.setdefault((name, kind), _Meaning(*ends, is_occupation))

    def _add_name(
        self, name: str, kind: str | None, weight: int, *, is_occupation: bool = False
    ) -> None:
        if may_be_name(name) and name not in self.properties.stop:
            self.base.add_evidence(name, kind, weight, is_occupation=is_occupation)


def _infobox_fault(page: str, value: str) -> str | None:
    if not page:
        return "a page without a title"
    if any(mark in value for mark in _MARKUP):
        return "a value with mark-up that is not closed"
    if len(value) > PROSE:
        return f"a value of more than {PROSE} characters"
    return None
