"""Documents put together again from their kept units, with what was cut out of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import pyarrow as pa

from pipeline.core import ledger, schemas

#: A document none of whose units is left, and one all of whose units came before in others.
EMPTIED: Final = "document.emptied@1"
REPEATED: Final = "document.repeated@1"
_CUT: Final = pa.struct(
    {"rule": pa.string(), "action": pa.string(), "start": pa.int32(), "end": pa.int32()}
)
#: `text` is the cleaned text; `cut` are the decisions of rules about parts of the text as read, in
#: code points: what was dropped, and which parts were edited.
CLEANED: Final = pa.schema(
    {
        **dict.fromkeys(("id", "text", "source", "title", "file"), pa.string()),
        "line": pa.int64(),
        "cut": pa.list_(_CUT),
    }
)
Row = dict[str, Any]
_BREAK: Final = re.compile(r"\r\n|[\n\r\u2028\u2029]|<br\s*/?>|</?p>", re.IGNORECASE)


def assemble(
    documents: pa.Table, units: pa.Table, left: pa.Table, decided: pa.Table, *, repeated: set[str]
) -> tuple[pa.Table, pa.Table]:
    """Put documents together: (table CLEANED, ledger rows of the documents that are not in it).

    `units` are as segmented, `left` those that no filter dropped, with their cleaned texts, and
    `decided` the ledger rows of the filters. Units that are `repeated` stay in a document that has
    more than these. Between units stands what stood there: one or two line breaks, a blank or
    nothing.
    """
    texts = dict(schemas.rows(left, "id", "text"))
    spans = {row["id"]: row for row in units.to_pylist()}
    cuts: dict[str, list[Row]] = {}
    for unit, rule, action in schemas.rows(decided, "unit", "rule", "action"):
        if span := spans.get(unit):
            cut = {"rule": rule, "action": action, "start": span["start"], "end": span["end"]}
            cuts.setdefault(span["document"], []).append(cut)
    owned = {
        name: list(units) for name, units in groupby(spans.values(), key=itemgetter("document"))
    }
    rows, gone = [], dict[str, str]()
    for document in documents.to_pylist():
        name = document["id"]
        units_of_document = [unit for unit in owned.get(name, ()) if unit["id"] in texts]
        if all(unit["id"] in repeated for unit in units_of_document):
            gone[name] = REPEATED if units_of_document else EMPTIED
            continue
        parts = _parts(document["text"], units_of_document, texts)
        changes = {
            "text": "".join(parts),
            "cut": sorted(cuts.get(name, ()), key=itemgetter("start")),
        }
        rows.append({key: document.get(key) for key in CLEANED.names} | changes)
    lost = documents.filter(pa.array([name in gone for name in documents["id"].to_pylist()]))
    reasons = {EMPTIED: "no unit of it is left", REPEATED: "its units all came before"}
    rules = [gone[name] for name in lost["id"].to_pylist()]
    return pa.Table.from_pylist(rows, schema=CLEANED), ledger.rows(
        lost,
        stage="documents",
        rule=pa.array(rules, pa.string()),
        action="drop",
        reason=pa.array([reasons[rule] for rule in rules], pa.string()),
    )


def _parts(text: str, units: list[Row], texts: dict[str, str]) -> Iterator[str]:
    end = units[0]["start"]
    for unit in units:
        between = text[end : unit["start"]]
        yield "\n" * min(len(_BREAK.findall(between)), 2) or (between and " ")
        yield texts[unit["id"]]
        end = unit["end"]
