"""Figures of tokenizers: a text counted by hand, other kinds of tokenizers, other folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tokenizers
import transformers
from hypothesis import given
from hypothesis import strategies as st
from sentences import write

from pipeline.core.errors import InputError
from pipeline.core.morphology import morphemes
from pipeline.core.wordpiece import framed, wordpiece_tokenizer
from pipeline.tokenization.measures import Tally, Texts, figures, load_tokenizer, measure

PIECES = ["한", "##가람", "##은", "바닷", "##가", "도서관", "##에서", "읽", "##었다", "."]
TEXT = "한가람은  바닷가 도서관에서 國 읽었다."


def test_a_text_counted_by_hand(tmp_path: Path) -> None:
    """한 가람 은, 바닷 가, 도서관 에서, 國, 읽 었다 . beside 한가람 은, 바닷가, ..., 읽 었 다 ."""
    tokenizer = framed(wordpiece_tokenizer(PIECES))
    source = write(tmp_path / "a.txt", ["", TEXT, f" {TEXT} "])
    record = measure([source], [tokenizer])
    (row,) = record["tokenizers"]
    assert row.pop("tokens_per_second") > 0
    assert record == {"texts": 2, "words": 10, "tokenizers": [row]}
    assert row == {
        "fertility": 11 / 5,
        "continued": 4 / 5,
        "unknown": 1 / 11,
        "precision": 4 / 6,
        "recall": 4 / 5,
    }


@given(st.lists(st.text(st.sampled_from("가나은 .a\t😀\n國")), max_size=5))
def test_batches_add_up(texts: list[str]) -> None:
    """Texts together give the sums of each by itself, and words are those of `split`."""
    tokenizer, together, single = framed(wordpiece_tokenizer(["가", "##나", "."])), Tally(), Tally()
    whole = Texts(texts)
    whole.add(together, tokenizer)
    parts = [Texts([text]) for text in texts]
    for part in parts:
        part.add(single, tokenizer)
    together.seconds = single.seconds = 0
    assert together == single
    assert whole.words == sum(part.words for part in parts) == sum(len(t.split()) for t in texts)
    assert whole.edges == sum(part.edges for part in parts)


def test_morphemes_measured_against_themselves() -> None:
    """A tokenizer that cuts as mecab does has precision and recall 1."""
    forms = [morpheme.form for morpheme in morphemes(TEXT)]
    inner = [f"##{form}" for form in forms]
    tally, texts = Tally(), Texts([TEXT])
    texts.add(tally, framed(wordpiece_tokenizer(dict.fromkeys([*forms, *inner]))))
    assert tally.right == tally.edges == texts.edges > 0


def test_bytes_and_blanks_before_words(tmp_path: Path) -> None:
    """A byte-level tokenizer: several tokens a letter, and the blank is in the token after it."""
    made = tokenizers.ByteLevelBPETokenizer()
    made.train_from_iterator(["가나 a"], vocab_size=256, show_progress=False)
    made.save_model(str(tmp_path))
    tokenizer = transformers.GPT2TokenizerFast(
        str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")
    )
    tokenizer.save_pretrained(tmp_path)
    record = measure([write(tmp_path / "a.txt", ["가 나나 a"])], [load_tokenizer(tmp_path)])
    (row,) = record["tokenizers"]
    assert row["fertility"] == (3 + 1 + 6 + 1 + 1) / 3
    assert row["unknown"] == 0


def test_nothing_has_no_share() -> None:
    assert set(figures(Tally(), words=0, edges=0).values()) == {None}


def test_a_tokenizer_that_pads_and_cuts_does_neither(tmp_path: Path) -> None:
    backend = wordpiece_tokenizer(["가", "##가"])
    backend.enable_padding(length=9)
    backend.enable_truncation(2)
    framed(backend).save_pretrained(tmp_path)
    record = measure([write(tmp_path / "a.txt", ["가가가 가", "가"])], [load_tokenizer(tmp_path)])
    assert record["tokenizers"][0]["fertility"] == 5 / 3


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        (None, "no such folder"),
        ({}, "holds no tokenizer; needed: one of tokenizer.json"),
        ({"config.json": '{"model_type": "bert"}'}, "holds no tokenizer"),
        ({"tokenizer.json": "{"}, "cannot be loaded"),
        (
            {"tokenizer.json": '{"version": "1.0", "model": {"type": "Strange"}}'},
            "cannot be loaded",
        ),
        (
            {"vocab.json": "[]", "preprocessor_config.json": "{}"},
            "cannot be loaded",
        ),
    ],
    ids=["absent", "empty", "model", "cut", "strange", "other"],
)
def test_folders_of_another_kind(tmp_path: Path, files: dict[str, str] | None, fault: str) -> None:
    folder = tmp_path / "folder"
    if files is not None:
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
    with pytest.raises(InputError, match=fault):
        load_tokenizer(folder)


def test_a_tokenizer_that_is_cut_off(tmp_path: Path) -> None:
    framed(wordpiece_tokenizer(PIECES)).save_pretrained(tmp_path)
    file = tmp_path / "tokenizer.json"
    data = json.loads(file.read_text("utf-8"))
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(InputError, match="damaged or of another kind"):
        load_tokenizer(tmp_path)
    file.write_text(json.dumps(data | {"model": {"type": "WordPiece"}}), "utf-8")
    with pytest.raises(InputError, match="damaged or of another kind"):
        load_tokenizer(tmp_path)
