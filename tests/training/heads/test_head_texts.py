"""Texts and pairs as inputs, against the call of transformers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch", reason="the optional part `train` is not installed")
pytest.importorskip("transformers", reason="the optional part `train` is not installed")

from training.heads.made_inputs import head_of, made
from training.heads.made_tokens import TEXTS, bert, letters, odd_texts, roberta

from pipeline.core.errors import InputError
from pipeline.training.features import Features, ragged
from pipeline.training.heads.texts import add_special_tokens, check_texts, concatenate, truncate
from pipeline.training.tokens import Tokens

KINDS = {"bert": bert(), "roberta": roberta(), "letters": letters()}
lengths = st.integers(8, 40)
number_rows = st.lists(st.lists(st.integers(0, 99), max_size=5), min_size=3, max_size=3)


def theirs(tokens: Tokens, texts: list[Any], length: int) -> Any:
    """Return the call of transformers, in which a text has no special tokens."""
    return tokens.tokenizer(
        *texts,
        truncation="longest_first",
        max_length=length,
        return_token_type_ids=True,
        split_special_tokens=True,
    )


def same(found: Features, want: Any, tokens: Tokens) -> None:
    assert [row.tolist() for row in found.tokens] == want["input_ids"]
    if tokens.has_types:
        assert found.segments is not None
        assert [row.tolist() for row in found.segments] == want["token_type_ids"]
    else:
        assert found.segments is None


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(texts=st.lists(odd_texts(), min_size=1, max_size=4), length=lengths)
def test_single_texts(kind: str, texts: list[str], length: int) -> None:
    tokens = KINDS[kind]
    given_ = [made("tc", i, {"title": text}) for i, text in enumerate(texts)]
    found = head_of("tc", max_length=length).encode(given_, tokens, labels=False)
    same(found, theirs(tokens, [texts], length), tokens)
    assert found.owners.tolist() == list(range(len(texts)))
    assert not found.columns


@pytest.mark.parametrize("task", ["nli", "sts"])
@pytest.mark.parametrize("kind", ["bert", "roberta"])
@given(texts=st.lists(st.tuples(odd_texts(), odd_texts()), min_size=1, max_size=4), length=lengths)
def test_pairs(kind: str, task: str, texts: list[tuple[str, str]], length: int) -> None:
    tokens, names = KINDS[kind], ("premise", "hypothesis")
    if task == "sts":
        names = ("sentence1", "sentence2")
    given_ = [made(task, i, dict(zip(names, pair, strict=True))) for i, pair in enumerate(texts)]
    found = head_of(task, max_length=length).encode(given_, tokens, labels=False)
    firsts, seconds = ([pair[side] for pair in texts] for side in (0, 1))
    same(found, theirs(tokens, [firsts, seconds], length), tokens)


@given(first=st.integers(0, 30), second=st.integers(0, 30), room=st.integers(0, 25))
def test_the_longer_text_is_cut_one_token_at_a_time(first: int, second: int, room: int) -> None:
    """Counted as transformers words it: a token off the longer one, until they fit."""
    one, two = ragged([list(range(first))]), ragged([list(range(second))])
    (cut_one, cut_two), cut = truncate([one, two], room)
    left = [first, second]
    while sum(left) > room:
        left[0 if left[0] > left[1] else 1] -= 1
    found = [len(cut_one[0]), len(cut_two[0])]
    assert sum(found) == sum(left)
    assert abs(found[0] - left[0]) <= 1  # an odd token: the library gives it to the longer text
    assert cut.tolist() == [first + second > room]
    assert cut_one[0].tolist() == list(range(found[0]))
    assert cut_two[0].tolist() == list(range(found[1]))


@given(columns=st.lists(number_rows, min_size=1, max_size=4))
def test_joined_rows(columns: list[list[list[int]]]) -> None:
    found = concatenate([ragged(column) for column in columns])
    assert [row.tolist() for row in found] == [
        [one for column in columns for one in column[row]] for row in range(3)
    ]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_frames_are_those_of_the_tokenizer(kind: str) -> None:
    tokens = KINDS[kind]
    texts = [tokens.ids(TEXTS[:3]), tokens.ids(TEXTS[3:6])]
    for frame, given_ in ((tokens.single, texts[:1]), (tokens.pair, texts)):
        ids, types = add_special_tokens(frame, given_)
        for row, own in enumerate(zip(TEXTS[:3], TEXTS[3:6], strict=True)):
            want = tokens.tokenizer(*own[: len(given_)], return_token_type_ids=True)
            assert ids[row].tolist() == want["input_ids"]
            assert types[row].tolist() == want["token_type_ids"]
            assert frame.size == len(ids[row]) - sum(len(text[row]) for text in given_)


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ([3, 6, 1], ()),
        ([3, 7, 1], ("1 of 3 texts was cut at 8 tokens",)),
        ([9, 7, 6, 30], ("3 of 4 texts were cut at 8 tokens",)),
    ],
)
def test_what_was_cut_is_told(words: list[int], note: tuple[str, ...]) -> None:
    given_ = [made("tc", i, {"title": "다 " * many}) for i, many in enumerate(words)]
    found = head_of("tc", max_length=8).encode(given_, KINDS["letters"], labels=False)
    assert found.notes == note


def test_no_examples_at_all() -> None:
    for task in ("tc", "nli"):
        found = head_of(task).encode([], KINDS["bert"], labels=True)
        assert (len(found), len(found.tokens), found.notes) == (0, 0, ())


@pytest.mark.parametrize("blank", [None, "", " \t\n", "\u3000", 7])
def test_a_blank_text_is_refused_with_its_id(blank: object) -> None:
    good = made("nli", 0, {"premise": "비밀 문장", "hypothesis": "있다"})
    bad = [made("nli", i, {"premise": "비밀 문장", "hypothesis": blank}) for i in (1, 2)]
    check_texts("nli", [good], ("premise", "hypothesis"))
    with pytest.raises(InputError, match="nli: 2 of 3 examples have no text in `hyp") as error:
        check_texts("nli", [good, *bad], ("premise", "hypothesis"))
    assert "nli-001" in str(error.value)
    assert "비밀" not in str(error.value)
