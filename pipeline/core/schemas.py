"""The Arrow schemas of every table that is stored, and the check when a table enters the store.

All text is as read unless a column says otherwise; offsets count code points of the document's
`text`, start inclusive, end exclusive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

import pyarrow as pa

from pipeline.core.errors import SchemaError
from pipeline.core.light_arrow import skip_pandas

skip_pandas()
K = TypeVar("K")
V = TypeVar("V")


def _struct(**fields: pa.DataType) -> pa.StructType:
    return pa.struct([pa.field(name, kind, nullable=False) for name, kind in fields.items()])


_SECTION: Final = _struct(title=pa.string(), level=pa.int8(), start=pa.int32(), end=pa.int32())
_MEMBER: Final = _struct(id=pa.string(), start=pa.int32(), end=pa.int32())
_TYPES: Final[dict[str, pa.DataType]] = {
    "string": pa.string(),
    "int8": pa.int8(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "bool": pa.bool_(),
    "time": pa.timestamp("us", tz="UTC"),
    "map": pa.map_(pa.string(), pa.string()),
    "strings": pa.list_(pa.string()),
    "floats": pa.list_(pa.float64()),
    "hashes": pa.list_(pa.uint64()),
    "sections": pa.list_(_SECTION),
    "members": pa.list_(_MEMBER),
}


def _schema(columns: str) -> pa.Schema:
    """Return a schema: ``name: type`` for each column, ``type?`` where it may be null."""
    pairs = (column.split(": ") for column in columns.split(", "))
    return pa.schema(
        [
            pa.field(name, _TYPES[kind.removesuffix("?")], nullable=kind.endswith("?"))
            for name, kind in pairs
        ]
    )


#: One row a document: what a reader yields. `sections` are the parts of `text` in order; `file`
#: and `line` say where it was read (line or record number from 1); `meta` holds the source's own
#: fields.
DOCUMENTS: Final = _schema(
    "id: string, source: string, key: string, text: string, sections: sections, meta: map,"
    " file: string, line: int64, title: string?, date: string?, section: string?, url: string?"
)

#: One row an infobox parameter of a MediaWiki page, in page order.
INFOBOXES: Final = _schema(
    "document: string, source: string, title: string, template: string, ordinal: int32,"
    " name: string, value: string, links: strings"
)

#: One row a section, with the sentences cut out of it: a passage is a section, and a member that is
#: absent from the kept sentences was lost.
SECTIONS: Final = _schema(
    "id: string, source: string, document: string, ordinal: int32, title: string, level: int8,"
    " start: int32, end: int32, sentences: members"
)

#: One row a unit: a sentence, or a whole document where the task wants that (kind `whole`).
#: `start` and `end` always point into the document as read, also after `text` was cleaned.
UNITS: Final = _schema(
    "id: string, source: string, document: string, kind: string, ordinal: int32, start: int32,"
    " end: int32, text: string, section: string?"
)

#: Units after duplicates; `cluster` is shared by near-duplicates and equals the smallest member id.
KEPT: Final = UNITS.append(pa.field("cluster", pa.string(), nullable=False))

#: One row a unit, in its order: what finds duplicates. `exact` is a digest of the normalised
#: text, `bands` are the hashes of the bands of its MinHash signature.
SIGNATURES: Final = _schema(
    "unit: string, source: string, kind: string, exact: string, bands: hashes"
)

#: One row a decision. `action` is drop, edit, quarantine or short (a quota that could not be met:
#: `score` is how many are missing); `unit` is a document id, a unit id, for a record that never
#: became a document an id made of its file and line, or the name of the quota.
LEDGER: Final = _schema(
    "unit: string, source: string, stage: string, rule: string, action: string, reason: string,"
    " score: float64?, file: string?, line: int64?"
)

#: One row a piece of personal data: `row` counts the texts from 0; `start` and `end` are offsets in
#: code points of that text; `validated` names the evidence for it. The value itself is never
#: stored.
HITS: Final = _schema(
    "row: int64, type: string, start: int32, end: int32, rule: string, confidence: float64,"
    " validated: strings"
)

#: One row a piece of personal data in a unit, by unit; offsets count code points of the unit's
#: cleaned `text`. Types and rules for the reports, never values.
PERSONAL: Final = _schema(
    "unit: string, source: string, type: string, start: int32, end: int32, rule: string,"
    " confidence: float64"
)

#: One row a unit, in its order: scores in [0, 1], rounded to 1e-6; null where it is not Korean.
SCORES: Final = _schema("unit: string, source: string, gender_bias: float64?, hate: float64?")

#: One row an item of annotation: `fields` is a canonical JSON object (core/jsontext)
#: that annotators see and answers point into; `gold` the canonical JSON answer of a file or a
#: pilot; `meta` a canonical JSON object of the other facts in its file; `sampler` how it was drawn.
#: Items are in the order in which they were read.
ITEMS: Final = _schema(
    "item: string, task: string, fields: string, source: string?, sampler: string?,"
    " gold: string?, meta: string?"
)

#: One row an answer of one annotator to one item in a round and role (`label`, canonical JSON), or
#: a report against the item (`report`, a reason; then `label` may be null). A null `annotator` is
#: anonymous; `seat` distinguishes such votes (by the column of the file, say). `attempt` counts
#: from 1 where an answer was rejected and given again. `seconds` is the time taken; `spec` is
#: TASK@VERSION.
VOTES: Final = _schema(
    "item: string, task: string, role: string, round: string, attempt: int8, simulated: bool,"
    " annotator: string?, seat: string?, label: string?, report: string?, at: time?,"
    " seconds: float64?, spec: string?, source: string?"
)

#: One row an item after aggregation. `status` is gold, unresolved or removed; `label` the canonical
#: JSON answer (null unless gold); `rule` the rule that decided; `reason` why unresolved or removed;
#: `queue` where an unresolved item waits (review, expert, top_annotators, privacy, inspection,
#: revision, votes); `agreement` the share of votes for the label, in [0, 1]; `evidence` an object
#: as JSON. `confidence` is the probability that a label is right, in [0, 1], `standard_error` that
#: of a score; `soft_label` is what the votes say, as JSON: the share of each label, or {"mean",
#: "standard_deviation", "n"} of scores (agreement/aggregation/beliefs.py).
GOLD: Final = _schema(
    "item: string, task: string, status: string, rule: string, votes: int32, simulated: bool,"
    " label: string?, reason: string?, queue: string?, agreement: float64?, confidence: float64?,"
    " standard_error: float64?, soft_label: string?, evidence: string?, source: string?"
)

#: One row an item that an annotator is to answer, by annotator and `ordinal`: the item's place in
#: the annotator's own queue, from 1.
ASSIGNMENTS: Final = _schema("item: string, annotator: string, ordinal: int32")

#: One row a unit (or section) that an item was made from, by item; `role` is its part in the item
#: (premise, sentence1, passage ...).
DRAWN: Final = _schema("item: string, task: string, unit: string, source: string, role: string?")

#: One row a unit that was translated to another language and back. `text` is the unit's, `pivot`
#: its translation, `back` the translation of that; `translator` names the translator and its
#: settings.
TRANSLATIONS: Final = _schema(
    "unit: string, source: string, text: string, back: string, translator: string, pivot: string?"
)

#: One row an instance of the knowledge base of dialogues: `slots` is a canonical JSON object of
#: slot ids and values, `pool` is train, or held_out for instances that only goals of dev and test
#: may use.
KNOWLEDGE: Final = _schema(
    "domain: string, instance: string, name: string, pool: string, slots: string"
)

#: One row an example of a release, by id, that of its item. `split` is train, dev or test; `fields`
#: is the input of a model and `label` the gold answer, both canonical JSON; `group` names examples
#: that must stay together (near-duplicates, shared documents) by its smallest id. `date` is
#: YYYY-MM-DD; `documents` are its source documents; `agreement` is that of its gold; `kept` means
#: that an earlier version gave it this split; `meta` holds its other facts as canonical JSON.
EXAMPLES: Final = _schema(
    "id: string, task: string, split: string, source: string, group: string, fields: string,"
    " label: string, documents: strings, simulated: bool, kept: bool, sampler: string?,"
    " style: string?, date: string?, agreement: float64?, meta: string?"
)

#: One row a constraint of a split rule: the wanted and the reached number, in examples unless
#: `detail` gives another unit. `met` says whether it holds; `binds` that it kept a size from being
#: reached. `split` is null for a constraint on all of them.
CONSTRAINTS: Final = _schema(
    "task: string, name: string, wanted: float64, found: float64, met: bool, binds: bool,"
    " detail: string, split: string?"
)

#: One row a text of a benchmark that no corpus should hold: of an example of a task and its split
#: (null: it has none).
GUARDED: Final = _schema("task: string, split: string?, example: string, text: string")

#: One row a text of a corpus (`row`, its place) and a text of a benchmark (`text`, its place) that
#: it holds, by a rule, with their similarity from 0 to 1.
MATCHES: Final = _schema("row: int64, text: int64, score: float64, rule: string")

#: One row a unit of a corpus and an example of a benchmark whose text it holds, by unit, and the
#: best match first; `score` is their similarity from 0 to 1.
CONTAMINATED: Final = _schema(
    "unit: string, source: string, task: string, split: string?, example: string, score: float64,"
    " rule: string"
)

#: One row a leak: two examples of two splits, or one and a record of a file (`file`, `line`), that
#: must not share content but do. `kind` is exact, near, contained, document, entity or hypothesis;
#: `score` is their similarity from 0 to 1; `stops` says whether it stops a release.
LEAKS: Final = _schema(
    "task: string, kind: string, left: string, left_split: string, right: string, score: float64,"
    " stops: bool, right_split: string?, file: string?, line: int64?"
)

#: One row a pair of two splits, or of a split and a file: how many examples of the left one were
#: looked for in the right one, and how many of them share at least one n-gram of words with it (an
#: entity where `n` is 0);
#: `mean` is the mean share of their n-grams that occurs there.
OVERLAPS: Final = _schema(
    "task: string, left_split: string, right: string, n: int32, examples: int64, sharing: int64,"
    " mean: float64"
)

#: One row a pair, by item: natural logarithms of the probabilities of the labels, in the spec's
#: order, given a part of the item alone, and their distance from the uniform distribution.
DISTANCES: Final = _schema("item: string, distance: float64, log_p: floats")

#: One row a record of an official file, in its order: `rest` is what the file says of it otherwise
#: than the tables of the release, as canonical JSON (pipeline/release/originals.py).
ORIGINALS: Final = _schema("file: string, guid: string, rest: string")

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
    "guarded": GUARDED,
    "matches": MATCHES,
    "contaminated": CONTAMINATED,
    "leaks": LEAKS,
    "overlaps": OVERLAPS,
    "distances": DISTANCES,
    "originals": ORIGINALS,
}


def check(table: pa.Table, name: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Check a table against the schema of that name, or some columns of it, and return it.

    Raises SchemaError that lists every failure: missing, unexpected or differently typed columns,
    and nulls where none may be, with the first row numbers.
    """
    schema = TABLES[name]
    if columns is not None:
        schema = pa.schema([schema.field(column) for column in columns])
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


def rows(table: pa.Table, *names: str) -> Iterator[tuple[Any, ...]]:
    """Yield the values of these columns, row by row."""
    return zip(*(table.column(name).to_pylist() for name in names), strict=True)


def group(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the second values of pairs by their first ones, both in the order of the pairs."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups
