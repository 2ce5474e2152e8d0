"""Ids, places and frames, against the tokenizer's own call."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from pipeline.core.errors import InputError

pytest.importorskip("torch", reason="the optional part `train` is not installed")
pytest.importorskip("transformers", reason="the optional part `train` is not installed")

import transformers
from tokenizers import Tokenizer, models, processors
from training.heads.made_tokens import TEXTS, bert, letters, odd_texts, roberta

from pipeline.training.features import Ragged
from pipeline.training.tokens import Tokens

KINDS = {"bert": bert(), "roberta": roberta(), "letters": letters()}
every_kind = pytest.mark.parametrize("kind", sorted(KINDS))


def rows(given: Ragged) -> list[Any]:
    return [row.tolist() for row in given]


def theirs(tokens: Tokens, *texts: str, **more: Any) -> Any:
    """Return what transformers makes of texts in which nothing is a special token."""
    return tokens.tokenizer(*texts, split_special_tokens=True, **more)


@every_kind
@given(text=odd_texts())
def test_ids_are_those_of_the_tokenizer(kind: str, text: str) -> None:
    tokens = KINDS[kind]
    want = theirs(tokens, text, add_special_tokens=False)["input_ids"]
    assert rows(tokens.ids([text, "", text])) == [want, [], want]
    assert kind == "letters" or rows(tokens.encode([text]).ids) == [want]


@given(text=odd_texts())
def test_places_are_the_offsets_of_the_tokenizer(text: str) -> None:
    for tokens in (KINDS["bert"], KINDS["roberta"]):
        made = tokens.encode([text, ""])
        want = theirs(tokens, text, add_special_tokens=False, return_offsets_mapping=True)
        assert rows(made.places) == [[list(pair) for pair in want["offset_mapping"]], []]
        assert made.places.lengths.tolist() == made.ids.lengths.tolist()


@given(text=odd_texts())
def test_places_cut_the_text_where_the_tokenizer_tells_none(text: str) -> None:
    made = KINDS["letters"].encode([text])
    cut = [text[start:end] for start, end in made.places[0]]
    assert cut == [letter for letter in text if not letter.isspace()]
    known = KINDS["letters"].tokenizer.numbers
    assert made.ids[0].tolist() == [known.get(letter, known["[UNK]"]) for letter in cut]


def test_places_of_letters_that_the_vocabulary_lacks() -> None:
    text = "하늘 🙂뷁 \u1112\u1161\u11ab 문"
    made = KINDS["bert"].encode([text])
    cut = [text[start:end] for start, end in made.places[0]]
    assert "".join(cut) == text.replace(" ", "")
    assert cut[-1] == "문"


@every_kind
@pytest.mark.parametrize("name", ["sep_token", "cls_token", "pad_token", "mask_token"])
def test_the_name_of_a_special_token_in_a_text_is_letters(kind: str, name: str) -> None:
    tokens = KINDS[kind]
    written = getattr(tokens.tokenizer, name)
    number = tokens.tokenizer.convert_tokens_to_ids(written)
    for set_before in (False, True):  # the library keeps what the last call wanted
        tokens.tokenizer("하늘", split_special_tokens=set_before)
        (ids,) = tokens.ids([f"하늘 {written} 문"])
        assert number not in ids
        assert len(ids) > len(tokens.ids(["하늘  문"])[0])
        assert number not in tokens.encode([f"하늘{written}"]).ids[0]


def test_a_tokenizer_saved_with_a_length_neither_cuts_nor_fills_up() -> None:
    tokens = bert()
    want, frame = rows(tokens.ids(TEXTS)), tokens.pair
    for again in (tokens.ids, lambda texts: tokens.encode(texts).ids):
        tokens.fast.enable_truncation(max_length=3)
        tokens.fast.enable_padding(length=200)
        assert rows(again(TEXTS)) == want
    tokens.fast.enable_truncation(max_length=3)
    tokens.fast.enable_padding(length=200)
    assert Tokens(tokens.tokenizer).pair == frame


@every_kind
def test_types_are_read_where_the_tokenizer_names_them(kind: str) -> None:
    assert KINDS[kind].has_types == (kind == "bert")


def without_unknown(*known: str) -> Tokens:
    """Return a tokenizer that leaves out what it does not know."""
    names = ("[CLS]", "[SEP]", *known)
    made = Tokenizer(models.BPE({name: number for number, name in enumerate(names)}, []))
    made.post_processor = processors.BertProcessing(("[SEP]", 1), ("[CLS]", 0))
    return Tokens(transformers.PreTrainedTokenizerFast(tokenizer_object=made))


def test_a_frame_needs_no_letter_a() -> None:
    tokens = without_unknown("가")
    assert rows(tokens.ids(["a", "가"])) == [[], [2]]
    assert tokens.single.parts == ((0,), (1,))
    assert tokens.pair.parts == ((0,), (1,), (1,))
    assert tokens.pair.inside == (0, 1)


def test_a_tokenizer_that_knows_nothing_is_refused() -> None:
    tokens = without_unknown()
    with pytest.raises(InputError, match="no token for any of"):
        _ = tokens.single


def test_markers_are_added_once_and_beside_those_there_are() -> None:
    tokens = bert()
    before = len(tokens.tokenizer)
    assert tokens.add(["<a>", "<b>"]) == 2
    assert tokens.add(["<b>", "<c>"]) == 1
    assert tokens.add(["<a>", "<b>", "<c>"]) == 0
    numbers = tokens.tokenizer.convert_tokens_to_ids(["<a>", "<b>", "<c>"])
    assert numbers == [before, before + 1, before + 2]
    assert set(tokens.tokenizer.extra_special_tokens) == {"<a>", "<b>", "<c>"}
    assert tokens.text([*numbers, *tokens.ids(["문"])[0]]) == "문"  # all three are special


@every_kind
def test_text_leaves_special_tokens_out(kind: str) -> None:
    tokens = KINDS[kind]
    assert tokens.text(tokens.tokenizer("문")["input_ids"]) == "문"


def test_many_texts_stay_in_order() -> None:
    tokens = KINDS["bert"]
    many = [f"{number} {TEXTS[number % len(TEXTS)]}" for number in range(5_000)]
    made = tokens.ids(many)
    assert len(made) == len(many)
    for number in (0, 4_095, 4_096, 4_999):
        assert made[number].tolist() == tokens.ids([many[number]])[0].tolist()


def test_no_texts_at_all() -> None:
    made = KINDS["bert"].encode([])
    assert (len(made.ids), len(made.places), made.places.values.shape) == (0, 0, (0, 2))
