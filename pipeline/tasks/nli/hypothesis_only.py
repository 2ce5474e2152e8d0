"""How much hypotheses alone reveal about their labels (Section 3.3.1, "Final Dataset").

Authors leave traces: a negation for a contradiction, an added clause for a neutral pair. The paper
trains a classifier on hypotheses without premises. Ideally it can only give one third to each
label. The distance of a pair from that is the cross entropy between the uniform distribution and
the prediction, -1/3 * sum over the classes of log p(class | hypothesis). It is least, log 3 =
1.0986, where the prediction is one third each, and grows with the confidence of the classifier,
right or wrong. Distances are averaged over the three hypotheses of a premise; dev and test are
drawn from the fifth of the sets with the lowest.

Every pair is predicted by a classifier that saw neither the pair nor its premise: no set is in part
in the training data, or its own traces would enter its score. The paper does not say how its
predictions avoid that; cross-fitting is this project's choice.

The linear model stands in for the KLUE-RoBERTa-base of the paper where no checkpoint is at hand: it
trains in seconds on a core and gives the same numbers every time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.ids import candidate_id, draw
from pipeline.core.jsontext import parsed
from pipeline.core.morphology import morphemes

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

DECIMALS: Final = 6
#: Inverse strength of the L2 penalty: of 0.1, 0.3, 1 and 3 the one with the least cross-fitted log
#: loss on the official KLUE-NLI train and dev files.
PENALTY: Final = 0.3
#: Latin letters, Chinese characters and numbers are words; all other tags in S are marks.
_WORD_TAGS: Final = ("SL", "SH", "SN")
#: One row a pair: its id, the id of its premise, source, hypothesis and label.
PAIRS: Final = pa.schema(
    [
        pa.field(name, pa.string(), nullable=False)
        for name in ("pair", "premise", "source", "hypothesis", "label")
    ]
)
#: One row a set: the hypotheses of one premise in a source. `labels` counts different ones;
#: `distance` is the mean of its pairs; `lowest` is null for a set that cannot be chosen.
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
    """Is fitted on hypotheses and their labels, and predicts the labels of others.

    Labels are numbers from 0, one for each class. The same texts in the same order must give the
    same numbers to 1e-6.
    """

    def fit(self, texts: Sequence[str], labels: Labels) -> None:
        """Learn from texts; every class occurs among `labels`."""

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        """Return natural logarithms of probabilities; shape: texts x classes."""


class Linear:
    """TF-IDF of letter and morpheme n-grams, and multinomial logistic regression (L-BFGS)."""

    def fit(self, texts: Sequence[str], labels: Labels) -> None:
        """Learn the n-grams that stand in two texts or more, and their weights."""
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
            from sklearn.linear_model import LogisticRegression
            from sklearn.pipeline import FeatureUnion
        except ImportError:
            raise MissingDependencyError(
                "scikit-learn", "pip install -c constraints.txt scikit-learn"
            ) from None
        letters = TfidfVectorizer(
            analyzer="char_wb", ngram_range=(1, 4), min_df=2, sublinear_tf=True
        )
        words = TfidfVectorizer(
            tokenizer=words_of,
            token_pattern=None,
            lowercase=False,
            ngram_range=(1, 3),
            min_df=2,
            sublinear_tf=True,
        )
        self._features = FeatureUnion([("letters", letters), ("words", words)])
        self._model = LogisticRegression(C=PENALTY, solver="lbfgs", max_iter=300)
        weights = self._features.fit_transform(texts)
        with _one_thread():
            self._model.fit(weights, labels)

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        """Return natural logarithms of probabilities; shape: texts x classes."""
        weights = self._features.transform(texts)
        with _one_thread():
            return np.asarray(self._model.predict_log_proba(weights), dtype=np.float64)


def _one_thread() -> AbstractContextManager[Any]:
    """Hold numeric libraries to one thread: more add up in another order, to other last digits."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    limits: AbstractContextManager[Any] = threadpool_limits(1)
    return limits


@lru_cache(maxsize=1 << 15)
def words_of(text: str) -> tuple[str, ...]:
    """Return the morphemes of a text as FORM/TAG, without marks.

    Results are cached, since every fold of cross-fitting reads most texts again.
    """
    parts = (part for morpheme in morphemes(text) for part in morpheme.parts)
    return tuple(
        f"{form}/{tag}" for form, tag in parts if not tag.startswith("S") or tag in _WORD_TAGS
    )


