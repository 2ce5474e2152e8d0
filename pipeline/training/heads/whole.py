"""One answer for a whole input, from the head that transformers puts on a body.

topic.py, inference.py and relation.py answer with a class, similarity.py with a number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.task import shown
from pipeline.core.errors import InputError
from pipeline.training.features import Features, Ragged
from pipeline.training.head import Batch, Decoder, Network, Outputs
from pipeline.training.heads.texts import Bools, check_texts, inputs, refuse, truncate
from pipeline.training.tokens import Tokens

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
#: Decimals of probabilities and of scores.
DECIMALS: Final = 6


class WholeNetwork(Network):
    """A body with its own head: `logits`, and a loss between them and `target`."""

    def __init__(self, body: Any, criterion: Loss) -> None:
        super().__init__()
        self.body = body
        self.criterion = criterion

    def forward(self, batch: Batch) -> Outputs:
        """Return `logits` (inputs x classes) and, where `target` is given, `loss`; in float32."""
        names = ("input_ids", "attention_mask", "token_type_ids")
        logits = self.body(**{name: batch[name] for name in names if name in batch}).logits.float()
        if "target" not in batch:
            return {"logits": logits}
        return {"logits": logits, "loss": self.criterion(logits, batch["target"])}


class Gathered:
    """The logits of all inputs: input i at row i, whatever the order of the batches."""

    def __init__(self, ids: Sequence[str], classes: int) -> None:
        self.ids = tuple(ids)
        self.logits = np.full((len(ids), classes), np.nan)

    def take(self, rows: npt.NDArray[np.int64], outputs: Mapping[str, npt.NDArray[Any]]) -> None:
        self.logits[rows] = outputs["logits"]

    def finite(self) -> npt.NDArray[np.float64]:
        """Return all logits; raises InputError where the network gave none that are numbers."""
        lost = ~np.isfinite(self.logits).all(axis=1)
        if lost.any():
            raise InputError(
                f"the network gives no number for {int(lost.sum())} of {len(lost)} examples, the"
                f" first is {self.ids[int(lost.argmax())]}: its training diverged; train again with"
                " a lower learning_rate"
            )
        return self.logits


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

    @property
    def auto(self) -> str:
        return "SequenceClassification"

    @property
    def settings(self) -> Mapping[str, Any]:
        return {}

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
        texts = [tokens.ids([one.fields[name] for one in examples]) for name in self.fields]
        frame = tokens.single if len(texts) == 1 else tokens.pair
        return truncate(texts, self.length - frame.size)

    @abstractmethod
    def check_labels(self, examples: Sequence[Example]) -> None:
        """Raise InputError for a label that cannot be learnt."""

    @abstractmethod
    def targets(self, examples: Sequence[Example]) -> npt.NDArray[Any]:
        """Return what the network is to say of each example."""

    @abstractmethod
    def network(self, body: Any) -> Network:
        """Return the body with its loss."""

    @abstractmethod
    def decoder(self, features: Features, examples: Sequence[Example], tokens: Tokens) -> Decoder:
        """Return what reads the logits."""


class ClassDecoder(Gathered):
    """Answers the class with the largest logit, the first of equal ones."""

    def __init__(self, ids: Sequence[str], labels: Sequence[str], *, probabilities: bool) -> None:
        """Take the names of the classes, and whether their probabilities are told as well."""
        super().__init__(ids, len(labels))
        self.labels = tuple(labels)
        self.probabilities = probabilities

    def predictions(self) -> list[Prediction]:
        """Return one class an example; probabilities are rounded to six decimals."""
        logits = self.finite()
        best = logits.argmax(axis=1).tolist()
        shares = softmax(logits).round(DECIMALS).tolist() if self.probabilities else None
        return [
            Prediction(name, self.labels[top], None if shares is None else tuple(shares[row]))
            for row, (name, top) in enumerate(zip(self.ids, best, strict=True))
        ]


def softmax(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the probabilities of the classes, one row an input."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: npt.NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares


@dataclass(frozen=True)
class Classes(Whole):
    """One of the classes `labels`, by cross entropy.

    `named` tells the class from a label of the task; `probabilities` whether those of all classes
    are told with the prediction.
    """

    named: Callable[[Any], Any] = lambda label: label
    probabilities: bool = False

    def check_labels(self, examples: Sequence[Example]) -> None:
        given = [(one.id, self.named(one.label)) for one in examples]
        check_given(self.task, given)
        strange = [(name, shown(label)) for name, label in given if label not in self.labels]
        refuse(
            self.task,
            strange,
            len(examples),
            what="have a label that the spec does not know",
            remedy=f"known are {', '.join(self.labels)}",
        )

    def targets(self, examples: Sequence[Example]) -> npt.NDArray[Any]:
        numbers = {label: number for number, label in enumerate(self.labels)}
        return np.array([numbers[self.named(one.label)] for one in examples], dtype=np.int64)

    def network(self, body: Any) -> Network:
        return WholeNetwork(body, torch.nn.functional.cross_entropy)

    def decoder(self, features: Features, examples: Sequence[Example], tokens: Tokens) -> Decoder:  # noqa: ARG002
        ids = [one.id for one in examples]
        return ClassDecoder(ids, self.labels, probabilities=self.probabilities)


@dataclass(frozen=True)
class Score(Whole):
    """One number, by mean squared error; what is predicted is not clipped to `ends`.

    `number` returns that of a label, `learnt` is what it is called.
    """

    ends: tuple[float, float] = (0, 5)
    number: Callable[[Any], Any] = lambda label: label
    learnt: str = "label"

    def check_labels(self, examples: Sequence[Example]) -> None:
        check_given(self.task, [(one.id, one.label) for one in examples])
        given = [(one.id, self.number(one.label)) for one in examples]
        wrong = [(name, shown(number)) for name, number in given if not self._on_scale(number)]
        refuse(
            self.task,
            wrong,
            len(examples),
            what=f"have no `{self.learnt}` from {self.ends[0]} to {self.ends[1]}",
            remedy="only such numbers can be learnt",
        )

    def targets(self, examples: Sequence[Example]) -> npt.NDArray[Any]:
        return np.array([self.number(one.label) for one in examples], dtype=np.float32)

    def network(self, body: Any) -> Network:
        return WholeNetwork(body, _squared)

    def decoder(self, features: Features, examples: Sequence[Example], tokens: Tokens) -> Decoder:  # noqa: ARG002
        return _Numbers([one.id for one in examples], 1)

    def _on_scale(self, number: object) -> bool:
        if isinstance(number, bool) or not isinstance(number, int | float):
            return False
        return self.ends[0] <= number <= self.ends[1]  # which NaN is not


class _Numbers(Gathered):
    """Answers the output itself."""

    def predictions(self) -> list[Prediction]:
        numbers = self.finite()[:, 0].round(DECIMALS).tolist()
        return [Prediction(name, one) for name, one in zip(self.ids, numbers, strict=True)]


def _squared(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.mse_loss(logits[:, 0], target)


def check_given(task: str, given: Sequence[tuple[str, Any]]) -> None:
    """Raise InputError for examples, by id, that have None for a label."""
    missing = [(name, "") for name, label in given if label is None]
    refuse(
        task,
        missing,
        len(given),
        what="have no label",
        remedy="only a split with labels can be learnt from",
    )
