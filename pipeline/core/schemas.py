"""The Arrow schemas of every table that is stored, and the check at the store's door.

All text is as read unless a column says otherwise; offsets count code points of the document's
`text`, start inclusive, end exclusive.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from pipeline.core.errors import SchemaError

_SPAN: Final = pa.struct(
    [
        pa.field("title", pa.string(), nullable=False),
        pa.field("level", pa.int8(), nullable=False),
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
    ]
)
_MEMBER: Final = pa.struct(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
    ]
)


def _schema(required: dict[str, pa.DataType], optional: dict[str, pa.DataType]) -> pa.Schema:
    fields = [pa.field(name, kind, nullable=False) for name, kind in required.items()]
    fields += [pa.field(name, kind) for name, kind in optional.items()]
    return pa.schema(fields)


#: One row a document: what a reader yields. `sections` are the parts of `text` in order; `file`
#: and `line` say where it was read (line or record number from 1); `meta` holds the source's own
#: fields.
DOCUMENTS: Final = _schema(
    {
        "id": pa.string(),
        "source": pa.string(),
        "key": pa.string(),
        "text": pa.string(),
        "sections": pa.list_(_SPAN),
        "meta": pa.map_(pa.string(), pa.string()),
        "file": pa.string(),
        "line": pa.int64(),
    },
    {"title": pa.string(), "date": pa.string(), "section": pa.string(), "url": pa.string()},
)

#: One row an infobox parameter of a MediaWiki page, in page order.
INFOBOXES: Final = _schema(
    {
        "document": pa.string(),
        "source": pa.string(),
        "title": pa.string(),
        "template": pa.string(),
        "ordinal": pa.int32(),
        "name": pa.string(),
        "value": pa.string(),
        "links": pa.list_(pa.string()),
    },
    {},
)

#: One row a section, with the sentences cut out of it: a passage is a section, and a member that is
#: absent from the kept sentences was lost.
SECTIONS: Final = _schema(
    {
        "id": pa.string(),
        "source": pa.string(),
        "document": pa.string(),
        "ordinal": pa.int32(),
        "title": pa.string(),
        "level": pa.int8(),
        "start": pa.int32(),
        "end": pa.int32(),
        "sentences": pa.list_(_MEMBER),
    },
    {},
)

#: One row a unit: a sentence, or a whole document where the task wants that (kind `whole`).
#: `start` and `end` always point into the document as read, also after `text` was cleaned.
UNITS: Final = _schema(
    {
        "id": pa.string(),
        "source": pa.string(),
        "document": pa.string(),
        "kind": pa.string(),
        "ordinal": pa.int32(),
        "start": pa.int32(),
        "end": pa.int32(),
        "text": pa.string(),
    },
    {"section": pa.string()},
)

#: Units after duplicates; `cluster` is shared by near-duplicates and equals the smallest member id.
KEPT: Final = UNITS.append(pa.field("cluster", pa.string(), nullable=False))

#: One row a unit, in its order: what duplicates are found by. `exact` is a digest of the normalised
#: text, `bands` are the hashes of the bands of its MinHash signature.
SIGNATURES: Final = _schema(
    {
        "unit": pa.string(),
        "source": pa.string(),
        "kind": pa.string(),
        "exact": pa.string(),
        "bands": pa.list_(pa.uint64()),
    },
    {},
)

#: One row a decision. `action` is drop, edit, quarantine or short (a quota that could not be met:
#: `score` is how many are missing); `unit` is a document id, a unit id, for a record that never
#: became a document an id made of its file and line, or the name of the quota.
LEDGER: Final = _schema(
    {
        "unit": pa.string(),
        "source": pa.string(),
        "stage": pa.string(),
        "rule": pa.string(),
        "action": pa.string(),
        "reason": pa.string(),
    },
    {"score": pa.float64(), "file": pa.string(), "line": pa.int64()},
)

#: One row a piece of personal data: `row` counts the texts from 0; `start` and `end` are offsets in
#: code points of that text; `validated` names what speaks for it. The value itself is never stored.
HITS: Final = _schema(
    {
        "row": pa.int64(),
        "type": pa.string(),
        "start": pa.int32(),
        "end": pa.int32(),
        "rule": pa.string(),
        "confidence": pa.float64(),
        "validated": pa.list_(pa.string()),
    },
    {},
)

#: One row a piece of personal data in a unit, by unit; offsets count code points of the unit's
#: cleaned `text`. Types and rules, never values: what the reports count.
PERSONAL: Final = _schema(
    {
        "unit": pa.string(),
        "source": pa.string(),
        "type": pa.string(),
        "start": pa.int32(),
        "end": pa.int32(),
        "rule": pa.string(),
        "confidence": pa.float64(),
    },
    {},
)

#: One row a unit, in its order: scores in [0, 1], rounded to 1e-6.
SCORES: Final = _schema(
    {"unit": pa.string(), "source": pa.string(), "gender_bias": pa.float64(), "hate": pa.float64()},
    {},
)

#: One row a thing that is or was annotated: `fields` is a canonical JSON object (core/jsontext)
#: of what annotators see and what answers point into; `gold` the canonical JSON answer that a file
#: or a pilot gives; `meta` a canonical JSON object of what else its file says; `sampler` how it was
#: drawn. Items stand in the order in which they were read.
ITEMS: Final = _schema(
    {"item": pa.string(), "task": pa.string(), "fields": pa.string()},
    {"source": pa.string(), "sampler": pa.string(), "gold": pa.string(), "meta": pa.string()},
)

#: One row an answer of one annotator to one item in a round and role (`label`, canonical JSON), or
#: a report against the item (`report`, a reason; then `label` may be null). A null `annotator` is
#: anonymous; `seat` tells such votes apart (the column of the file, say). `attempt` counts from 1
#: where an answer was rejected and given again. `seconds` is what it took; `spec` is TASK@VERSION.
VOTES: Final = _schema(
    {
        "item": pa.string(),
        "task": pa.string(),
        "role": pa.string(),
        "round": pa.string(),
        "attempt": pa.int8(),
        "simulated": pa.bool_(),
    },
    {
        "annotator": pa.string(),
        "seat": pa.string(),
        "label": pa.string(),
        "report": pa.string(),
        "at": pa.timestamp("us", tz="UTC"),
        "seconds": pa.float64(),
        "spec": pa.string(),
        "source": pa.string(),
    },
)

#: One row an item after aggregation. `status` is gold, unresolved or removed; `label` the canonical
#: JSON answer (null unless gold); `rule` what decided; `reason` why unresolved or removed; `queue`
#: where an unresolved item waits (review, expert, top_annotators, privacy, inspection, revision,
#: votes); `agreement` the share of votes for the label, in [0, 1]; `evidence` an object as JSON.
GOLD: Final = _schema(
    {
        "item": pa.string(),
        "task": pa.string(),
        "status": pa.string(),
        "rule": pa.string(),
        "votes": pa.int32(),
        "simulated": pa.bool_(),
    },
    {
        "label": pa.string(),
        "reason": pa.string(),
        "queue": pa.string(),
        "agreement": pa.float64(),
        "evidence": pa.string(),
        "source": pa.string(),
    },
)

#: One row an item that an annotator is to answer, by annotator and `ordinal`: the item's place in
#: the annotator's own queue, from 1.
ASSIGNMENTS: Final = _schema(
    {"item": pa.string(), "annotator": pa.string(), "ordinal": pa.int32()},
    {},
)

#: One row a unit (or section) that an item was made from, by item; `role` says what it is in it
#: (premise, sentence1, passage ...).
DRAWN: Final = _schema(
    {"item": pa.string(), "task": pa.string(), "unit": pa.string(), "source": pa.string()},
    {"role": pa.string()},
)

#: One row a unit that was translated to another language and back. `text` is the unit's, `pivot`
#: its translation, `back` the translation of that; `translator` names who translated, and how.
TRANSLATIONS: Final = _schema(
    {
        "unit": pa.string(),
        "source": pa.string(),
        "text": pa.string(),
        "back": pa.string(),
        "translator": pa.string(),
    },
    {"pivot": pa.string()},
)

#: One row an instance of the knowledge base of dialogues: `slots` is a canonical JSON object of
#: slot ids and values, `pool` is train, or held_out for what only goals of dev and test may use.
KNOWLEDGE: Final = _schema(
    {
        "domain": pa.string(),
        "instance": pa.string(),
        "name": pa.string(),
        "pool": pa.string(),
        "slots": pa.string(),
    },
    {},
)

#: One row an example of a release, by id, that of its item. `split` is train, dev or test;
#: `fields` what a model reads and `label` the gold answer, both canonical JSON; `group` names the
#: examples that may not be parted (near-duplicates, shared documents), its smallest id. `date` is
#: YYYY-MM-DD; `documents` are what it was cut out of; `agreement` is that of its gold; `kept` tells
#: that an earlier version gave it this split; `meta` is what else is known of it, canonical JSON.
EXAMPLES: Final = _schema(
    {
        "id": pa.string(),
        "task": pa.string(),
        "split": pa.string(),
        "source": pa.string(),
        "group": pa.string(),
        "fields": pa.string(),
        "label": pa.string(),
        "documents": pa.list_(pa.string()),
        "simulated": pa.bool_(),
        "kept": pa.bool_(),
    },
    {
        "sampler": pa.string(),
        "style": pa.string(),
        "date": pa.string(),
        "agreement": pa.float64(),
        "meta": pa.string(),
    },
)

#: One row a constraint of a split rule: what was wanted and what was found, in examples unless
#: `detail` says another unit. `met` tells whether it holds; `binds` that it kept a size from being
#: reached. `split` is null for a constraint on all of them.
CONSTRAINTS: Final = _schema(
    {
        "task": pa.string(),
        "name": pa.string(),
        "wanted": pa.float64(),
        "found": pa.float64(),
        "met": pa.bool_(),
        "binds": pa.bool_(),
        "detail": pa.string(),
    },
    {"split": pa.string()},
)

#: One row a leak: two examples of two splits, or one and a record of a file (`file`, `line`), that
#: share what they must not. `kind` is exact, near, contained, document, entity or hypothesis;
#: `score` from 0 to 1 how alike they are; `stops` tells whether it stops a release.
LEAKS: Final = _schema(
    {
        "task": pa.string(),
        "kind": pa.string(),
        "left": pa.string(),
        "left_split": pa.string(),
        "right": pa.string(),
        "score": pa.float64(),
        "stops": pa.bool_(),
    },
    {"right_split": pa.string(), "file": pa.string(), "line": pa.int64()},
)

#: One row a pair of two splits, or of a split and a file: how many examples of the left one were
#: looked for in the right one, and how many of them share at least one n-gram of words with it (an
#: entity where `n` is 0);
#: `mean` is the mean share of their n-grams that occurs there.
OVERLAPS: Final = _schema(
    {
        "task": pa.string(),
        "left_split": pa.string(),
        "right": pa.string(),
        "n": pa.int32(),
        "examples": pa.int64(),
        "sharing": pa.int64(),
        "mean": pa.float64(),
    },
    {},
)

#: One row a pair, by item: natural logarithms of the probabilities of the labels, in the spec's
#: order, that the hypothesis alone gives, and how far they are from one third each (see
#: pipeline/tasks/nli/hypothesis_only/sets.py).
DISTANCES: Final = _schema(
    {"item": pa.string(), "distance": pa.float64(), "log_p": pa.list_(pa.float64())}, {}
)

TABLES: Final[dict[str, pa.Schema]] = {
    "documents": DOCUMENTS,
    "infoboxes": INFOBOXES,
    "sections": SECTIONS,
    "units": UNITS,
    "signatures": SIGNATURES,
    "kept": KEPT,
    "ledger": LEDGER,
    "hits": HITS,
    "personal": PERSONAL,
    "scores": SCORES,
    "items": ITEMS,
    "drawn": DRAWN,
    "translations": TRANSLATIONS,
    "knowledge": KNOWLEDGE,
    "assignments": ASSIGNMENTS,
    "votes": VOTES,
    "gold": GOLD,
    "examples": EXAMPLES,
    "constraints": CONSTRAINTS,
    "leaks": LEAKS,
    "overlaps": OVERLAPS,
    "distances": DISTANCES,
}


def check(table: pa.Table, name: str) -> pa.Table:
    """Check a table against the schema of that name and return it.

    Raises SchemaError that lists every failure: missing, unexpected or differently typed columns,
    and nulls where none may be, with the first row numbers.
    """
    schema = TABLES[name]
    failures = [f"missing column {c!r}" for c in schema.names if c not in table.column_names]
    failures += [f"unexpected column {c!r}" for c in table.column_names if c not in schema.names]
    for field in schema:
        if field.name not in table.column_names:
            continue
        column = table.column(field.name)
        if column.type != field.type:
            failures.append(f"column {field.name!r} is {column.type}, allowed: {field.type}")
        elif not field.nullable and column.null_count:
            rows = [i for i, v in enumerate(column.is_valid().to_pylist()) if not v][:3]
            failures.append(f"column {field.name!r} has {column.null_count} nulls, rows {rows}")
    if failures:
        raise SchemaError(f"table {name!r}: " + "; ".join(failures))
    return table.select(schema.names).cast(schema)


def empty(name: str) -> pa.Table:
    """Return the table of that name without rows."""
    return TABLES[name].empty_table()


def build(name: str, rows: list[dict[str, object]]) -> pa.Table:
    """Make a checked table of that name from rows; absent optional keys become null.

    Raises SchemaError for unknown keys, and for required ones that are absent.
    """
    unknown = {key for row in rows for key in row} - set(TABLES[name].names)
    if unknown:
        raise SchemaError(f"table {name!r}: unknown keys {sorted(unknown)}")
    return check(pa.Table.from_pylist(rows, schema=TABLES[name]), name)
