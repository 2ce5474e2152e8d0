"""What a row of a file of predictions gives, checked; and the faults of rows and of golds.

A fault names the field, what was given (never a text in clear) and what is allowed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import mask, nfc
from pipeline.core.errors import InputError, RecordError
from pipeline.core.wording import count

#: So many names are told of those that are allowed.
_TOLD: Final = 8


def wrong(code: str, reason: str) -> RecordError:
    """Return the fault of a prediction, under the rule `prediction.CODE@1`."""
    return RecordError(f"prediction.{code}@1", reason)


@contextmanager
def answer_faults(prefix: str = "") -> Iterator[None]:
    """Turn the fault of an answer, under `vote.CODE@1`, into that of a prediction."""
    try:
        yield
    except RecordError as error:
        code = error.rule.removeprefix("vote.").removesuffix("@1")
        raise wrong(code, f"{prefix}{error.reason}") from None


def unanswered_error(reason: str) -> RecordError:
    """Return the fault of a gold example without an answer of its task."""
    return RecordError("gold.answer@1", reason)


def first_field(row: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Any]:
    """Return the first of these fields that a row has, by name, and its value, which is not null.

    Raises RecordError where it has none.
    """
    for name in names:
        if row.get(name) is not None:
            return name, row[name]
    wanted = " or ".join(f"`{name}`" for name in names)
    raise wrong("form", f"holds no answer; give {wanted}")


def text(name: str, value: object) -> str:
    """Return a text in NFC; raises RecordError otherwise."""
    if not isinstance(value, str):
        raise wrong("form", f"`{name}` is a text, not {mask(value)}")
    return nfc(value)


def label(name: str, value: object, spec: TaskSpec) -> str:
    """Return the name of a label of the spec, in NFC; raises RecordError otherwise."""
    label_id = text(name, value)
    if label_id not in spec.ids():
        raise wrong(
            "label", f"`{name}` {mask(label_id)} is not in {spec.name}; {_allowed_text(spec)}"
        )
    return label_id


def number(name: str, value: object) -> float:
    """Return a finite number; raises RecordError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong("form", f"`{name}` is a number, not {mask(value)}")
    if not abs(value) <= sys.float_info.max:  # which NaN is not
        raise wrong("number", f"`{name}` is {mask(value)}; give a finite number")
    return float(value)


def gold_label(example: Example) -> str:
    """Return the label of a gold example; raises RecordError where it has none."""
    if not isinstance(example.label, str):
        raise unanswered_error(f"its label is {mask(example.label)}, not a text")
    return example.label


def gold_labels(example: Example) -> tuple[str, ...]:
    """Return the one label of a gold example; raises RecordError where it has none."""
    return (gold_label(example),)


def read_label(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    """Return the `label` of a row as a prediction; raises RecordError for one not in the spec."""
    return Prediction(example.id, label(*first_field(row, ("label",)), spec))


def characters(*fields: str) -> Callable[[Example], int]:
    """Return a function that counts the characters of these fields of an example."""
    return lambda example: sum(len(example.fields[name]) for name in fields)


def check_golds(golds: Iterable[str], spec: TaskSpec) -> None:
    """Raise InputError where golds are of another label set than the spec's."""
    strange = sorted(set(golds) - set(spec.ids()))
    if strange:
        raise InputError(
            f"the gold has {count(len(strange), 'label')} that {spec.name} does not have, such as"
            f" {mask(strange[0])}; {_allowed_text(spec)}; give gold and spec of one label set"
        )


def _allowed_text(spec: TaskSpec) -> str:
    names = spec.ids()
    more = ", ..." if len(names) > _TOLD else ""
    return f"allowed: {', '.join(names[:_TOLD])}{more}"
