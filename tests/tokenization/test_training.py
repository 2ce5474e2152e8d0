"""Tokenizers trained on files: chance has no part in them, and they load without an analyser."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import unicodedata
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import transformers
from hypothesis import given
from hypothesis import strategies as st
from sentences import ODD, sentences, write

from pipeline.core.errors import InputError
from pipeline.core.pool import Workers
from pipeline.core.wordpiece import SPECIAL
from pipeline.tokenization.algorithms import ALGORITHMS, BEGIN
from pipeline.tokenization.counting import survey
from pipeline.tokenization.recipes import RECIPES
from pipeline.tokenization.training import Settings, Trained, alphabet, train

ROOT = Path(__file__).resolve().parents[2]
ALL = sorted(product(RECIPES, ALGORITHMS))
SIZE = 300


def make(
    folder: Path, texts: list[str], *, size: int = SIZE, workers: int = 1, **names: str
) -> Trained:
    sources = [write(folder / "a.txt", texts[:99]), write(folder / "b.txt", texts[99:])]
    with Workers(workers) as pool:
        settings = Settings(names["recipe"], names["algorithm"], size)
        return train(
            sources, settings=settings, surveyed=survey(sources), folder=folder, workers=pool
        )


def make_all(folder: Path, texts: list[str]) -> dict[str, Trained]:
    """Write a tokenizer of each kind."""
    tokenizers_by_kind = {}
    for recipe, algorithm in ALL:
        out = folder / f"{recipe}-{algorithm}"
        out.mkdir(parents=True)
        tokenizers_by_kind[out.name] = make(folder, texts, recipe=recipe, algorithm=algorithm)
        tokenizers_by_kind[out.name].save(out)
    return tokenizers_by_kind


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of the files of each tokenizer in a folder."""
    return {
        out.name: hashlib.sha256(
            b"".join(p.read_bytes() for p in sorted(out.iterdir()))
        ).hexdigest()
        for out in folder.iterdir()
        if out.is_dir()
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tokenizers")


@pytest.fixture(scope="module")
def tokenizers_by_kind(folder: Path) -> dict[str, Trained]:
    return make_all(folder, sentences())


@pytest.mark.full
@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "5", "RAYON_NUM_THREADS": "3", "TOKENIZERS_PARALLELISM": "true"},
        pytest.param(
            {"PYTHONHASHSEED": "9", "RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"},
            marks=pytest.mark.full,
        ),
    ],
    ids=["threads", "no-threads"],
)
def test_runs_threads_and_order_do_not_show(
    tokenizers_by_kind: dict[str, Trained],
    folder: Path,
    tmp_path: Path,
    environment: dict[str, str],
) -> None:
    code = "import sys; from test_training import *;make_all(Path(sys.argv[1]), sentences()[::-1])"
    paths = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    assert digests(tmp_path) == digests(folder)
    assert set(digests(folder)) == set(tokenizers_by_kind)


@pytest.mark.full
def test_workers_do_not_show(
    tokenizers_by_kind: dict[str, Trained], folder: Path, tmp_path: Path
) -> None:
    trained = make(tmp_path, sentences(), workers=2, recipe="aligned", algorithm="wordpiece")
    out = tmp_path / "aligned-wordpiece"
    out.mkdir()
    trained.save(out)
    assert digests(tmp_path)[out.name] == digests(folder)[out.name]


def test_they_load_without_an_analyser(
    tokenizers_by_kind: dict[str, Trained], folder: Path
) -> None:
    """In a new process that has neither mecab nor this project, all read as they were trained."""
    code = (
        "import json, sys; sys.modules['mecab'] = None; sys.modules['sentencepiece'] = None\n"
        "from transformers import AutoTokenizer\n"
        "texts, folders = json.load(sys.stdin)\n"
        "found = {f: AutoTokenizer.from_pretrained(f)(texts)['input_ids'] for f in folders}\n"
        "assert not any(name.split('.')[0] == 'pipeline' for name in sys.modules)\n"
        "json.dump(found, sys.stdout)"
    )
    texts = sentences(20)
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        input=json.dumps([texts, [str(folder / name) for name in tokenizers_by_kind]]).encode(),
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    for trained, ids in zip(
        tokenizers_by_kind.values(), json.loads(done.stdout).values(), strict=True
    ):
        assert ids == trained.tokenizer(texts)["input_ids"]


