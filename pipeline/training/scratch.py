"""`scratch:SIZE`: a model initialised at random, with a tokenizer trained on the texts it reads.

The model is that of DeBERTa v2: tokens attend by their distance, and a convolution over neighbours
stands beside the first layer. What is learnt from a few thousand sentences needs both: with
absolute positions every pair of places has to be learnt by itself (on KLUE-NER, entity F1 of 33
instead of 60; docs/results/models.md).

The tokenizer cuts words into pieces (pipeline/core/wordpiece.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

import tokenizers
import transformers

from pipeline.core.fingerprint import of_value
from pipeline.core.wordpiece import (
    POSITIONS,
    SPECIAL,
    framed,
    learn_merges,
    wordpiece_tokenizer,
    words_of,
)

#: Distances that are told apart; farther ones share buckets.
BUCKETS: Final = 32
#: Characters other than Hangul that always have pieces.
USUAL: Final = 64
#: Small data is soon learnt by heart.
DROPOUT: Final = 0.2
#: Jamo, syllables and jamo of the compatibility block: first and last code points.
_HANGUL: Final = ((0x1100, 0x11FF), (0x3131, 0x318E), (0xAC00, 0xD7A3))


@dataclass(frozen=True)
class Size:
    """How large a model is; `vocabulary` is the largest number of pieces.

    Source of the sizes: Devlin et al. 2019 (base, large), Turc et al. 2019 (the smaller ones).
    """

    layers: int
    hidden: int
    heads: int
    vocabulary: int

    @property
    def digest(self) -> str:
        """Return the digest of what decides a model of this size besides its texts and seed."""
        return of_value(["scratch", asdict(self), tokenizers.__version__, transformers.__version__])


#: What may follow `scratch:`.
SIZES: Final = {
    "tiny": Size(layers=2, hidden=128, heads=2, vocabulary=8_000),
    "mini": Size(layers=4, hidden=256, heads=4, vocabulary=12_000),
    "small": Size(layers=4, hidden=512, heads=8, vocabulary=16_000),
    "base": Size(layers=12, hidden=768, heads=12, vocabulary=32_000),
    "large": Size(layers=24, hidden=1024, heads=16, vocabulary=32_000),
}


def config_of(size: Size, *, rows: int, pad: int) -> Any:
    """Return the config of a model whose vocabulary has so many rows.

    Source: He et al. 2021 (DeBERTa): attention from content to place and back, with buckets of
    distances.
    """
    config_class: Any = transformers.DebertaV2Config  # which takes more than its signature tells
    return config_class(
        vocab_size=rows,
        hidden_size=size.hidden,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        intermediate_size=4 * size.hidden,
        max_position_embeddings=POSITIONS,
        position_buckets=BUCKETS,
        relative_attention=True,
        position_biased_input=False,
        pos_att_type=["p2c", "c2p"],
        share_att_key=True,
        norm_rel_ebd="layer_norm",
        conv_kernel_size=3,
        conv_act="gelu",
        type_vocab_size=2,
        hidden_dropout_prob=DROPOUT,
        attention_probs_dropout_prob=DROPOUT,
        pooler_hidden_size=size.hidden,
        pooler_dropout=DROPOUT,
        pad_token_id=pad,
    )


def train_tokenizer(texts: Iterable[str], vocabulary: int) -> Any:
    """Return a fast tokenizer with the frames of BERT and at most so many pieces.

    Special tokens and all Hangul have pieces, if need be more than that: a word with a letter that
    has none is unknown.
    The same texts in any order, and texts given twice, make the same tokenizer. Pieces of several
    characters are those that occur at least twice.
    """
    distinct = set(texts)
    letters = _letters(distinct, vocabulary)
    words = Counter(word for text in distinct for word, _ in words_of(text))
    merges = learn_merges(words.items(), letters=letters, size=vocabulary - len(SPECIAL))
    return framed(wordpiece_tokenizer(merges.pieces))


def _letters(texts: Iterable[str], vocabulary: int) -> list[str]:
    """Return the characters that get pieces: all Hangul, then the most frequent of the rest.

    Together they take a quarter of the vocabulary, and more where Hangul leaves no room for digits
    and the other most usual ones.
    """
    counts = Counter("".join(texts))
    seen = [letter for letter in counts if not letter.isspace()]
    hangul = sum(map(_is_hangul, seen))
    limit = max(vocabulary // 4, hangul + USUAL)
    return sorted(seen, key=lambda letter: (not _is_hangul(letter), -counts[letter], letter))[
        :limit
    ]


def _is_hangul(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in _HANGUL)
