"""How much hypotheses alone reveal about their labels (Section 3.3.1, "Final Dataset").

Authors leave traces: a negation for a contradiction, an added clause for a neutral pair. The paper
trains a classifier on hypotheses without premises. If hypotheses reveal nothing, it can only give
one third to each label. The distance of a pair is the cross entropy between this uniform
distribution and the prediction, -1/3 * sum over the classes of log p(class | hypothesis). Its
minimum is log 3 = 1.0986, for one third each; it grows with the confidence of the classifier, right
or wrong. The distance of a set, the pairs on one premise, is the mean of theirs; dev and test take
sets among the fifth with the lowest.

Predictions are cross-fitted. All pairs of a premise are in one fold, so the classifier that scores
a pair was not trained on other hypotheses for the same premise. The paper does not say how its
predictions avoid that; cross-fitting is this project's choice.

The paper fine-tunes KLUE-RoBERTa-base, which `transformers:MODEL` does with any checkpoint. The
linear model is the default: it needs none, trains in seconds on a core and gives the same numbers
on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import steps
from pipeline.core.checkpoint import require_training
from pipeline.core.errors import InputError
from pipeline.core.ids import candidate_id, draw
from pipeline.core.jsontext import parsed
from pipeline.core.pool import Workers
from pipeline.core.wording import count, verb
from pipeline.tasks.nli.linear import Floats, Labels, linear_of

DECIMALS: Final = 6
#: One row a pair: its id, the id of its premise, source, hypothesis and label.
PAIRS: Final = pa.schema(
    [
        pa.field(name, pa.string(), nullable=False)
        for name in ("pair", "premise", "source", "hypothesis", "label")
    ]
)
#: One row a set: the pairs on one premise in a source. `pairs` and `labels` count its pairs and
#: their different labels; `distance` is the mean of its pairs; `lowest` tells whether it is among
#: the least revealing sets of its source, and is null for a set that is not complete.
SETS: Final = pa.schema(
    [
        pa.field("premise", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("pairs", pa.int64(), nullable=False),
        pa.field("labels", pa.int64(), nullable=False),
        pa.field("distance", pa.float64(), nullable=False),
        pa.field("lowest", pa.bool_()),
    ]
)


class Classifier(Protocol):
    """A classifier of hypotheses.

    Labels are numbers from 0, one for each class. The same texts in the same order must give the
    same numbers to 1e-6.
    """

    def fit(self, texts: Sequence[str], labels: Labels) -> None:
        """Learn from texts; every class occurs among `labels`."""

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        """Return natural logarithms of probabilities; shape: texts x classes."""


def _fine_tuned(model: str, seed: int, _texts: Sequence[str]) -> Callable[[], Classifier]:
    require_training()
    from pipeline.training.textclassifier import text_classifier

    return partial(text_classifier, model, task="nli", seed=seed)


#: Returns the function that makes an unfitted classifier, given its argument, a seed, and all texts
#: that the classifier will be given.
Maker = Callable[[str, int, Sequence[str]], Callable[[], Classifier]]
#: The makers by the name of the classifier. A name that ends in a colon takes an argument: "NAME:x"
#: calls the maker of "NAME:" with "x", a path of a model, say. Other makers get an empty text.
CLASSIFIERS: Final[dict[str, Maker]] = {
    "linear": lambda _model, _seed, texts: linear_of(texts),
    "transformers:": _fine_tuned,
}


def classifier_factory(name: str, texts: Sequence[str], seed: int = 0) -> Callable[[], Classifier]:
    """Return the function that makes an unfitted classifier of that name, with its argument.

    `texts` are all that it will be given. Raises InputError for a name that is not one of
    CLASSIFIERS.
    """
    maker, argument = maker_of(name)
    return maker(argument, seed, texts)


def maker_of(name: str) -> tuple[Maker, str]:
    """Return the maker of the classifier of that name, and its argument.

    Raises InputError for a name that is not one of CLASSIFIERS.
    """
    head, colon, argument = name.partition(":")
    maker = CLASSIFIERS.get(head + colon)
    if maker is None or (colon and not argument):
        known = sorted(CLASSIFIERS)
        allowed = ", ".join(f"{key}MODEL" if key.endswith(":") else key for key in known)
        raise InputError(f"unknown classifier {name!r}; allowed: {allowed}")
    return maker, argument


def pairs_of(items: pa.Table, labels: Sequence[str], gold: Mapping[str, str] | None) -> pa.Table:
    """Return the pairs (PAIRS) of items (ITEMS) that have one of the `labels`, in their order.

    The label is that of `gold` by item id, if that is given, else the item's own. `premise` is the
    `origin` of the item's `meta`; in official files, which have none, it is made from the text of
    the premise, so that pairs on the same text are one set.
    """
    rows = (_pair(item, gold) for item in items.to_pylist())
    return pa.Table.from_pylist([row for row in rows if row["label"] in labels], schema=PAIRS)


def _pair(item: Mapping[str, Any], gold: Mapping[str, str] | None) -> dict[str, Any]:
    fields = parsed(item["fields"])
    origin = parsed(item["meta"]).get("origin") if item["meta"] else None
    label = parsed(item["gold"]) if item["gold"] else None
    return {
        "pair": item["item"],
        "premise": origin or candidate_id("nli", "premise", fields["premise"]),
        "source": item["source"] or "unknown",
        "hypothesis": fields.get("hypothesis", ""),
        "label": label if gold is None else gold.get(item["item"]),
    }


def folds_of(premise_keys: Sequence[str], *, folds: int, seed: int) -> Labels:
    """Return the fold of each pair, from 0: a keyed draw on the id, or the text, of its premise."""
    keys = set(premise_keys)
    fold_of = {key: int(draw(seed, "hypothesis-only", key) * folds) for key in keys}
    return np.array([fold_of[key] for key in premise_keys], dtype=np.int64)


def crossfit(
    hypotheses: Sequence[str],
    labels: Labels,
    fold: Labels,
    make: Callable[[], Classifier],
    *,
    classes: int = 3,
    only: int | None = None,
    tell: Callable[[str], None] = lambda _: None,
    workers: Workers | None = None,
) -> Floats:
    """Return log p(class | hypothesis) of each pair, shape pairs x classes, rounded to 1e-6.

    Each fold, or that of `only` one number, is predicted by a classifier fitted on all others;
    `tell` is called with its number, as "fold 1 of 5" (empty folds do not count). `workers`, this
    process without them, divide the folds. Raises InputError when the other folds lack a class:
    there are too few pairs.
    """
    scores = np.zeros((len(hypotheses), classes))
    names = {number: place for place, number in enumerate(np.unique(fold).tolist(), 1)}
    numbers = [number for number in names if only in (None, number)]

    def jobs() -> Iterator[_Fold]:
        for number in numbers:
            name = f"fold {names[number]} of {len(names)}"
            training = np.flatnonzero(fold != number).tolist()
            if len(np.unique(labels[training])) < classes:
                raise InputError(
                    f"{count(len(hypotheses), 'pair')} {verb(len(hypotheses), 'is', 'are')} too"
                    f" few: without {name} a label is missing; give"
                    " more pairs, of more premises and of all labels"
                )
            tell(name)
            held_out = [hypotheses[n] for n in np.flatnonzero(fold == number).tolist()]
            yield _Fold(make, [hypotheses[n] for n in training], labels[training], held_out)

    predicted = (workers or Workers(1)).map_in_order(_predict, jobs())
    for number, part in zip(numbers, steps.counted("folds", predicted, len(numbers)), strict=True):
        scores[fold == number] = part
    return np.round(scores, DECIMALS)


class _Fold(NamedTuple):
    """What makes the classifier of a fold, what it learns from, and the texts that it predicts."""

    make: Callable[[], Classifier]
    texts: list[str]
    labels: Labels
    held_out: list[str]


def _predict(job: _Fold) -> Floats:
    model = job.make()
    model.fit(job.texts, job.labels)
    return model.log_probabilities(job.held_out)


def distances(log_probabilities: Floats) -> Floats:
    """Return the distance of each pair, rounded to 1e-6; at least log(classes)."""
    means: Floats = np.round(-log_probabilities.mean(axis=1), DECIMALS)
    return means


def rank_sets(pairs: pa.Table, *, share: float = 0.2, size: int = 3) -> pa.Table:
    """Return the sets of pairs (SETS), by source and premise, with the least revealing ones marked.

    `pairs` has the columns premise (an id), source, label and distance. A set is complete if it has
    `size` pairs with as many different labels. Of the complete sets of a source, those with the
    lowest distance are marked: as many as the `share` of all sets of the source, rounded down, ties
    by premise. The split ranks the sets of members in the same way, but with ties by the id of a
    pair (`least_revealing_sets` of premise_sets.py).
    """
    grouped = pairs.group_by(["source", "premise"]).aggregate(
        [("label", "count"), ("label", "count_distinct"), ("distance", "mean")]
    )
    rows = grouped.rename_columns(["source", "premise", "pairs", "labels", "distance"]).to_pylist()
    places_left = {
        source: int(count * share + 1e-9)
        for source, count in Counter(row["source"] for row in rows).items()
    }
    for row, distance in zip(rows, pc.round(grouped["distance_mean"], DECIMALS), strict=True):
        row["distance"] = distance.as_py()
    for row in sorted(rows, key=lambda row: (row["distance"], row["premise"])):
        if row["pairs"] == row["labels"] == size:
            row["lowest"] = places_left[row["source"]] > 0
            places_left[row["source"]] -= 1
    rows.sort(key=lambda row: (row["source"], row["premise"]))
    return pa.Table.from_pylist(rows, schema=SETS)
