"""Dependency parsing (DP): the head of every word, and its relation to it (paper, Section 5.1.4).

A word is the states of its first and last token, with its parts of speech where `recipe.pos` asks
for them; arcs and relations are scored as in network.py. A head stands right of its word and the
last word is the root, as the task demands (pipeline/tasks/dp/task.py). Only such heads are
candidates, in training as after it: so the best head of each word by itself makes a tree, the best
one, and padding is never a head.

Words are tokenised one by one, each with the blank before it that it has in a sentence, and not
found again in the text: a text may differ from its words (a spreadsheet wrote 0.90% for 0.9%), a
tokenizer need not tell places, and no token can belong to two words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.spec import Round, TaskSpec
from pipeline.contracts.task import mask
from pipeline.core.errors import InputError
from pipeline.core.wording import count, verb
from pipeline.tasks.dp.head.network import END, FRONT, NO_TAG, UNKNOWN, Parser
from pipeline.tasks.dp.task import parse
from pipeline.training.features import IGNORED, Features, Ragged, ragged, starts_of
from pipeline.training.head import Decoder, Head, Network
from pipeline.training.heads.texts import add_special_tokens, example_errors
from pipeline.training.recipe import Recipe
from pipeline.training.tokens import Tokens


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Parsing:
    """Return the head, with the relations of the train split, the most frequent first.

    Parts of speech are read if the recipe asks for them and the train split has them.
    """
    names = chain.from_iterable(_list(example.label, "deprels") or () for example in train)
    counts = Counter(name for name in names if isinstance(name, str))
    relations = sorted(counts, key=lambda name: (-counts[name], name))
    has_tags = recipe.pos and any(_pos(example) is not None for example in train)
    return Parsing(spec, recipe, tuple(relations), spec.ids("pos") if has_tags else ())


@dataclass(frozen=True)
class Parsing(Head):
    """Dependency parsing with these relations and parts of speech.

    `tags` is empty where no parts of speech are read. Inputs have, besides their tokens, `words`:
    how many there are, and of every word `first` and `last`: its ends among the tokens, `tags`: its
    parts of speech, and the targets `target_heads` and `target_relations`.
    """

    spec: TaskSpec
    recipe: Recipe
    relations: tuple[str, ...]
    tags: tuple[str, ...]

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return the relations, and the parts of speech that are read, in their order."""
        return {"relations": list(self.relations), "pos": list(self.tags)}

    def check(self, examples: Sequence[Example], *, labels: bool) -> None:
        """Raise InputError that names an example without words, or with a tree against the rules.

        Those are the rules for annotators: a head right of its word, relations of the spec.
        """
        round_ = next(round_spec for round_spec in self.spec.rounds if round_spec.answer == "tree")
        for example in examples:
            _check_words(example)
            if labels:
                _check_tree(example, self.spec, round_)

    def encode(self, examples: Sequence[Example], tokens: Tokens, *, labels: bool) -> Features:
        """Return one input an example; raises InputError for one that is too long."""
        words = tokenize_words([example.fields["words"] for example in examples], tokens)
        _check_lengths(examples, words.tokens.lengths, self.recipe.max_length)
        columns: dict[str, Any] = {
            "words": words.first.lengths,
            "first": words.first,
            "last": words.last,
        }
        notes = [*self._add_tags(examples, columns)]
        if labels:
            notes += self._add_targets(examples, columns)
        return Features(
            owners=np.arange(len(examples), dtype=np.int32),
            tokens=words.tokens,
            segments=words.types if tokens.has_types else None,
            columns=columns,
            fills={"first": 0, "last": 0, "tags": NO_TAG},
            notes=(*notes,),
        )

    def network(self, body: Any) -> Network:
        return Parser(body, len(self.relations), len(self.tags))

    def decoder(self, features: Features, examples: Sequence[Example], tokens: Tokens) -> Decoder:  # noqa: ARG002
        return _Trees(examples, self.relations)

    def _add_tags(self, examples: Sequence[Example], columns: dict[str, Any]) -> Iterator[str]:
        """Add the parts of speech of every word; yield what is to be told of them."""
        if not self.tags:
            if self.recipe.pos:
                yield "the train split has no parts of speech: parsed without them"
            return
        given = [_pos(example) for example in examples]
        columns["tags"] = tag_numbers(
            [
                tags or [""] * len(example.fields["words"])
                for tags, example in zip(given, examples, strict=True)
            ],
            self.tags,
        )
        if absent := given.count(None):
            yield f"{count(absent, 'sentence')} without parts of speech"
        if unknown := int((columns["tags"].values == UNKNOWN).any(axis=1).sum()):
            yield f"{count(unknown, 'word')} with a part of speech that is not in the spec"

    def _add_targets(self, examples: Sequence[Example], columns: dict[str, Any]) -> Iterator[str]:
        """Add heads and relations; one that the train split lacks is not learnt from."""
        number = {name: at for at, name in enumerate(self.relations)}
        columns["target_heads"] = ragged([example.label["heads"] for example in examples])
        relations = columns["target_relations"] = ragged(
            [
                [number.get(name, IGNORED) for name in example.label["deprels"]]
                for example in examples
            ]
        )
        if lost := int((relations.values == IGNORED).sum()):
            yield f"{count(lost, 'word')} with a relation that the train split lacks"


