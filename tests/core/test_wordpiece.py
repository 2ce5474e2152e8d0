"""Merges against a trainer written out in full, and the symbols that words are handed over in."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.wordpiece import (
    INNER,
    SPECIAL,
    Symbols,
    framed,
    is_inner,
    learn_merges,
    wordpiece_tokenizer,
    words_of,
)

LETTERS = list("가나다은는a")
WORDS = st.text(LETTERS, min_size=1, max_size=6)


def _parts(word: str) -> list[str]:
    letters = word.removeprefix(INNER)
    return [
        letter if not n and not is_inner(word) else INNER + letter
        for n, letter in enumerate(letters)
    ]


def _reference(counts: dict[str, int], size: int) -> list[str]:
    """Join the most frequent pair, of equals that of the lower ids, until nothing occurs twice."""
    pieces = [*LETTERS, *(INNER + letter for letter in LETTERS)]
    words = {word: _parts(word) for word in counts}
    while len(pieces) < size:
        pairs = Counter[tuple[str, str]]()
        for word, parts in words.items():
            for pair in pairwise(parts):
                pairs[pair] += counts[word]
        order = sorted(pairs, key=lambda p: (-pairs[p], pieces.index(p[0]), pieces.index(p[1])))
        if not order or pairs[order[0]] < 2:
            break
        left, right = order[0]
        joined = left + right.removeprefix(INNER)
        if joined not in pieces:
            pieces.append(joined)
        for word, parts in words.items():
            merged: list[str] = []
            for part in parts:
                if merged and (merged[-1], part) == (left, right):
                    merged[-1] = joined
                else:
                    merged.append(part)
            words[word] = merged
    return pieces


@given(
    st.dictionaries(WORDS | WORDS.map(INNER.__add__), st.integers(1, 30), max_size=12),
    st.integers(12, 40),
)
def test_merges_are_those_of_the_algorithm(counts: dict[str, int], size: int) -> None:
    learnt = learn_merges(counts.items(), letters=LETTERS, size=size)
    assert learnt.pieces == _reference(counts, size)


def test_what_continues_a_word_makes_inner_pieces_only() -> None:
    learnt = learn_merges([("##에서", 9), ("가", 3)], letters=["에", "서", "가"], size=99)
    assert learnt.pieces[6:] == ["##에서"]
    assert learnt.pairs == [("##에", "##서")]


def test_order_does_not_show() -> None:
    draw = random.Random(3)
    counts = [("".join(draw.choices(LETTERS, k=5)), 2) for _ in range(300)]
    learnt = learn_merges(counts, letters=LETTERS, size=150)
    for _ in range(3):
        draw.shuffle(counts)
        assert learn_merges(counts, letters=LETTERS, size=150) == learnt


@given(st.text(st.sampled_from([*LETTERS, "國", "#", "😀"]), min_size=1))
def test_symbols_stand_for_words_less_unknown_letters(word: str) -> None:
    letters = [*LETTERS, "#", "😀"]
    symbols = Symbols(letters)
    for begin in ("", INNER):
        known = "".join(letter for letter in word if letter in letters)
        encoded = symbols.encode(begin + word)
        assert len(encoded) == len(known)
        if word[0] in letters and not (not begin and is_inner(word)):
            assert symbols.decode(encoded) == begin + known


@pytest.mark.parametrize("text", ["한글은 (AI) ㅋㅋ😀! 가\t나", "ᄒ\u1161\u11ab글 x#y ##", ""])
def test_words_stand_at_their_places(text: str) -> None:
    words = words_of(text)
    assert all(text[start:end] == word for word, (start, end) in words)
    assert "".join(word for word, _ in words) == "".join(text.split())
    assert not any(is_inner(word) for word, _ in words)


def test_frames() -> None:
    tokenizer = framed(wordpiece_tokenizer(["가", "##나"]))
    names = tokenizer.convert_ids_to_tokens(tokenizer("가나", "가")["input_ids"])
    assert names == ["[CLS]", "가", "##나", "[SEP]", "가", "[SEP]"]
    assert tokenizer.convert_tokens_to_ids(list(SPECIAL)) == [0, 1, 2, 3, 4]
