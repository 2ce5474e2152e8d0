"""Words counted over files: against a Counter, on disk and in memory, in any order."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from sentences import sentences, write

from pipeline.core.pool import Workers
from pipeline.tokenization import counting
from pipeline.tokenization.counting import count_words, survey
from pipeline.tokenization.recipes import plain


def _words(texts: list[str]) -> Counter[str]:
    return Counter(word for text in texts for word in plain(text))


def test_counts_are_the_same_on_disk_and_from_several_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = sentences()
    monkeypatch.setattr(counting, "HELD", 20)
    monkeypatch.setattr(counting, "_TEXTS", 7)
    monkeypatch.setattr(counting, "_ROWS", 5)
    sources = [
        write(tmp_path / "a.txt", ["", *texts[100:], " "]),
        write(tmp_path / "b.txt", texts[:100]),
    ]
    done: list[int] = []
    counts = count_words(sources, "plain", folder=tmp_path, workers=Workers(1), advance=done.append)
    assert counts.words == dict(_words(texts))
    assert list(counts.words) == sorted(counts.words)
    assert (counts.different, counts.total) == (len(counts.words), sum(counts.words.values()))
    assert sum(done) == len(texts)
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "b.txt"}


def test_the_rarest_words_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of equally rare words those that come first stay: `나`, not `다`."""
    monkeypatch.setattr(counting, "WORDS", 2)
    source = write(tmp_path / "a.txt", ["다 나 가 가"])
    counts = count_words([source], "plain", folder=tmp_path, workers=Workers(1))
    assert counts.words == {"가": 2, "나": 1}
    assert (counts.different, counts.total) == (3, 4)


def test_a_survey_does_not_show_order_or_files(tmp_path: Path) -> None:
    texts = sentences()
    one = survey([write(tmp_path / "a.txt", texts)])
    two = survey(
        [write(tmp_path / "b.txt", texts[:9:-1]), write(tmp_path / "c.txt", ["", *texts[:10]])]
    )
    assert one == two
    assert one.letters == Counter("".join(texts))
    assert survey([write(tmp_path / "d.txt", texts[:-1])]).digest != one.digest
    assert survey([write(tmp_path / "e.txt", [*texts, texts[0]])]).digest != one.digest


def test_rows_that_cannot_be_read_are_counted_and_passed_on(tmp_path: Path) -> None:
    source = write(tmp_path / "a.txt", ["가"])
    source.path.write_bytes("가\n".encode() + b"\xff\n" + "나\n".encode())
    met: list[tuple[str, int]] = []
    surveyed = survey([source], lambda file, row: met.append((file.path.name, row.line)))
    assert surveyed.unreadable == {"file.encoding@1": 1}
    assert met == [("a.txt", 2)]
    assert surveyed.texts == 2
