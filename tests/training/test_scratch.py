"""Tokenizers trained on the spot: places, what is known, and that chance has no part in them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.wordpiece import SPECIAL
from pipeline.training.scratch import SIZES, USUAL, config_of, train_tokenizer
from pipeline.training.tokens import Tokens

ROOT = Path(__file__).resolve().parents[2]
#: Conjoining jamo and jamo of their own block, hanja, latin letters of two cases, an emoji.
ODD = [
    "ᄏᄏᄏ 웃기네",
    "ㅋㅋㅋ 그래ㅠㅠ",
    "美 대선, 朴 후보",
    "KTX·SRT 3.5% 올라",
    "좋아요😀",
    "Ünal 감독",
]


def corpus(many: int = 400) -> list[str]:
    """Return headlines of made-up words, the same every time."""
    draw = random.Random(7)
    stems = ["한빛", "솔내", "미르", "가온", "두레", "나래", "하람", "보라", "시내", "아라"]
    words = ["시장", "경기", "대회", "기업", "학교", "주가", "선수", "발표", "개막", "상승"]
    ends = ["이", "가", "은", "는", "을", "에서", "까지", "…", "!"]
    made = [
        " ".join(draw.choice(stems) + draw.choice(words) + draw.choice(ends) for _ in range(5))
        for _ in range(many)
    ]
    return made + ODD


def pieces(tokenizer: object) -> list[str]:
    vocabulary = tokenizer.get_vocab()  # type: ignore[attr-defined]
    return sorted(vocabulary, key=lambda piece: vocabulary[piece])


@pytest.fixture(scope="module")
def tokens() -> Tokens:
    """Return a tokenizer with room for all that occurs twice."""
    return Tokens(train_tokenizer(corpus(), 2_000))


@given(st.lists(st.sampled_from(sorted(set("".join(corpus())))), max_size=60).map("".join))
def test_places_are_the_pieces_themselves(tokens: Tokens, text: str) -> None:
    """Nothing is rewritten, so what stands at a place is the piece, and blanks alone are left."""
    found = tokens.encode([text])
    names = tokens.tokenizer.convert_ids_to_tokens(found.ids[0].tolist())
    assert "[UNK]" not in names
    places = found.places[0].tolist()
    assert [text[start:end] for start, end in places] == [one.removeprefix("##") for one in names]
    inside = {at for start, end in places for at in range(start, end)}
    assert all(text[at].isspace() for at in set(range(len(text))) - inside)


def test_conjoining_jamo_have_places_of_their_own(tokens: Tokens) -> None:
    """한 in three jamo, where the library's normal forms would name the first jamo only."""
    apart = unicodedata.normalize("NFD", "한")
    made = Tokens(train_tokenizer([apart, apart + "글"], 100))
    found = made.encode([f"{apart}글 {apart}"])
    assert found.places[0].tolist()[-1][1] == 8
    assert sum(end - start for start, end in found.places[0].tolist()) == 7


def test_known_letters_are_known_in_new_words(tokens: Tokens) -> None:
    """A letter that only began words is known inside one, and the other way round."""
    found = tokens.encode(["감독美朴", "😀요"])
    assert tokens.tokenizer.unk_token_id not in found.ids.values.tolist()


def test_frames_are_those_of_bert(tokens: Tokens) -> None:
    made = tokens.tokenizer("시장", "경기")
    names = tokens.tokenizer.convert_ids_to_tokens(made["input_ids"])
    first = names.index("[SEP]")
    assert names[0] == "[CLS]"
    assert names[-1] == "[SEP]"
    assert made["token_type_ids"] == [0] * (first + 1) + [1] * (len(names) - first - 1)
    assert tokens.has_types
    assert pieces(tokens.tokenizer)[:5] == list(SPECIAL)


def test_order_and_repetition_of_texts_do_not_show() -> None:
    texts = corpus()
    given = train_tokenizer(texts, 300).backend_tokenizer.to_str()
    random.Random(1).shuffle(texts)
    assert train_tokenizer(iter([*texts, *texts[:50]]), 300).backend_tokenizer.to_str() == given


@pytest.mark.thin(2)
@pytest.mark.parametrize("environment", [{"RAYON_NUM_THREADS": "3"}, {"PYTHONHASHSEED": "5"}])
def test_runs_and_threads_do_not_show(environment: dict[str, str]) -> None:
    """Most pieces of this corpus tie: the library alone makes another vocabulary in each run."""
    code = (
        "from test_scratch import *;"
        "print(hash_of(train_tokenizer(corpus(), 300).backend_tokenizer.to_str()))"
    )
    paths = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        text=True,
    )
    here = hash_of(train_tokenizer(corpus(), 300).backend_tokenizer.to_str())
    assert done.stdout.strip() == here, done.stderr


