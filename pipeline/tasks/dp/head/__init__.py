"""Dependency parsing (DP): the head of every word, and its relation to it (paper, Section 5.1.4).

A word is the states of its first and last token, with its parts of speech where `recipe.pos` asks
for them; arcs and relations are scored as in biaffine.py. A head stands right of its word and the
last word is the root, as the task demands (pipeline/tasks/dp/task.py). Only such heads are
candidates, in training as after it: so the best head of each word by itself makes a tree, the best
one, and padding is never a head.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import shown
from pipeline.core.errors import InputError, RecordError
from pipeline.tasks.dp.head.biaffine import Arcs, Relations, head_final
from pipeline.tasks.dp.head.words import NO_TAG, TAGS, UNKNOWN, tagged, worded
from pipeline.tasks.dp.task import parse
from pipeline.training.features import IGNORED, Features, Ragged, ragged
from pipeline.training.head import Batch, Decoder, Network, Outputs
from pipeline.training.recipe import Recipe
from pipeline.training.tokens import Tokens

#: The size of what is learnt of a part of speech at one place.
_TAG_SIZE: Final = 64


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Parsing:
    """Return the head, with the relations of the train split, the most frequent first.

    Parts of speech are read if the recipe asks for them and the train split has them.
    """
    found = [_of(example, "label", "deprels") or () for example in train]
    counts = Counter(name for name in chain.from_iterable(found) if isinstance(name, str))
    relations = sorted(counts, key=lambda name: (-counts[name], name))
    tagged = recipe.pos and any(_pos(example) is not None for example in train)
    return Parsing(spec, recipe, tuple(relations), spec.ids("pos") if tagged else ())


@dataclass(frozen=True)
class Parsing:
    """Dependency parsing with these relations and parts of speech.

    `tags` is empty where no parts of speech are read. Inputs have, besides their tokens, `words`:
    how many there are, and of every word `first` and `last`: its ends among the tokens, `tags`: its
    parts of speech (words.py), and the targets `target_heads` and `target_relations`.
    """

    spec: TaskSpec
    recipe: Recipe
    relations: tuple[str, ...]
    tags: tuple[str, ...]
    auto: str = ""
    labels: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return the relations, and the parts of speech that are read, in their order."""
        return {"relations": list(self.relations), "pos": list(self.tags)}

    def check(self, examples: Sequence[Example], *, labels: bool) -> None:
        """Raise InputError that names an example without words, or with a tree against the rules.

        Those are the rules for annotators: a head right of its word, relations of the spec.
        """
        round_ = next(one for one in self.spec.rounds if one.answer == "tree")
        for example in examples:
            _check_words(example)
            if labels:
                _check_tree(example, self.spec, round_)

    def encode(self, examples: Sequence[Example], tokens: Tokens, *, labels: bool) -> Features:
        """Return one input an example; raises InputError for one that is too long."""
        made = worded([example.fields["words"] for example in examples], tokens)
        _check_lengths(examples, made.tokens.lengths, self.recipe.max_length)
        words: dict[str, Any] = {
            "words": made.first.lengths,
            "first": made.first,
            "last": made.last,
        }
        tags, told = self._tagged(examples)
        targets, more = self._targets(examples) if labels else ({}, [])
        return Features(
            owners=np.arange(len(examples), dtype=np.int32),
            tokens=made.tokens,
            segments=made.types if tokens.has_types else None,
            columns={**words, **tags, **targets},
            fills={"first": 0, "last": 0, "tags": NO_TAG},
            notes=(*told, *more),
        )

    def network(self, body: Any) -> Network:
        """Return the parser around a body."""
        return _Parser(body, len(self.relations), len(self.tags))

    def decoder(self, features: Features, examples: Sequence[Example], tokens: Tokens) -> Decoder:  # noqa: ARG002
        """Return what writes down the trees, with the names of the relations."""
        return _Trees(examples, self.relations)

    def _tagged(self, examples: Sequence[Example]) -> tuple[dict[str, Ragged], list[str]]:
        """Return the parts of speech of every word, and what is to be told of them."""
        if not self.tags:
            lacking = ["the train split has no parts of speech: parsed without them"]
            return {}, lacking if self.recipe.pos else []
        given = [_pos(example) for example in examples]
        absent = given.count(None)
        words = [
            one or [""] * len(example.fields["words"])
            for one, example in zip(given, examples, strict=True)
        ]
        made = tagged(words, self.tags)
        notes = [f"{absent:,} sentences without parts of speech"] if absent else []
        strange = int((made.values == UNKNOWN).any(axis=1).sum())
        if strange:
            notes.append(f"{strange:,} words with a part of speech that is not in the spec")
        return {"tags": made}, notes

    def _targets(self, examples: Sequence[Example]) -> tuple[dict[str, Ragged], list[str]]:
        """Return heads and relations; one that the train split lacks is not learnt from."""
        number = {name: at for at, name in enumerate(self.relations)}
        heads = ragged([example.label["heads"] for example in examples])
        relations = ragged(
            [
                [number.get(name, IGNORED) for name in example.label["deprels"]]
                for example in examples
            ]
        )
        lost = int((relations.values == IGNORED).sum())
        notes = [f"{lost:,} words with a relation that the train split lacks"] if lost else []
        return {"target_heads": heads, "target_relations": relations}, notes


