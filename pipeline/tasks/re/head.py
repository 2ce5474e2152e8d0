"""Relation extraction (RE, Sections 3.5 and 5.2): the relation of two marked entities.

    [CLS] <subj> 이순신 </subj> 은 <obj> 조선 </obj> 의 장군이다 . [SEP]

The sentence is split at the ends of the entities, and the markers are put between the token ids of
its pieces. So an entity may begin or end the sentence, touch, hold or overlap the other one, and a
marker that somebody wrote in a sentence is letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pipeline.contracts.example import Example
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import mask
from pipeline.core.errors import InputError
from pipeline.training.features import Numbers, Ragged, starts_of
from pipeline.training.head import Head
from pipeline.training.heads.texts import Bools, concatenate, refuse
from pipeline.training.heads.whole import Classes
from pipeline.training.recipe import Recipe
from pipeline.training.tokens import Tokens

ENTITIES: Final = ("subject", "object")
#: Around the subject and around the object.
MARKERS: Final = ("<subj>", "</subj>", "<obj>", "</obj>")
#: Of the four markers: which open; the other of the pair; and who is first where all else is equal.
_OPENS: Final = (1, 0, 1, 0)
_PARTNER: Final = (1, 0, 3, 2)
_RANK: Final = (0, 1, 1, 0)


def head(spec: TaskSpec, recipe: Recipe, train: Sequence[Example]) -> Head:  # noqa: ARG001
    """Return the relations of the spec, with their probabilities, for the marked sentence."""
    return Relations(
        "re", spec.ids(), ("sentence",), recipe.max_length, MARKERS, probabilities=True
    )


@dataclass(frozen=True)
class Relations(Classes):
    """A relation for a sentence with its entities marked."""

    def check(self, examples: Sequence[Example], *, labels: bool) -> None:
        """Raise InputError as for other classes, and for an entity that is not at its place."""
        super().check(examples, labels=labels)
        for side in ENTITIES:
            faults = [(example.id, _fault(example.fields, side)) for example in examples]
            refuse(
                self.task,
                [(name, fault) for name, fault in faults if fault],
                len(examples),
                what=f"have a wrong `{side}`",
                remedy="offsets count characters from 0, the end exclusive",
            )

    def rows(self, examples: Sequence[Example], tokens: Tokens) -> tuple[list[Ragged], Bools]:
        """Return the marked sentences; too long ones keep both entities and what is next to them.

        Raises InputError where entities and markers alone are too long.
        """
        marked, places = _mark_entities(examples, tokens, self._marker_ids(tokens))
        room = self.length - tokens.single.size
        lost: Bools = marked.lengths > room
        keep = np.ones(len(marked.values), dtype=np.bool_)
        for row in np.flatnonzero(lost).tolist():
            inside = _select_tokens(len(marked[row]), places[row], room)
            if inside is None:
                raise InputError(
                    f"{self.task}: {examples[row].id}: the marked sentence has {len(marked[row])}"
                    " tokens, of which its entities alone do not fit into max_length"
                    f" {self.length}; give a larger max_length or leave the example out"
                )
            keep[marked.starts[row] : marked.starts[row + 1]] = inside
        return [Ragged(marked.values[keep], starts_of(np.minimum(marked.lengths, room)))], lost

    def _marker_ids(self, tokens: Tokens) -> Numbers:
        """Return the token ids of the markers; raises InputError where the vocabulary lacks one."""
        known = tokens.tokenizer.get_vocab()
        if lacking := [marker for marker in self.markers if marker not in known]:
            raise InputError(
                f"{self.task}: the tokenizer lacks {' '.join(lacking)}: it is that of a model for"
                " another task"
            )
        return np.array([known[marker] for marker in self.markers], dtype=np.int64)


def _mark_entities(
    examples: Sequence[Example], tokens: Tokens, markers: Numbers
) -> tuple[Ragged, Numbers]:
    """Return token ids of marked sentences, and where the four markers are (sentences x 4)."""
    entities = [example.fields[side] for example in examples for side in ENTITIES]
    offsets = [entity[end] for entity in entities for end in ("start", "end")]
    spans = np.array(offsets, dtype=np.int64).reshape(-1, len(MARKERS))
    order = _order(spans)
    sentences = [example.fields["sentence"] for example in examples]
    ends = list(map(len, sentences))
    edges = [[0] * len(ends), *np.take_along_axis(spans, order, axis=1).T.tolist(), ends]
    single = np.arange(len(ends) + 1, dtype=np.int64)
    columns = [_pieces(sentences, edges[0], edges[1], tokens)]
    for number in range(len(markers)):
        columns.append(Ragged(markers[order[:, number]], single))
        columns.append(_pieces(sentences, edges[number + 1], edges[number + 2], tokens))
    in_order = np.cumsum([column.lengths for column in columns], axis=0)[:-1:2].T
    places = np.empty_like(order)
    np.put_along_axis(places, order, in_order, axis=1)
    return concatenate(columns), places


def _pieces(
    sentences: Sequence[str], begins: Sequence[int], ends: Sequence[int], tokens: Tokens
) -> Ragged:
    pieces = zip(sentences, begins, ends, strict=True)
    return tokens.ids([sentence[begin:end] for sentence, begin, end in pieces])


def _order(spans: Numbers) -> Numbers:
    """Return the order of the four markers in each sentence, so that markers nest where they can.

    At one place closing ones come first; of two that open, that of the longer entity; of two that
    close, that of the later start. The same entity twice: the object is inside.
    """
    # np.lexsort sorts by its last key first: place, then opening, then the other end, then rank.
    keys = (_RANK, -spans[:, _PARTNER], _OPENS, spans)
    return np.lexsort([np.broadcast_to(key, spans.shape) for key in keys], axis=1)


def _select_tokens(length: int, places: Numbers, room: int) -> Bools | None:
    """Return which tokens of a sentence stay when `room` may; None where that is too few.

    First come the entities with their markers, then what is between them, then what is around, each
    time the nearest to an entity first, of two equally near the left one.
    """
    at = np.arange(length)
    opens, closes = places[[0, 2], None], places[[1, 3], None]
    away = np.maximum(np.maximum(opens - at, at - closes), 0).min(axis=0)
    if np.count_nonzero(away == 0) > room:
        return None
    around = (at < opens.min()) | (at > closes.max())
    inside: Bools = np.zeros(length, dtype=np.bool_)
    inside[np.lexsort((at, away, around))[:room]] = True
    return inside


def _fault(fields: Mapping[str, Any], side: str) -> str:
    sentence, entity = fields["sentence"], fields.get(side)
    if not isinstance(entity, Mapping):
        return f"it is {mask(entity)}, not an object with `start`, `end` and `word`"
    start, end = entity.get("start"), entity.get("end")
    if type(start) is not int or type(end) is not int:
        return f"it runs from {mask(start)} to {mask(end)}, not between whole numbers"
    if not 0 <= start < end <= len(sentence):
        return f"it runs from {start} to {end} in a sentence of {len(sentence)} characters"
    if entity.get("word") != sentence[start:end]:
        return f"its `word` is not what the sentence has from {start} to {end}"
    return ""
