"""Spans with types: a tag for every token, B- and I- of each type, and O.

A character belongs to the first token that covers it; blanks, and characters that no token covers,
to none. So a token may have no characters (an empty place, a blank, the second byte of a syllable):
then it is not learnt and decides nothing. A token has the tag of its first character, but the first
token of an entity always has B-: where a token holds more than an entity, no tag can give that
entity back, and the rule keeps as many characters right as it can without a look at what follows.

Back again, tags are those of the best sequence in which I- never stands without what it goes on
with, and all characters of a token have its tag, B- only the first. An entity
continues over what belongs to no token and ends with a character that does, so it has no blanks at
its ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.contracts.example import Example, Prediction
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import TaskSpec
from pipeline.core.wording import count, verb
from pipeline.training.features import IGNORED, Features, Numbers, Ragged, cut, indices, starts_of
from pipeline.training.head import Decoder, Head, LogitNetwork, Network, mean_loss
from pipeline.training.heads.texts import (
    add_special_tokens,
    check_texts,
    example_errors,
    windows,
)
from pipeline.training.recipe import Recipe
from pipeline.training.tokens import Tokens

Scores = npt.NDArray[np.float32]
_OUTSIDE: Final = 0


class Letters(NamedTuple):
    """The characters that belong to a token, in their order.

    `example` is the number of the text, `place` the character's place in it, `token` the number of
    the token among those of all texts; `first` tells the first character of a token.
    """

    example: Numbers
    place: Numbers
    token: Numbers
    first: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Tagging(Head):
    """Token classification of the text `field` with B- and I- of every type of the spec, and O."""

    spec: TaskSpec
    recipe: Recipe
    field: str = "text"

    auto = "TokenClassification"

    @property
    def labels(self) -> tuple[str, ...]:
        return ("O", *(f"{way}-{kind}" for kind in self.spec.ids() for way in "BI"))

    def check(self, examples: Sequence[Example], *, labels: bool) -> None:
        check_texts(self.spec.task, examples, [self.field])
        for example in examples if labels else ():
            self._spans(example)

    def encode(self, examples: Sequence[Example], tokens: Tokens, *, labels: bool) -> Features:
        """Return windows of texts; `target` are tags, IGNORED where a token has no characters."""
        texts = [example.fields[self.field] for example in examples]
        encoded = tokens.encode(texts)
        ids = [example.id for example in examples]
        held = windows(encoded.ids.lengths, ids, self.recipe, taken=tokens.single.size)
        rows, types = add_special_tokens(
            tokens.single, [cut(encoded.ids, held.owners, held.begins, held.ends)]
        )
        letters = letters_of(texts, encoded.places)
        front = len(tokens.single.parts[0])
        begins = encoded.ids.starts[held.owners] + held.begins
        columns = {}
        if labels:
            spans = [self._spans(example) for example in examples]
            kinds = [span["label"] for span in chain.from_iterable(spans)]
            entities = _entities(spans, texts, letters)
            tags = self._tags(kinds, entities, letters, len(encoded.ids.values))
            columns["target"] = _spread(tags, rows, begins, held.ends - held.begins, front)
        return Features(
            owners=held.owners.astype(np.int32),
            tokens=rows,
            segments=types if tokens.has_types else None,
            columns=columns,
            beside={
                "letters": letters,
                "first": front + held.first - held.begins,
                "count": held.last - held.first,
                "token": encoded.ids.starts[held.owners] + held.first,
            },
            notes=_notes(len(texts), len(held.owners), self.recipe),
        )

    def network(self, body: Any) -> Network:
        return LogitNetwork(body, mean_loss)

    def decoder(
        self,
        features: Features,
        examples: Sequence[Example],
        tokens: Tokens,  # noqa: ARG002
    ) -> Decoder:
        return Spans(features, [example.id for example in examples], self.spec.ids())

    def _spans(self, example: Example) -> list[dict[str, Any]]:
        with example_errors(example):
            found: list[dict[str, Any]] = TASKS[self.spec.task].parse(
                example.label, example.fields, self.spec, self.spec.rounds[0]
            )
        return found

    def _tags(
        self, kinds: Sequence[str], entities: Numbers, letters: Letters, count: int
    ) -> Numbers:
        number = {kind: at for at, kind in enumerate(self.spec.ids())}
        kind = np.array([0, *(number[kind_] for kind_ in kinds)])
        heads = np.flatnonzero(letters.first)
        entity = entities[heads]
        inside = np.ones(len(heads), dtype=np.int64)
        inside[np.unique(entity, return_index=True)[1]] = 0
        tags = np.full(count, IGNORED, dtype=np.int64)
        tags[letters.token[heads]] = np.where(entity, 1 + 2 * kind[entity] + inside, _OUTSIDE)
        return tags


class Spans:
    """Collects tags of tokens, each from the window that decides it, and makes spans of them."""

    def __init__(self, features: Features, ids: Sequence[str], kinds: Sequence[str]) -> None:
        """Take the inputs, the ids of their examples, and the types in the order of the tags."""
        self._beside, self._ids, self._kinds = features.beside, ids, kinds
        count = int(np.sum(features.beside["count"]))
        self._scores = np.zeros((count, 1 + 2 * len(kinds)), dtype=np.float32)

    def take(self, rows: npt.NDArray[np.int64], outputs: Mapping[str, npt.NDArray[Any]]) -> None:
        logits = outputs["logits"]
        first, count, token = (self._beside[name][rows] for name in ("first", "count", "token"))
        flat = logits.reshape(-1, logits.shape[-1])
        wide = np.arange(len(rows)) * logits.shape[1]
        self._scores[indices(token, count)] = flat[indices(wide + first, count)]

    def predictions(self) -> list[Prediction]:
        letters: Letters = self._beside["letters"]
        tags = self._tags(letters)
        inside = (tags > _OUTSIDE) & ~(letters.first & (tags % 2 == 1))
        heads = np.flatnonzero(~inside)
        tails = np.append(heads[1:], len(tags))[: len(heads)] - 1
        spans: list[list[dict[str, Any]]] = [[] for _ in self._ids]
        for head, tail in zip(heads.tolist(), tails.tolist(), strict=True):
            if tags[head] > _OUTSIDE:
                span = {
                    "start": int(letters.place[head]),
                    "end": int(letters.place[tail]) + 1,
                    "label": self._kinds[(tags[head] - 1) // 2],
                }
                spans[letters.example[head]].append(span)
        return [Prediction(id_, entities) for id_, entities in zip(self._ids, spans, strict=True)]

    def _tags(self, letters: Letters) -> Numbers:
        """Return for each letter the tag of its token, in the best sequence of its text."""
        heads = np.flatnonzero(letters.first)
        starts = np.searchsorted(letters.example[heads], np.arange(len(self._ids) + 1))
        best = best_tags(self._scores[letters.token[heads]], starts)
        tags = np.zeros(len(self._scores), dtype=np.int64)
        tags[letters.token[heads]] = best
        return tags[letters.token]


def letters_of(texts: Sequence[str], places: Ragged) -> Letters:
    """Return the characters that belong to a token, of texts with the places of their tokens."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    begins = np.cumsum(lengths) - lengths
    starts = places.values[:, 0] + np.repeat(begins, places.lengths)
    sizes = (places.values[:, 1] - places.values[:, 0]).astype(np.int64)
    owners = np.full(int(lengths.sum()), -1, dtype=np.int64)
    # Of several values for one place the last one stays: backwards, that of the first token.
    owners[indices(starts, sizes)[::-1]] = np.repeat(np.arange(len(sizes)), sizes)[::-1]
    blank = np.fromiter(map(str.isspace, chain.from_iterable(texts)), np.bool_, len(owners))
    owned = np.flatnonzero((owners >= 0) & ~blank)
    token = owners[owned]
    example = np.repeat(np.arange(len(texts)), lengths)[owned]
    first = np.zeros(len(owned), dtype=np.bool_)
    first[np.unique(token, return_index=True)[1]] = True
    return Letters(example, owned - begins[example], token, first)


