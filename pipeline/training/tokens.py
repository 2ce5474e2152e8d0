"""Any tokenizer behind one small interface: token ids, their places in the text, special tokens.

Places are code points of the text as given, whatever the tokenizer makes of it (lower case, NFKC,
an unknown word): they come from the tokenizer's own offsets and never from its strings. A tokenizer
that tells no places is given one character at a time where places are needed.

No text can become a special token: `[SEP]` that somebody wrote is five letters. Nor does it count
that a tokenizer was saved with a length at which it cuts, or to which it fills up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from pipeline.core.errors import InputError
from pipeline.training.features import Ragged, ragged

#: Texts that are with the tokenizer at a time.
_HELD: Final = 4_096
#: Texts of which a tokenizer knows at least one.
_PROBES: Final = ("a", "가", "1", ".")


class Encoded(NamedTuple):
    """Token ids of texts, without special tokens, and the two ends of each token in its text."""

    ids: Ragged
    places: Ragged


class Frame(NamedTuple):
    """The special tokens around one text, or around and between two, with their token types.

    `parts` are the ids before, between and after the texts, `types` the token type of each part's
    tokens, `inside` that of the tokens of each text.
    """

    parts: tuple[tuple[int, ...], ...]
    types: tuple[tuple[int, ...], ...]
    inside: tuple[int, ...]

    @property
    def size(self) -> int:
        return sum(map(len, self.parts))


@dataclass(frozen=True, eq=False)
class Tokens:
    """A tokenizer of transformers."""

    tokenizer: Any

    def ids(self, texts: Sequence[str]) -> Ragged:
        return ragged(self._ids(texts))

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return token ids and places (start, end) of texts, without special tokens."""
        if self.fast is None:
            return self._by_character(texts)
        ids: list[list[int]] = []
        places: list[list[tuple[int, int]]] = []
        for held in _parts(texts):
            for encoding in self._library().encode_batch(held, add_special_tokens=False):
                ids.append(encoding.ids)
                places.append(encoding.offsets)
        return Encoded(ragged(ids), _pairs(places))

    def text(self, ids: Iterable[int]) -> str:
        """Return the text of token ids, without special tokens, as the tokenizer writes it."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True)).strip()

    @property
    def fast(self) -> Any:
        """Return the library's own tokenizer, or None where there is none."""
        return getattr(self.tokenizer, "backend_tokenizer", None)

    @property
    def pad(self) -> int:
        return int(self.tokenizer.pad_token_id)

    @property
    def has_types(self) -> bool:
        return "token_type_ids" in self.tokenizer.model_input_names

    @cached_property
    def single(self) -> Frame:
        """Return the frame of one text: [CLS] a [SEP]."""
        return self._frame(1)

    @cached_property
    def pair(self) -> Frame:
        """Return the frame of two texts: [CLS] a [SEP] b [SEP]."""
        return self._frame(2)

    def add(self, markers: Sequence[str]) -> int:
        """Add special tokens to those there are; return how many the vocabulary lacked."""
        named = {"extra_special_tokens": list(markers)}
        return int(self.tokenizer.add_special_tokens(named, replace_extra_special_tokens=False))

    def _library(self) -> Any:
        """Return the library's own tokenizer, whatever was set in it before.

        It neither cuts nor fills up, and reads special tokens in a text as letters.
        """
        tokenizer = self.fast
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True
        return tokenizer

    def _ids(self, texts: Sequence[str]) -> Iterable[list[int]]:
        for held in _parts(texts):
            if self.fast is None:
                encoded = self.tokenizer(held, add_special_tokens=False, split_special_tokens=True)
                yield from encoded["input_ids"]
            else:
                encoded = self._library().encode_batch_fast(held, add_special_tokens=False)
                yield from (encoding.ids for encoding in encoded)

    @cached_property
    def _probe(self) -> tuple[str, tuple[int, ...]]:
        for text, ids in zip(_PROBES, self._ids(_PROBES), strict=True):
            if ids:
                return text, tuple(ids)
        raise InputError("the tokenizer has no token for any of `a`, `가`, `1` and `.`: not usable")

    def _by_character(self, texts: Sequence[str]) -> Encoded:
        ids: list[list[int]] = []
        places: list[list[tuple[int, int]]] = []
        for text in texts:
            letters = [(at, letter) for at, letter in enumerate(text) if not letter.isspace()]
            token_ids = self._ids([letter for _, letter in letters])
            parts = [
                (at, token)
                for (at, _), some in zip(letters, token_ids, strict=True)
                for token in some
            ]
            ids.append([token for _, token in parts])
            places.append([(at, at + 1) for at, _ in parts])
        return Encoded(ragged(ids), _pairs(places))

    def _frame(self, count: int) -> Frame:
        """Find the special tokens by having so many texts tokenised with and without them."""
        text, probe = self._probe
        probes = [probe] * count
        encoded = self.tokenizer(*[text] * count, return_token_type_ids=True)
        ids, types = tuple(encoded["input_ids"]), tuple(encoded["token_type_ids"])
        parts, part_types, inside, at = [], [], [], 0
        for probe_ids in probes:
            start = _find(ids, probe_ids, at)
            parts.append(ids[at:start])
            part_types.append(types[at:start])
            inside.append(types[start])
            at = start + len(probe_ids)
        return Frame((*parts, ids[at:]), (*part_types, types[at:]), tuple(inside))


def _parts(texts: Sequence[str]) -> Iterable[list[str]]:
    for begin in range(0, len(texts), _HELD):
        yield list(texts[begin : begin + _HELD])


def _pairs(places: list[list[tuple[int, int]]]) -> Ragged:
    rows = ragged(places)
    return Ragged(rows.values.reshape(-1, 2), rows.starts)


def _find(ids: tuple[int, ...], part: tuple[int, ...], start: int) -> int:
    size = len(part)
    return next(i for i in range(start, len(ids)) if ids[i : i + size] == part)
