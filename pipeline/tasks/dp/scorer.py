"""Scoring of dependency parsing: attachment scores, in strict as plain accuracy too.

A prediction is one head and one relation a word. It need not be a tree: several roots, circles and
words that are their own heads are wrong, and count as such.

`uas` takes the index of the head (0 is the root) as the class of a word. That is no accuracy: the
many words whose head is the third weigh as much as the few whose head is the thirtieth.

`las` takes the relation as the class, the rare ones as one class OTHERS. A word with a wrong head
is predicted to be of a further class, whatever relation was given:

    klue    that class is averaged too. No gold word has it, so its F1 is 0 (a phantom class): one
            wrong head costs 1/17 of the score where all 16 others occur
    strict  the mean is over the 16 real classes; a wrong head costs recall of its gold relation

Counted by word, not by class, klue has `las_micro` over the classes of `las`; strict has
`las_accuracy` over all relations, and `uas_accuracy`.

Source: Section 3.6.2 and Table 14; the computation of the public baseline (the variant klue).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import mask
from pipeline.core.errors import InputError, RecordError
from pipeline.core.wording import count
from pipeline.scoring import rows
from pipeline.scoring.measure import Events, Ints, MacroF1, Measure, Ratio, Variant
from pipeline.scoring.scorer import Scorer
from pipeline.tasks.dp.task import Tree

#: Parsed sentences: of each one the heads (0 or the place of a word, from 1) and relations.
Trees = Sequence[Tree]
_COLUMNS: Final = ("head", "deprel")
_KEYS: Final = ("heads", "deprels")
#: The relations that are a class of their own: the first 15 rows of Table 14. All others, from
#: VP_CMP on, together make up at most 1 % of train and are OTHERS.
KEPT: Final = (
    "NP",
    "NP_AJT",
    "VP",
    "NP_SBJ",
    "VP_MOD",
    "NP_OBJ",
    "AP",
    "NP_CNJ",
    "NP_MOD",
    "VNP",
    "DP",
    "VP_AJT",
    "VNP_MOD",
    "NP_CMP",
    "VP_SBJ",
)
OTHERS: Final = "OTHERS"
_CODES: Final = {name: code for code, name in enumerate(KEPT)}
#: The code of a word with a wrong head, after those of KEPT and OTHERS.
_WRONG_HEAD: Final = len(KEPT) + 1


def las_class(relation: str) -> str:
    """Return the class of a relation in `las`: itself, or OTHERS."""
    return relation if relation in _CODES else OTHERS


def _gold(example: Example) -> Tree:
    if not example.label or any(key not in example.label for key in _KEYS):
        raise RecordError("gold.label@1", "no heads and relations; those of a test file lie apart")
    return {key: example.label[key] for key in _KEYS}


def _read(row: Mapping[str, Any], example: Example, spec: TaskSpec) -> Prediction:
    columns, words = _columns(row), len(example.fields["words"])
    for name, column in columns.items():
        if not isinstance(column, list):
            raise rows.wrong("form", f"`{name}` is {mask(column)}; give a list, one entry a word")
        if len(column) != words:
            raise rows.wrong(
                "length",
                f"entries in `{name}`: {len(column)}, words: {words}; give one entry a word",
            )
    (head, heads), (deprel, deprels) = columns.items()
    syntax, function = spec.ids("syntax"), spec.ids("function")
    for place, value in enumerate(heads, start=1):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value <= words or value != int(value):
            raise rows.wrong(
                "label",
                f"`{head}`: the head of word {place} is {mask(value)}; allowed: whole numbers"
                f" from 0 to {words}",
            )
    for place, value in enumerate(deprels, start=1):
        tag, mark, role = value.partition("_") if isinstance(value, str) else ("", "", "")
        if tag not in syntax or (mark and role not in function):
            raise rows.wrong(
                "label",
                f"`{deprel}`: the relation of word {place} is {mask(value)}; allowed:"
                f" {', '.join(syntax)}, each alone or with _ and {', '.join(function)}",
            )
    return Prediction(example.id, {"heads": list(map(int, heads)), "deprels": list(deprels)})


def _columns(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return heads and relations by their names, from `label` or from the columns."""
    label = row.get("label")
    if label is None and all(row.get(name) is not None for name in _COLUMNS):
        return {name: row[name] for name in _COLUMNS}
    if label is None:
        raise rows.wrong(
            "form",
            "neither `label` nor both `head` and `deprel`; give one head and one relation a word",
        )
    if not isinstance(label, dict) or set(label) - {"lemmas", "pos"} != set(_KEYS):
        raise rows.wrong("form", f"`label` is an object with heads and deprels, not {mask(label)}")
    return {f"label.{key}": label[key] for key in _KEYS}


