"""Pre-annotations: what an item's `meta` suggests to those who answer first.

`meta` may hold `suggestion`, an answer in the form of the first round of the spec (NER: pseudo
labels, Section 3.4.1; DP: the tags of an analyser). It is shown and never a vote. Nothing else of
`meta` reaches annotators.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import Fields, wrong
from pipeline.core.errors import RecordError
from pipeline.core.jsontext import parsed

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
