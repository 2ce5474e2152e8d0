"""What a task gives a language model: prompts, answers as text, and what is counted of an answer.

This module and the parts `prompts` of tasks are copied into the folders that lm-evaluation-harness
reads (see folder.py): they import the standard library and each other, and nothing else.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

#: The answer of a category that could not be read: a class that no label has.
NO_CLASS = ""
#: What stands where there is nothing to name: no entity, no slot.
NOTHING = "없음"
#: An answer that says nothing in all metrics is right nowhere.
Payloads = dict[str, Any]


class Doc(NamedTuple):
    """What a prompt is about: an example's fields, the labels of its spec by id, with titles.

    `probabilities` are those of the labels, in their order, where choices were compared.
    """

    fields: Mapping[str, Any]
    labels: Mapping[str, str]
    probabilities: Sequence[float] | None = None


class Prompt(NamedTuple):
    """One wording (`form`) in one mode: mc (choices are compared) or gen (text is generated).

    `ask` returns the prompt, `write` a gold answer as the text that follows it in an example,
    `read` the answer of a generated text, None for one that cannot be read. `choices` maps the
    compared texts to the answers that they stand for. Generation ends at one of `until`, or after
    `tokens`.
    """

    form: str
    mode: str
    ask: Callable[[Doc], str]
    write: Callable[[Any, Doc], str]
    read: Callable[[str, Doc], Any] = lambda _text, _doc: None
    choices: Callable[[Mapping[str, str]], dict[str, Any]] = lambda _labels: {}
    until: tuple[str, ...] = ("\n",)
    tokens: int = 32


def first_item(fields: Mapping[str, Any], label: Any) -> list[tuple[dict[str, Any], Any]]:
    """Return the one item of an example: its fields, and its label as the gold answer."""
    return [(dict(fields), label)]


def titles(spec: Any) -> dict[str, str]:
    """Return the Korean titles of the labels of a spec, by id, in their order."""
    known = {label.id: label.title.ko for label in spec.labels}
    return {name: known[name] for name in spec.ids()}


class Prompts(NamedTuple):
    """The part `prompts` of a task; the first prompt of each mode is the usual one.

    - `payloads(gold, answer, doc)`: what metrics need of one item, by metric.
    - `aggregations`: the function that makes a metric of all of these, by name; its metrics are
      those of the task's scorer. `choices_only` are those that need probabilities.
    - `wrong(gold, doc)`: the answer that stands for a text that cannot be read.
    - `items(fields, label)`: the fields and gold answers that are asked for one by one; without a
      label the answers are None. `join` makes one answer of theirs.
    - `labels(spec)`: the labels that prompts and parsers know.
    - `shots`: how many examples of train stand before a prompt.
    """

    prompts: tuple[Prompt, ...]
    payloads: Callable[[Any, Any, Doc], Payloads]
    aggregations: Mapping[str, str]
    wrong: Callable[[Any, Doc], Any] = lambda _gold, _doc: NO_CLASS
    items: Callable[[Mapping[str, Any], Any], list[tuple[dict[str, Any], Any]]] = first_item
    join: Callable[[list[Any]], Any] = lambda answers: answers[0]
    labels: Callable[[Any], dict[str, str]] = titles
    shots: int = 5
    choices_only: tuple[str, ...] = ()

    def prompt(self, form: str, mode: str) -> Prompt:
        """Return the prompt of a form and mode; raises KeyError for one that is not there."""
        for prompt in self.prompts:
            if (prompt.form, prompt.mode) == (form, mode):
                return prompt
        raise KeyError(form, mode)


def answer_lines(text: str) -> list[str]:
    """Return the lines of a text that are not blank, without blanks around them."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def read_word(text: str, words: Mapping[str, Any]) -> Any:
    """Return what the first line of a text stands for: one of the words, or None.

    Marks around the word are passed over: (정치), "정치", 정치. are 정치.
    """
    lines = answer_lines(text)
    return words.get(lines[0].strip(" \t()[]<>\"'`*.,:;!?。“”‘’")) if lines else None


def classes(gold: str, answer: str) -> list[list[str]]:
    """Return the payload of `macro_f1` for one class; one that was not read is of no class."""
    return class_events([gold], [answer] if answer != NO_CLASS else [])


def class_events(gold: list[str], predicted: list[str]) -> list[list[str]]:
    """Return the payload of `macro_f1`: classes of gold, predictions, and those that are right."""
    return [gold, predicted, list((Counter(gold) & Counter(predicted)).elements())]


def ratio(payloads: Sequence[Sequence[float]]) -> float:
    """Return the sum of the first numbers over that of the second, x100; NaN for none."""
    parts, wholes = (math.fsum(column) for column in zip(*payloads, strict=True))
    return 100 * parts / wholes if wholes else math.nan


def macro_f1(payloads: Sequence[Sequence[Sequence[str]]]) -> float:
    """Return the mean F1 of the classes that occur, x100; NaN where none does."""
    scores = class_scores(payloads)
    return 100 * math.fsum(scores.values()) / len(scores) if scores else math.nan


def class_scores(payloads: Sequence[Sequence[Sequence[str]]]) -> dict[str, float]:
    """Return the F1 of each class that occurs, 0 to 1."""
    gold, predicted, right = (
        Counter(name for payload in payloads for name in payload[place]) for place in range(3)
    )
    return {
        name: 2 * right[name] / (gold[name] + predicted[name]) for name in gold.keys() | predicted
    }


def pearson(payloads: Sequence[Sequence[float]]) -> float:
    """Return Pearson's r of gold and predicted numbers, x100; NaN where one side is constant."""
    sides = [list(map(float, side)) for side in zip(*payloads, strict=True)]
    if any(max(side) == min(side) for side in sides):
        return math.nan
    left, right = (_deviations(side) for side in sides)
    product = math.fsum(a * b for a, b in zip(left, right, strict=True))
    return (
        100 * product / math.sqrt(math.fsum(a * a for a in left) * math.fsum(b * b for b in right))
    )


def _deviations(numbers: list[float]) -> list[float]:
    size = max(map(abs, numbers))
    scaled = [number / size for number in numbers]  # squares neither over- nor underflow
    mean = math.fsum(scaled) / len(scaled)
    deviations = [number - mean for number in scaled]
    most = max(map(abs, deviations))
    return [deviation / most for deviation in deviations]


def auprc(payloads: Sequence[tuple[int, Sequence[float]]]) -> float:
    """Return the mean over classes of the area under precision and recall, x100.

    `payloads`: the place of the gold class, and the probabilities of all. A class without gold has
    the area 0.5, as in the published computation.
    """
    count = len(payloads[0][1])
    areas = [
        _area([(scores[place], gold == place) for gold, scores in payloads])
        for place in range(count)
    ]
    return 100 * math.fsum(areas) / count


def _area(scored: list[tuple[float, bool]]) -> float:
    total = sum(is_gold for _, is_gold in scored)
    if not total:
        return 0.5
    ordered = sorted(scored, key=lambda pair: -pair[0])
    area, hits, before, precision = 0.0, 0, 0, 1.0
    for place, (score, is_gold) in enumerate(ordered, start=1):
        hits += is_gold
        if place < len(ordered) and ordered[place][0] == score:
            continue
        area += (hits - before) / total * (precision + hits / place) / 2
        before, precision = hits, hits / place
    return area
