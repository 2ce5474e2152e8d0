"""Words by the places of tokens, for tokenizers that write their pieces in different ways."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_text import documents, sentence
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from pipeline.training.pretraining.whole_words import word_starts
from pipeline.training.scratch import train_tokenizer
from pipeline.training.tokens import Tokens

TEXTS = [sentence(str(i)) for i in range(60)]


def byte_level() -> Tokens:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.train_from_iterator(
        TEXTS,
        trainers.BpeTrainer(
            vocab_size=400,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    return Tokens(PreTrainedTokenizerFast(tokenizer_object=made))


def unigram() -> Tokens:
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.train_from_iterator(
        TEXTS,
        trainers.UnigramTrainer(
            vocab_size=150, unk_token="<unk>", special_tokens=["<unk>"], show_progress=False
        ),
    )
    return Tokens(PreTrainedTokenizerFast(tokenizer_object=made, unk_token="<unk>"))


def word_piece() -> Tokens:
    return Tokens(train_tokenizer([line for text in documents(20) for line in text], 200))


@pytest.mark.parametrize("make", [word_piece, byte_level, unigram])
def test_every_word_begins_once(make: object) -> None:
    tokens = make()  # type: ignore[operator]
    encoded = tokens.encode(TEXTS)
    starts = word_starts(TEXTS, encoded.places)
    for row, text in enumerate(TEXTS):
        begin, end = encoded.ids.starts[row : row + 2]
        assert int(starts[begin:end].sum()) == len(text.split())
        assert end - begin > len(text.split())  # some words are of several tokens
        pieces = np.split(np.arange(begin, end), np.flatnonzero(starts[begin:end])[1:])
        found = [
            text[encoded.places.values[some[0], 0] : encoded.places.values[some[-1], 1]].strip()
            for some in pieces
        ]
        assert found == text.split()


ODD = st.text(st.sampled_from("가힣 \t\u3000ab.,👍🏽e\u0301\x00"), max_size=20)


@given(st.lists(ODD, min_size=1, max_size=4))
def test_odd_texts(texts: list[str]) -> None:
    """White space never divides a token's word, and no text has more words than it has."""
    for tokens in (WORD_PIECE, BYTE_LEVEL):
        encoded = tokens.encode(texts)
        starts = word_starts(texts, encoded.places)
        assert len(starts) == len(encoded.ids.values)
        for row, text in enumerate(texts):
            begin, end = encoded.ids.starts[row : row + 2]
            assert int(starts[begin:end].sum()) <= max(1, len(text.split()))
            assert begin == end or starts[begin]


WORD_PIECE, BYTE_LEVEL = word_piece(), byte_level()
