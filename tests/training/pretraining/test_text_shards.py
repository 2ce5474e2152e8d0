"""Text files: which, what divides documents, and what each line is."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from pipeline.core.errors import InputError
from pipeline.core.io import batch
from pipeline.training.pretraining.shards import check_texts, sentences, text_files


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_a_folder_stands_for_its_text(tmp_path: Path) -> None:
    parts = [write(tmp_path / "text" / f"part-0000{i}.txt", "글") for i in (1, 0)]
    write(tmp_path / "notes.txt", "글")
    write(tmp_path / "text" / "manifest.json", "{}")
    assert text_files([tmp_path]) == parts[::-1]
    other = write(tmp_path / "other" / "a.txt", "글")
    assert text_files([other, tmp_path / "text"]) == [other, *parts[::-1]]


def test_blank_lines_divide_documents(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "\ufeff\n하나\r\n둘 \n \t\n\n셋\n\n")
    packed = tmp_path / "b.txt.gz"
    packed.write_bytes(gzip.compress("넷\n다섯\n".encode()))
    assert check_texts([path, packed])
    found = [(True, "하나"), (False, "둘"), (True, "셋"), (True, "넷"), (False, "다섯")]
    assert list(sentences([path, packed], documents=True)) == found
    assert {begins for begins, _ in sentences([path], documents=False)} == {True}


@pytest.mark.parametrize(
    ("text", "divided"), [("하나\n둘\n", False), ("\n\n하나\n둘\n\n\n", False), ("가\n \n나", True)]
)
@pytest.mark.parametrize("size", [4, 10_000])
def test_blank_lines_around_a_text_divide_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, divided: bool, size: int
) -> None:
    monkeypatch.setattr(batch, "BYTES", size)  # blocks of a few bytes, and all at once
    assert check_texts([write(tmp_path / "a.txt", text)]) is divided


def test_every_line_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("하나\n둘\n".encode() + b"\xb0\xa1\n" + "넷\n".encode())
    with pytest.raises(InputError, match=r"a\.txt:3: the line is no UTF-8"):
        check_texts([path])