def hash_of(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()


def test_vocabulary_is_as_large_as_needed_and_allowed() -> None:
    texts = corpus()
    assert len(train_tokenizer(texts, 300)) == 300
    needed = pieces(train_tokenizer(texts, 100_000))
    assert len(needed) < 2_000
    letters = {letter for text in texts for letter in text if not letter.isspace()}
    assert set(needed) >= letters | {f"##{letter}" for letter in letters}
    # What is longer occurs at least twice: `웃기네` does not.
    assert not {"웃기", "웃기네", "##기네"} & set(needed)


def many(first: int, count: int) -> list[str]:
    return [chr(first + number) for number in range(count)]


def test_hangul_comes_before_what_is_frequent() -> None:
    """Of 100 hanja, the rarer the later, those are left out for which there is no room."""
    syllables, hanja = many(0xAC00, 30), many(0x4E00, 100)
    frequent = [letter for place, letter in enumerate(hanja) for _ in range(200 - place)]
    known = set(pieces(train_tokenizer([" ".join([*syllables, *frequent])], 100)))
    assert known >= set(syllables)
    assert [letter for letter in hanja if letter in known] == hanja[:USUAL]
    assert f"##{hanja[0]}" in known


@pytest.mark.parametrize("size", [1, 4, 119, 124, 125])
def test_more_letters_than_there_is_room_for(size: int) -> None:
    """Hangul and digits have their two pieces beside the special tokens, and nothing else has."""
    letters = [*many(0xAC00, 60), *"0123456789"]
    made = Tokens(train_tokenizer([" ".join(letters), "".join(letters[1:])], size))
    assert set(pieces(made.tokenizer)) == {*SPECIAL, *letters, *(f"##{one}" for one in letters)}
    unknown = made.tokenizer.unk_token_id
    assert unknown not in made.ids([f"3{letters[9]}{letters[3]}"]).values
    assert made.ids(["國"]).values.tolist() == [unknown]


@pytest.mark.parametrize("texts", [[], [""]])
def test_a_vocabulary_without_letters(texts: list[str]) -> None:
    """All is unknown, and inputs have their frame still."""
    made = Tokens(train_tokenizer(texts, 1))
    assert pieces(made.tokenizer) == list(SPECIAL)
    assert made.ids(["國民 가"]).values.tolist() == [made.tokenizer.unk_token_id] * 2
    assert made.single.size == 2


@pytest.mark.parametrize("size", SIZES)
def test_sizes_are_those_of_the_literature(size: str) -> None:
    """Turc et al. 2019, Table 1, and Devlin et al. 2019: layers and hidden size."""
    published = {
        "tiny": (2, 128),
        "mini": (4, 256),
        "small": (4, 512),
        "base": (12, 768),
        "large": (24, 1024),
    }
    given = SIZES[size]
    config = config_of(given, rows=99, pad=0)
    assert (config.num_hidden_layers, config.hidden_size) == published[size]
    assert config.hidden_size == 64 * config.num_attention_heads
    assert config.intermediate_size == 4 * config.hidden_size
    assert config.vocab_size == 99


def test_headlines_as_they_are(data_dir: Path) -> None:
    """All letters of real headlines are known, in a vocabulary of the smallest size."""
    lines = (data_dir / "klue" / "ynat-v1.1_dev.csv").read_text("utf-8").splitlines()
    titles = [line.split(",", 3)[3] for line in lines if line.count(",") >= 3]
    tokens = Tokens(train_tokenizer(titles, SIZES["tiny"].vocabulary))
    found = tokens.encode(titles)
    assert len(tokens.tokenizer) == SIZES["tiny"].vocabulary
    assert tokens.tokenizer.unk_token_id not in found.ids.values
    assert len(found.ids.values) < 0.6 * sum(map(len, titles))


def test_sentences_with_conjoining_jamo(data_dir: Path) -> None:
    """KLUE-NER is in NFKC, which leaves some jamo conjoining; places hold all the same."""
    lines = (data_dir / "klue" / "klue-ner-v1.1_dev.tsv").read_text("utf-8").split("\n")
    columns = [line.partition("\t")[0] for line in lines if not line.startswith("## ")]
    texts = "".join(column or "\n" for column in columns).split("\n")[:1_000]
    assert any(0x1100 <= ord(letter) <= 0x11FF for letter in "".join(texts))
    tokens = Tokens(train_tokenizer(texts, SIZES["tiny"].vocabulary))
    found = tokens.encode(texts)
    for row, text in enumerate(texts):
        names = tokens.tokenizer.convert_ids_to_tokens(found.ids[row].tolist())
        told = [text[start:end] for start, end in found.places[row].tolist()]
        assert told == [one.removeprefix("##") for one in names]