class _Parser(Network):
    """A body, parts of speech, arcs and relations.

    Outputs, when not training: `heads` and `relations` (rows, words), from 0; what is behind the
    last word means nothing.
    """

    def __init__(self, body: Any, relations: int, tags: int) -> None:
        super().__init__()
        size = 2 * body.config.hidden_size
        self.body = body
        self.tags = None
        if tags:
            self.tags = nn.Embedding(tags + UNKNOWN + 1, _TAG_SIZE, padding_idx=NO_TAG)
            size += TAGS * _TAG_SIZE
        self.root = nn.Parameter(torch.randn(size))
        self.arcs = Arcs(size)
        self.relations = Relations(size, relations)

    def forward(self, batch: Batch) -> Outputs:
        words = self._words(batch)
        places = torch.cat([self.root.expand(len(words), 1, -1), words], dim=1)
        allowed = head_final(batch["words"], words.shape[1])
        arcs = self.arcs(words, places).float().masked_fill(~allowed, -torch.inf)
        outputs: Outputs = {}
        if "target_heads" in batch:
            outputs["loss"] = self._loss(batch, words, places, arcs)
        if not self.training:
            outputs["heads"] = arcs.argmax(dim=-1)
            outputs["relations"] = self._related(words, places, outputs["heads"]).argmax(dim=-1)
        return outputs

    def _words(self, batch: Batch) -> Tensor:
        """Return what is known of every word (rows, words, size)."""
        names = ("input_ids", "attention_mask", "token_type_ids")
        states = self.body(**{name: batch[name] for name in names if name in batch})
        rows = torch.arange(len(batch["first"]), device=batch["first"].device)[:, None]
        ends = [states.last_hidden_state[rows, batch[name]].float() for name in ("first", "last")]
        if self.tags is not None:
            ends.append(self.tags(batch["tags"]).flatten(2))
        return torch.cat(ends, dim=-1)

    def _related(self, words: Tensor, places: Tensor, heads: Tensor) -> Tensor:
        rows = torch.arange(len(words), device=words.device)[:, None]
        scores: Tensor = self.relations(words, places[rows, heads])
        return scores.float()

    def _loss(self, batch: Batch, words: Tensor, places: Tensor, arcs: Tensor) -> Tensor:
        """Return the cross entropy of heads, plus that of relations to the heads of gold."""
        heads, relations = batch["target_heads"], batch["target_relations"]
        related = self._related(words, places, heads.clamp(min=0))
        return _mean_loss(arcs, heads) + _mean_loss(related, relations)


class _Trees:
    """Trees as predictions."""

    def __init__(self, examples: Sequence[Example], relations: Sequence[str]) -> None:
        self._examples = examples
        self._relations = relations
        self._found: dict[int, dict[str, Any]] = {}

    def take(self, rows: npt.NDArray[np.int64], outputs: Mapping[str, npt.NDArray[Any]]) -> None:
        for at, row in enumerate(rows.tolist()):
            many = len(self._examples[row].fields["words"])
            named = outputs["relations"][at, :many].tolist()
            self._found[row] = {
                "heads": outputs["heads"][at, :many].tolist(),
                "deprels": [self._relations[one] for one in named],
            }

    def predictions(self) -> list[Prediction]:
        rows = enumerate(self._examples)
        return [Prediction(example.id, self._found[row]) for row, example in rows]


def _mean_loss(scores: Tensor, targets: Tensor) -> Tensor:
    """Return the mean over the words that have a target; 0 where none has."""
    total = cross_entropy(
        scores.flatten(0, 1), targets.flatten(), ignore_index=IGNORED, reduction="sum"
    )
    return total / (targets != IGNORED).sum().clamp(min=1)


def _of(example: Example, place: str, name: str) -> list[Any] | None:
    """Return a list out of the label or the meta of an example, if it has one."""
    held = getattr(example, place)
    found = held.get(name) if isinstance(held, Mapping) else None
    return found if isinstance(found, list) else None


def _pos(example: Example) -> list[Any] | None:
    """Return the parts of speech of an example; official files have them beside the label."""
    found = _of(example, "label", "pos")
    return _of(example, "meta", "pos") if found is None else found


def _check_words(example: Example) -> None:
    words = example.fields.get("words")
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InputError(f"{example.id}: words: a list of texts is wanted, not {shown(words)}")
    if not words:
        raise InputError(f"{example.id}: words: the sentence is empty; leave it out")
    pos = _pos(example)
    if pos is None:
        return
    if len(pos) != len(words) or not all(isinstance(tags, str) for tags in pos):
        raise InputError(
            f"{example.id}: pos: one text of tags a word is wanted: {len(words)}, given: {len(pos)}"
        )


def _check_tree(example: Example, spec: TaskSpec, round_: Round) -> None:
    if not isinstance(example.label, Mapping):
        raise InputError(
            f"{example.id}: label: heads and deprels are wanted, not {shown(example.label)};"
            " only a split with labels can be learnt from"
        )
    tree = {name: example.label.get(name) for name in ("heads", "deprels")}
    try:
        parse(tree, example.fields, spec, round_)
    except RecordError as error:
        raise InputError(
            f"{example.id}: label: {error.reason}; correct it or leave it out"
        ) from None


def _check_lengths(
    examples: Sequence[Example], lengths: npt.NDArray[np.int64], allowed: int
) -> None:
    over = np.flatnonzero(lengths > allowed)
    if len(over):
        longest = int(lengths.max())
        raise InputError(
            f"{examples[over[0]].id}: {lengths[over[0]]:,} tokens, special ones included, and"
            f" max_length is {allowed:,} ({len(over):,} of {len(examples):,} sentences are longer);"
            f" raise max_length to {longest:,} if the model has so many places, or leave them out"
        )
