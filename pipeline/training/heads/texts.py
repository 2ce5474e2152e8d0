"""One text or a pair as the input of a model: cut to a length and framed, all rows at a time.

    [CLS] a [SEP]    or    [CLS] a [SEP] b [SEP]    or what else the tokenizer puts around texts

A single text loses its end, of a pair the longer text loses its own until both are equally long:
what transformers calls `longest_first`.

Long texts are read in windows that overlap. Windows of a text are equally long; each begins
`room - overlap` tokens after the one before, the last one ends with the text. Each token is decided
in the window in which it stands furthest from an edge: between two windows, up to the middle of
what they share in the first, then in the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipeline.contracts.example import Example
from pipeline.core.errors import InputError, RecordError
from pipeline.core.wording import count, verb
from pipeline.training.features import Features, Numbers, Ragged, cut, indices, starts_of
from pipeline.training.recipe import Recipe
from pipeline.training.tokens import Frame, Tokens

Bools = npt.NDArray[np.bool_]
#: Windows that a text may have.
MOST: Final = 64


def concatenate(columns: Sequence[Ragged]) -> Ragged:
    """Return rows that are the rows of all columns, one after another."""
    lengths = [column.lengths for column in columns]
    starts = starts_of(np.sum(lengths, axis=0))
    values = np.empty(int(starts[-1]), dtype=np.int32)
    begin = starts[:-1].copy()
    for column, long in zip(columns, lengths, strict=True):
        values[indices(begin, long)] = column.values
        begin += long
    return Ragged(values, starts)


def truncate(texts: Sequence[Ragged], room: int) -> tuple[list[Ragged], Bools]:
    """Return one text or two, together at most `room` tokens a row, and which rows were cut."""
    lengths = [text.lengths for text in texts]
    kept = (
        [np.minimum(lengths[0], room)]
        if len(texts) == 1
        else _longest_first(lengths[0], lengths[1], room)
    )
    lost: Bools = np.sum(lengths, axis=0) > room
    rows = np.arange(len(lost))
    return [cut(text, rows, 0, long) for text, long in zip(texts, kept, strict=True)], lost


def add_special_tokens(frame: Frame, texts: Sequence[Ragged]) -> tuple[Ragged, Ragged]:
    """Return token ids and token types of texts with their special tokens around them."""
    count = len(texts[0])
    ids, types = [], []
    for place, around in enumerate(frame.parts):
        ids.append(_same(around, count))
        types.append(_same(frame.types[place], count))
        if place < len(texts):
            ids.append(texts[place])
            inside = np.full(len(texts[place].values), frame.inside[place], dtype=np.int32)
            types.append(Ragged(inside, texts[place].starts))
    return concatenate(ids), concatenate(types)


def inputs(
    texts: Sequence[Ragged],
    tokens: Tokens,
    *,
    lost: Bools,
    length: int,
    columns: Mapping[str, npt.NDArray[Any]],
) -> Features:
    """Return one input an example: its texts, which fit, in the frame of the tokenizer.

    `lost` tells the examples of which something was left out to make them fit into `length` tokens.
    """
    ids, types = add_special_tokens(tokens.single if len(texts) == 1 else tokens.pair, texts)
    return Features(
        owners=np.arange(len(ids), dtype=np.int32),
        tokens=ids,
        segments=types if tokens.has_types else None,
        columns=columns,
        notes=_notes(lost, length),
    )


def check_texts(task: str, examples: Sequence[Example], names: Sequence[str]) -> None:
    """Raise InputError where a field that must be a text is none, or blank."""
    for name in names:
        blank = [(example.id, "") for example in examples if not _says(example.fields.get(name))]
        refuse(
            task,
            blank,
            len(examples),
            what=f"have no text in `{name}`",
            remedy="give them one or leave the examples out",
        )


@contextmanager
def example_errors(example: Example) -> Iterator[None]:
    """Turn the fault of an answer into an error that names the example."""
    try:
        yield
    except RecordError as error:
        raise InputError(
            f"{example.id}: label: {error.reason}; correct it or leave the example out"
        ) from None


def refuse(
    task: str, faulty: Sequence[tuple[str, str]], examples: int, *, what: str, remedy: str
) -> None:
    """Raise InputError if any of `examples` examples is faulty, by their ids and what each has."""
    if faulty:
        name, has = faulty[0]
        first = f"{name} ({has})" if has else name
        raise InputError(
            f"{task}: {len(faulty)} of {examples} examples {what}, the first is {first}; {remedy}"
        )


def _says(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _longest_first(first: Numbers, second: Numbers, room: int) -> list[Numbers]:
    """Return how long both texts may be; of an odd number the longer, or the second, has more."""
    less = np.minimum(np.minimum(first, second), room // 2)
    more = np.minimum(np.maximum(first, second), room - less)
    return [np.where(first > second, more, less), np.where(first > second, less, more)]


def _same(ids: Sequence[int], rows: int) -> Ragged:
    values = np.tile(np.array(ids, dtype=np.int32), rows)
    return Ragged(values, np.arange(rows + 1, dtype=np.int64) * len(ids))


def _notes(lost: Bools, length: int) -> tuple[str, ...]:
    cut = int(lost.sum())
    if not cut:
        return ()
    were = verb(cut, "was", "were")
    return (f"{cut:,} of {count(len(lost), 'text')} {were} cut at {length} tokens",)


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
    places = np.flatnonzero(counts > MOST)
    if len(places):
        at = int(places[0])
        raise InputError(
            f"{ids[at]}: a text of {lengths[at]} tokens makes {counts[at]} windows of at most"
            f" {recipe.max_length} tokens that overlap by {recipe.stride}; {MOST} are allowed;"
            " split the text, or raise max_length or lower stride in the recipe"
        )
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
