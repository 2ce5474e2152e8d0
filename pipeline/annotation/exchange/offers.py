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
from pipeline.core import schemas
from pipeline.core.errors import RecordError
from pipeline.core.jsontext import canonical, parsed

#: Items that are held as rows at a time.
ROWS: Final = 1_024


def suggestion_of(meta: str | None, fields: Fields, spec: TaskSpec, round_: Round) -> Any:
    """Return what `meta` suggests as an answer to a round in its one form, or None.

    Raises RecordError for a suggestion that is no such answer.
    """
    known = parsed(meta) if meta is not None and spec.rounds[0].id == round_.id else None
    if not isinstance(known, dict) or known.get("suggestion") is None:
        return None
    try:
        return TASKS[spec.task].parse(known["suggestion"], fields, spec, round_)
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
    reasons = {}
    for batch in items.select(["item", "fields", "meta"]).to_batches(max_chunksize=ROWS):
        for row in batch.to_pylist():
            if row["meta"] is None or row["item"] in without:
                continue
            try:
                suggestion_of(row["meta"], parsed(row["fields"]), spec, round_)
            except RecordError as error:
                reasons[row["item"]] = error.reason
    return reasons


#: The fields of an item that hold them.
VALUES: Final = "candidates"
KNOWLEDGE: Final = "knowledge"
_DOMAIN: Final = "domain"


#: The title and the lines of a table; the first line has the names of the columns.
Table = tuple[str, list[list[str]]]


@dataclass(frozen=True)
class Offer:
    """What one dialogue offers: values by slot (DOMAIN-SLOT), its domains, its instances.

    The tables are one a domain: an instance a line.
    """

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    domains: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()

    @property
    def texts(self) -> dict[str, str]:
        """Return lists and tables as texts, by the names of their fields; empty ones are none.

        Tables have bars between their cells: they can be read as they are, or as Markdown.
        """
        lists = (f"{slot}: {' / '.join(values)}" for slot, values in self.values.items())
        tables = []
        for title, (columns, *rows) in self.tables:
            lines = (columns, ["---"] * len(columns), *rows)
            cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
            tables.append("\n".join([title, "", *(f"| {' | '.join(line)} |" for line in cells)]))
        texts = {VALUES: "\n".join(lists), KNOWLEDGE: "\n\n".join(tables)}
        return {key: text for key, text in texts.items() if text}

    @property
    def page(self) -> str:
        """Return the tables as HTML, whatever stands in their cells being text."""
        page = ""
        for title, (columns, *rows) in self.tables:
            head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
            cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
            body = "".join(f"<tr>{row}</tr>" for row in cells)
            page += f"<h4>{html.escape(title)}</h4>"
            page += f'<table border="1" cellpadding="4"><tr>{head}</tr>{body}</table>'
        return page


def offer_of(fields: Mapping[str, Any], spec: TaskSpec) -> Offer:
    """Return what the fields of an item offer, slots in the order of the spec.

    What is of another form offers nothing.
    """
    values, rows, domains = (fields.get(key) for key in (VALUES, KNOWLEDGE, "domains"))
    places = {slot.id: place for place, slot in enumerate(spec.slots)}
    lists: dict[str, tuple[str, ...]] = {}
    for slot, texts in sorted(
        values.items() if isinstance(values, dict) else (),
        key=lambda pair: places.get(pair[0], len(places)),
    ):
        if isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts):
            lists[slot] = tuple(dict.fromkeys(text for text in texts if text.strip()))
    named = [name for name in domains if isinstance(name, str)] if isinstance(domains, list) else []
    named += [slot.partition("-")[0] for slot in lists]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        rows = []
    by_domain = schemas.group((_cell(row.get(_DOMAIN)), row) for row in rows)
    tables = tuple(
        _table(domain, places_of_domain, places) for domain, places_of_domain in by_domain.items()
    )
    return Offer(lists, tuple(dict.fromkeys(named)), tables)


def slot_values(spec: TaskSpec, offer: Offer) -> dict[str, tuple[str, ...]]:
    """Return the values to choose from, by informable slot; slots without any are left out.

    They are those that the spec lists; where the offer has values, these come first, and only slots
    of its domains are there. Values that the spec rules out are not offered.
    """
    values: dict[str, tuple[str, ...]] = {}
    for slot in spec.slots:
        fixed = slot.values or (("yes", "no", "dontcare") if slot.boolean else ())
        first = [text for text in offer.values.get(slot.id, ()) if not fixed or text in fixed]
        is_offered = not offer.values or slot.id.partition("-")[0] in offer.domains
        if slot.informable and is_offered and (first or fixed):
            values[slot.id] = tuple(dict.fromkeys((*first, *fixed)))
    return values


def _table(domain: str, rows: list[dict[str, Any]], places: Mapping[str, int]) -> Table:
    keys = dict.fromkeys(key for row in rows for key in row if key != _DOMAIN)
    ordered = sorted(keys, key=lambda key: -1 if key == "name" else places.get(key, len(places)))
    columns = ["이름" if key == "name" else key.removeprefix(f"{domain}-") for key in ordered]
    return domain, [columns, *([_cell(row.get(key)) for key in ordered] for row in rows)]


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    text = value if isinstance(value, str) else "" if value is None else canonical(value)
    return " ".join(text.split())
