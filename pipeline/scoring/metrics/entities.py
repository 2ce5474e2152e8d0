"""The metrics of typed spans of a text: F1 of whole entities, and F1 of single characters.

Both read BIO tags, one a character (`O`, `B-PS`, `I-PS`), as they are given: an `I-` that continues
no entity of its sentence (an orphan) is allowed, begins none, and belongs to none.

The two variants:

    both       klue    over the tags that `published_tags` returns: blanks do not count
               strict  over the tags of all characters
    char_f1    klue    13 classes, O among them; one that occurs nowhere counts as fully right
               strict  the 12 classes without O; those that occur in gold or predictions

In entity_f1 only orphans after a blank tell the two apart. The public code counts all sentences as
one sequence, which is the same: the O of [SEP] and [CLS] stands between any two.

Source: Section 3.4.2; the computation of the public baseline (the variant klue).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.core.errors import InputError
from pipeline.scoring.measure import Events, Ints, MacroF1, Measure, Variant, check_aligned

#: The tags of each sentence.
Tagged = Sequence[Sequence[str]]


def bio_tags(length: int, spans: Iterable[tuple[int, int, str]]) -> list[str]:
    """Return the BIO tag of each of `length` characters, of spans (start, end, type)."""
    tags = ["O"] * length
    for start, end, name in spans:
        tags[start:end] = [f"B-{name}", *[f"I-{name}"] * (end - start - 1)]
    return tags


def published_tags(text: str, tags: Sequence[str]) -> list[str]:
    """Return the tags that the public code counts: no blanks, and the O of [CLS] and [SEP].

    A file of predictions has no tag of a special token: it is taken to be O, as the gold one. Where
    the public code cuts its tokens at the maximal length, it counts fewer characters.
    """
    kept = (tag for char, tag in zip(text, tags, strict=True) if char != " ")
    return ["O", *kept, "O"]


def entity_measure(gold: Tagged, predicted: Tagged, *, types: Sequence[str]) -> Measure:
    """Return the mean over entity types of the F1 of exactly matched entities, 0 to 100.

    An entity is right if start, end and type are. The types are those that occur in gold or
    predictions; NaN without any entity. This is seqeval's macro F1 (IOB2, strict mode). Raises
    InputError for tags of other types, and for sentences of unequal lengths.
    """
    ours, theirs = _align(gold, predicted, types)
    same = (ours.codes == theirs.codes) & (_ends(ours) == _ends(theirs))
    return MacroF1(
        len(gold),
        len(types),
        right=_entities(ours).only(same[ours.begins]),
        gold=_entities(ours),
        predicted=_entities(theirs),
    )


def char_measure(
    gold: Tagged, predicted: Tagged, *, variant: Variant, types: Sequence[str]
) -> Measure:
    """Return the mean over tags of the F1 of characters, 0 to 100.

    klue averages all tags with O, those that occur nowhere at 100; strict averages the tags but O
    that occur in gold or predictions, and is NaN without any. Raises as `entity_measure` does.
    """
    ours, theirs = _align(gold, predicted, types)
    lowest = 0 if variant == "klue" else 1  # the code of O is 0
    same = ours.codes == theirs.codes
    return MacroF1(
        len(gold),
        1 + 2 * len(types),
        right=_tags(ours, lowest).only(same[ours.codes >= lowest]),
        gold=_tags(ours, lowest),
        predicted=_tags(theirs, lowest),
        absent=1.0 if variant == "klue" else None,
    )


class _Chars(NamedTuple):
    """All characters: the sentence and the tag of each. O is 0, B- and I- of type k 2k+1, 2k+2."""

    sentences: Ints
    codes: Ints

    @property
    def types(self) -> Ints:
        """Return k + 1 for tags of type k, and 0 for O."""
        return (self.codes + 1) // 2

    @property
    def begins(self) -> npt.NDArray[np.bool_]:
        marks: npt.NDArray[np.bool_] = self.codes % 2 == 1
        return marks


def _align(gold: Tagged, predicted: Tagged, types: Sequence[str]) -> tuple[_Chars, _Chars]:
    check_aligned(gold, predicted)
    for place, (tags, found_tags) in enumerate(zip(gold, predicted, strict=True), start=1):
        if len(tags) != len(found_tags):
            raise InputError(
                f"sentence {place}: {len(tags)} gold tags, {len(found_tags)} predicted; give one a"
                " character, blanks included"
            )
    return _encode(gold, types), _encode(predicted, types)


def _encode(tagged: Tagged, types: Sequence[str]) -> _Chars:
    names = ["O", *(f"{mark}-{type_}" for type_ in types for mark in "BI")]
    codes = {name: code for code, name in enumerate(names)}
    lengths = [len(tags) for tags in tagged]
    sentences = np.repeat(np.arange(len(lengths)), lengths)
    tag_codes = np.array([codes.get(tag, -1) for tags in tagged for tag in tags], np.int64)
    if (tag_codes < 0).any():
        place = sentences[np.argmax(tag_codes < 0)] + 1
        raise InputError(f"sentence {place}: an unknown tag; allowed: {', '.join(names)}")
    return _Chars(sentences, tag_codes)


def _ends(chars: _Chars) -> Ints:
    """Return, for each character, the end of the entity that begins with it, or 0."""
    inside = (chars.codes > 0) & (chars.codes % 2 == 0)
    inside[:1] = False
    inside[1:] &= chars.types[1:] == chars.types[:-1]
    inside[1:] &= chars.sentences[1:] == chars.sentences[:-1]
    stops = np.append(np.flatnonzero(~inside), len(inside))
    begins = np.flatnonzero(chars.begins)
    ends = np.zeros(len(inside), np.int64)
    ends[begins] = stops[np.searchsorted(stops, begins, side="right")]
    return ends


def _entities(chars: _Chars) -> Events:
    return Events(chars.sentences, chars.types - 1).only(chars.begins)


def _tags(chars: _Chars, lowest: int) -> Events:
    return Events(chars.sentences, chars.codes).only(chars.codes >= lowest)
