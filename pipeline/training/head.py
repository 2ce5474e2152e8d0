"""What the shared step needs to know of a kind of answer.

head = head_of_a_task(spec, recipe, train)          # labels are those of the spec
head.check(train, labels=True)                     # before anything is loaded
features = head.encode(train, tokens, labels=True)
network = head.network(body)                       # body: a model of transformers
outputs = network(batch)                               # {"loss": ..., "logits": ...}
decoder = head.decoder(features, dev, tokens)
decoder.take(rows, outputs)                            # batch by batch
predictions = decoder.predictions()
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.functional import cross_entropy

from pipeline.contracts.example import Example, Prediction
from pipeline.training.features import IGNORED, Features
from pipeline.training.tokens import Tokens

#: Tensors by name: input_ids, attention_mask, token_type_ids, and the columns of the features.
Batch = Mapping[str, torch.Tensor]
#: What a body reads of a batch.
INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")
#: `loss` where the batch has targets (a mean over the inputs of the batch), and what is decoded,
#: with one row an input.
Outputs = dict[str, torch.Tensor]


class Network(torch.nn.Module, ABC):
    """A body of transformers with what the head adds to it.

    `body` is saved as transformers does; all other parameters in a file beside it. `forward` takes
    a Batch and returns Outputs, in float32 whatever the body computes in. `counts` name the numbers
    in a batch that its losses are divided by, where a batch may come in several parts.
    """

    counts: tuple[str, ...] = ()

    def __init__(self, body: Any) -> None:
        super().__init__()
        self.body = body

    def run_body(self, batch: Batch) -> Any:
        """Return what the body makes of a batch."""
        return self.body(**{name: batch[name] for name in INPUTS if name in batch})

    @abstractmethod
    def forward(self, batch: Batch) -> Outputs:
        """Return the loss, if there are targets, and what is decoded."""


class LogitNetwork(Network):
    """A body with a head of transformers: `logits`, and a loss of these against `target`."""

    def __init__(
        self, body: Any, criterion: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
    ) -> None:
        super().__init__(body)
        self.criterion = criterion

    def forward(self, batch: Batch) -> Outputs:
        """Return `logits` and, where `target` is given, `loss`; in float32."""
        logits = self.run_body(batch).logits.float()
        if "target" not in batch:
            return {"logits": logits}
        return {"logits": logits, "loss": self.criterion(logits, batch["target"])}


def mean_loss(scores: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy over the places that have a target; 0 where none has."""
    total = cross_entropy(
        scores.flatten(0, 1), targets.flatten(), ignore_index=IGNORED, reduction="sum"
    )
    return total / (targets != IGNORED).sum().clamp(min=1)


class Decoder(Protocol):
    """Collects what a network says of some inputs, batch by batch, and tells the answers."""

    def take(self, rows: npt.NDArray[np.int64], outputs: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take the outputs of a batch whose inputs have these numbers; the order is free."""

    def predictions(self) -> list[Prediction]:
        """Return one prediction an example, in the order of the examples."""


class Head(Protocol):
    """One kind of answer; a head that inherits from this has no labels, markers and settings."""

    @property
    def auto(self) -> str:
        """Return what follows AutoModelFor in the class of the body; '' for the bare encoder."""
        return ""

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the classes of the body's head in their order; () where it has none."""
        return ()

    @property
    def markers(self) -> tuple[str, ...]:
        """Return tokens that the vocabulary must have besides its own."""
        return ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return what else a saved network can be used with only (JSON): its own inventories."""
        return {}

    def check(self, examples: Sequence[Example], *, labels: bool) -> None:
        """Raise InputError that names an example which cannot be learnt from or answered.

        With `labels` the examples are to be learnt from: their labels must be known, answers not
        empty and at their place.
        """

    def encode(self, examples: Sequence[Example], tokens: Tokens, *, labels: bool) -> Features:
        """Return inputs, with targets if asked; raises InputError for what cannot be encoded."""

    def network(self, body: Any) -> Network:
        """Return the network around a body; new parameters are drawn from torch's generator."""

    def decoder(self, features: Features, examples: Sequence[Example], tokens: Tokens) -> Decoder:
        """Return what reads the outputs for these inputs of these examples."""