Maker = Callable[[str], Classifier]
#: Makers by name; one whose name ends in a colon takes what follows it (a model's path, say).
CLASSIFIERS: Final[dict[str, Maker]] = {"linear": lambda _: Linear()}


def maker_of(
    name: str, more: Mapping[str, Maker] = MappingProxyType({})
) -> Callable[[], Classifier]:
    """Return the function that makes a fresh classifier of that name, of those here or of `more`.

    Raises InputError for an unknown one.
    """
    known = {**CLASSIFIERS, **more}
    head, colon, rest = name.partition(":")
    maker = known.get(head + colon)
    if maker is None or (colon and not rest):
        allowed = ", ".join(f"{key}MODEL" if key.endswith(":") else key for key in sorted(known))
        raise InputError(f"unknown classifier {name!r}; allowed: {allowed}")
    return lambda: maker(rest)


def pairs_of(items: pa.Table, labels: Sequence[str], gold: Mapping[str, str] | None) -> pa.Table:
    """Return the pairs (PAIRS) of items (ITEMS) that have one of the `labels`, in their order.

    The label is that of `gold` by item id, if that is given, else the item's own. Hypotheses belong
    to one set if their `meta` names the same item as `origin`; in official files, which name none,
    if the text of the premise is the same.
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


def folds_of(premises: Sequence[str], *, folds: int, seed: int) -> Labels:
    """Return the fold of each pair, from 0: a keyed draw on the id of its premise."""
    known = {name: int(draw(seed, "hypothesis-only", name) * folds) for name in set(premises)}
    return np.array([known[name] for name in premises], dtype=np.int64)


def crossfit(
    hypotheses: Sequence[str],
    labels: Labels,
    fold: Labels,
    make: Callable[[], Classifier],
    *,
    classes: int = 3,
    tell: Callable[[str], None] = lambda _: None,
) -> Floats:
    """Return log p(class | hypothesis) of each pair, shape pairs x classes, rounded to 1e-6.

    Each fold is predicted by a classifier fitted on all others; `tell` is called with its number,
    as "fold 1 of 5" (empty folds do not count). Raises InputError when the other folds lack a
    class: there are too few pairs.
    """
    scores = np.zeros((len(hypotheses), classes))
    numbers = np.unique(fold)
    for place, number in enumerate(numbers, 1):
        name = f"fold {place} of {len(numbers)}"
        held = np.flatnonzero(fold == number).tolist()
        rest = np.flatnonzero(fold != number).tolist()
        if len(np.unique(labels[rest])) < classes:
            raise InputError(
                f"{len(hypotheses)} pairs are too few: without {name} a label is missing; give more"
                " pairs, of more premises and of all labels"
            )
        tell(name)
        model = make()
        model.fit([hypotheses[n] for n in rest], labels[rest])
        scores[held] = model.log_probabilities([hypotheses[n] for n in held])
    return np.round(scores, DECIMALS)


def distances(log_probabilities: Floats) -> Floats:
    """Return the distance of each pair from the ideal, rounded to 1e-6; at least log(classes)."""
    means: Floats = np.round(-log_probabilities.mean(axis=1), DECIMALS)
    return means


def sets(pairs: pa.Table, *, share: float = 0.2, size: int = 3) -> pa.Table:
    """Return the sets of pairs (SETS), by source and premise.

    `pairs` has the columns premise (an id), source, label and distance. Of the complete sets of a
    source, `size` pairs with as many different labels, those with the lowest mean distance are
    `lowest`: as many as the `share` of all sets of the source, rounded down, ties by premise. Sets
    of another shape are listed, and not chosen.
    """
    grouped = pairs.group_by(["source", "premise"]).aggregate(
        [("label", "count"), ("label", "count_distinct"), ("distance", "mean")]
    )
    rows = grouped.rename_columns(["source", "premise", "pairs", "labels", "distance"]).to_pylist()
    left = {
        source: int(count * share + 1e-9)
        for source, count in Counter(row["source"] for row in rows).items()
    }
    for row, distance in zip(rows, pc.round(grouped["distance_mean"], DECIMALS), strict=True):
        row["distance"] = distance.as_py()
    for row in sorted(rows, key=lambda row: (row["distance"], row["premise"])):
        if row["pairs"] == row["labels"] == size:
            row["lowest"] = left[row["source"]] > 0
            left[row["source"]] -= 1
    rows.sort(key=lambda row: (row["source"], row["premise"]))
    return pa.Table.from_pylist(rows, schema=SETS)