def _measures(
    golds: Sequence[Tree], predictions: Sequence[Prediction], _spec: TaskSpec, variant: Variant
) -> dict[str, Measure | str]:
    trees = [prediction.label for prediction in predictions]
    macro = {
        "uas": uas_measure(golds, trees),
        "las": las_measure(golds, trees, variant=variant),
    }
    if variant == "klue":
        return {**macro, "las_micro": las_micro_measure(golds, trees)}
    return {
        **macro,
        "uas_accuracy": uas_accuracy_measure(golds, trees),
        "las_accuracy": las_accuracy_measure(golds, trees),
    }


def uas_measure(gold: Trees, predicted: Trees) -> Measure:
    """Return the macro F1 of heads as a Measure, 0 to 100, over the indices in gold or predictions.

    The same in both variants. Raises InputError for sentences of unequal lengths, NaN without any
    word; so do the others.
    """
    return _macro(_sentences(gold, predicted), len(gold), _heads(gold), _heads(predicted))


def las_measure(gold: Trees, predicted: Trees, *, variant: Variant) -> Measure:
    """Return the macro F1 of relations with right heads, 0 to 100, over classes that occur."""
    sentences = _sentences(gold, predicted)
    given = np.where(_heads(gold) == _heads(predicted), _relations(predicted), _WRONG_HEAD)
    classes = _WRONG_HEAD + 1 if variant == "klue" else _WRONG_HEAD
    return _macro(sentences, len(gold), _relations(gold), given, classes)


def uas_accuracy_measure(gold: Trees, predicted: Trees) -> Measure:
    """Return the share of words with the right head, 0 to 100."""
    return _share(_sentences(gold, predicted), len(gold), _heads(gold) == _heads(predicted))


def las_micro_measure(gold: Trees, predicted: Trees) -> Measure:
    """Return the share of words with the right head and class of relation, 0 to 100.

    The micro F1 of the public code over the classes of `las`, of which every word has one.
    """
    sentences = _sentences(gold, predicted)
    same = _relations(gold) == _relations(predicted)
    return _share(sentences, len(gold), same & (_heads(gold) == _heads(predicted)))


def las_accuracy_measure(gold: Trees, predicted: Trees) -> Measure:
    """Return the share of words with the right head and relation (none merged), 0 to 100."""
    sentences = _sentences(gold, predicted)
    pairs = zip(_words(gold, "deprels"), _words(predicted, "deprels"), strict=True)
    same = np.array([a == b for a, b in pairs], np.bool_)
    return _share(sentences, len(gold), same & (_heads(gold) == _heads(predicted)))


def _sentences(gold: Trees, predicted: Trees) -> Ints:
    lengths = [len(tree["heads"]) for tree in gold]
    for name, trees, key in (
        ("gold relations", gold, "deprels"),
        ("predicted heads", predicted, "heads"),
        ("predicted relations", predicted, "deprels"),
    ):
        if [len(tree[key]) for tree in trees] != lengths:
            raise InputError(
                f"the {name} are not of the sentences and words of the gold heads"
                f" ({count(len(lengths), 'sentence')}, {count(sum(lengths), 'word')}); give one for"
                " each word"
            )
    return np.repeat(np.arange(len(lengths)), lengths)


def _heads(trees: Trees) -> Ints:
    return np.array([*_words(trees, "heads")], np.int64)


def _relations(trees: Trees) -> Ints:
    return np.array([_CODES.get(name, len(KEPT)) for name in _words(trees, "deprels")], np.int64)


def _words(trees: Trees, key: str) -> Iterable[Any]:
    return chain.from_iterable(tree[key] for tree in trees)


def _macro(
    sentences: Ints, n: int, gold: Ints, predicted: Ints, classes: int | None = None
) -> MacroF1:
    """Return the macro F1 of words, of the first `classes` classes or of all."""
    if classes is None:
        classes = 1 + int(max(gold.max(initial=0), predicted.max(initial=0)))
    ours, theirs = Events(sentences, gold), Events(sentences, predicted).only(predicted < classes)
    return MacroF1(n, classes, right=ours.only(gold == predicted), gold=ours, predicted=theirs)


def _share(sentences: Ints, n: int, right: npt.NDArray[np.bool_]) -> Ratio:
    return Ratio(np.bincount(sentences[right], minlength=n), np.bincount(sentences, minlength=n))


SCORER: Final = Scorer(
    task="dp",
    names=("uas", "las", "las_micro"),
    measures=_measures,
    length=rows.characters("text"),
    gold=_gold,
    read=_read,
    labels=lambda example: tuple(sorted({las_class(name) for name in example.label["deprels"]})),
    columns=_COLUMNS,
    sample=lambda _spec: {"heads": [2, 0], "deprels": ["NP_SBJ", "VP"]},
)
