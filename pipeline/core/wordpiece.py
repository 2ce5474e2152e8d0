"""Word pieces: merges learnt from counted words, and tokenizers that need nothing but themselves.

A word is what lies between blanks, with each mark of punctuation by itself. A tokenizer does not
rewrite a text: the library's normal forms tell wrong places (of a syllable written with three
conjoining jamo they name one), and a letter that was not seen is unknown in any form. Each letter
has a piece for the beginning of a word and one for the rest, so that a new combination of known
letters does not make a whole word unknown.

The trainer of the library numbers pieces as its hash tables come, and the numbers settle ties: two
runs over the same texts give different vocabularies. Here a word is handed to it in symbols, one
character for each of the two pieces of a letter, which it numbers in their order; then nothing is
left to chance: not runs, threads, or the order of texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

#: Special tokens, in the order of their ids.
SPECIAL: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
#: What a piece that does not begin a word has before it; `#` in a text is a word by itself.
INNER: Final = "##"
#: The longest input in tokens.
POSITIONS: Final = 512
#: Pieces of several letters occur at least so often.
MIN_FREQUENCY: Final = 2
#: The first symbol: from here on no code point is a blank.
_FIRST: Final = 0x10000
#: Times that a word is repeated in one line for the trainer.
_HELD: Final = 10_000
_WORDS: Final = pre_tokenizers.BertPreTokenizer()


class Merges(NamedTuple):
    """Pieces in the order of their ids, without special tokens, and the pairs that were joined."""

    pieces: list[str]
    pairs: list[tuple[str, str]]


class Symbols:
    """Words in symbols: one character for each of the two pieces of a letter."""

    def __init__(self, letters: Sequence[str]) -> None:
        self.pieces = [*letters, *(INNER + letter for letter in letters)]
        first, inner = range(_FIRST, 2**20), range(_FIRST + len(letters), 2**20)
        self._first = dict(zip(letters, map(chr, first), strict=False))
        self._inner = dict(zip(letters, map(chr, inner), strict=False))

    @property
    def alphabet(self) -> list[str]:
        return [*self._first.values(), *self._inner.values()]

    def encode(self, word: str) -> str:
        """Return a word in symbols, without its other letters; INNER before it continues a word."""
        begin, rest = ("", word.removeprefix(INNER)) if is_inner(word) else (word[:1], word[1:])
        known = self._inner
        return self._first.get(begin, "") + "".join(known[x] for x in rest if x in known)

    def decode(self, symbols: str) -> str:
        """Return the piece that symbols stand for."""
        parts = [self.pieces[ord(symbol) - _FIRST] for symbol in symbols]
        return parts[0] + "".join(part.removeprefix(INNER) for part in parts[1:])


def is_inner(word: str) -> bool:
    """Return whether a counted word or a piece continues a word."""
    return word.startswith(INNER) and len(word) > len(INNER)


def words_of(text: str) -> list[tuple[str, tuple[int, int]]]:
    """Return the words of a text with their places in code points."""
    words: list[tuple[str, tuple[int, int]]] = _WORDS.pre_tokenize_str(text)
    return words


def learn_merges(counts: Iterable[tuple[str, int]], *, letters: Sequence[str], size: int) -> Merges:
    """Join pairs of pieces, the most frequent first, until there are `size` of them.

    `counts` are words and how often they occur, in any order; a word with INNER before it continues
    another one. Both pieces of all `letters` are there, if need be more than `size`.
    """
    symbols = Symbols(letters)
    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trained.train_from_iterator(
        _lines(counts, symbols),
        trainers.BpeTrainer(
            vocab_size=max(0, size),
            min_frequency=MIN_FREQUENCY,
            initial_alphabet=symbols.alphabet,
            limit_alphabet=len(symbols.alphabet),
            show_progress=False,
        ),
    )
    model = json.loads(trained.to_str())["model"]
    pieces = sorted(model["vocab"], key=lambda piece: model["vocab"][piece])
    pairs = [(symbols.decode(left), symbols.decode(right)) for left, right in model["merges"]]
    return Merges([symbols.decode(piece) for piece in pieces], pairs)


def _lines(counts: Iterable[tuple[str, int]], symbols: Symbols) -> Iterator[str]:
    """Yield each word as often as it occurs: the trainer takes texts, and counts by itself."""
    for word, count in counts:
        if encoded := symbols.encode(word):
            for begin in range(0, count, _HELD):
                yield " ".join([encoded] * min(_HELD, count - begin))


def numbered(pieces: Iterable[str]) -> dict[str, int]:
    """Return the ids of special tokens and pieces."""
    return {piece: number for number, piece in enumerate([*SPECIAL, *pieces])}


def wordpiece_tokenizer(pieces: Iterable[str]) -> Tokenizer:
    """Return the tokenizer that takes the longest piece first."""
    model = models.WordPiece(numbered(pieces), unk_token="[UNK]", continuing_subword_prefix=INNER)
    return of_words(Tokenizer(model))


def of_words(tokenizer: Tokenizer) -> Tokenizer:
    """Have a tokenizer read the words of a text one by one, and write pieces as a text again."""
    tokenizer.pre_tokenizer = _WORDS
    tokenizer.decoder = decoders.WordPiece(prefix=INNER)
    return tokenizer


def framed(tokenizer: Tokenizer) -> Any:
    """Return a tokenizer of transformers with the frames of BERT; its ids begin with SPECIAL."""
    ids = {token: number for number, token in enumerate(SPECIAL)}
    tokenizer.post_processor = processors.BertProcessing(
        ("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"])
    )
    # The general class: that of BERT would put its own normal forms in again when it is loaded.
    general: Any = transformers.PreTrainedTokenizerFast
    return general(
        tokenizer_object=tokenizer,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        model_max_length=POSITIONS,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )
