"""Scoring of dependency parsing: attachment scores, in strict as plain accuracy too.

A prediction is one head and one relation a word. It need not be a tree: several roots, circles and
words that are their own heads are wrong, and count as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import shown
from pipeline.core.errors import RecordError
from pipeline.scoring.measure import Measure, Variant
from pipeline.scoring.metrics.trees import (
    Trees,
    las_accuracy_measure,
    las_measure,
    merged,
    uas_accuracy_measure,
    uas_measure,
)
from pipeline.scoring.scorer import Scorer
from pipeline.tasks.dp.task import Tree

_COLUMNS: Final = ("head", "deprel")
#: The keys of a tree, and those of gold that a prediction may repeat.
_KEYS: Final = ("heads", "deprels")
_MORE: Final = frozenset({"lemmas", "pos"})


def _gold(example: Example) -> Tree:
    if not example.label or any(key not in example.label for key in _KEYS):
        raise RecordError("gold.label@1", "no heads and relations; those of a test file lie apart")
    return {key: example.label[key] for key in _KEYS}


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    names, columns = _given(row)
    words = len(example.fields["words"])
    for name, column in zip(names, columns, strict=True):
        if not isinstance(column, list):
            raise RecordError(
                "prediction.form@1", f"`{name}` is {shown(column)}; give a list, one entry a word"
            )
        if len(column) != words:
            raise RecordError(
                "prediction.length@1",
                f"entries in `{name}`: {len(column)}, words: {words}; give one entry a word",
            )
    heads = [_head(one, place, names[0], words) for place, one in enumerate(columns[0], start=1)]
    for place, one in enumerate(columns[1], start=1):
        _check_relation(one, place, names[1], spec)
    return Prediction(example.id, {"heads": heads, "deprels": list(columns[1])})


def _given(row: Mapping[str, Any]) -> tuple[tuple[str, str], tuple[Any, Any]]:
    """Return the names and values of heads and relations, from `label` or from the columns."""
    label = row.get("label")
    if label is None and all(row.get(name) is not None for name in _COLUMNS):
        return ("head", "deprel"), (row["head"], row["deprel"])
    if label is None:
        raise RecordError(
            "prediction.form@1",
            "neither `label` nor both `head` and `deprel`; give one head and one relation a word",
        )
    if not isinstance(label, dict) or set(label) - _MORE != set(_KEYS):
        raise RecordError(
            "prediction.form@1", f"`label` is an object with heads and deprels, not {shown(label)}"
        )
    return ("label.heads", "label.deprels"), (label["heads"], label["deprels"])


def _head(value: Any, place: int, name: str, words: int) -> int:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= words or value != int(value):
        raise RecordError(
            "prediction.label@1",
            f"`{name}`: the head of word {place} is {shown(value)}; allowed: whole numbers from 0"
            f" to {words}",
        )
    return int(value)


def _check_relation(value: Any, place: int, name: str, spec: TaskSpec) -> None:
    tag, mark, role = value.partition("_") if isinstance(value, str) else ("", "", "")
    syntax, function = spec.ids("syntax"), spec.ids("function")
    if tag not in syntax or (mark and role not in function):
        raise RecordError(
            "prediction.label@1",
            f"`{name}`: the relation of word {place} is {shown(value)}; allowed:"
            f" {', '.join(syntax)}, each alone or with _ and {', '.join(function)}",
        )


def _measures(
    golds: Sequence[Tree], predictions: Sequence[Prediction], _spec: TaskSpec, variant: Variant
) -> dict[str, Measure | str]:
    gold, given = _trees(golds), _trees([prediction.label for prediction in predictions])
    found: dict[str, Measure | str] = {
        "uas": uas_measure(gold, given),
        "las": las_measure(gold, given, variant=variant),
    }
    if variant == "strict":
        found["uas_accuracy"] = uas_accuracy_measure(gold, given)
        found["las_accuracy"] = las_accuracy_measure(gold, given)
    return found


def _trees(trees: Sequence[Tree]) -> Trees:
    return Trees([tree["heads"] for tree in trees], [tree["deprels"] for tree in trees])


def _labels(example: Example) -> tuple[str, ...]:
    """Return the relations in a sentence, the rare ones as OTHERS."""
    return tuple(sorted({merged(relation) for relation in example.label["deprels"]}))


SCORER: Final = Scorer(
    task="dp",
    names=("uas", "las"),
    columns=_COLUMNS,
    gold=_gold,
    read=_read,
    measures=_measures,
    labels=_labels,
    length=lambda example: len(example.fields["text"]),
)
