"""Whether the fields of items are what their task shows and lets people point into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from pipeline.contracts.task import Task
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import parsed

_ENTITY = ("start", "end", "word")


def require_fields(items: pa.Table, task: Task) -> None:
    """Check the fields of a user's items: texts, words, and entities that stand in their sentence.

    Raises InputError with the number of faults, and the first one's item.
    """
    faults: list[tuple[str, str]] = []
    pairs = zip(*(items.column(n).to_pylist() for n in ("item", "fields")), strict=True)
    for item, text in pairs:
        try:
            _check(parsed(text), task)
        except RecordError as error:
            faults.append((item, error.reason))
    if faults:
        raise InputError(
            f"{len(faults)} of {items.num_rows} items have fields of another form, the first is"
            f" {faults[0][0]}: {faults[0][1]}; mend them"
        )


def _check(fields: Mapping[str, Any], task: Task) -> None:
    for name in task.fields:
        value = fields.get(name)
        if name == "words":
            _texts(name, value)
        elif name in ("subject", "object"):
            _entity(name, value, fields.get("sentence"))
        elif name == "goal" and isinstance(value, list):
            _texts(name, value)
        elif not isinstance(value, str) or not (value.strip() or _optional(name, task)):
            raise _fault(f"`{name}` is not a text, or blank")


def _optional(name: str, task: Task) -> bool:
    """Tell whether a text may be blank: the title of a passage, which questions are not about."""
    return name == "title" and "context" in task.fields


def _texts(name: str, value: Any) -> None:
    texts = isinstance(value, list) and all(isinstance(one, str) and one for one in value)
    if not texts or not value:
        raise _fault(f"`{name}` is not a list of texts")


def _entity(name: str, value: Any, sentence: Any) -> None:
    if not isinstance(value, dict) or not set(_ENTITY) <= set(value):
        raise _fault(f"`{name}` is not an object with {', '.join(_ENTITY)}")
    start, end, word = (value[key] for key in _ENTITY)
    if type(start) is not int or type(end) is not int or not isinstance(sentence, str):
        raise _fault(f"the offsets of `{name}` are not whole numbers")
    if not 0 <= start < end <= len(sentence) or sentence[start:end] != word:
        raise _fault(f"the word of `{name}` does not stand at its offsets (end exclusive)")


def _fault(reason: str) -> RecordError:
    return RecordError("item.fields@1", reason)
