"""Long texts in windows that overlap, and in which window a token is decided.

Windows of a text are equally long; each begins `room - overlap` tokens after the one before, the
last one ends with the text. Each token is decided in the window in which it stands furthest from
an edge: between two windows, up to the middle of what they share in the first, then in the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pipeline.core.errors import InputError
from pipeline.training.features import Numbers, indices
from pipeline.training.recipe import Recipe

#: Windows that a text may have.
MOST: Final = 64


@dataclass(frozen=True)
class Windows:
    """Where windows lie, in tokens of their text, ends exclusive; owners do not fall.

    `begins` and `ends` say what a window holds, `first` and `last` what it decides.
    """

    owners: Numbers
    begins: Numbers
    ends: Numbers
    first: Numbers
    last: Numbers


def windows(
    lengths: Numbers, ids: Sequence[str], recipe: Recipe, *, taken: Numbers | int
) -> Windows:
    """Return the windows of texts of so many tokens.

    `taken` tokens of an input are no text (one number, or one a text). Raises InputError that names
    a text that needs windows where these cannot move on, or more than 64 of them.
    """
    room = np.broadcast_to(recipe.max_length - np.asarray(taken), lengths.shape)
    longer = np.flatnonzero(lengths > room)
    if len(longer):
        taken_most = recipe.max_length - int(room[longer].min())
        check_room(recipe, taken_most, f"{ids[longer[0]]}: {lengths[longer[0]]} tokens: ")
    steps = np.maximum(room - recipe.stride, 1)
    counts = 1 + -(-np.maximum(lengths - room, 0) // steps)
    _check_most(counts, lengths, ids, recipe)
    owners = np.repeat(np.arange(len(lengths)), counts)
    numbers = indices(np.zeros(len(counts), dtype=np.int64), counts)
    begins = np.minimum(numbers * steps[owners], np.maximum(lengths - room, 0)[owners])
    ends = np.minimum(begins + room[owners], lengths[owners])
    first, last, follows = begins.copy(), ends.copy(), np.flatnonzero(numbers)
    first[follows] = last[follows - 1] = (ends[follows - 1] + begins[follows] + 1) // 2
    return Windows(owners, begins, ends, first, last)


def check_room(recipe: Recipe, taken: int, where: str = "") -> None:
    """Raise InputError where windows could not move on, with `taken` tokens that are no text."""
    room = recipe.max_length - taken
    if room <= recipe.stride:
        raise InputError(
            f"{where}max_length {recipe.max_length} leaves {max(0, room)} tokens for a text beside"
            f" {taken} others (special tokens, question_length), and windows overlap by stride"
            f" {recipe.stride}: they would not move on; in the recipe, raise max_length above"
            f" {taken + recipe.stride}" + (f", or lower stride below {room}" if room > 1 else "")
        )


def _check_most(counts: Numbers, lengths: Numbers, ids: Sequence[str], recipe: Recipe) -> None:
    many = np.flatnonzero(counts > MOST)
    if len(many):
        at = int(many[0])
        raise InputError(
            f"{ids[at]}: a text of {lengths[at]} tokens makes {counts[at]} windows of at most"
            f" {recipe.max_length} tokens that overlap by {recipe.stride}; {MOST} are allowed;"
            " split the text, or raise max_length or lower stride in the recipe"
        )
