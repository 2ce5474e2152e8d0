"""The tables of examples that a release holds: columns as on the hub, labels by name.

A config has one schema for its three splits. In the public test file every column that holds the
answer or betrays it is null. What else could betray it, and what becomes of that:

- the order of rows: it is that of the guids, which are digests of what a candidate was made of;
- what the annotator was shown or told: a goal, its knowledge and candidate values (DST), the type
  of question asked for (MRC), suggested spans, the relations of a knowledge base: no columns;
- what is known only by annotating: agreement, groups of near-duplicates, documents, the rule that
  chose the split: no columns. The sampler is told for STS alone, as in the official files; dev and
  test of RE have one sampler only;
- the press's section of a headline and its URL (ynat), the domains of a dialogue (wos), the type of
  a question (mrc): null;
- marks in the text itself: `sentence` of ner is plain, other than on the hub;
- votes, gold evidence and ledger rows about test items, among them the hypotheses that authors
  wrote for a premise: private (people.py);
- Parquet's own statistics: a column of nulls has none, and no schema carries metadata.

- counts over a test split of few examples: openness.py.

A guid is safe only as far as the answer is none of the parts that it is a digest of.

What this does not hide: building is the same for everybody. Whoever holds the raw corpora and the
build file can draw the candidates again, and with them has the type of question that was asked for
(MRC) and the goal that the dialogue was to follow (DST) of every test example. The labels that
people gave cannot be had that way, but these two tell much of them: keep one of the two inputs from
those whose models are measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.example import Example
from pipeline.contracts.parts import Parts
from pipeline.core.errors import SchemaError
from pipeline.core.jsontext import parsed
from pipeline.release.columns import Columns, Row, blanked

#: The columns of each task, by its id.
COLUMNS: Final[Mapping[str, Columns]] = Parts("columns", "COLUMNS")
#: Rows that are plain data at once.
_HELD: Final = 1_024
_READ: Final = ("id", "source", "fields", "label", "sampler", "date", "meta")


def rows(examples: pa.Table, task: str, *, labels: bool) -> pa.Table:
    """Return the rows of EXAMPLES of one task id, by guid; without `labels` nothing betrays them.

    Raises SchemaError that names an example whose fields or label are not those of the task.
    """
    columns = COLUMNS[task]
    ordered = examples.select(_READ).sort_by("id")
    parts = [
        pa.Table.from_pylist(_made(batch, columns, labels=labels), schema=columns.schema)
        for batch in ordered.to_batches(max_chunksize=_HELD)
    ]
    return pa.concat_tables([columns.schema.empty_table(), *parts]).combine_chunks()


def hidden(table: pa.Table, task: str) -> pa.Table:
    """Return rows with everything null that betrays their labels."""
    columns = COLUMNS[task]
    parts = [
        pa.Table.from_pylist(
            [blanked(row, columns.betraying) for row in batch.to_pylist()], schema=columns.schema
        )
        for batch in table.to_batches(max_chunksize=_HELD)
    ]
    return pa.concat_tables([columns.schema.empty_table(), *parts]).combine_chunks()


def examples_of(table: pa.Table, task: str) -> Iterator[Example]:
    """Yield the examples of rows, in their order; those of a test file without labels have none.

    Raises SchemaError for a table that has not the columns of the task, or a row of another form.
    """
    columns = COLUMNS[task]
    if not table.schema.equals(columns.schema):
        raise SchemaError(f"these are not the columns of {task}: {', '.join(table.column_names)}")
    for batch in table.to_batches(max_chunksize=_HELD):
        for row in batch.to_pylist():
            try:
                yield columns.back(row)
            except (KeyError, TypeError, ValueError, IndexError) as error:
                raise _unlike(task, row["guid"], error) from None


def _made(batch: pa.RecordBatch, columns: Columns, *, labels: bool) -> list[Row]:
    found = []
    for one in batch.to_pylist():
        try:
            row = columns.row(_example(one))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise _unlike(columns.task, one["id"], error) from None
        found.append(row if labels else blanked(row, columns.betraying))
    return found


def _example(one: dict[str, Any]) -> Example:
    meta = parsed(one["meta"]) if one["meta"] is not None else {}
    read = {"fields": parsed(one["fields"]), "label": parsed(one["label"]), "meta": meta}
    return Example(**{**one, **read})


def _unlike(task: str, guid: str, error: Exception) -> SchemaError:
    return SchemaError(
        f"{task}: the example {guid} has not the form of its task ({type(error).__name__}); its"
        " fields or label lack what a release tells"
    )
