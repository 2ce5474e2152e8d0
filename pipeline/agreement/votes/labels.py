"""Labels as they are compared: what the JSON text of a vote says."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pipeline.contracts.task import Task, label_set, mask
from pipeline.core.errors import InputError, RecordError
from pipeline.core.jsontext import parsed

#: A score is at most so far from 0: beyond it a float64 no longer tells whole numbers apart.
MOST_SCORE: Final = 1e15
_JSON_NAMES: Final = {dict: "object", list: "list", type(None): "null"}


def view_answer(answer: Any, task: Task) -> Any:
    """Return what an answer is compared as (see `Kind`).

    Raises InputError for an answer that does not have the form of the task; it is not shown.
    """
    try:
        view = task.view(answer)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
        view = None
    # a text must not be taken for a list of letters
    is_wrong = view is None or (isinstance(answer, str) and view != answer)
    if is_wrong or (task.kind == "category" and not isinstance(view, str)):
        raise InputError(
            f"task {task.id}: an answer ({type(answer).__name__}) does not have the task's form; "
            "import the votes first, which checks every answer"
        )
    return score(view) if task.kind == "number" else view


def load_label(text: str, origin: str) -> Any:
    """Return the value of a JSON text; raises InputError, without the text, for what is none."""
    try:
        return parsed(text)
    except ValueError:
        raise InputError(
            f"{origin} is not JSON; import the votes first, which checks every answer"
        ) from None


def category(text: str) -> str:
    """Return a label as a category: a text as it is, a number or truth value as JSON has it."""
    value = load_label(text, "a label")
    if isinstance(value, str):
        return value
    name = _JSON_NAMES.get(type(value))
    if name is not None:
        raise InputError(f"a label is a text, number or truth value, not a JSON {name}")
    return text


def labels(text: str) -> frozenset[str]:
    """Return the labels of an item: a list of texts, or a text with `|` between them."""
    try:
        return label_set(load_label(text, "a label"))
    except RecordError as error:
        raise InputError(f"{error.reason}; use level multilabel for several labels") from None


def number(text: str) -> float:
    """Return a label on a scale; raises InputError for anything but a number."""
    value = load_label(text, "a label")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"a label on a scale is a number, not {mask(value)}; or use nominal")
    return score(value)


def score(value: float) -> float:
    """Return a score as a float; raises InputError for one that is not in the allowed range."""
    if not -MOST_SCORE <= value <= MOST_SCORE:
        raise InputError(
            f"a score is at most {MOST_SCORE:g} from 0; change the scale, or use level nominal"
        )
    return float(value)


def plain(value: float) -> float | None:
    """Return a number of the record: rounded to 1e-6, None for NaN."""
    return None if not np.isfinite(value) else round(float(value), 6) + 0.0


def display(value: Any) -> Any:
    """Return a value as the record shows it: whole numbers without a point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
