"""Answers of reading comprehension among the tokens of their passages: to learn, and to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.contracts.example import Example, Prediction
from pipeline.training.features import Features, Numbers, Ragged, starts_of
from pipeline.training.heads.texts import Windows
from pipeline.training.tokens import Encoded

Bools = npt.NDArray[np.bool_]
#: The place of [CLS], which says that there is no answer.
NULL: Final = 0
#: What a place has that cannot be an end of an answer.
NEVER: Final = -1e9
ENDS: Final = ("start", "end")
#: More than any passage has characters.
_APART: Final = 1 << 32


class Spans(NamedTuple):
    """The answers of examples as tokens of their passages, both ends included; -1 for none.

    Those of example i stand from `starts[i]` to `starts[i + 1]`.
    """

    starts: Numbers
    first: Numbers
    last: Numbers


def letter_mask(texts: Sequence[str], places: Ragged) -> Bools:
    """Tell for each token whether it covers more than blanks."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    blank = np.fromiter(map(str.isspace, chain.from_iterable(texts)), np.bool_, lengths.sum())
    letters = starts_of(~blank)
    begins = np.repeat(np.cumsum(lengths) - lengths, places.lengths)
    more: Bools = letters[begins + places.values[:, 1]] > letters[begins + places.values[:, 0]]
    return more


def spans_of(examples: Sequence[Example], passage: Numbers, read: Encoded, good: Bools) -> Spans:
    """Return the tokens with letters that cover each answer, from the first to the last."""
    by_question = [example.label["answers"] for example in examples]
    counts = np.array([len(answers) for answers in by_question], dtype=np.int64)
    of = np.repeat(passage, counts)
    begins = np.array(
        [answer["start"] for answers in by_question for answer in answers], dtype=np.int64
    )
    sizes = np.array(
        [len(answer["text"]) for answers in by_question for answer in answers], dtype=np.int64
    )
    usable = np.flatnonzero(good)
    apart = np.repeat(np.arange(len(read.ids)), read.ids.lengths)[usable] * _APART
    starts, ends = (apart + read.places.values[usable, side] for side in (0, 1))
    # Ends do not fall and starts neither, whatever a tokenizer tells: so they can be searched.
    ends, starts = np.maximum.accumulate(ends), np.minimum.accumulate(starts[::-1])[::-1]
    first = np.searchsorted(ends, of * _APART + begins, side="right")
    last = np.searchsorted(starts, of * _APART + begins + sizes, side="left") - 1
    token = np.append(usable, 0)
    base, there = read.ids.starts[of], first <= last
    return Spans(
        starts_of(counts),
        np.where(there, token[first] - base, -1),
        np.where(there, token[last] - base, -1),
    )


def targets(answers: Spans, held: Windows, front: Numbers) -> tuple[Numbers, Numbers]:
    """Return the ends of the first answer that lies in each window, or [CLS] twice."""
    ends = np.full((2, len(front)), NULL, dtype=np.int64)
    counts = np.diff(answers.starts)[held.owners]
    for rank in reversed(range(counts.max(initial=0))):
        rows = np.flatnonzero(counts > rank)
        at = answers.starts[held.owners[rows]] + rank
        inside = (answers.first[at] >= held.begins[rows]) & (answers.last[at] < held.ends[rows])
        rows, at = rows[inside], at[inside]
        shift = front[rows] - held.begins[rows]
        ends[:, rows] = answers.first[at] + shift, answers.last[at] + shift
    return ends[0], ends[1]


class Answers:
    """Collects the best span of each window, and tells the best of each passage."""

    def __init__(self, features: Features, examples: Sequence[Example], longest: int) -> None:
        """Take the inputs, their examples, and how many tokens an answer has at most."""
        self._features, self._examples, self._longest = features, examples, longest
        count = len(features)
        self._best, self._null = np.full(count, -np.inf), np.full(count, np.inf)
        self._first, self._last = np.zeros((2, count), dtype=np.int64)

    def take(self, rows: npt.NDArray[np.int64], outputs: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take `start_logits` and `end_logits` of some inputs."""
        start, end = (outputs[f"{name}_logits"].astype(np.float64) for name in ENDS)
        self._null[rows] = start[:, NULL] + end[:, NULL]
        start[:, NULL] = end[:, NULL] = NEVER
        ahead, score = best_ahead(end, self._longest)
        score += start
        first, row_numbers = score.argmax(axis=1), np.arange(len(rows))
        self._best[rows] = score[row_numbers, first]
        self._first[rows], self._last[rows] = first, first + ahead[row_numbers, first]

    def predictions(self) -> list[Prediction]:
        """Return the text of the best span, or "" where no answer is better than it."""
        owners = self._features.owners
        heads = np.searchsorted(owners, np.arange(len(self._examples)))
        chosen = np.lexsort((np.arange(len(owners)), -self._best, owners))[heads]
        null = np.minimum.reduceat(self._null, heads) if len(heads) else self._null
        none = null > self._best[chosen]
        texts = [""] * len(self._examples)
        for place in np.flatnonzero(~none).tolist():
            texts[place] = self._text(self._examples[place].fields["context"], chosen[place])
        return [
            Prediction(example.id, text)
            for example, text in zip(self._examples, texts, strict=True)
        ]

    def _text(self, context: str, row: int) -> str:
        places, token = self._features.beside["places"], self._features.beside["token"][row]
        start, end = places[token + self._first[row], 0], places[token + self._last[row], 1]
        return context[start:end].strip()


def best_ahead(values: npt.NDArray[Any], count: int) -> tuple[Numbers, npt.NDArray[Any]]:
    """Return for each place where the largest of `count` values from it on is, and that value.

    Where is counted from the place; of equal values the nearest counts.
    """
    best, where = values.copy(), np.zeros(values.shape, dtype=np.int64)
    for step in range(1, min(count, values.shape[1])):
        better = values[:, step:] > best[:, :-step]
        best[:, :-step][better] = values[:, step:][better]
        where[:, :-step][better] = step
    return where, best
