"""Trivial systems of a task without the part `baselines`, by its kind of answer.

    category   the most frequent class; a class drawn as often as in train; that of the most similar
               example
    number     the mean; a number drawn from train; that of the most similar example
    labels     as category, a set of labels being a class
    spans      no span; the others are left out: spans of another text are none of this one

Similar are texts that share runs of two and three characters: the cosine of their TF-IDF vectors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import Any, Final

from pipeline.contracts.example import Example
from pipeline.contracts.task import Task
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.scoring.baselines import Baselines, Data, System

#: Test examples that are compared with all of train at once.
_ROWS: Final = 256
_GRAMS: Final = (2, 3)
_OTHER_TEXT: Final = "spans point into their own text; those of another example are none of it"

#: The answer of a train example, in the form of a prediction.
Answer = Callable[[Example], Any]


def baselines(task: Task) -> Baselines:
    """Return the systems of a task; raises InputError for a kind of answer without a default."""
    if task.kind == "spans":
        left_out = dict.fromkeys(("random", "nearest"), _OTHER_TEXT)
        return Baselines({"most frequent": lambda data: [[] for _ in data.test]}, left_out)
    if task.kind not in ("category", "number", "labels"):
        raise InputError(
            f"task {task.id} has no part `baselines`, and answers of the kind {task.kind} have no"
            " default; give the task one (kinds with a default: category, number, labels, spans)"
        )
    answer = partial(_answer, task)
    return numbers(task, answer) if task.kind == "number" else classes(task, answer)


def classes(task: Task, answer: Answer) -> Baselines:
    """Return the systems of a task whose answers are classes."""
    return _systems(task, answer, partial(most_frequent, answer))


def numbers(task: Task, answer: Answer) -> Baselines:
    """Return the systems of a task whose answers are numbers."""
    return _systems(task, answer, partial(mean_answer, answer))


def _systems(task: Task, answer: Answer, common: System) -> Baselines:
    return Baselines(
        {
            "most frequent": common,
            "random": partial(random_answers, answer),
            "nearest": partial(nearest_answers, answer, partial(_text, task)),
        }
    )


def _answer(task: Task, example: Example) -> Any:
    value = task.view(example.label)
    return sorted(value) if task.kind == "labels" else value


def _text(task: Task, example: Example) -> str:
    return "\n".join(task.inputs(example.fields, None))


def most_frequent(answer: Answer, data: Data) -> list[Any]:
    """Return the most frequent answer of train for each; of equal ones the first in order."""
    answers = {repr(value): value for value in map(answer, data.train)}
    counts = Counter(repr(answer(example)) for example in data.train)
    top = min(counts, key=lambda name: (-counts[name], name))
    return [answers[top] for _ in data.test]


def mean_answer(answer: Answer, data: Data) -> list[float]:
    """Return the mean of train for each."""
    mean = fmean(answer(example) for example in data.train)
    return [mean for _ in data.test]


def random_answers(answer: Answer, data: Data) -> list[Any]:
    """Return for each the answer of a train example, drawn by its id."""
    train = data.train
    places = (
        int(draw(data.seed, "baselines.random", example.id) * len(train)) for example in data.test
    )
    return [answer(train[place]) for place in places]


def nearest_answers(answer: Answer, text: Callable[[Example], str], data: Data) -> list[Any]:
    """Return for each the answer of the train example with the most similar text.

    Of equally similar ones, and where nothing is similar, the first counts.
    """
    train, test = ([text(example) for example in side] for side in (data.train, data.test))
    return [answer(data.train[place]) for place in _nearest(train, test)]


def _nearest(train: Sequence[str], test: Sequence[str]) -> Iterator[int]:
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    grams = TfidfVectorizer(analyzer="char", ngram_range=_GRAMS, sublinear_tf=True)
    try:
        known = grams.fit_transform(train).T.tocsr()
    except ValueError:  # no text of train has two characters
        yield from (0 for _ in test)
        return
    for begin in range(0, len(test), _ROWS):
        likeness = grams.transform(test[begin : begin + _ROWS]) @ known
        yield from np.asarray(likeness.argmax(axis=1)).ravel().tolist()
