"""The tables of examples that a release holds: columns as on the hub, labels by name.

A config has one schema for its three splits. In the public test file every column that holds the
answer or betrays it is null. What else could betray it, and what becomes of that:

- the order of rows: it is that of the guids, which are digests of what a candidate was made of;
- what the annotator was shown or asked for, such as suggestions: no columns;
- what is known only by annotating: agreement, groups of near-duplicates, documents, the rule that
  chose the split: no columns; the sampler is one only where the official files have it;
- columns of the official files that hint at the answer, see the part `columns` of a task: null;
- votes, gold evidence and ledger rows about test items, and what was written for such an item:
  private (privacy.py);
- Parquet's own statistics: a column of nulls has none, and no schema carries metadata;
- counts over a test split of few examples: privacy.py.

A guid is safe only as far as the answer is none of the parts that it is a digest of.

What this does not hide: building is the same for everybody. Whoever holds the raw corpora and the
build file can draw the candidates again, and with them has what was asked for of every test example
(a type of question, the goal of a dialogue). The labels that people gave cannot be had that way,
but these tell much of them: keep one of the two inputs from those whose models are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.contracts.parts import Parts
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.core import schemas
from pipeline.core.errors import SchemaError
from pipeline.core.jsontext import canonical, parsed

Row = dict[str, Any]
TEXT: Final = pa.string()
TEXTS: Final = pa.list_(pa.string())
NUMBERS: Final = pa.list_(pa.int32())


@dataclass(frozen=True)
class Columns:
    """The columns of a config.

    `answer` are those that every labelled row has a value in; `hidden_in_test` are these and all
    others that reveal the answer: null in a public test file. A dot leads into a list of structs.
    `to_row` makes the row of an example, with its label, and `from_row` the example of a row.
    `classes` returns the label names of each path that `datasets` loads as numbers, in the hub's
    order. `former` are the columns of releases made before, in the order that they had there.

    How labels are checked: `label_names` is the column of label names, `label_of` the label in one
    of its values ("" for none), `allowed` those that a spec has; `fault` returns what is wrong with
    a row by the spec, `is_valid` whether its label fits its text (any lookup error says that it
    does not).
    """

    task: str
    schema: pa.Schema
    answer: tuple[str, ...]
    hidden_in_test: tuple[str, ...]
    to_row: Callable[[Example], Row]
    from_row: Callable[[Row], Example]
    classes: Callable[[TaskSpec], Mapping[str, Sequence[str]]] = lambda _spec: {}
    former: tuple[tuple[str, ...], ...] = ()
    label_names: str | None = None
    label_of: Callable[[str], str] = str
    allowed: Callable[[TaskSpec], Iterable[str]] = TaskSpec.ids
    fault: Callable[[Row, TaskSpec], str | None] | None = None
    is_valid: Callable[[Row], bool] | None = None

    def schema_like(self, found: pa.Schema) -> pa.Schema:
        """Return the schema, of the former columns if `found` has just these."""
        names = tuple(found.names)
        return pa.schema(map(self.schema.field, names)) if names in self.former else self.schema

    def accepts(self, found: pa.Schema) -> bool:
        """Tell whether a table has these columns, or all those of a former release."""
        return bool(found.equals(self.schema_like(found)))


def schema(**columns: pa.DataType) -> pa.Schema:
    """Return a schema; `guid` and `source` are never null."""
    fixed = ("guid", "source")
    return pa.schema(
        [pa.field(name, kind, nullable=name not in fixed) for name, kind in columns.items()]
    )


def blank(row: Row, paths: tuple[str, ...]) -> Row:
    """Return a row in which the columns at these paths are null."""
    result = dict(row)
    for path in paths:
        name, _, rest = path.partition(".")
        if rest and result[name] is not None:
            result[name] = [blank(inner, (rest,)) for inner in result[name]]
        else:
            result[name] = None
    return result


def leaf(table: pa.Table, path: str) -> pa.ChunkedArray:
    """Return the values at a path, of all rows; a dot leads into a list of structs."""
    name, _, rest = path.partition(".")
    column = table.column(name)
    if not rest:
        return column
    return pa.chunked_array([column.combine_chunks().flatten().field(rest)])


#: The columns of each task, by its id.
COLUMNS: Final = Parts[Columns]("columns", "COLUMNS")
#: Rows that are plain data at once.
_HELD: Final = 1_024
_READ: Final = ("id", "source", "fields", "label", "sampler", "date", "meta")


def rows(examples: pa.Table, task: str, *, labels: bool) -> pa.Table:
    """Return the rows of EXAMPLES of one task id, by guid; without `labels` nothing betrays them.

    Raises SchemaError that names an example whose fields or label are not those of the task.
    """
    columns = COLUMNS[task]
    examples = examples.select(_READ).sort_by("id")  # those in no order are held no longer
    parts = (
        _rows(batch, columns, labels=labels) for batch in examples.to_batches(max_chunksize=_HELD)
    )
    return _table(parts, columns)


def hide_labels(table: pa.Table, task: str) -> pa.Table:
    """Return rows in which everything that reveals their labels is null."""
    columns = COLUMNS[task]
    parts = (
        [blank(row, columns.hidden_in_test) for row in batch.to_pylist()]
        for batch in table.to_batches(max_chunksize=_HELD)
    )
    return _table(parts, columns)


def _table(parts: Iterable[list[Row]], columns: Columns) -> pa.Table:
    tables = [pa.Table.from_pylist(rows, schema=columns.schema) for rows in parts]
    return pa.concat_tables([columns.schema.empty_table(), *tables]).combine_chunks()


def examples_of(table: pa.Table, task: str) -> Iterator[Example]:
    """Yield the examples of rows, in their order; those of a test file without labels have none.

    Raises SchemaError for a table that has not the columns of the task, or a row of another form.
    """
    columns = COLUMNS[task]
    if not columns.accepts(table.schema):
        raise SchemaError(f"these are not the columns of {task}: {', '.join(table.column_names)}")
    for batch in table.to_batches(max_chunksize=_HELD):
        for row in batch.to_pylist():
            try:
                yield columns.from_row(row)
            except (KeyError, TypeError, ValueError, IndexError) as error:
                raise _unlike(task, row["guid"], error) from None


def as_examples(table: pa.Table, task: str, split: str) -> pa.Table:
    """Return the rows of a split as EXAMPLES; what a release does not say of them is empty."""
    unknown = {"documents": [], "simulated": False, "kept": False}
    return schemas.build(
        "examples",
        [
            {
                **{"id": example.id, "group": example.id, "task": task, "split": split, **unknown},
                **{"source": example.source, "sampler": example.sampler, "date": example.date},
                **{"fields": canonical(example.fields), "label": canonical(example.label)},
                "meta": canonical(_full_meta(example)),
            }
            for example in examples_of(table, task)
        ],
    )


def _full_meta(example: Example) -> Row:
    soft_label = example.soft_label
    return {**example.meta, **({} if soft_label is None else {"soft_label": soft_label})}


def _rows(batch: pa.RecordBatch, columns: Columns, *, labels: bool) -> list[Row]:
    result = []
    for values in batch.to_pylist():
        try:
            plain = {name: parsed(values[name]) for name in ("fields", "label")}
            meta = {} if values["meta"] is None else parsed(values["meta"])
            plain |= {"soft_label": meta.pop("soft_label", None), "meta": meta}
            row = columns.to_row(Example(**{**values, **plain}))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise _unlike(columns.task, values["id"], error) from None
        result.append(row if labels else blank(row, columns.hidden_in_test))
    return result


def _unlike(task: str, guid: str, error: Exception) -> SchemaError:
    return SchemaError(
        f"{task}: the example {guid} has not the form of its task ({type(error).__name__}); its"
        " fields or label lack what a release tells"
    )


#: The hub's categories of tasks and its words inside them, by the kind in which answers are
#: compared.
_CATEGORIES: Final[Mapping[str, tuple[str, str | None]]] = {
    "category": ("text-classification", "multi-class-classification"),
    "labels": ("text-classification", "multi-label-classification"),
    "number": ("text-classification", "text-scoring"),
    "spans": ("token-classification", None),
    "tree": ("token-classification", None),
    "states": ("text-generation", None),
}


@dataclass(frozen=True)
class Card:
    """What cards say of a task: the hub's words for it, and what its split rule promises.

    `written` says that annotators write texts; `redrawn` is what anybody with the raw corpora and
    the build file knows of test examples. `split` is how examples are divided, `promises` what
    holds because of it; what a version does not meet is listed beside it.
    """

    category: str
    subtask: str | None = None
    written: bool = False
    redrawn: str | None = None
    split: str = "By keyed draws."
    promises: tuple[str, ...] = ()


CARDS: Final = Parts[Card]("columns", "CARD")
#: What holds for every task.
COMMON: Final = (
    "Near-duplicates, texts that contain one another, and what was cut out of one document are in"
    " one split.",
    "An example keeps its split from version to version; no test example ever moves to train.",
    "No example is in two splits; a check apart from the code that splits looks for what they share"
    " (exact and near duplicates, documents, entities), and a leak stops the release.",
)


def card_of(task: str) -> Card:
    """Return the card of a task; without one, that of its kind of answers."""
    card: Card = CARDS.get(task, Card(*_CATEGORIES[TASKS[task].kind]))
    return card
