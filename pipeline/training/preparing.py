"""From a job to tensors and a network; validates a job before training starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import torch

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.parts import Parts
from pipeline.contracts.spec import TaskSpec
from pipeline.core.errors import InputError
from pipeline.training.batches import check_stop, predict
from pipeline.training.encoders import body_of, longest, tokens_of
from pipeline.training.features import Features
from pipeline.training.head import Head, Network
from pipeline.training.job import Job, accelerator
from pipeline.training.recipe import Recipe
from pipeline.training.saving import HEAD, load_head, read_facts
from pipeline.training.tokens import Tokens
from pipeline.training.training import number

#: Examples that are encoded together for a prediction need no gradient: more fit in.
_WIDER: Final = 4
#: A larger share of unknown tokens is told.
_UNKNOWN: Final = 0.2
_USE: Final = {"train": "learn from", "dev": "choose the best weights by"}
Stop = Callable[[], bool]
Maker = Callable[[TaskSpec, Recipe, Sequence[Example]], Head]
#: What makes the head of a task, of its spec, a recipe and the examples to learn from.
HEADS: Final[Mapping[str, Maker]] = Parts("head", "head")


@dataclass(frozen=True)
class Prepared:
    """A job whose model is there and whose examples are encoded.

    `notes` say by split what was cut or fits badly; `rate` is how many examples were encoded a
    second.
    """

    job: Job
    head: Head
    tokens: Tokens
    features: Mapping[str, Features]
    notes: Mapping[str, Sequence[str]]
    rate: float
    network: Network
    accelerator: Any

    def predictions(self, split: str, stop: Stop) -> list[Prediction]:
        """Return what the network says of a split; raises KeyboardInterrupt if asked to stop."""
        features, examples = self.features[split], self.job.splits[split]
        return predict(
            self.network,
            features,
            self.head.decoder(features, examples, self.tokens),
            pad=self.tokens.pad,
            size=self.job.recipe.batch_size * _WIDER,
            device=self.accelerator.device,
            stop=stop,
        )


def check_job(job: Job) -> Head:
    """Return the head of a job whose examples it can use; nothing is loaded.

    Raises InputError for a split that is empty, and for examples that cannot be learnt from. Labels
    of dev are held to the same rules as those of train; the test split may have none.
    """
    for split, use in _USE.items():
        if not job.splits.get(split):
            raise InputError(f"{job.spec.task}: no example to {use}; the {split} split is empty")
    head = HEADS[job.spec.task](job.spec, job.recipe, job.splits["train"])
    for split, examples in job.splits.items():
        head.check(examples, labels=split != "test")
    return head


def prepare(job: Job, head: Head, stop: Stop = lambda: False) -> Prepared:
    """Load or make the model, and encode all splits; what is new is drawn by the job's seed.

    Raises InputError for a model, a recipe and examples that do not go together, KeyboardInterrupt
    if asked to stop.
    """
    torch.manual_seed(number(job.seed, "weights"))
    check_stop(stop)
    texts = _texts(job.splits["train"])
    tokens = tokens_of(job.model, texts, vocabulary=job.recipe.vocabulary)
    if head.markers:
        tokens.add(head.markers)
    check_stop(stop)
    body = body_of(job.model, head, tokens, new_head=job.new_head)
    limit = longest(body, tokens)
    if limit is not None and job.recipe.max_length > limit:
        raise InputError(
            f"{job.spec.task}: max_length {job.recipe.max_length} of the recipe is more than"
            f" {job.model.name} reads: {limit} tokens; lower it: --set max_length={limit}"
        )
    begin, features = perf_counter(), {}
    for split, examples in job.splits.items():
        check_stop(stop)
        features[split] = head.encode(examples, tokens, labels=split == "train")
    seconds = max(perf_counter() - begin, 1e-9)
    notes = {split: list(split_features.notes) for split, split_features in features.items()}
    notes["train"] += _unknown(features["train"], tokens)
    return Prepared(
        job=job,
        head=head,
        tokens=tokens,
        features=features,
        notes=notes,
        rate=sum(map(len, job.splits.values())) / seconds,
        network=_network(job, head, body),
        accelerator=accelerator(job.precision),
    )


def _network(job: Job, head: Head, body: Any) -> Network:
    """Return the network around a body, with the head that was saved beside it for this task."""
    network, folder = head.network(body), job.model.folder
    if folder is None or job.new_head or not (folder / HEAD).is_file():
        return network
    if read_facts(folder).get("task") == job.spec.task:
        load_head(folder, network, head)
    return network


def _unknown(features: Features, tokens: Tokens) -> list[str]:
    """Return a note if the tokenizer does not know much of what is learnt from."""
    unknown = tokens.tokenizer.unk_token_id
    share = 0.0 if unknown is None else float((features.tokens.values == unknown).mean())
    if share <= _UNKNOWN:
        return []
    return [f"{share:.0%} of the tokens are unknown: the tokenizer was not made for such texts"]


def _texts(examples: Sequence[Example]) -> Iterator[str]:
    for example in examples:
        for value in example.fields.values():
            if isinstance(value, str):
                yield value
        if isinstance(example.label, Mapping):
            yield from (turn["text"] for turn in example.label.get("turns", ()))
            if "question" in example.label:
                yield example.label["question"]