def _entities(
    spans: Sequence[Sequence[Mapping[str, Any]]], texts: Sequence[str], letters: Letters
) -> Numbers:
    """Return for each character the number of its entity, counted from 1 in all texts, or 0."""
    begins = starts_of([len(text) for text in texts])
    found = np.zeros(begins[-1], dtype=np.int64)
    every = [(begin, span) for begin, some in zip(begins, spans, strict=False) for span in some]
    for number, (begin, span) in enumerate(every, start=1):
        found[begin + span["start"] : begin + span["end"]] = number
    of: Numbers = found[begins[letters.example] + letters.place]
    return of


def _spread(tags: Numbers, rows: Ragged, begins: Numbers, counts: Numbers, front: int) -> Ragged:
    """Return the tags of the tokens of inputs, of which `front` special ones come first."""
    values = np.full(len(rows.values), IGNORED, dtype=np.int32)
    values[indices(rows.starts[:-1] + front, counts)] = tags[indices(begins, counts)]
    return Ragged(values, rows.starts)


def _notes(texts: int, inputs: int, recipe: Recipe) -> tuple[str, ...]:
    if inputs == texts:
        return ()
    return (
        f"{count(texts, 'text')} {verb(texts, 'is', 'are')} read in {inputs:,} windows of at"
        f" most {recipe.max_length} tokens that overlap by {recipe.stride}",
    )


def best_tags(scores: Scores, starts: Numbers) -> Numbers:
    """Return the tag of each token in the sequence with the largest sum of scores.

    Tags are numbered O, B-x, I-x, B-y, I-y, ...; I-x may stand only behind B-x or I-x. Without this
    rule a model that knows the type of a token better than where the entity begins gives I- after
    O, for which the metric has no entity. Source: Viterbi 1967.

    `scores` are logits, tokens x tags; row i is a sequence of its own and has the tokens from
    `starts[i]` to `starts[i + 1]`. Of equal sequences the one whose last tags are lower counts.
    """
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)]
    begins, lengths = starts[order], lengths[order]
    longest = int(lengths.max(initial=0))
    # Rows stand from long to short: so many of them have a token at each place.
    running = [int(np.searchsorted(-lengths, -place)) for place in range(longest)]
    behind = np.zeros(scores.shape, dtype=np.int8)
    total = scores[begins]
    total[:, 2::2] = -np.inf
    for place in range(1, longest):
        at = begins[: running[place]] + place
        behind[at], best = _best_before(total[: running[place]])
        total[: running[place]] = best + scores[at]
    tags = np.zeros(len(scores), dtype=np.int64)
    tags[begins + lengths - 1] = total.argmax(axis=1)
    for place in reversed(range(1, longest)):
        at = begins[: running[place]] + place
        tags[at - 1] = behind[at, tags[at]]
    return tags


def _best_before(total: Scores) -> tuple[npt.NDArray[np.int8], Scores]:
    """Return for each tag the best tag that it may stand behind, and that one's sum."""
    top = total.argmax(axis=1)
    tags = np.repeat(top[:, None], total.shape[1], axis=1)
    inside = np.arange(2, total.shape[1], 2)
    tags[:, inside] = inside - (total[:, inside - 1] >= total[:, inside])
    return tags.astype(np.int8), np.take_along_axis(total, tags, axis=1)
