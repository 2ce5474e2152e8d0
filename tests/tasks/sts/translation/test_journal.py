"""The journal of translations: what was answered is not asked again, whatever killed the run."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError, RetryError
from pipeline.tasks.sts.translation import Journal, open_journal, two_step

LINES = [
    ("문이 열렸다.", "ko", "en", "The door opened."),
    ("The door opened.", "en", "ko", "열림."),
]


def _filled(folder: Path) -> Journal:
    with open_journal(folder, "t") as journal:
        for line in LINES:
            journal.put(*line)
    return journal


def test_answers_are_there_in_the_next_run(tmp_path: Path) -> None:
    _filled(tmp_path)
    with open_journal(tmp_path, "t") as journal:
        assert [journal.get(*line[:3]) for line in LINES] == [line[3] for line in LINES]
        assert journal.get("문이 열렸다.", "ko", "ja") is None
        assert journal.get("문이 닫혔다.", "ko", "en") is None


def test_each_translator_has_its_own(tmp_path: Path) -> None:
    _filled(tmp_path)
    with open_journal(tmp_path, "u") as other:
        assert other.get(*LINES[0][:3]) is None
        assert len(other.answers) == 0


def test_texts_are_not_in_it_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    path = _filled(tmp_path).path
    assert LINES[0][0] not in path.read_text("utf-8")
    assert path.stat().st_mode & 0o077 == 0


@given(cut=st.integers(min_value=1, max_value=400))
def test_a_run_killed_in_the_middle_of_a_line_goes_on(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = _filled(tmp_path_factory.mktemp("journal")).path
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut] if cut < len(whole) else b"")
    with open_journal(path.parent, "t") as journal:
        kept = len(journal.answers)
        assert kept == whole[: max(len(whole) - cut, 0)].count(b"\n")
        for line in LINES[kept:]:
            journal.put(*line)
    assert path.read_bytes() == whole


def test_a_damaged_line_is_told_and_not_paid_for_again_silently(tmp_path: Path) -> None:
    path = _filled(tmp_path).path
    first, second = path.read_bytes().splitlines(keepends=True)
    for damage in (b'{"key": 1, "answer": "x"}\n', b"\x00\x00\n", b"[]\n", b"\xff\n"):
        path.write_bytes(first + damage + second)
        with pytest.raises(InputError, match=r"\.jsonl:2: not a line of a journal"):
            open_journal(tmp_path, "t").__enter__()
    path.write_bytes(first + second)
    with open_journal(tmp_path, "t") as journal:
        assert len(journal.answers) == 2


def test_a_folder_that_cannot_be_used_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be used"):
        open_journal(tmp_path / "file", "t").__enter__()


def test_a_full_disk_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with open_journal(tmp_path, "t") as journal:
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(RetryError, match="cannot be kept: No space left"):
            journal.put(*LINES[0])


def _add(folder: Path, person: int) -> None:
    with open_journal(folder, "t") as journal:
        before = len(journal.answers)
        for n in range(20):
            journal.put(f"{person} {n}", "ko", "en", "answer")
        assert len(journal.answers) == before + 20


def test_processes_take_turns(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    people = [context.Process(target=_add, args=(tmp_path, n)) for n in range(3)]
    for one in people:
        one.start()
    for one in people:
        one.join(60)
    assert [one.exitcode for one in people] == [0, 0, 0]
    (path,) = tmp_path.glob("*.jsonl")
    keys = [json.loads(line)["key"] for line in path.read_bytes().splitlines()]
    assert len(keys) == len(set(keys)) == 60


def test_both_ways_are_kept_apart(tmp_path: Path) -> None:
    asked: list[tuple[str, str, str]] = []

    def step(text: str, source: str, target: str) -> str:
        asked.append((text, source, target))
        if len(asked) == 2:
            raise RetryError("the line went dead")
        return f"{text} in {target}"

    with open_journal(tmp_path, "t") as journal, pytest.raises(RetryError):
        two_step("t", "en", step, journal).round_trip("문")
    with open_journal(tmp_path, "t") as journal:
        trip = two_step("t", "en", step, journal).round_trip("문")
        again = two_step("t", "en", step, journal).round_trip("문")
    assert trip == again == ("문 in en", "문 in en in ko")
    # the pivot was paid for once, the way back was asked again after it failed
    assert asked == [("문", "ko", "en"), ("문 in en", "en", "ko"), ("문 in en", "en", "ko")]


def test_an_empty_pivot_is_not_sent_on(tmp_path: Path) -> None:
    with open_journal(tmp_path, "t") as journal:
        trip = two_step("t", "en", lambda *_: " ", journal).round_trip("문")
    assert trip == (" ", "")
