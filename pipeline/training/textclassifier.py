"""The shared step as a classifier of texts, for stages that know a protocol and no torch.

Fitted on texts with numbers as labels it gives probabilities: what hypothesis-only scoring asks of
a classifier (Section 3.3.1). The same texts in the same order give the same numbers: one thread
does all sums on the CPU, and chance is keyed. What has learnt reads in double precision and tells
logits in single precision: what else is read with a text shows in none of the first six digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from pipeline.contracts.example import Example
from pipeline.training.batches import ExampleBatches, input_keys, predict
from pipeline.training.encoders import body_of, longest, tokens_of
from pipeline.training.head import Network
from pipeline.training.heads.whole import Classes, softmax
from pipeline.training.job import accelerator
from pipeline.training.recipe import Recipe, recipe_of
from pipeline.training.saving import save_model
from pipeline.training.source import Source, source
from pipeline.training.tokens import Tokens
from pipeline.training.training import Training, number, train

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
_FIELD = "text"
#: What comes of fitting; the last is the device of the network.
_Fitted = tuple[Classes, Tokens, Network, Any]


class TextClassifier:
    """A model that is fine-tuned on texts by a recipe; texts longer than it reads are cut.

    `names` are those of the classes in a saved checkpoint; numbers, if not given.
    """

    def __init__(
        self, model: Source, recipe: Recipe, *, names: Sequence[str] = (), seed: int = 0
    ) -> None:
        """Say what to start from; nothing is loaded yet."""
        self.model, self.recipe, self.names, self.seed = model, recipe, tuple(names), seed
        self._fitted: _Fitted | None = None

    def fit(self, texts: Sequence[str], labels: Labels) -> None:
        """Learn from texts and their labels, numbers from 0; every class occurs."""
        names = self.names or tuple(map(str, range(int(labels.max()) + 1)))
        whole = Classes("texts", names, (_FIELD,), self.recipe.max_length)
        examples = _examples(texts, [names[number] for number in labels.tolist()])
        torch.manual_seed(number(self.seed, "weights"))
        tokens = tokens_of(self.model, texts, vocabulary=self.recipe.vocabulary)
        body = body_of(self.model, whole, tokens, new_head=True)
        head = replace(whole, length=min(whole.length, longest(body, tokens) or whole.length))
        network = head.network(body)
        features = head.encode(examples, tokens, labels=True)
        job = Training(
            network=network,
            batches=ExampleBatches(
                features,
                input_keys(features, [example.id for example in examples]),
                size=self.recipe.batch_size,
                seed=self.seed,
                pad=tokens.pad,
            ),
            recipe=self.recipe,
            seed=self.seed,
            evaluate=dict,
            keep=lambda: None,
        )
        with _one_thread(), TemporaryDirectory() as folder:
            here = accelerator("float32")
            train(job, here, Path(folder) / "state")
        self._fitted = head, tokens, network, here.device

    def log_probabilities(self, texts: Sequence[str]) -> Floats:
        """Return natural logarithms of probabilities; shape: texts x classes."""
        head, tokens, network, device = self._fitted_model
        examples = _examples(texts, [None] * len(texts))
        features = head.encode(examples, tokens, labels=False)
        decoder = head.decoder(features, examples, tokens)
        exact = deepcopy(network).double()
        with _one_thread():
            size = self.recipe.batch_size
            predict(exact, features, decoder, pad=tokens.pad, size=size, device=device)
        scores: Floats = np.log(softmax(decoder.finite()))
        return scores

    def save(self, folder: Path) -> None:
        head, tokens, network, _ = self._fitted_model
        save_model(folder, network, tokens, {"labels": list(head.labels)})

    @property
    def _fitted_model(self) -> _Fitted:
        if self._fitted is None:
            raise RuntimeError("the classifier is not fitted yet")
        return self._fitted


def text_classifier(
    model: str, *, task: str, names: Sequence[str] = (), seed: int = 0
) -> TextClassifier:
    """Return a classifier that starts from a model and learns by the recipe of a task.

    Raises InputError for a model that is not there.
    """
    return TextClassifier(source(model), recipe_of(task, model=model), names=names, seed=seed)


def _examples(texts: Sequence[str], labels: Sequence[str | None]) -> list[Example]:
    rows = enumerate(zip(texts, labels, strict=True))
    return [Example(str(place), "texts", {_FIELD: text}, label) for place, (text, label) in rows]


@contextmanager
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
