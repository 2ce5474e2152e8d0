"""Steps reach the watcher in their order, from threads too, and nobody without one."""

from __future__ import annotations

import threading

import pytest

from pipeline.core import steps


class Noted:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def advance(self, step: str, work: int, total: int | None) -> None:
        self.told.append((step, work, total))

    def end(self, step: str) -> None:
        self.told.append((step, "end"))


def test_items_are_counted_when_the_next_one_is_asked_for() -> None:
    noted = Noted()
    with steps.watched(noted):
        items = steps.counted("rows", iter("ab"), 2)
        assert next(items) == "a"
        assert noted.told == [("rows", 0, 2)]
        assert [*items] == ["b"]
    assert noted.told == [("rows", 0, 2), ("rows", 1, 2), ("rows", 1, 2), ("rows", "end")]


def test_a_step_ends_where_its_work_fails() -> None:
    noted = Noted()
    with pytest.raises(ValueError, match="fault"), steps.watched(noted), steps.running("work"):
        raise ValueError("fault")
    assert noted.told[-1] == ("work", "end")


def test_work_up_to_now_is_reported_as_what_is_new() -> None:
    noted = Noted()
    with steps.watched(noted):
        to = steps.follow("steps")
        to(3, 10)
        to(7, 10)
    assert noted.told == [("steps", 3, 10), ("steps", 4, 10)]


def test_threads_report_to_the_watcher_of_the_process_and_later_ones_to_nobody() -> None:
    noted = Noted()
    with steps.watched(noted):
        thread = threading.Thread(target=steps.advance, args=("rows", 5))
        thread.start()
        thread.join()
    steps.advance("rows", 6)
    assert noted.told == [("rows", 5, None)]
