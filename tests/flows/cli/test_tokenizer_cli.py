"""`klue tokenizer` as a user meets it: what is written, what is measured, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from annotation_stories import bad, good, klue

LINES = [
    "한가람은 바닷가 도서관에서 책을 읽었다",
    "솔내음은 학교에서 시장까지 걸었다",
    "인공지능 연구자는 도서관까지 갔다",
] * 5


def _text(path: Path, lines: list[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def _train(*arguments: object, out: Path, size: int = 150) -> dict[str, Any]:
    return good("tokenizer", "train", *arguments, "--vocabulary", size, "--out", out)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return _text(tmp_path / "corpus.txt", LINES)


def test_from_texts_to_a_table(corpus: Path, tmp_path: Path) -> None:
    folders = [tmp_path / recipe for recipe in ("plain", "klue", "aligned")]
    for folder in folders:
        record = _train(corpus, "--recipe", folder.name, out=folder)
        assert record["recipe"] == folder.name
        assert record["input"]["texts"] == len(LINES)
        assert record.pop("out") == str(folder)
        assert json.loads((folder / "tokenizer_record.json").read_text("utf-8")) == record
        files = {path.name for path in folder.iterdir()}
        assert files == {"tokenizer.json", "tokenizer_config.json", "tokenizer_record.json"}
    options = [word for folder in folders for word in ("--tokenizer", folder)]
    example = "한가람은 학교에서"
    record = good("tokenizer", "stats", corpus, *options, "--example", example)
    assert set(record) == {"texts", "words", "unreadable", "tokenizers", "example"}
    assert record["words"] == sum(len(line.split()) for line in LINES)
    assert record["example"] == {"text": example, "morphemes": ["한가람", "은", "학교", "에서"]}
    plain, _, aligned = record["tokenizers"]
    assert [row["tokenizer"] for row in record["tokenizers"]] == list(map(str, folders))
    assert set(plain) == {
        *("tokenizer", "pieces", "fertility", "continued", "unknown", "precision", "recall"),
        *("tokens_per_second", "example"),
    }
    assert plain["fertility"] <= aligned["fertility"]
    assert aligned["recall"] > plain["recall"]
    assert aligned["example"] == ["한가람", "##은", "학교", "##에서"]
    shown = klue("tokenizer", "stats", corpus, *options, "--example", example).stdout
    assert "학교 / ##에서" in shown
    assert "fertility" in shown


def test_forms_of_input_give_the_same_tokenizer(corpus: Path, tmp_path: Path) -> None:
    """One file, the folder of klue pretrain-corpus, files of other forms: the texts decide."""
    pretrain = tmp_path / "pretrain"
    _text(pretrain / "text" / "part-00000.txt", [*LINES[:6], "", *LINES[6:9]])
    _text(pretrain / "text" / "part-00001.txt", LINES[9:])
    _text(pretrain / "removed.jsonl", ['{"text": "이것은 말뭉치가 아니다"}'])
    (tmp_path / "tables" / "sub").mkdir(parents=True)
    rows = "".join(f"{n},{line}\n" for n, line in enumerate(LINES))
    (tmp_path / "tables" / "sub" / "a.csv").write_text(f"id,sentence\n{rows}", "utf-8")
    (tmp_path / "tables" / "notes.md").write_text("이것은 말뭉치가 아니다", "utf-8")
    inputs: list[tuple[object, ...]] = [
        (corpus,),
        (corpus, corpus),
        (pretrain,),
        (tmp_path / "tables", "--text-column", "sentence"),
    ]
    written = []
    for number, words in enumerate(inputs):
        out = tmp_path / f"out{number}"
        _train(*words, out=out)
        written.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert all(files == written[0] for files in written)


def test_rows_that_cannot_be_read_are_said(corpus: Path, tmp_path: Path) -> None:
    corpus.write_bytes(corpus.read_bytes() + b"\xff\xfe\n" * 7)
    result = klue("tokenizer", "train", corpus, "--vocabulary", 150, "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert f"{corpus} line {len(LINES) + 1}: left out" in result.stderr
    assert "2 more rows left out" in result.stderr
    assert "pieces from" in result.stdout
    record = good("tokenizer", "stats", corpus, "--tokenizer", tmp_path / "out")
    assert record["unreadable"] == 7


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--recipe", "morphemes"], "--recipe 'morphemes': is not known; allowed: plain, klue"),
        (["--algorithm", "bpe-dropout"], "is not known; allowed: wordpiece, bpe, unigram"),
        (["--vocabulary", "4"], "smaller than the alphabet"),
        (["--vocabulary", "-1"], "smaller than the alphabet"),
        (["--vocabulary", "99999999999999"], "is out of range; give at most 2,000,000"),
        (["--vocabulary", "60"], "letters have two pieces each, beside 5 special tokens; give at"),
        (["--workers", "0"], "--workers 0 is out of range"),
        (["--text-column", "body", "table.csv"], "has no column 'body'"),
        (["nothing.txt"], "does not exist"),
        (["empty.txt"], "is empty"),
        (["blank.txt"], "hold no text"),
        (["cut.txt"], "ends within a character"),
        (["binary.txt"], "is binary"),
        (["picture.png"], "shows no form; allowed endings: .txt, .jsonl, .ndjson, .csv"),
    ],
)
def test_refusals_of_training(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], fault: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.txt").touch()
    Path("blank.txt").write_text("\n  \n", "utf-8")
    Path("cut.txt").write_bytes("가나다".encode()[:-1])
    Path("binary.txt").write_bytes(bytes(range(256)) * 40)
    Path("picture.png").write_bytes(b"\x89PNG\r\n")
    Path("table.csv").write_text("id,text\n1,가\n", "utf-8")
    inputs = [] if Path(options[-1]).suffix else [corpus]
    assert fault in bad("tokenizer", "train", *inputs, *options, "--out", "out")
    assert not Path("out").exists()


def test_places_that_cannot_be_written(corpus: Path, tmp_path: Path) -> None:
    assert "not empty" in bad("tokenizer", "train", corpus, "--out", tmp_path)
    assert "not empty" in bad("tokenizer", "train", corpus, "--out", corpus)
    assert "lies in the input" in bad("tokenizer", "train", tmp_path, "--out", tmp_path / "out")


def test_refusals_of_stats(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tokenizer"
    _train(corpus, out=folder)

    def refused(*arguments: object) -> str:
        return bad("tokenizer", "stats", *arguments)

    assert "no such folder" in refused(corpus, "--tokenizer", tmp_path / "none")
    assert "no such folder" in refused(corpus, "--tokenizer", corpus)
    other = _text(tmp_path / "release" / "manifest.json", ["{}"]).parent
    both = ("--tokenizer", folder, "--tokenizer", other)
    assert f"{other}: holds no tokenizer" in refused(corpus, *both)
    assert "--example: is blank" in refused(corpus, "--tokenizer", folder, "--example", " ")
    odd = refused(corpus, "--tokenizer", folder, "--example", "\udcff")
    assert "--example: is not UTF-8" in odd
    assert "hold no word" in refused(_text(tmp_path / "b.txt", [""]), "--tokenizer", folder)
    (folder / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes()[:-50])
    assert "damaged or of another kind" in refused(corpus, "--tokenizer", folder)
