"""Several labels of a whole input: one yes or no for each label of the spec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.task import shown
from pipeline.training.features import Features
from pipeline.training.head import Decoder, Network
from pipeline.training.heads.texts import refuse
from pipeline.training.heads.whole import Gathered, Whole, WholeNetwork, check_given
from pipeline.training.tokens import Tokens


@dataclass(frozen=True)
class MultiLabel(Whole):
    """Any of the classes `labels`, each by binary cross entropy; gold is a list of labels."""

    def check_labels(self, examples: Sequence[Example]) -> None:
        check_given(self.task, [(example.id, example.label) for example in examples])
        strange = [
            (example.id, shown(label))
            for example in examples
            for label in example.label
            if label not in self.labels
        ]
        refuse(
            self.task,
            strange,
            len(examples),
            what="have a label that the spec does not know",
            remedy=f"known are {', '.join(self.labels)}",
        )

    def targets(self, examples: Sequence[Example]) -> npt.NDArray[Any]:
        """Return 1 for the labels of each example and 0 for the others (examples x labels)."""
        rows = [[label in example.label for label in self.labels] for example in examples]
        return np.array(rows, dtype=np.float32).reshape(len(examples), len(self.labels))

    def network(self, body: Any) -> Network:
        return WholeNetwork(body, torch.nn.functional.binary_cross_entropy_with_logits)

    def decoder(self, features: Features, examples: Sequence[Example], tokens: Tokens) -> Decoder:  # noqa: ARG002
        return _LabelDecoder([example.id for example in examples], self.labels)


class _LabelDecoder(Gathered):
    """Answers the labels whose logit is above 0, in the order of the spec."""

    def __init__(self, ids: Sequence[str], labels: Sequence[str]) -> None:
        super().__init__(ids, len(labels))
        self.labels = tuple(labels)

    def predictions(self) -> list[Prediction]:
        chosen = self.finite() > 0
        return [
            Prediction(name, [label for label, yes in zip(self.labels, row, strict=True) if yes])
            for name, row in zip(self.ids, chosen.tolist(), strict=True)
        ]
