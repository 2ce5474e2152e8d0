"""Sentences given as words: the first and last token of every word, and its parts of speech.

Words are tokenised one by one, each with the blank before it that it has in a sentence, and not
found again in the text: a text may differ from its words (a spreadsheet wrote 0.90% for 0.9%), a
tokenizer need not tell places, and no token can belong to two words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from pipeline.training.features import Ragged, starts_of
from pipeline.training.heads.texts import add_special_tokens
from pipeline.training.tokens import Tokens

#: How many parts of speech of a word are read, from its front and from its end: a predicate shows
#: what it is in front, a particle, an ending or a comma at the end.
_FRONT: Final = 2
_END: Final = 3
TAGS: Final = _FRONT + _END
#: What stands for no part of speech, and for one out of the inventory, whose numbers follow.
NO_TAG: Final = 0
UNKNOWN: Final = 1


class Worded(NamedTuple):
    """Token ids of sentences with special tokens, token types, and where words begin and end.

    `first` and `last` hold one number a word: the place of a token among those of the sentence.
    """

    tokens: Ragged
    types: Ragged
    first: Ragged
    last: Ragged


def worded(sentences: Sequence[Sequence[str]], tokens: Tokens) -> Worded:
    """Tokenise sentences word by word; a word that the tokenizer drops is an unknown one."""
    texts = [" " * (place > 0) + word for words in sentences for place, word in enumerate(words)]
    parts = _filled(tokens.ids(texts), _unknown(tokens))
    words = starts_of([len(sentence) for sentence in sentences])
    whole = Ragged(parts.values, parts.starts[words])
    ids, types = add_special_tokens(tokens.single, [whole])
    before = len(tokens.single.parts[0])
    first = before + parts.starts[:-1] - np.repeat(whole.starts[:-1], np.diff(words))
    return Worded(
        ids,
        types,
        Ragged(first.astype(np.int32), words),
        Ragged((first + parts.lengths - 1).astype(np.int32), words),
    )


def tagged(sentences: Sequence[Sequence[str]], inventory: Sequence[str]) -> Ragged:
    """Return the numbers of the first two and of the last three tags of every word.

    The tags of a word are one text, `NNG+JKS`, or "" for none; in shorter words a tag stands twice.
    """
    number = {"": NO_TAG, **{tag: at for at, tag in enumerate(inventory, start=UNKNOWN + 1)}}
    words = list(chain.from_iterable(sentences))
    ends = {text: _ends([number.get(tag, UNKNOWN) for tag in text.split("+")]) for text in words}
    values = np.array([ends[text] for text in words], dtype=np.int32).reshape(-1, TAGS)
    return Ragged(values, starts_of([len(sentence) for sentence in sentences]))


def _ends(tags: list[int]) -> list[int]:
    return [*[*tags[:_FRONT], *[NO_TAG] * _FRONT][:_FRONT], *[*[NO_TAG] * _END, *tags][-_END:]]


def _filled(parts: Ragged, unknown: int) -> Ragged:
    """Give rows without any value one."""
    empty = parts.lengths == 0
    values = np.insert(parts.values, parts.starts[:-1][empty], unknown)
    return Ragged(values, parts.starts + starts_of(empty))


def _unknown(tokens: Tokens) -> int:
    """Return the id of an unknown word, or the one that fills up where there is none."""
    found = tokens.tokenizer.unk_token_id
    return tokens.pad if found is None else int(found)