class _Trees:
    def __init__(self, examples: Sequence[Example], relations: Sequence[str]) -> None:
        self._examples, self._relations = examples, relations
        self._trees: dict[int, dict[str, Any]] = {}

    def take(self, rows: npt.NDArray[np.int64], outputs: Mapping[str, npt.NDArray[Any]]) -> None:
        for at, row in enumerate(rows.tolist()):
            count = len(self._examples[row].fields["words"])
            self._trees[row] = {
                "heads": outputs["heads"][at, :count].tolist(),
                "deprels": [self._relations[n] for n in outputs["relations"][at, :count].tolist()],
            }

    def predictions(self) -> list[Prediction]:
        return [
            Prediction(example.id, self._trees[row]) for row, example in enumerate(self._examples)
        ]


class Words(NamedTuple):
    """Token ids of sentences with special tokens, token types, and where words begin and end.

    `first` and `last` hold one number a word: the place of a token among those of the sentence.
    """

    tokens: Ragged
    types: Ragged
    first: Ragged
    last: Ragged


def tokenize_words(sentences: Sequence[Sequence[str]], tokens: Tokens) -> Words:
    """Tokenise sentences word by word; a word that the tokenizer drops is an unknown one."""
    texts = [" " * (place > 0) + word for words in sentences for place, word in enumerate(words)]
    parts = tokens.ids(texts)
    empty = parts.lengths == 0
    unknown = tokens.tokenizer.unk_token_id
    filler = tokens.pad if unknown is None else int(unknown)
    values = np.insert(parts.values, parts.starts[:-1][empty], filler)
    parts = Ragged(values, parts.starts + starts_of(empty))
    words = starts_of([len(sentence) for sentence in sentences])
    whole = Ragged(parts.values, parts.starts[words])
    ids, types = add_special_tokens(tokens.single, [whole])
    before = len(tokens.single.parts[0])
    first = before + parts.starts[:-1] - np.repeat(whole.starts[:-1], np.diff(words))
    return Words(
        ids,
        types,
        Ragged(first.astype(np.int32), words),
        Ragged((first + parts.lengths - 1).astype(np.int32), words),
    )


def tag_numbers(sentences: Sequence[Sequence[str]], inventory: Sequence[str]) -> Ragged:
    """Return the numbers of the first two and of the last three tags of every word.

    The tags of a word are one text, `NNG+JKS`, or "" for none; in shorter words a tag stands twice.
    """
    number = {"": NO_TAG, **{tag: at for at, tag in enumerate(inventory, start=UNKNOWN + 1)}}
    words = list(chain.from_iterable(sentences))
    ends = {text: _ends([number.get(tag, UNKNOWN) for tag in text.split("+")]) for text in words}
    values = np.array([ends[text] for text in words], dtype=np.int32).reshape(-1, FRONT + END)
    return Ragged(values, starts_of([len(sentence) for sentence in sentences]))


def _ends(tags: list[int]) -> list[int]:
    return [*[*tags[:FRONT], *[NO_TAG] * FRONT][:FRONT], *[*[NO_TAG] * END, *tags][-END:]]


def _list(fields: Any, name: str) -> list[Any] | None:
    """Return a list out of a label or meta, if it has one."""
    value = fields.get(name) if isinstance(fields, Mapping) else None
    return value if isinstance(value, list) else None


def _pos(example: Example) -> list[Any] | None:
    """Return the parts of speech of an example; official files have them beside the label."""
    tags = _list(example.label, "pos")
    return _list(example.meta, "pos") if tags is None else tags


def _check_words(example: Example) -> None:
    words = example.fields.get("words")
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InputError(f"{example.id}: words: a list of texts is wanted, not {mask(words)}")
    if not words:
        raise InputError(f"{example.id}: words: the sentence is empty; leave it out")
    pos = _pos(example)
    if pos is None or (len(pos) == len(words) and all(isinstance(tags, str) for tags in pos)):
        return
    raise InputError(
        f"{example.id}: pos: one text of tags a word is wanted: {len(words)}, given: {len(pos)}"
    )


def _check_tree(example: Example, spec: TaskSpec, round_: Round) -> None:
    if not isinstance(example.label, Mapping):
        raise InputError(
            f"{example.id}: label: heads and deprels are wanted, not {mask(example.label)};"
            " only a split with labels can be learnt from"
        )
    tree = {name: example.label.get(name) for name in ("heads", "deprels")}
    with example_errors(example):
        parse(tree, example.fields, spec, round_)


def _check_lengths(
    examples: Sequence[Example], lengths: npt.NDArray[np.int64], allowed: int
) -> None:
    over = np.flatnonzero(lengths > allowed)
    if len(over):
        raise InputError(
            f"{examples[over[0]].id}: {lengths[over[0]]:,} tokens, special ones included, and"
            f" max_length is {allowed:,} ({len(over):,} of {count(len(examples), 'sentence')}"
            f" {verb(len(over), 'is', 'are')} longer);"
            f" raise max_length to {lengths.max():,} if the model has so many places, or leave them"
            " out"
        )