@pytest.mark.parametrize("kind", ["Bert", "Roberta"])
def test_a_model_beside_it_changes_nothing(
    tokenizers_by_kind: dict[str, Trained], folder: Path, tmp_path: Path, kind: str
) -> None:
    """The class of BERT's own tokenizer would put its normal forms in again."""
    kept = transformers.AutoTokenizer.from_pretrained(folder / "klue-wordpiece")
    getattr(transformers, f"{kind}Config")().save_pretrained(tmp_path)
    kept.save_pretrained(tmp_path)
    again = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert again.backend_tokenizer.to_str() == kept.backend_tokenizer.to_str()
    assert again(ODD)["input_ids"] == kept(ODD)["input_ids"]


@pytest.fixture(scope="module", params=ALL, ids="-".join)
def loaded(
    request: pytest.FixtureRequest, tokenizers_by_kind: dict[str, Trained], folder: Path
) -> Any:
    return transformers.AutoTokenizer.from_pretrained(folder / "-".join(request.param))


@given(st.lists(st.sampled_from(sorted(set("".join(sentences())))), max_size=40).map("".join))
def test_places_are_the_pieces_themselves(loaded: Any, text: str) -> None:
    """Nothing is rewritten: what stands at a place is the piece, and blanks alone are left."""
    found = loaded.backend_tokenizer.encode(text, add_special_tokens=False)
    inside: set[int] = set()
    for token, (start, end) in zip(found.tokens, found.offsets, strict=True):
        if token not in ("[UNK]", BEGIN):
            assert text[start:end] in (token, token.removeprefix("##"), token.removeprefix(BEGIN))
        inside.update(range(start, end))
    assert all(text[at].isspace() for at in set(range(len(text))) - inside)


def test_every_letter_is_known_at_either_place(loaded: Any) -> None:
    letters = alphabet(Counter("".join(sentences())))
    texts = [text for x in letters for text in (x, f"가{x}", f"{x}가")]
    assert all(loaded.unk_token_id not in ids for ids in loaded(texts)["input_ids"])
    assert len(loaded) <= SIZE
    assert loaded.convert_ids_to_tokens(range(5)) == list(SPECIAL)


def test_unseen_letters_are_unknown(loaded: Any) -> None:
    text = f"{unicodedata.lookup('HIRAGANA LETTER A')}가"
    assert loaded.unk_token_id in loaded(text)["input_ids"]


def test_aligned_pieces_keep_to_morphemes(tmp_path: Path) -> None:
    """A particle of two letters is one piece inside a word, by the recipe `aligned` alone."""
    texts = ["도서관에서 바닷가까지 학교에서 시장까지"] * 9
    cut = {
        recipe: make(tmp_path, texts, size=150, recipe=recipe, algorithm="wordpiece").tokenizer
        for recipe in RECIPES
    }
    assert cut["aligned"].tokenize("바닷가에서") == ["바닷가", "##에서"]
    assert cut["klue"].tokenize("바닷가에서") == ["바닷가", "##에", "##서"]
    assert cut["plain"].tokenize("도서관에서") == ["도서관에서"]


def test_the_record(folder: Path, tokenizers_by_kind: dict[str, Trained]) -> None:
    record = json.loads((folder / "klue-unigram" / "tokenizer_record.json").read_text("utf-8"))
    texts = sentences()
    assert record["input"]["texts"] == len(texts)
    assert record["input"]["letters"] == len(set("".join(texts)))
    assert {"tokenizers", "sentencepiece", "python-mecab-ko"} <= set(record["versions"])
    assert record["pieces"] <= record["vocabulary"] == SIZE
    assert str(folder) not in json.dumps(record)


def test_the_alphabet_is_what_is_frequent() -> None:
    counts = {" ": 10**9, "가": 90_000, "나": 9_950, "a": 20, "b": 20, "c": 10}
    assert alphabet(counts) == ["가", "나"]
    assert alphabet(counts | {"b": 21, "a": 31}) == ["가", "나", "a"]
    assert alphabet({}) == []


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_a_vocabulary_smaller_than_the_alphabet(tmp_path: Path, algorithm: str) -> None:
    texts = ["가나다", "라마"]
    with pytest.raises(InputError, match=r"smaller than the alphabet: 5 letters .* at least 16$"):
        make(tmp_path, texts, size=15, recipe="plain", algorithm=algorithm)
    least = make(tmp_path, texts, size=16, recipe="plain", algorithm=algorithm).tokenizer
    assert 15 <= len(least) <= 16
    assert least.unk_token_id not in least("마라 다 가라")["input_ids"]
