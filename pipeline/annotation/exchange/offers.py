"""What an item offers its annotator: suggested answers, values of slots, and entries to look up.

A suggestion is shown and never a vote: nothing else of `meta` reaches annotators.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields, wrong
from pipeline.core.errors import RecordError
from pipeline.core.jsontext import canonical, parsed

#: The key of `meta`.
SUGGESTION: Final = "suggestion"
#: Items that are held as rows at a time.
ROWS: Final = 1_024


def suggestion_of(meta: str | None, fields: Fields, spec: TaskSpec, round_: Round) -> Any:
    """Return what `meta` suggests as an answer to a round in its one form, or None.

    Raises RecordError for a suggestion that is no such answer.
    """
    if meta is None or spec.rounds[0].id != round_.id:
        return None
    held = parsed(meta)
    given = held.get(SUGGESTION) if isinstance(held, dict) else None
    if given is None:
        return None
    try:
        return TASKS[spec.task].parse(given, fields, spec, round_)
    except (KeyError, ValueError, OverflowError, RecursionError):
        raise wrong(
            "form", "the suggestion is nested too deeply, or the item lacks a field"
        ) from None


def unusable(
    items: pa.Table, *, spec: TaskSpec, round_: Round, without: Collection[str] = ()
) -> dict[str, str]:
    """Return the items whose suggestion is no answer and so is left out, each with the reason.

    Items `without` show something else instead, so that their suggestions do not matter.
    """
    found = {}
    for batch in items.select(["item", "fields", "meta"]).to_batches(max_chunksize=ROWS):
        for row in batch.to_pylist():
            if row["meta"] is None or row["item"] in without:
                continue
            try:
                suggestion_of(row["meta"], parsed(row["fields"]), spec, round_)
            except RecordError as error:
                found[row["item"]] = error.reason
    return found


#: The fields of an item that hold them.
VALUES: Final = "candidates"
KNOWLEDGE: Final = "knowledge"
_DOMAIN: Final = "domain"
_TITLES: Final = {"name": "이름"}
_BORDER: Final = 'border="1" cellpadding="4"'


@dataclass(frozen=True)
class Table:
    """The instances of one domain: a row each, with a cell a column."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Offer:
    """What one dialogue offers: values by slot (DOMAIN-SLOT), its domains, its instances."""

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    domains: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()

    @property
    def texts(self) -> dict[str, str]:
        """Return lists and tables as texts, by the names of their fields; empty ones are none."""
        lists = "\n".join(f"{slot}: {' / '.join(values)}" for slot, values in self.values.items())
        tables = "\n\n".join(_piped(table) for table in self.tables)
        return {k: text for k, text in ((VALUES, lists), (KNOWLEDGE, tables)) if text}

    @property
    def page(self) -> str:
        """Return the tables as HTML, whatever stands in their cells being text."""
        return "".join(_marked_up(table) for table in self.tables)


def offer_of(fields: Mapping[str, Any], spec: TaskSpec) -> Offer:
    """Return what the fields of an item offer, slots in the order of the spec.

    What is of another form offers nothing.
    """
    values, rows, domains = (fields.get(key) for key in (VALUES, KNOWLEDGE, "domains"))
    places = {slot.id: place for place, slot in enumerate(spec.slots)}
    lists = _lists(values, places) if isinstance(values, dict) else {}
    named = [one for one in domains if isinstance(one, str)] if isinstance(domains, list) else []
    named += [slot.partition("-")[0] for slot in lists]
    return Offer(lists, tuple(dict.fromkeys(named)), _tables(rows, places))


def slot_values(spec: TaskSpec, offer: Offer) -> dict[str, tuple[str, ...]]:
    """Return the values to choose from, by informable slot; slots without any are left out.

    They are those that the spec lists; where the offer has values, these come first, and only slots
    of its domains are there. Values that the spec rules out are not offered.
    """
    found: dict[str, tuple[str, ...]] = {}
    for slot in spec.slots:
        fixed = slot.values or (("yes", "no", "dontcare") if slot.boolean else ())
        first = tuple(one for one in offer.values.get(slot.id, ()) if not fixed or one in fixed)
        here = not offer.values or slot.id.partition("-")[0] in offer.domains
        if slot.informable and here and (first or fixed):
            found[slot.id] = tuple(dict.fromkeys((*first, *fixed)))
    return found


def _lists(given: Mapping[str, Any], places: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    """Return the lists of values that are lists of texts, each value once."""
    ordered = sorted(given.items(), key=lambda pair: places.get(pair[0], len(places)))
    return {
        slot: tuple(dict.fromkeys(one for one in values if one.strip()))
        for slot, values in ordered
        if isinstance(values, list) and values and all(isinstance(one, str) for one in values)
    }


def _tables(given: Any, places: Mapping[str, int]) -> tuple[Table, ...]:
    if not isinstance(given, list) or not all(isinstance(row, dict) for row in given):
        return ()
    by_domain: dict[str, list[dict[str, Any]]] = {}
    for row in given:
        by_domain.setdefault(_cell(row.get(_DOMAIN)), []).append(row)
    return tuple(_table(domain, rows, places) for domain, rows in by_domain.items())


def _table(domain: str, rows: list[dict[str, Any]], places: Mapping[str, int]) -> Table:
    keys = dict.fromkeys(key for row in rows for key in row if key != _DOMAIN)
    ordered = sorted(keys, key=lambda key: -1 if key in _TITLES else places.get(key, len(places)))
    columns = tuple(_TITLES.get(key, key).removeprefix(f"{domain}-") for key in ordered)
    cells = tuple(tuple(_cell(row.get(key)) for key in ordered) for row in rows)
    return Table(domain, columns, cells)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    text = value if isinstance(value, str) else "" if value is None else canonical(value)
    return " ".join(text.split())


def _piped(table: Table) -> str:
    """Return a table in lines with bars: read as they are, or as Markdown."""
    rule = tuple("---" for _ in table.columns)
    lines = (table.columns, rule, *table.rows)
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join([table.title, "", *(f"| {' | '.join(line)} |" for line in cells)])


def _marked_up(table: Table) -> str:
    head = "".join(f"<th>{html.escape(one)}</th>" for one in table.columns)
    rows = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in table.rows)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    name = html.escape(table.title)
    return f"<h4>{name}</h4><table {_BORDER}><tr>{head}</tr>{body}</table>"
