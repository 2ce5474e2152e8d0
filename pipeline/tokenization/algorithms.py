"""Counted words to tokenizers: WordPiece, BPE and unigram, each with the same letters."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from pipeline.core.checkpoint import library
from pipeline.core.wordpiece import (
    INNER,
    SPECIAL,
    Symbols,
    is_inner,
    learn_merges,
    numbered,
    of_words,
    wordpiece_tokenizer,
)

#: Words and how often they occur; INNER before one says that it continues a word.
Words = Mapping[str, int]
#: Words, letters and the number of pieces to a tokenizer without frames.
Algorithm = Callable[[Words, Sequence[str], int], Tokenizer]
#: What a unigram piece that begins a word has before it.
BEGIN: Final = "▁"


def wordpiece(words: Words, letters: Sequence[str], size: int) -> Tokenizer:
    """Learn pairs by frequency, and read a word by its longest known beginning, again and again.

    Source: Wu et al. 2016 for reading; pairs are learnt as in BPE, as the library and KLUE do.
    """
    merges = learn_merges(words.items(), letters=letters, size=size - len(SPECIAL))
    return wordpiece_tokenizer(merges.pieces)


def bpe(words: Words, letters: Sequence[str], size: int) -> Tokenizer:
    """Learn pairs by frequency, and join them in a word in the order in which they were learnt.

    Source: Sennrich et al. 2016.
    """
    merges = learn_merges(words.items(), letters=letters, size=size - len(SPECIAL))
    model = models.BPE(
        numbered(merges.pieces), merges.pairs, unk_token="[UNK]", continuing_subword_prefix=INNER
    )
    return of_words(Tokenizer(model))


def unigram(words: Words, letters: Sequence[str], size: int) -> Tokenizer:
    """Learn how probable pieces are, and read a word as its most probable pieces.

    Trained by sentencepiece in one thread: the trainer of tokenizers adds up numbers in the order
    of a hash table that differs in every run. Source: Kudo 2018.
    """
    symbols, encoded = Symbols(letters), Counter[str]()
    for word, count in words.items():
        encoded[symbols.encode(word)] += count
    del encoded[""]
    unseen = set(symbols.alphabet) - {symbol for word in encoded for symbol in word}
    room = size - len(SPECIAL) - len(unseen)  # less BEGIN itself, and more what is unknown there
    scores = _unigram_scores(encoded, room)
    least = min(scores.values())
    learnt = {_begun(symbols.decode(piece)): score for piece, score in scores.items()}
    others = [BEGIN, *(_begun(symbols.decode(symbol)) for symbol in sorted(unseen))]
    pieces = [(token, 0.0) for token in SPECIAL]
    pieces += [*learnt.items(), *((piece, least) for piece in others)]
    tokenizer = Tokenizer(models.Unigram(pieces, SPECIAL.index("[UNK]")))
    begin = pre_tokenizers.Metaspace(BEGIN, prepend_scheme="always", split=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.BertPreTokenizer(), begin])
    tokenizer.decoder = decoders.Metaspace(BEGIN, prepend_scheme="always")
    return tokenizer


def _unigram_scores(words: Mapping[str, int], size: int) -> dict[str, float]:
    """Return pieces in symbols with the logarithms of their probabilities; one is sentencepiece's
    own for what is unknown, and left out."""
    spm: Any = library("sentencepiece")
    model = io.BytesIO()
    spm.SentencePieceTrainer.train(
        sentence_iterator=(f"{word}\t{count}" for word, count in sorted(words.items())),
        input_format="tsv",
        model_writer=model,
        model_type="unigram",
        vocab_size=size,
        hard_vocab_limit=False,
        character_coverage=1.0,
        normalization_rule_name="identity",
        add_dummy_prefix=False,
        remove_extra_whitespaces=False,
        split_by_unicode_script=False,
        split_by_number=False,
        bos_id=-1,
        eos_id=-1,
        num_threads=1,
        minloglevel=2,
    )
    trained = spm.SentencePieceProcessor(model_proto=model.getvalue())
    numbers = range(trained.unk_id() + 1, trained.get_piece_size())
    return {trained.id_to_piece(number): trained.get_score(number) for number in numbers}


def _begun(piece: str) -> str:
    return piece.removeprefix(INNER) if is_inner(piece) else BEGIN + piece


ALGORITHMS: Final[Mapping[str, Algorithm]] = {
    "wordpiece": wordpiece,
    "bpe": bpe,
    "unigram": unigram,
}
