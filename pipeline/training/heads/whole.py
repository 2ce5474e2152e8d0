"""One answer for a whole input, from the head that transformers puts on a body.

Classes      one of the classes `labels`, by cross entropy
MultiLabel   any of the classes `labels`, each by binary cross entropy; gold is a list of labels
Score        one number, by mean squared error
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.task import mask
from pipeline.core.errors import InputError
from pipeline.core.wording import count
from pipeline.training.features import Features, Ragged
from pipeline.training.head import LogitNetwork, Network
from pipeline.training.heads.texts import Bools, check_texts, inputs, refuse, truncate
from pipeline.training.tokens import Tokens

Floats = npt.NDArray[np.float64]
Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
#: The label of a prediction, and the probabilities of all classes where they are wanted.
Answer = tuple[Any, tuple[float, ...] | None]
#: Decimals of probabilities and of scores.
DECIMALS: Final = 6


class LogitDecoder:
    """Collects the logits of all inputs, and makes answers of them with `answers`."""

    def __init__(
        self, ids: Sequence[str], classes: int, answers: Callable[[Floats], Sequence[Answer]]
    ) -> None:
        self.ids = tuple(ids)
        self.answers = answers
        self.logits = np.full((len(ids), classes), np.nan)

    def take(self, rows: npt.NDArray[np.int64], outputs: Mapping[str, npt.NDArray[Any]]) -> None:
        self.logits[rows] = outputs["logits"]

    def finite(self) -> Floats:
        """Return all logits; raises InputError where the network gave none that are numbers."""
        lost = ~np.isfinite(self.logits).all(axis=1)
        if lost.any():
            raise InputError(
                f"the network gives no number for {lost.sum():,} of {count(len(lost), 'example')},"
                f" the first is {self.ids[int(lost.argmax())]}: its training diverged; train again"
                " with a lower learning_rate"
            )
        return self.logits

    def predictions(self) -> list[Prediction]:
        answers = self.answers(self.finite())
        return [Prediction(name, *answer) for name, answer in zip(self.ids, answers, strict=True)]


@dataclass(frozen=True)
class Whole(ABC):
    """A head of transformers over one text or a pair, whose fields `fields` names.

    `length` is how many tokens an input has at most, special ones included.
    """

    task: str
    labels: tuple[str, ...]
    fields: tuple[str, ...]
    length: int
    markers: tuple[str, ...] = ()

    auto = "SequenceClassification"
    settings: ClassVar[Mapping[str, Any]] = {}
    #: The loss of logits against targets.
    criterion: ClassVar[Loss]

    def check(self, examples: Sequence[Example], *, labels: bool) -> None:
        check_texts(self.task, examples, self.fields)
        if labels:
            self.check_labels(examples)

    def encode(self, examples: Sequence[Example], tokens: Tokens, *, labels: bool) -> Features:
        texts, lost = self.rows(examples, tokens)
        columns = {"target": self.targets(examples)} if labels else {}
        return inputs(texts, tokens, lost=lost, length=self.length, columns=columns)

    def rows(self, examples: Sequence[Example], tokens: Tokens) -> tuple[list[Ragged], Bools]:
        """Return the token ids of the texts, cut so that they fit, and whose were cut."""
        texts = [tokens.ids([example.fields[name] for example in examples]) for name in self.fields]
        frame = tokens.single if len(texts) == 1 else tokens.pair
        return truncate(texts, self.length - frame.size)

    def network(self, body: Any) -> Network:
        return LogitNetwork(body, type(self).criterion)

    def decoder(self, _features: Features, examples: Sequence[Example], _: Tokens) -> LogitDecoder:
        return LogitDecoder([example.id for example in examples], len(self.labels), self.answers)

    @abstractmethod
    def check_labels(self, examples: Sequence[Example]) -> None:
        """Raise InputError for a missing label and for one that cannot be learnt."""

    @abstractmethod
    def targets(self, examples: Sequence[Example]) -> npt.NDArray[Any]:
        """Return what the network is to predict for each example."""

    @abstractmethod
    def answers(self, logits: Floats) -> Sequence[Answer]:
        """Return the answer of each input."""


def softmax(logits: Floats) -> Floats:
    """Return the probabilities of the classes, one row an input."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


@dataclass(frozen=True)
class Classes(Whole):
    """The class with the largest logit, the first of equal ones.

    `named` tells the class from a label of the task; `probabilities` whether those of all classes
    are told with the prediction.
    """

    named: Callable[[Any], Any] = lambda label: label
    probabilities: bool = False
    criterion = functional.cross_entropy

    def check_labels(self, examples: Sequence[Example]) -> None:
        labels = [(example.id, self.named(example.label)) for example in examples]
        _check_missing(self.task, labels)
        _check_known(self.task, labels, self.labels, len(labels))

    def targets(self, examples: Sequence[Example]) -> npt.NDArray[Any]:
        numbers = {label: number for number, label in enumerate(self.labels)}
        return np.array(
            [numbers[self.named(example.label)] for example in examples], dtype=np.int64
        )

    def answers(self, logits: Floats) -> Sequence[Answer]:
        best = [self.labels[top] for top in logits.argmax(axis=1).tolist()]
        if not self.probabilities:
            return [(label, None) for label in best]
        shares = map(tuple, softmax(logits).round(DECIMALS).tolist())
        return list(zip(best, shares, strict=True))


@dataclass(frozen=True)
class MultiLabel(Whole):
    """The labels whose logit is above 0, in the order of the spec; there may be none."""

    criterion = functional.binary_cross_entropy_with_logits

    def check_labels(self, examples: Sequence[Example]) -> None:
        _check_missing(self.task, [(example.id, example.label) for example in examples])
        labels = [(example.id, label) for example in examples for label in example.label]
        _check_known(self.task, labels, self.labels, len(examples))

    def targets(self, examples: Sequence[Example]) -> npt.NDArray[Any]:
        rows = [[label in example.label for label in self.labels] for example in examples]
        return np.array(rows, dtype=np.float32).reshape(len(examples), len(self.labels))

    def answers(self, logits: Floats) -> Sequence[Answer]:
        labels = np.array(self.labels, dtype=object)
        return [(labels[row].tolist(), None) for row in logits > 0]


def _squared_error(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return functional.mse_loss(logits[:, 0], target)


@dataclass(frozen=True)
class Score(Whole):
    """The output itself, not clipped to `ends`, the ends of the scale.

    `number` returns that of a label, `learnt` is what it is called.
    """

    ends: tuple[float, float] = (0, 5)
    number: Callable[[Any], Any] = lambda label: label
    learnt: str = "label"
    criterion = _squared_error

    def check_labels(self, examples: Sequence[Example]) -> None:
        _check_missing(self.task, [(example.id, example.label) for example in examples])
        labels = [(example.id, self.number(example.label)) for example in examples]
        refuse(
            self.task,
            [(name, mask(number)) for name, number in labels if not self._is_on_scale(number)],
            len(examples),
            what=f"have no `{self.learnt}` from {self.ends[0]} to {self.ends[1]}",
            remedy="only such numbers can be learnt",
        )

    def targets(self, examples: Sequence[Example]) -> npt.NDArray[Any]:
        return np.array([self.number(example.label) for example in examples], dtype=np.float32)

    def answers(self, logits: Floats) -> Sequence[Answer]:
        return [(number, None) for number in logits[:, 0].round(DECIMALS).tolist()]

    def _is_on_scale(self, number: object) -> bool:
        if isinstance(number, bool) or not isinstance(number, int | float):
            return False
        return self.ends[0] <= number <= self.ends[1]  # which NaN is not


def _check_missing(task: str, labels: Sequence[tuple[str, Any]]) -> None:
    refuse(
        task,
        [(name, "") for name, label in labels if label is None],
        len(labels),
        what="have no label",
        remedy="only a split with labels can be learnt from",
    )


def _check_known(
    task: str, labels: Sequence[tuple[str, Any]], known: Sequence[str], examples: int
) -> None:
    refuse(
        task,
        [(name, mask(label)) for name, label in labels if label not in known],
        examples,
        what="have a label that the spec does not know",
        remedy=f"known are {', '.join(known)}",
    )
